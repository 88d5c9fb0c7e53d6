/* What a call waits for, from the pages of all ranks: who would have to do what. */
#ifndef REGATTA_ENDS_NEEDS_H
#define REGATTA_ENDS_NEEDS_H

#include "findings/waiting.h"
#include "mpi/routine.h"
#include "run_pages.h"

/* The ranks of one MPI_COMM_WORLD. */
struct world {
    const struct watched_page **ranks; /* by rank; NULL: nothing is known of it */
    int size;
    bool clear; /* every page has a rank of its own, and all belong together */
};

/* One thing that a call waits for. */
struct need {
    const char *deed; /* findings/waits.def */
    int *ranks;       /* allocated */
    size_t count;
    bool all;  /* each of them has to act; else it is enough, or may be enough, if one does */
    bool met;  /* the other half of the message has been begun: it is over, or soon */
    bool open; /* it may be under way, or is not known: never a reason for a deadlock */
    int tag;
    char *group; /* in words; allocated, NULL: not known */
};

struct need need_of(const struct world *world, int rank, const struct page_place *place,
                    const struct page_item *item);
void need_clear(struct need *need);

/* Whether the reason is rather one of the others that the rank waits for: those of a call that
 * waits for several requests, of which this one has its message. */
bool need_is_past(const struct need *needs, size_t count, const struct need *need);

/* The routine of a place or an item; NULL if it is not one. */
const struct routine *page_routine(uint32_t number);

static inline const struct page *page_of_rank(const struct world *world, int rank)
{
    return rank >= 0 && rank < world->size && world->ranks[rank] ? page_of(world->ranks[rank])
                                                                 : NULL;
}

/* The rank will never call MPI again. */
bool rank_has_ended(const struct world *world, int rank);

#endif
