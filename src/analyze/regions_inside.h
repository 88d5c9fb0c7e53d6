/* What the parts of the data-flow analysis share: regions.c carries facts through the function,
 * completion.c says what events do to them, buffer_races.c and leaks.c what there is to report. */
#ifndef REGATTA_ANALYZE_REGIONS_INSIDE_H
#define REGATTA_ANALYZE_REGIONS_INSIDE_H

#include "bypass.h"
#include "facts.h"
#include "regions.h"

struct flow {
    struct function *function;
    struct bypasses *bypasses;
    struct fact_list *entry; /* by block */
    condition_list scratch;
    condition_list path; /* conditions of the moments that are looked at */
    race_visitor *visit;
    leak_visitor *visit_leak;
    progress_visitor *visit_progress; /* set: follow RMA operations to remote completion */
    void *context;
};

/* The operation's start and the block, on the fact's path. Good until the next call. */
struct moments flow_moments(struct flow *flow, const struct fact *fact, unsigned now_block);

/* Whether the event is about the request of the fact's operation. */
enum answer flow_completes(struct flow *flow, const struct fact *fact, const struct event *event);
/* True if the fact lives on. */
bool flow_pass_event(struct flow *flow, struct fact *fact, const struct event *event,
                     uint32_t number);

/* Whether the event gives back the frame that the request of the operation is kept in. */
bool flow_request_goes_too(const struct flow *flow, const struct event *op,
                           const struct event *access);

/* The event comes while these are in progress. */
void flow_look_for_races(struct flow *flow, const struct fact_list *facts,
                         const struct event *event, uint32_t number);
/* The block ends with these in progress. */
void flow_look_for_leaks(struct flow *flow, unsigned block, const struct fact_list *facts);

#endif
