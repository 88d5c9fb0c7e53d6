/* Where the ranks of a run were when it was stopped, and how it ended: facts, without words.
 * Whoever fills it in (src/ends) knows what calls mean; text and JSON show it. Memory as in
 * finding.h.
 *
 *   wait    one thread of a rank: the call that it is in, and what that waits for
 *   part    one thing that the call waits for: the call itself, or an operation behind a request
 *   deed    what has to happen: a key of waits.def, which has the words
 *   stuck   it cannot go on whatever the others do that are not stuck themselves
 *   cycle   stuck ranks that wait for each other, or lead to one that has ended */
#ifndef REGATTA_FINDINGS_WAITING_H
#define REGATTA_FINDINGS_WAITING_H

#include "finding.h"

#include <stdio.h>

enum { WAIT_TAG_NONE = -2147483647, WAIT_TAG_ANY };

struct wait_part {
    const char *call;  /* that started it; NULL: not known */
    struct stack made; /* where, if that is not where the rank waits */
    const char *deed;
    int *ranks; /* of MPI_COMM_WORLD: who could do it */
    size_t rank_count;
    bool all; /* each of them has to; else one of them is enough, or it is not known which */
    int tag;
    const char *group; /* "MPI_COMM_WORLD", "a communicator of ranks 0, 2"; NULL: not known */
};

struct wait {
    int rank, thread;
    bool inside; /* in an MPI call; if not, `call` is the last one */
    const char *call;
    struct stack stack;
    double seconds; /* for how long at least */
    bool stuck;
    bool ended; /* the rank has left MPI, or is gone */
    struct wait_part *parts;
    size_t part_count;
    size_t more; /* parts that are not known */
};

struct waiting {
    const char *stopped_by; /* "timeout", "signal"; NULL: the run ended by itself */
    int seconds;            /* of the time-out */
    struct wait *waits;     /* by rank and thread */
    size_t wait_count;
    int *cycle; /* each waits for the next; the last one for the first, or it has ended */
    size_t cycle_count;
    bool cycle_ends; /* … by a rank that has ended */
};

/* The process that was ended by a signal before any other. */
struct death {
    int rank, thread;
    int signal;
    const char *call; /* the MPI call that it was in; NULL: none */
    struct stack stack;
};

/* "rank 2", "ranks 0-3", "ranks 0, 2 and 5-7": in the report's memory. */
const char *rank_list(struct report *report, const int *ranks, size_t count);

/* "waits for a message from rank 1, tag 5": what a part is about. */
const char *wait_part_words(struct report *report, const struct wait_part *part);

/* The deadlock as a finding of the report, if there is a cycle. */
void waiting_add_finding(struct report *report, const struct waiting *waiting);
/* Where the ranks are, as lines of text; nothing if it is not known. */
void waiting_show(FILE *out, struct report *report, const struct waiting *waiting);
/* "rank 2 crashed first: …" */
const char *death_words(struct report *report, const struct death *death);

#endif
