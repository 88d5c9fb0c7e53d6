/* One-sided communication as the race engine sees it: windows, operations, epochs, and the edges
 * that locks and atomics make. Needs the session's lock unless something else is said.
 *
 * Which epochs are open is known by interpose/windows.h; here is what has to be agreed between
 * ranks: rma_windows.c, rma.c (operations), epochs.c (synchronisation). */
#ifndef REGATTA_RUNTIME_RMA_H
#define REGATTA_RUNTIME_RMA_H

#include <stddef.h>

#include "watched_call.h"
#include "engine/event.h"

struct stack;
struct watched_window;
struct window;

/* ---- windows ---- */

/* At the entry of a constructor and of MPI_Win_free: all to all. After it: rma_leave. */
void rma_enter_constructor(struct call *call);
/* After a constructor, without the lock: the members tell each other where their memory is. */
void rma_exchange_layout(struct call *call);
void rma_forget_layout(struct call *call);
void rma_window_created(struct call *call, struct window *window);
/* Around MPI_Win_free, if races are looked for; after it behind the edges. */
void rma_window_freeing(struct call *call);
void rma_window_freed(struct call *call);
/* What was agreed is forgotten, the last thing before the window goes. */
void rma_window_forget(struct watched_window *window);
void rma_attached(struct call *call);
void rma_detaching(struct call *call);

/* What findings say of the bytes at `address` of this rank: the window that shows them (`id`, or
 * any if that one does not), its name (empty: none was given), the offset in this rank's part of
 * it, where it was made. */
struct rma_place {
    char name[MPI_MAX_OBJECT_NAME];
    uint64_t offset;
    const char *created_by; /* NULL: no window shows them any more */
    const struct stack *created;
};
void rma_describe(window_t id, uint64_t address, struct rma_place *place);
/* The window itself; `offset` is 0. */
void rma_describe_window(window_t id, struct rma_place *place);

/* ---- operations ---- */

/* Without the lock, before an operation that reads the target: makes sure that the lock it is under
 * has been granted, so that what earlier holders did is known. */
void rma_ensure_granted(struct call *call);
/* Returns the engine's number for the request, if there is one. */
uint64_t rma_issued(struct call *call);
uint64_t rma_issued_from(struct call *call, const struct stack *stack);
/* Hands an update to MPI that is to say what it found (watched_call.asks). */
int rma_ask(struct call *call);
void rma_request_completed(uint64_t request);
void rma_request_freed(uint64_t request);

/* ---- synchronisation: before the call, and after it succeeded ---- */

void rma_sync_before(struct call *call);
void rma_sync_after(struct call *call);

#endif
