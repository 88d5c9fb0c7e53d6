/* Where operations are under way: for each point of a function, which nonblocking operations may
 * be in progress there, and on what conditions. From that the races on buffers in use. */
#ifndef REGATTA_ANALYZE_REGIONS_H
#define REGATTA_ANALYZE_REGIONS_H

#include "moments.h"

/* A pair that races. `certain`: on a path that exists, in bytes that are the same. */
struct race {
    const struct event *opened; /* the call that made the operation and its buffers */
    const struct event *begun;  /* the call that started it: the same, or MPI_Start */
    const struct buffer *opened_buffer;
    const struct event *access; /* the later one */
    const struct event *access_begun;
    const struct buffer *access_buffer;
    bool certain;
    struct example example;             /* of one process */
    bool next_iteration;                /* it is the operation of an earlier iteration */
    const struct condition *conditions; /* that hold on the path: its branches */
    unsigned nconditions;
};

typedef void race_visitor(void *context, struct function *function, const struct race *race);

/* An operation in progress where its function ends, and with it the only variable that has its
 * request. */
struct leak {
    const struct event *opened, *begun;
    const struct condition *conditions;
    unsigned nconditions;
};
typedef void leak_visitor(void *context, struct function *function, const struct leak *leak);

void regions_find_races(struct function *function, race_visitor *visit, leak_visitor *visit_leak,
                        void *context);

/* RMA operations until their completion at the target: calls visit for every event that comes
 * while one is in progress, with the moments of its issue and of the event. */
typedef void progress_visitor(void *context, const struct event *op, const struct event *event,
                              const struct moments *moments);
void regions_follow_remote(struct function *function, progress_visitor *visit, void *context);

#endif
