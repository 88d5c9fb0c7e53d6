/* Whether what one process stores to a shared-memory window is visible to the load of another one.
 *
 * Order of time is not enough (semantics page, section 8): the writer has to synchronise its memory
 * after the store and the reader, behind that, before its load, by MPI_Win_sync or a call that
 * includes it, or by an atomic, fence or process-shared lock of the language.
 *
 *     in memory that the window's processes share
 *     [ how often each process synchronised | of each segment: who stored last to which 4 bytes,
 * where, and how often it had synchronised then ]
 *
 * A process that synchronises looks how often the others have. A load of what another process
 * stored is told if that one had not synchronised since, when this process did last. Where the
 * writer's call happens-before the reader's it is never told, because then it was also earlier;
 * where only luck made it earlier it may be missed. Order itself is not looked at: if the two are
 * not ordered, that is an error at the same places, which speaks for both. Segments above 256 KiB
 * share entries, and what is stored over is forgotten: that misses, too, and invents nothing. Costs
 * nothing without a shared window. Needs the session's lock. */
#ifndef REGATTA_RUNTIME_VISIBILITY_H
#define REGATTA_RUNTIME_VISIBILITY_H

#include <stddef.h>

#include "engine/event.h"
#include "interpose/pmpi.h"

struct visible_window;
extern struct visible_window *visible_windows; /* NULL: none */

/* Collective over `comm`, without the session's lock: memory for the segments of this window, whose
 * sizes are given by rank. NULL if a process has none; then nothing is told of this window. */
struct visible_window *visibility_agree(MPI_Comm comm, const uint64_t *sizes, int count);
/* The window exists, with these ranks of the world, or goes. */
void visibility_begin(struct visible_window *window, window_t id, const uint32_t *members);
void visibility_end(window_t id);
void visibility_drop(struct visible_window *window); /* it never existed; may be NULL */

/* An own load or store of bytes [low, high) of that owner's segment. */
void visibility_touch(window_t id, uint32_t owner, uint64_t low, uint64_t high, bool store,
                      site_t site);

/* This process synchronises memory: what it did so far is told, and whatever it does later comes
 * after what others have told. */
void visibility_synchronise_now(void);
static inline void visibility_synchronise(void)
{
    if (visible_windows)
        visibility_synchronise_now();
}

#endif
