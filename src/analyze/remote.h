/* Races on window memory between processes, and between operations of one process that are not
 * yet complete at the target. */
#ifndef REGATTA_ANALYZE_REMOTE_H
#define REGATTA_ANALYZE_REMOTE_H

#include "moments.h"

struct remote_race {
    const struct event *first, *second;
    const struct buffer *second_buffer; /* second is a load or store */
    bool atomicity;                     /* both accumulate, but not atomically to each other */
    bool same_process;
    bool certain; /* false: needs more than two processes, and the program may not be made for that
                   */
    struct example example;
};

typedef void remote_race_visitor(void *context, struct function *function,
                                 const struct remote_race *race);

void remote_find_races(struct function *function, remote_race_visitor *visit, void *context);

#endif
