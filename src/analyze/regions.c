/* A forward data-flow analysis. A fact is one operation that is in progress on some path to here;
 * it carries the conditions that hold on that path, so that paths on which its completion was
 * skipped but cannot have been are dropped at the branch that shows it.
 *
 *      MPI_Irecv(a, …, &r)          fact {op, conditions: those that led here}
 *      if (rank == 0)               on the false edge: rank == 0 is false, in contradiction
 *          MPI_Wait(&r, …)          to a fact opened under rank == 0: it does not pass
 *
 * Where it is unknown whether a call completes the operation, it does: a false alarm is worse. */
#include "regions_inside.h"

struct moments flow_moments(struct flow *flow, const struct fact *fact, unsigned now_block)
{
    unsigned then_block = flow->function->events.items[fact->op].block;
    flow->path.count = 0;
    block_conditions(flow->function, then_block, THEN, &flow->path);
    for (unsigned i = 0; i < fact->nconditions; i++)
        APPEND(&flow->path, fact->conditions[i]);
    return (struct moments){.function = flow->function,
                            .then_block = then_block,
                            .now_block = now_block,
                            .distance = fact->distance,
                            .conditions = flow->path.items,
                            .nconditions = flow->path.count};
}

static void open_fact(struct fact_list *facts, const struct event *event, uint32_t number)
{
    struct fact fact = {.op = number,
                        .begun = event->kind == EVENT_prepare ? NOT_BEGUN : number,
                        .tested = NOT_TESTED};
    fact_list_add(facts, &fact);
}

static void pass_block(struct flow *flow, unsigned block, struct fact_list *facts,
                       void (*look)(struct flow *, const struct fact_list *, const struct event *,
                                    uint32_t))
{
    struct function *function = flow->function;
    for (size_t i = function->first_event[block]; i < function->first_event[block + 1]; i++) {
        const struct event *event = &function->events.items[i];
        /* To follow an operation to its end, its last event is none of those during it. */
        if (look && !flow->visit_progress)
            look(flow, facts, event, (uint32_t)i);
        size_t kept = 0;
        bool plain = event->kind == EVENT_access && !event->routine && !event->buffers[0].whole;
        for (size_t k = 0; k < facts->count; k++)
            if (plain || flow_pass_event(flow, &facts->items[k], event, (uint32_t)i))
                facts->items[kept++] = facts->items[k];
        facts->count = kept;
        if (look && flow->visit_progress)
            look(flow, facts, event, (uint32_t)i);
        bool opens =
            event->kind == EVENT_issue ||
            (!flow->visit_progress && (event->kind == EVENT_start || event->kind == EVENT_prepare));
        if (opens && (event->nbuffers || flow->visit_progress))
            open_fact(facts, event, (uint32_t)i);
    }
}

/* ---- edges ---- */

/* Loops left or gone round by an edge: what was known about values computed in them is stale. */
static void cross_loops(struct flow *flow, struct fact *fact, unsigned from, unsigned to)
{
    struct function *function = flow->function;
    struct bridge *bridge = function->bridge;
    LLVMBasicBlockRef target = function->blocks[to];
    LLVMBasicBlockRef op_block = function->blocks[function->events.items[fact->op].block];
    for (int loop = bridge_loop(bridge, function->blocks[from]); loop >= 0;
         loop = bridge_loop_parent(bridge, loop)) {
        bool round = bridge_loop_header(bridge, loop) == target;
        bool left = !bridge_loop_contains(bridge, loop, target);
        if (!round && !left)
            break;
        fact_forget_loop(fact, bridge, loop);
        if (round && bridge_loop_contains(bridge, loop, op_block))
            fact_go_round(fact, bridge_loop_depth(bridge, loop));
        if (round)
            break;
    }
}

/* What was known now about a value before the edge holds for the phi that takes it. */
static void take_conditions(struct fact *fact, const struct fact *before, LLVMValueRef phi,
                            LLVMValueRef value)
{
    for (unsigned i = 0; i < before->nconditions; i++) {
        struct condition condition = before->conditions[i];
        if (condition.side != NOW)
            continue;
        LLVMValueRef compared = LLVMIsAICmpInst(condition.value);
        LLVMIntPredicate predicate = compared ? LLVMGetICmpPredicate(compared) : LLVMIntSLT;
        if (compared && LLVMGetOperand(compared, 0) == value &&
            LLVMIsAConstantInt(LLVMGetOperand(compared, 1)) &&
            (predicate == LLVMIntEQ || predicate == LLVMIntNE)) {
            bool holds = !condition.number == condition.negated;
            condition.number = LLVMConstIntGetSExtValue(LLVMGetOperand(compared, 1));
            condition.negated = holds != (predicate == LLVMIntEQ);
        } else if (condition.value != value) {
            continue;
        }
        condition.value = phi;
        fact_add_condition(fact, condition);
    }
}

/* Phis take the value of the edge: constants become conditions, and a flag keeps its meaning.
 * `before`: the fact as it was in front of the edge. */
static void take_phis(struct fact *fact, const struct fact *before, LLVMBasicBlockRef from,
                      LLVMBasicBlockRef to)
{
    for (LLVMValueRef phi = LLVMGetFirstInstruction(to); phi && LLVMIsAPHINode(phi);
         phi = LLVMGetNextInstruction(phi)) {
        if (LLVMGetTypeKind(LLVMTypeOf(phi)) != LLVMIntegerTypeKind)
            continue;
        fact_forget_value(fact, phi);
        for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
            LLVMValueRef value = LLVMGetIncomingValue(phi, i);
            if (LLVMGetIncomingBlock(phi, i) != from)
                continue;
            if (LLVMIsAConstantInt(value))
                fact_add_condition(fact,
                                   (struct condition){.value = phi,
                                                      .number = LLVMConstIntGetSExtValue(value),
                                                      .side = NOW});
            else
                take_conditions(fact, before, phi, value);
            if (value == fact->flag)
                fact->flag = phi;
        }
    }
}

static enum possible possible_with(struct flow *flow, const struct fact *fact, unsigned block,
                                   LLVMValueRef value, int64_t number)
{
    struct fact trial = *fact;
    fact_add_condition(&trial, (struct condition){.value = value, .number = number, .side = NOW});
    struct moments moments = flow_moments(flow, &trial, block);
    return moments_still_possible(&moments, false);
}

/* After a test: does this branch tell its outcome? True if the operation is still in progress. */
static bool resolve_test(struct flow *flow, struct fact *fact, unsigned block, unsigned to)
{
    const struct event *op = &flow->function->events.items[fact->op];
    if (fact->tested == NOT_TESTED)
        return true;
    enum possible fails = possible_with(flow, fact, block, fact->flag, 0);
    if (fails == UNDECIDED)
        fact->doubtful = true;
    if (fails == IMPOSSIBLE) {
        fact->tested = NOT_TESTED;
        fact->begun = NOT_BEGUN;
        return op->kind == EVENT_prepare;
    }
    if (possible_with(flow, fact, block, fact->flag, 1) == IMPOSSIBLE) {
        fact->tested = NOT_TESTED;
        fact->not_yet = flow->function->blocks[to];
    }
    return true;
}

static bool pass_edge(struct flow *flow, struct fact *fact, unsigned from, unsigned successor,
                      unsigned to)
{
    struct function *function = flow->function;
    LLVMValueRef terminator = LLVMGetBasicBlockTerminator(function->blocks[from]);
    /* What runs while an exception is on its way is like what runs when MPI has failed. */
    if (LLVMIsAInvokeInst(terminator) && function->blocks[to] == LLVMGetUnwindDest(terminator))
        return false;
    switch (bypasses_check(flow->bypasses, fact->op, terminator, successor)) {
    case BYPASS_impossible:
        return false;
    case BYPASS_doubtful:
        fact->doubtful = true;
        break;
    case BYPASS_none:
        break;
    }
    flow->scratch.count = 0;
    edge_conditions(function, terminator, successor, NOW, &flow->scratch);
    for EACH (condition, &flow->scratch)
        fact_add_condition(fact, *condition);
    if (flow->scratch.count) {
        struct moments moments = flow_moments(flow, fact, from);
        enum possible possible =
            moments_still_possible(&moments, fact->distance != fact->asked_distance);
        if (possible == IMPOSSIBLE)
            return false;
        for (unsigned i = 0; i < fact->nconditions; i++)
            fact->conditions[i].asked = true;
        fact->asked_distance = fact->distance;
        if (!resolve_test(flow, fact, from, to))
            return false;
        fact->doubtful |= possible == UNDECIDED;
    }
    struct fact crossing = *fact;
    cross_loops(flow, fact, from, to);
    take_phis(fact, &crossing, function->blocks[from], function->blocks[to]);
    return true;
}

static void solve(struct flow *flow)
{
    struct function *function = flow->function;
    bool *waiting = checked(calloc(function->nblocks, sizeof *waiting));
    for (unsigned i = 0; i < function->nblocks; i++)
        waiting[i] = true;
    struct fact_list facts = {0};
    /* Blocks are numbered in reverse post-order: sweeping them in order reaches most at once. */
    for (bool again = true; again;) {
        again = false;
        for (unsigned block = 0; block < function->nblocks; block++) {
            if (!waiting[block])
                continue;
            waiting[block] = false;
            fact_list_copy(&facts, &flow->entry[block]);
            pass_block(flow, block, &facts, NULL);
            LLVMValueRef end = LLVMGetBasicBlockTerminator(function->blocks[block]);
            for (unsigned s = 0; facts.count && s < LLVMGetNumSuccessors(end); s++) {
                unsigned to = function_block(function, LLVMGetSuccessor(end, s));
                bool changed = false;
                for EACH (fact, &facts) {
                    struct fact moved = *fact;
                    if (pass_edge(flow, &moved, block, s, to))
                        changed |= fact_list_merge(&flow->entry[to], &moved);
                }
                if (changed && !waiting[to]) {
                    waiting[to] = true;
                    again |= to <= block;
                }
            }
        }
    }
    fact_list_drop(&facts);
    free(waiting);
}

/* ---- the whole function ---- */

static void run(struct flow *flow)
{
    struct function *function = flow->function;
    flow->bypasses = bypasses_find(function);
    flow->entry = checked(calloc(function->nblocks, sizeof *flow->entry));
    solve(flow);
    for (unsigned block = 0; block < function->nblocks; block++) {
        struct fact_list facts = {0};
        fact_list_copy(&facts, &flow->entry[block]);
        pass_block(flow, block, &facts, flow_look_for_races);
        flow_look_for_leaks(flow, block, &facts);
        fact_list_drop(&facts);
    }
    for (unsigned block = 0; block < function->nblocks; block++)
        fact_list_drop(&flow->entry[block]);
    free(flow->entry);
    DROP(&flow->scratch);
    DROP(&flow->path);
    bypasses_free(flow->bypasses);
}

void regions_find_races(struct function *function, race_visitor *visit, leak_visitor *visit_leak,
                        void *context)
{
    struct flow flow = {
        .function = function, .visit = visit, .visit_leak = visit_leak, .context = context};
    run(&flow);
}

void regions_follow_remote(struct function *function, progress_visitor *visit, void *context)
{
    struct flow flow = {.function = function, .visit_progress = visit, .context = context};
    run(&flow);
}
