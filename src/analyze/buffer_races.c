/* Accesses while operations are in progress: do they touch bytes that these use? */
#include "regions_inside.h"

#include "alias.h"

/* Whether the path has the condition: the same at both moments if its value is computed once. */
static bool is_on_path(const struct flow *flow, const struct condition *condition)
{
    LLVMValueRef value = condition->value;
    bool once = !LLVMIsAInstruction(value) ||
                bridge_loop(flow->function->bridge, LLVMGetInstructionParent(value)) < 0;
    for EACH (known, &flow->path)
        if (known->value == value && known->number == condition->number &&
            known->negated == condition->negated && (once || known->side == condition->side))
            return true;
    return false;
}

/* Adds what holds whenever the block runs to the path of these moments. False if that is not all.
 */
static bool add_block(struct flow *flow, struct moments *moments, unsigned block)
{
    flow->scratch.count = 0;
    bool all = block_conditions(flow->function, block, NOW, &flow->scratch);
    for EACH (condition, &flow->scratch)
        if (!is_on_path(flow, condition))
            APPEND(&flow->path, *condition);
    moments->conditions = flow->path.items;
    moments->nconditions = flow->path.count;
    return all;
}

static bool conflict(const struct buffer *a, const struct buffer *b)
{
    return a->writes || b->writes;
}

/* Behind `if (!flag) complain();` the program goes on as if the test had succeeded. */
static bool merged_again(struct flow *flow, const struct fact *fact, const struct event *access)
{
    return fact->not_yet && !bridge_dominates(flow->function->bridge, fact->not_yet,
                                              flow->function->blocks[access->block]);
}

/* Whether some branch on the path was taken for what stands in the elements of an array: the
 * program may well never put it there. */
static bool depends_on_data(const struct flow *flow)
{
    for EACH (condition, &flow->path)
        if (!condition->sure && condition_is_about_elements(flow->function, condition->value))
            return true;
    return false;
}

static uint64_t number_of_pair(const struct flow *flow, const struct event *access_begun,
                               const struct event *op, unsigned i, const struct event *access,
                               unsigned k)
{
    const struct event *first = flow->function->events.items;
    uint64_t number = (uint64_t)(op - first) * 4 + i;
    number = number * 0x9E3779B97F4A7C15u + (uint64_t)(access - first) * 4 + k;
    return number * 0xD1B54A32D192ED03u + (uint64_t)(access_begun - first) + 1;
}

static void compare_buffers(struct flow *flow, const struct fact *fact, const struct event *op,
                            unsigned i, const struct event *access, unsigned k,
                            const struct event *access_begun)
{
    struct function *function = flow->function;
    uint64_t pair = number_of_pair(flow, access_begun, op, i, access, k);
    if (was_asked(function, ~pair))
        return;
    struct moments moments = flow_moments(flow, fact, access->block);
    bool all = add_block(flow, &moments, access_begun->block);
    bool clear = all && !fact->doubtful && !merged_again(flow, fact, access_begun);
    uint64_t question = pair ^ (moments_number(&moments) + clear * 2u + fact->partial);
    if (!asked_first(function, question))
        return;
    struct example example;
    enum answer answer =
        buffers_overlap(&moments, op, &op->buffers[i], access, &access->buffers[k], &example);
    if (answer == NEVER || (answer == SOMETIMES && fact->partial))
        return;
    struct race race = {.opened = op,
                        .begun = &function->events.items[fact->begun],
                        .opened_buffer = &op->buffers[i],
                        .access = access,
                        .access_begun = access_begun,
                        .access_buffer = &access->buffers[k],
                        .certain =
                            answer == ALWAYS && clear && !fact->partial && !depends_on_data(flow),
                        .next_iteration = fact->distance != 0,
                        .conditions = flow->path.items,
                        .nconditions = (unsigned)flow->path.count,
                        .example = example};
    flow->visit(flow->context, function, &race);
    if (race.certain)
        asked_first(function, ~pair); /* it cannot become more certain */
}

/* A request that goes with the same frame as the buffer is a request that nobody completes: told as
 * that (leaks.c). */
bool flow_request_goes_too(const struct flow *flow, const struct event *op,
                           const struct event *access)
{
    struct function *function = flow->function;
    expression slot = op->requests ? bridge_expression(function->bridge, op->requests) : NULL;
    LLVMValueRef base = slot ? bridge_base(function->bridge, slot) : NULL;
    bool frame = access->nbuffers && access->buffers[0].whole && access->buffers[0].base &&
                 LLVMIsAAllocaInst(access->buffers[0].base);
    if (!frame || !base || !LLVMIsAAllocaInst(base))
        return false;
    if (LLVMIsAReturnInst(access->instruction))
        return true;
    for (size_t i = function->first_event[access->block];
         i < function->first_event[access->block + 1]; i++) {
        const struct event *other = &function->events.items[i];
        if (other->nbuffers && other->buffers[0].whole && other->buffers[0].base == base)
            return true;
    }
    return false;
}

static void compare(struct flow *flow, const struct fact *fact, const struct event *access,
                    const struct event *access_begun)
{
    struct function *function = flow->function;
    const struct event *op = &function->events.items[fact->op];
    if (flow_request_goes_too(flow, op, access))
        return;
    for (unsigned i = 0; i < op->nbuffers; i++)
        for (unsigned k = 0; k < access->nbuffers; k++) {
            const struct buffer *a = &op->buffers[i], *b = &access->buffers[k];
            if (conflict(a, b) && !b->speculative && a->base && b->base &&
                (alias_bases(function, a->base, b->base) == ALIAS_same ||
                 alias_may_be_linked(function, a->base, b->base)))
                compare_buffers(flow, fact, op, i, access, k, access_begun);
        }
}

/* Every use of a flag that could decide something is a branch on this function's paths. */
static bool is_followed(LLVMValueRef flag)
{
    for (LLVMUseRef use = LLVMGetFirstUse(flag); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsAICmpInst(user) && !LLVMIsAPHINode(user) && !LLVMIsASwitchInst(user))
            return false;
    }
    return true;
}

/* After a test whose outcome no branch has asked for, the operation may well be in progress. */
static bool in_progress(const struct fact *fact)
{
    return fact->begun != NOT_BEGUN &&
           (fact->tested == NOT_TESTED ||
            (LLVMGetTypeKind(LLVMTypeOf(fact->flag)) == LLVMIntegerTypeKind &&
             is_followed(fact->flag)));
}

void flow_look_for_races(struct flow *flow, const struct fact_list *facts,
                         const struct event *event, uint32_t number)
{
    if (flow->visit_progress) {
        for EACH (fact, facts) {
            if (fact->doubtful)
                continue; /* `for (seen = 0; seen != 1; flush()) fetch(&seen)`: it did flush */
            struct moments moments = flow_moments(flow, fact, event->block);
            flow->visit_progress(flow->context, &flow->function->events.items[fact->op], event,
                                 &moments);
        }
        return;
    }
    if (event->kind == EVENT_activate) {
        /* What starts now, against what is in progress and against what starts with it. */
        for EACH (starting, facts) {
            const struct event *op = &flow->function->events.items[starting->op];
            if (op->kind != EVENT_prepare || starting->begun != NOT_BEGUN ||
                flow_completes(flow, starting, event) == NEVER)
                continue;
            for EACH (fact, facts) {
                struct fact other = *fact;
                if (fact->op < starting->op && fact->begun == NOT_BEGUN &&
                    flow->function->events.items[fact->op].kind == EVENT_prepare &&
                    flow_completes(flow, fact, event) != NEVER)
                    other.begun = number;
                /* Both have been prepared on this path. */
                struct moments prepared = flow_moments(flow, starting, op->block);
                for (size_t i = 0; i < prepared.nconditions; i++) {
                    struct condition condition = prepared.conditions[i];
                    condition.side = NOW;
                    fact_add_condition(&other, condition);
                }
                if (in_progress(&other))
                    compare(flow, &other, op, event);
            }
        }
        return;
    }
    if (!event->nbuffers || event->kind == EVENT_prepare)
        return;
    for EACH (fact, facts)
        if (in_progress(fact))
            compare(flow, fact, event, event);
}
