/* A forward data-flow analysis. A fact is one operation that is in progress on some path to here;
 * it carries the conditions that hold on that path, so that paths on which its completion was
 * skipped but cannot have been are dropped at the branch that shows it.
 *
 *      MPI_Irecv(a, …, &r)          fact {op, conditions: those that led here}
 *      if (rank == 0)               on the false edge: rank == 0 is false, in contradiction
 *          MPI_Wait(&r, …)          to a fact opened under rank == 0: it does not pass
 *
 * Where it is unknown whether a call completes the operation, it does: a false alarm is worse. */
#include "regions.h"

#include "alias.h"
#include "bypass.h"
#include "facts.h"
#include "normalise.h"

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

/* Good until the next call. */
static struct moments fact_moments(struct flow *flow, const struct fact *fact, unsigned now_block)
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

/* ---- what an event does to a fact ---- */

static bool uses_request(const struct event *op)
{
    return op->requests != NULL;
}

static enum answer completes(struct flow *flow, const struct fact *fact, const struct event *event)
{
    const struct event *op = &flow->function->events.items[fact->op];
    if (!uses_request(op) || !event->requests)
        return NEVER;
    struct moments moments = fact_moments(flow, fact, event->block);
    return slot_among(&moments, op->requests, event->requests, event->nrequests);
}

static bool handle_is_copied(struct function *function, LLVMValueRef slot)
{
    expression e = bridge_expression(function->bridge, slot);
    return alias_handles_are_copied(function, e ? bridge_base(function->bridge, e) : NULL);
}

static LLVMValueRef handle_slot(LLVMValueRef handle)
{
    return LLVMIsALoadInst(handle) ? LLVMGetOperand(handle, 0) : NULL;
}

/* Windows are the same if they are the same value or are read from the same variable. */
static bool other_window(struct flow *flow, const struct fact *fact, LLVMValueRef a, LLVMValueRef b,
                         unsigned block)
{
    LLVMValueRef slot_a = handle_slot(a), slot_b = handle_slot(b);
    if (a == b || !slot_a || !slot_b)
        return false;
    struct moments moments = fact_moments(flow, fact, block);
    return slot_among(&moments, slot_a, slot_b, NULL) == NEVER;
}

/* What only reads is over at the target as soon as its data is at the origin. */
static bool ends_at_origin(const struct flow *flow, const struct event *op)
{
    LLVMValueRef operation = event_argument(op, ROLE_op);
    return op->routine->object == OBJECT_get ||
           (operation && is_no_op(operation, flow->function->flavour));
}

/* Completion of RMA operations (semantics §2): locally, or at the target if that is asked for. */
static bool synchronises(struct flow *flow, const struct fact *fact, const struct event *event)
{
    const struct event *op = &flow->function->events.items[fact->op];
    const struct routine *routine = event->routine;
    if (op->kind != EVENT_issue || !event->window || !routine)
        return false;
    bool frees_buffers = routine->verb == VERB_finishes || routine->verb == VERB_flushes ||
                         routine->verb == VERB_flushes_local || routine->object == OBJECT_fence ||
                         (routine->verb == VERB_closes && routine->object != OBJECT_exposure);
    if (flow->visit_progress && routine->verb == VERB_flushes_local && !ends_at_origin(flow, op))
        return false;
    if (!frees_buffers || other_window(flow, fact, op->window, event->window, event->block))
        return false;
    if (!event->target || !op->target)
        return true;
    struct moments moments = fact_moments(flow, fact, event->block);
    return values_equal(&moments, op->target, event->target) != NEVER;
}

/* A function that is not known here may complete a request whose slot it can reach. */
static bool hides_completion(struct flow *flow, const struct fact *fact, const struct event *event)
{
    const struct event *op = &flow->function->events.items[fact->op];
    LLVMValueRef callee = call_target(event->instruction);
    bool in_program = !callee || !LLVMIsDeclaration(callee);
    bool uses_mpi = call_may_use_mpi(flow->function->effects, event->instruction, in_program);
    LLVMValueRef slot = op->kind == EVENT_issue ? NULL : op->requests;
    if (!slot)
        return uses_mpi;
    expression e = bridge_expression(flow->function->bridge, slot);
    LLVMValueRef base = e ? bridge_base(flow->function->bridge, e) : NULL;
    if (in_program && !uses_mpi)
        return false;
    if (uses_mpi && (!base || !LLVMIsAAllocaInst(base)))
        return true;
    for (unsigned i = 0; i < LLVMGetNumArgOperands(event->instruction); i++) {
        expression argument =
            bridge_expression(flow->function->bridge, LLVMGetOperand(event->instruction, i));
        if (argument && base && bridge_base(flow->function->bridge, argument) == base)
            return true;
    }
    return false;
}

/* A handle that is overwritten can never be completed any more, if it was nowhere else. */
static bool loses_handle(struct flow *flow, const struct fact *fact, const struct event *event)
{
    const struct event *op = &flow->function->events.items[fact->op];
    if (!uses_request(op) || !event->requests)
        return false;
    struct moments moments = fact_moments(flow, fact, event->block);
    return slot_among(&moments, op->requests, event->requests, NULL) == ALWAYS &&
           !handle_is_copied(flow->function, op->requests);
}

/* Another process may have told us that it has everything (semantics §2, Request_free). */
static bool hears_from_others(const struct event *event)
{
    if (!event->routine)
        return false;
    return event->routine->order != ORDER_none || event->kind == EVENT_complete ||
           event->kind == EVENT_test || event->kind == EVENT_sync;
}

/* Waitany and Waitsome on several requests complete one of them, or some. Outside loops, and the
 * first time, all the others are still in progress: for Waitany, those that its index does not
 * name. */
static bool stays_after_any(struct flow *flow, struct fact *fact, const struct event *event)
{
    bool any = event->routine->object == OBJECT_any, some = event->routine->object == OBJECT_some;
    struct function *function = flow->function;
    int64_t count = 0, index;
    if ((!any && !some) || fact->partial ||
        bridge_loop(function->bridge, function->blocks[event->block]) >= 0)
        return false;
    if (!LLVMIsAConstantInt(event->nrequests) ||
        (count = LLVMConstIntGetSExtValue(event->nrequests)) < 2)
        return false;
    struct moments moments = fact_moments(flow, fact, event->block);
    if (!slot_index(&moments, function->events.items[fact->op].requests, event->requests, &index))
        return false;
    fact->partial = true;
    if (any && LLVMIsACallInst(event->instruction) &&
        LLVMGetTypeKind(LLVMTypeOf(event->instruction)) == LLVMIntegerTypeKind)
        fact_add_condition(
            fact, (struct condition){
                      .value = event->instruction, .number = index, .negated = true, .side = NOW});
    return true;
}

/* True if the fact lives on. */
static bool pass_event(struct flow *flow, struct fact *fact, const struct event *event,
                       uint32_t number)
{
    const struct event *op = &flow->function->events.items[fact->op];
    if (fact->lost) {
        if (fact->lost == LOST_FREED && hears_from_others(event))
            return false;
        return true;
    }
    switch (event->kind) {
    case EVENT_complete: {
        if (flow->visit_progress && !ends_at_origin(flow, op))
            return true;
        if (completes(flow, fact, event) == NEVER || stays_after_any(flow, fact, event))
            return true;
        if (op->kind != EVENT_prepare)
            return false;
        fact->begun = NOT_BEGUN;
        return true;
    }
    case EVENT_test:
        fact->not_yet = NULL;
        if (flow->visit_progress && !ends_at_origin(flow, op))
            return true;
        if (fact->begun != NOT_BEGUN && completes(flow, fact, event) != NEVER) {
            fact->tested = number;
            fact->flag = event->instruction;
        }
        return true;
    case EVENT_activate:
        if (op->kind == EVENT_prepare && fact->begun == NOT_BEGUN &&
            completes(flow, fact, event) != NEVER)
            fact->begun = number;
        return true;
    case EVENT_release:
        if (completes(flow, fact, event) == NEVER)
            return true;
        fact->lost = LOST_FREED;
        return fact->begun != NOT_BEGUN;
    case EVENT_start:
    case EVENT_prepare:
        if (loses_handle(flow, fact, event))
            fact->lost = LOST_OVERWRITTEN;
        return true;
    case EVENT_issue:
    case EVENT_window:
        return true;
    case EVENT_sync:
        return !synchronises(flow, fact, event);
    case EVENT_call:
        return !hides_completion(flow, fact, event);
    case EVENT_access:
        return true;
    }
    return true;
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
        bool plain = event->kind == EVENT_access && !event->routine;
        for (size_t k = 0; k < facts->count; k++)
            if (plain || pass_event(flow, &facts->items[k], event, (uint32_t)i))
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
    struct moments moments = fact_moments(flow, &trial, block);
    return moments_possible(&moments);
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

/* Whether the added conditions are about something that the `before` old ones are about, too. If
 * not, they cannot contradict each other. */
static bool concerns(struct function *function, const struct fact *fact, unsigned before,
                     const condition_list *conditions)
{
    uint64_t added = 0, old = block_subjects(function, function->events.items[fact->op].block);
    for (unsigned i = 0; i < before; i++)
        old |= condition_subject(function, fact->conditions[i].value);
    for EACH (condition, conditions)
        added |= condition_subject(function, condition->value);
    /* What was said about a counter when a loop was gone round has been forgotten, but not that
     * it was gone round. */
    return old & added || (fact->distance && added & SUBJECT_COUNTER);
}

static bool pass_edge(struct flow *flow, struct fact *fact, unsigned from, unsigned successor,
                      unsigned to)
{
    struct function *function = flow->function;
    LLVMValueRef terminator = LLVMGetBasicBlockTerminator(function->blocks[from]);
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
    unsigned before = fact->nconditions;
    edge_conditions(function, terminator, successor, NOW, &flow->scratch);
    for EACH (condition, &flow->scratch)
        fact_add_condition(fact, *condition);
    if (flow->scratch.count) {
        struct moments moments = fact_moments(flow, fact, from);
        enum possible possible = concerns(function, fact, before, &flow->scratch)
                                     ? moments_possible(&moments)
                                     : POSSIBLE;
        if (possible == IMPOSSIBLE || !resolve_test(flow, fact, from, to))
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

/* ---- races ---- */

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
    struct moments moments = fact_moments(flow, fact, access->block);
    bool all = add_block(flow, &moments, access_begun->block);
    bool clear = all && !fact->doubtful && !merged_again(flow, fact, access_begun);
    uint64_t question = pair ^ (moments_number(&moments) + clear * 2u + fact->partial);
    if (!asked_first(function, question))
        return;
    int rank;
    enum answer answer =
        buffers_overlap(&moments, op, &op->buffers[i], access, &access->buffers[k], &rank);
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
                        .rank = rank};
    flow->visit(flow->context, function, &race);
    if (race.certain)
        asked_first(function, ~pair); /* it cannot become more certain */
}

static void compare(struct flow *flow, const struct fact *fact, const struct event *access,
                    const struct event *access_begun)
{
    struct function *function = flow->function;
    const struct event *op = &function->events.items[fact->op];
    for (unsigned i = 0; i < op->nbuffers; i++)
        for (unsigned k = 0; k < access->nbuffers; k++) {
            const struct buffer *a = &op->buffers[i], *b = &access->buffers[k];
            if (conflict(a, b) && a->base && b->base &&
                alias_bases(function, a->base, b->base) == ALIAS_same)
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

static void look(struct flow *flow, const struct fact_list *facts, const struct event *event,
                 uint32_t number)
{
    if (flow->visit_progress) {
        for EACH (fact, facts) {
            struct moments moments = fact_moments(flow, fact, event->block);
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
                completes(flow, starting, event) == NEVER)
                continue;
            for EACH (fact, facts) {
                struct fact other = *fact;
                if (fact->op < starting->op && fact->begun == NOT_BEGUN &&
                    flow->function->events.items[fact->op].kind == EVENT_prepare &&
                    completes(flow, fact, event) != NEVER)
                    other.begun = number;
                /* Both have been prepared on this path. */
                struct moments prepared = fact_moments(flow, starting, op->block);
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

/* ---- leaks ---- */

/* Tests that have not succeeded, waits for some of many and conditions that nobody understands say
 * nothing about what happens elsewhere. */
static bool is_certainly_open(const struct fact *fact)
{
    return fact->begun != NOT_BEGUN && fact->tested == NOT_TESTED && !fact->not_yet &&
           !fact->lost && !fact->partial && !fact->doubtful;
}

static bool keeps_only_handle(struct function *function, const struct event *op)
{
    expression slot = op->requests ? bridge_expression(function->bridge, op->requests) : NULL;
    LLVMValueRef variable = slot ? bridge_base(function->bridge, slot) : NULL;
    return variable && LLVMIsAAllocaInst(variable) && !alias_is_copied(function, variable);
}

/* Functions that return 0 if all went well: requests that are open where something else is
 * returned, after an error, are the least of its problems. */
static bool returns_failure(const struct fact *fact, LLVMValueRef end)
{
    LLVMValueRef phi = LLVMGetNumOperands(end) ? LLVMIsAPHINode(LLVMGetOperand(end, 0)) : NULL;
    bool says_success = false;
    if (!phi || LLVMGetTypeKind(LLVMTypeOf(phi)) != LLVMIntegerTypeKind)
        return false;
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMValueRef value = LLVMGetIncomingValue(phi, i);
        says_success |= LLVMIsAConstantInt(value) && LLVMConstIntGetZExtValue(value) == 0;
    }
    for (unsigned i = 0; i < fact->nconditions; i++) {
        const struct condition *condition = &fact->conditions[i];
        if (condition->value == phi && condition->side == NOW && !condition->negated)
            return says_success && condition->number != 0;
    }
    return says_success;
}

static void look_at_end(struct flow *flow, unsigned block, const struct fact_list *facts)
{
    struct function *function = flow->function;
    LLVMValueRef end = LLVMGetBasicBlockTerminator(function->blocks[block]);
    if (!flow->visit_leak || !LLVMIsAReturnInst(end))
        return;
    for EACH (fact, facts) {
        const struct event *op = &function->events.items[fact->op];
        uint64_t leak = (uint64_t)fact->op * 0xD1B54A32D192ED03u + 0x1EAC;
        if (op->kind == EVENT_issue || !is_certainly_open(fact) || returns_failure(fact, end) ||
            !keeps_only_handle(function, op) || !asked_first(function, leak))
            continue;
        struct moments moments = fact_moments(flow, fact, block);
        flow->visit_leak(flow->context, function,
                         &(struct leak){.opened = op,
                                        .begun = &function->events.items[fact->begun],
                                        .conditions = moments.conditions,
                                        .nconditions = (unsigned)moments.nconditions});
    }
}

static void run(struct flow *flow)
{
    struct function *function = flow->function;
    flow->bypasses = bypasses_find(function);
    flow->entry = checked(calloc(function->nblocks, sizeof *flow->entry));
    solve(flow);
    for (unsigned block = 0; block < function->nblocks; block++) {
        struct fact_list facts = {0};
        fact_list_copy(&facts, &flow->entry[block]);
        pass_block(flow, block, &facts, look);
        look_at_end(flow, block, &facts);
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
