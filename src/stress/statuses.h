/* Statuses that the program ignores and the layer needs. */
#ifndef REGATTA_STRESS_STATUSES_H
#define REGATTA_STRESS_STATUSES_H

#include "held_call.h"

/* Stores a status where the program wants it, if it does. Its MPI_ERROR stays as it was (MPI-4.0
 * §3.2.5). */
void call_store_status(const struct call *call, const MPI_Status *status);
/* Frees what call_statuses made. */
void call_statuses_free(struct call *call);

#endif
