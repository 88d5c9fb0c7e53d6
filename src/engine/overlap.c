/* A window may not be locked and exposed at the same time (MPI-4.0 §12.5.3): epochs of locks on
 * this rank's memory and epochs of fences or MPI_Win_post must be ordered. Epochs are known here by
 * their operations: two of different processes, one in a lock epoch, the other in a fence or
 * exposure epoch, of which neither is over before the other starts. What a process does to itself
 * in this way is seen where it calls MPI.
 *
 * Only windows that were used in both ways since the last world-wide synchronisation are looked at,
 * and then each operation meets all of the other kind that the history has. */
#include "internal.h"

struct meeting {
    struct engine *engine;
    const struct node *node;
    const struct clock *start;
};

static bool is_locked(const struct node *node)
{
    return node->access.epoch == EPOCH_LOCK;
}

static bool meet_other_kind(void *context, struct span *span)
{
    const struct meeting *meeting = context;
    const struct node *older = (struct node *)span, *node = meeting->node;
    if (older->window != node->window || older->access.kind < ACCESS_GET ||
        older->access.kind > ACCESS_COMPARE_AND_SWAP || older->access.rank == node->access.rank ||
        is_locked(older) == is_locked(node) ||
        (target_over_before(meeting->engine, older, meeting->start) && !MUTANT(overlap_for_ever)))
        return true;
    findings_add(meeting->engine, MISUSE_OVERLAP, &(is_locked(node) ? node : older)->access,
                 &(is_locked(node) ? older : node)->access, node->window,
                 &(struct section){node->section.start, node->section.length, 0, 1});
    return true;
}

void overlap_check(struct engine *engine, struct window_state *window, const struct node *node,
                   const struct clock *start)
{
    if (node->access.kind < ACCESS_GET || node->access.kind > ACCESS_COMPARE_AND_SWAP ||
        node->access.epoch == EPOCH_NONE)
        return;
    bool locked = is_locked(node);
    uint64_t now = engine->generation + 1;
    *(locked ? &window->locked_in : &window->exposed_in) = now;
    /* the one before: whoever is not yet past the synchronisation */
    if ((locked ? window->exposed_in : window->locked_in) + 1 < now)
        return;
    struct meeting meeting = {engine, node, start};
    for (size_t i = 0; i < window->memory.count; i++)
        spans_visit(&engine->history.spans, window->memory.list[i].low, window->memory.list[i].high,
                    meet_other_kind, &meeting);
}
