/* The greatest set of ranks such that nobody outside of it can help one inside: everybody who is
 * blocked is in it at first; who needs somebody that may still act is taken out, again and again. A
 * call whose needs are alternatives, or of whose needs it is not known which are met, is only stuck
 * if all of them are in vain. That may miss a deadlock, and invents none: what was begun before had
 * its time to be completed (explain.c), so only a new call could help, and whoever could make it is
 * waiting himself or gone. */
#include "deadlock.h"

#include <stdlib.h>

#include "findings/checked.h"

static bool will_never_act(const struct world *world, const struct standing *standings, int rank)
{
    return rank_has_ended(world, rank) ||
           (rank >= 0 && rank < world->size && standings[rank].stuck);
}

static bool is_in_vain(const struct world *world, const struct standing *standings,
                       const struct need *need)
{
    size_t idle = 0;
    if (need->open || !need->count)
        return false;
    for (size_t i = 0; i < need->count; i++)
        idle += will_never_act(world, standings, need->ranks[i]);
    return need->all ? idle > 0 : idle == need->count;
}

void deadlock_find(const struct world *world, struct standing *standings)
{
    bool changed = true;
    for (int i = 0; i < world->size; i++)
        standings[i].stuck = standings[i].blocked && standings[i].count > 0;
    while (changed) {
        changed = false;
        for (int i = 0; i < world->size; i++)
            for (size_t j = 0; standings[i].stuck && j < standings[i].count; j++)
                if (!is_in_vain(world, standings, &standings[i].needs[j])) {
                    standings[i].stuck = false;
                    changed = true;
                }
    }
}

/* The one that is named as the reason: who has ended before who waits, for that is where a reader
 * must look. Nobody whose message has come. */
static int next_of(const struct world *world, const struct standing *standings, int rank)
{
    int next = -1;
    for (size_t i = 0; i < standings[rank].count; i++) {
        const struct need *need = &standings[rank].needs[i];
        bool past = need_is_past(standings[rank].needs, standings[rank].count, need);
        for (size_t j = 0; !past && j < need->count; j++)
            if (rank_has_ended(world, need->ranks[j]))
                return need->ranks[j];
    }
    for (size_t i = 0; next < 0 && i < standings[rank].count; i++) {
        const struct need *need = &standings[rank].needs[i];
        bool past = need_is_past(standings[rank].needs, standings[rank].count, need);
        for (size_t j = 0; !past && next < 0 && j < need->count; j++)
            if (standings[need->ranks[j]].stuck)
                next = need->ranks[j];
    }
    return next;
}

int *deadlock_cycle(const struct world *world, const struct standing *standings, size_t *count,
                    bool *ends)
{
    int *path = checked_malloc((world->size + 1) * sizeof *path);
    int *at = checked_malloc(world->size * sizeof *at);
    *count = 0;
    *ends = false;
    int rank = 0;
    for (int i = 0; i < world->size; i++)
        at[i] = -1;
    while (rank < world->size && !standings[rank].stuck)
        rank++;
    size_t length = 0;
    while (rank >= 0 && rank < world->size && at[rank] < 0) {
        at[rank] = (int)length;
        path[length++] = rank;
        if (rank_has_ended(world, rank)) {
            *ends = true;
            break;
        }
        rank = next_of(world, standings, rank);
    }
    if (*ends) {
        *count = length;
    } else if (rank >= 0 && rank < world->size &&
               length) { /* what leads to the cycle is not in it */
        int first = at[rank];
        for (size_t i = (size_t)first; i < length; i++)
            path[(*count)++] = path[i];
    }
    free(at);
    /* It begins with its lowest rank. */
    if (!*ends && *count > 1) {
        size_t lowest = 0;
        int *turned = checked_malloc(*count * sizeof *turned);
        for (size_t i = 1; i < *count; i++)
            lowest = path[i] < path[lowest] ? i : lowest;
        for (size_t i = 0; i < *count; i++)
            turned[i] = path[(lowest + i) % *count];
        free(path);
        path = turned;
    }
    return path;
}
