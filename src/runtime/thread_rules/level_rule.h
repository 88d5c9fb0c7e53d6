/* The level of thread support that MPI provided (MPI-4.0 section 11.6), and MPI_Finalize. */
#ifndef REGATTA_RUNTIME_LEVEL_RULE_H
#define REGATTA_RUNTIME_LEVEL_RULE_H

#include "encounters.h"

struct call;

/* MPI is initialised: by this call. */
void level_start(const struct call *call, const struct stack *stack);
/* Who calls, whatever the others do. Without the rules' lock. */
void level_check_thread(const struct encounter *now);
/* Against the calls of others, and then among them. With the rules' lock. */
void level_check_order(struct hearing *hearing);
/* The end: what is worth a note. Without the rules' lock. */
void level_notes(void);
/* MPI was called after MPI_Finalize. */
void level_after_end(const struct encounter *now);

#endif
