/* The pages of a run, as they are now and as they were: reading them costs the processes nothing.
 */
#ifndef REGATTA_ENDS_RUN_PAGES_H
#define REGATTA_ENDS_RUN_PAGES_H

#include <stdbool.h>
#include <stddef.h>

#include "page.h"

/* One process. */
struct watched_page {
    char *name;
    const struct page *live; /* the file */
    struct page *kept;       /* a copy of it, NULL until pages_keep */
    bool alive;              /* when it was last looked at; true where that cannot be known */
    bool is_here;            /* on this machine */
    struct {
        uint32_t calls, inside;
        double since; /* when this was first seen, on the monotonic clock */
    } seen[PAGE_THREADS];
    double kept_at;    /* when pages_keep was called */
    int tasks;         /* threads that the process had then; 0: not known */
    double gone_since; /* not alive any more without having left MPI; 0: it has, or is */
};

struct pages {
    char *directory;
    struct watched_page *list; /* by rank */
    size_t count, capacity;
    double looked; /* for new files */
};

struct pages *pages_watch(const char *directory);
void pages_free(struct pages *pages);

/* Looks for the pages of processes that are not known yet. pages_look does, too, now and then. */
void pages_find(struct pages *pages);
/* Notes which threads have moved since the last time. A few times a second. */
void pages_look(struct pages *pages);
/* From now on the answer is what they say at this moment. */
void pages_keep(struct pages *pages);
/* Asks all processes on this machine for the stacks of their threads, gives them a moment to
 * answer, and adds that to what was kept. For a run that is going to be ended: the signal may wake
 * them. */
void pages_ask(struct pages *pages);

/* Ends those on this machine that are still there. */
void pages_kill(struct pages *pages);

/* What to read: the copy, or the file itself. */
static inline const struct page *page_of(const struct watched_page *watched)
{
    return watched->kept ? watched->kept : watched->live;
}

/* For how many seconds the thread has been seen in the same call. */
double page_place_age(const struct watched_page *watched, int place);

double pages_now(void);

#endif
