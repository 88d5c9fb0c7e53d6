/* Plays a trace to one engine per rank, as a runtime under MPI would: keeps the duties of engine.h
 * and, within them, delays and reorders what it may (when mailboxes are emptied, when a batch
 * arrives between the entry and the return of the call that sends it, when a lock's state is handed
 * over).
 *
 * In some programs the updates come late, and many share a stamp, as with a runtime that spares
 * itself the work: then the engine may miss races of accumulates, and must still invent none. */
#ifndef REGATTA_SIM_DRIVE_H
#define REGATTA_SIM_DRIVE_H

#include "trace.h"

struct drive_result {
    struct finding *findings; /* of all ranks */
    size_t count, capacity;
    bool late;             /* updates were not handed over before they could be seen */
    const char *complaint; /* the engine refused what it must accept; NULL if all is well */
};

void drive(const struct trace *trace, uint64_t seed, struct drive_result *result);
void drive_clear(struct drive_result *result);

#endif
