/* This process: whether a layer may start in it, and the record that says which one it is. */
#ifndef REGATTA_INTERPOSE_PROCESS_H
#define REGATTA_INTERPOSE_PROCESS_H

#include <stdbool.h>

#include "routine_ids.h"

/* For calls while no layer is active: makes sure that MPI's entry points are known, and says
 * whether this routine can start one, because a command of ours started the process. */
bool process_may_start(enum routine_id routine);
void process_record(int rank, int ranks);

#endif
