#include "bypass.h"

#include "alias.h"
#include "moments.h"
#include "normalise.h"

#include <uthash.h>

struct edge {
    LLVMValueRef terminator;
    uint32_t op;
    unsigned successor;
};

struct entry {
    struct edge edge;
    enum bypass bypass;
    UT_hash_handle hh;
};

struct bypasses {
    struct entry *entries;
};

/* The worst that is known of an edge counts: impossible before doubtful. */
static void add_entry(struct bypasses *bypasses, struct edge edge, enum bypass bypass)
{
    struct entry *entry;
    HASH_FIND(hh, bypasses->entries, &edge, sizeof edge, entry);
    if (!entry) {
        entry = checked(calloc(1, sizeof *entry));
        entry->edge = edge;
        entry->bypass = bypass;
        HASH_ADD(hh, bypasses->entries, edge, sizeof entry->edge, entry);
    } else if (entry->bypass != BYPASS_impossible) {
        entry->bypass = bypass;
    }
}

enum bypass bypasses_check(const struct bypasses *bypasses, uint32_t op, LLVMValueRef terminator,
                           unsigned successor)
{
    struct edge edge = {terminator, op, successor};
    struct entry *entry;
    HASH_FIND(hh, bypasses->entries, &edge, sizeof edge, entry);
    return entry ? entry->bypass : BYPASS_none;
}

/* ---- what a condition is about ---- */

typedef LIST(LLVMValueRef) value_list;

static void leaves_of(LLVMValueRef value, value_list *leaves, int depth)
{
    if (LLVMIsConstant(value))
        return;
    bool inner = LLVMIsAICmpInst(value) || LLVMIsABinaryOperator(value) ||
                 LLVMIsASelectInst(value) || LLVMIsACastInst(value) || LLVMIsAFreezeInst(value);
    if (!inner || depth == 0) {
        APPEND(leaves, value);
        return;
    }
    for (int i = 0; i < LLVMGetNumOperands(value); i++)
        leaves_of(LLVMGetOperand(value, (unsigned)i), leaves, depth - 1);
}

static LLVMValueRef base_of(struct function *function, LLVMValueRef address)
{
    expression e = address ? bridge_expression(function->bridge, address) : NULL;
    return e ? bridge_base(function->bridge, e) : NULL;
}

/* A phi that only chooses between constants: the path knows which. */
static bool is_choice_of_constants(LLVMValueRef phi)
{
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
        if (!LLVMIsAConstantInt(LLVMGetIncomingValue(phi, i)))
            return false;
    return true;
}

static bool is_understood(struct function *function, LLVMValueRef leaf)
{
    if (LLVMIsAArgument(leaf))
        return true;
    if (LLVMIsACallInst(leaf) && call_target(leaf))
        return !strncmp(LLVMGetValueName2(call_target(leaf), &(size_t){0}), STAND_IN,
                        strlen(STAND_IN));
    if (!LLVMIsAPHINode(leaf))
        return false;
    expression e = bridge_expression(function->bridge, leaf);
    return is_choice_of_constants(leaf) || (e && bridge_is_counter(e));
}

/* Whether this function itself puts something there. */
static bool is_set_here(const struct function *function, expression place)
{
    for EACH (number, &function->writers) {
        const struct event *event = &function->events.items[*number];
        if (LLVMIsAStoreInst(event->instruction) && event->buffers[0].place == place)
            return true;
    }
    return false;
}

/* Whether two values are computed in the same way, from what stands in the same places of memory.
 */
static bool looks_alike(struct function *function, LLVMValueRef a, LLVMValueRef b, int depth)
{
    if (a == b)
        return true;
    /* Optimisers read a place on each way to where it is needed. */
    if (depth && (LLVMIsAPHINode(a) || LLVMIsAPHINode(b))) {
        LLVMValueRef phi = LLVMIsAPHINode(a) ? a : b, other = phi == a ? b : a;
        for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
            if (!looks_alike(function, LLVMGetIncomingValue(phi, i), other, depth - 1))
                return false;
        return true;
    }
    if (!depth || !LLVMIsAInstruction(a) || !LLVMIsAInstruction(b) ||
        LLVMGetInstructionOpcode(a) != LLVMGetInstructionOpcode(b) ||
        LLVMTypeOf(a) != LLVMTypeOf(b))
        return false;
    struct bridge *bridge = function->bridge;
    if (LLVMIsALoadInst(a)) {
        expression place = bridge_expression(bridge, LLVMGetOperand(a, 0));
        expression other = bridge_expression(bridge, LLVMGetOperand(b, 0));
        if (!place || !other || is_set_here(function, place) || is_set_here(function, other))
            return false;
        LLVMValueRef base = bridge_base(bridge, place), other_base = bridge_base(bridge, other);
        return base && other_base && bridge_offset(bridge, place) == bridge_offset(bridge, other) &&
               looks_alike(function, base, other_base, depth - 1);
    }
    if (LLVMIsAICmpInst(a) && LLVMGetICmpPredicate(a) != LLVMGetICmpPredicate(b))
        return false;
    if (!LLVMIsAICmpInst(a) && !LLVMIsABinaryOperator(a) && !LLVMIsACastInst(a))
        return false;
    for (int i = 0; i < LLVMGetNumOperands(a); i++)
        if (!looks_alike(function, LLVMGetOperand(a, (unsigned)i), LLVMGetOperand(b, (unsigned)i),
                         depth - 1))
            return false;
    return true;
}

/* `if (s->n) start(); … f(s); … if (s->n) complete();`: nobody can see that f leaves s->n alone,
 * but that is what the program means. */
static bool asks_again(struct function *function, LLVMValueRef condition, bool truth,
                       const struct event *op)
{
    enum { DEPTH = 8 };
    condition_list conditions = {0};
    bool again = false;
    block_conditions(function, op->block, THEN, &conditions);
    for EACH (earlier, &conditions)
        again |= earlier->value != condition && !earlier->number == !truth && !earlier->negated &&
                 looks_alike(function, earlier->value, condition, DEPTH);
    DROP(&conditions);
    return again;
}

/* `truth`: what the condition is on the way to the completion. */
static enum bypass judge(struct function *function, LLVMValueRef condition, bool truth,
                         const struct event *op, const struct event *completion)
{
    if (asks_again(function, condition, truth, op))
        return BYPASS_impossible;
    value_list about = {0}, count = {0};
    leaves_of(condition, &about, 8);
    if (completion->nrequests)
        leaves_of(completion->nrequests, &count, 8);
    LLVMValueRef slots = base_of(function, completion->requests);
    LLVMValueRef slot = base_of(function, op->requests);
    enum bypass result = BYPASS_none;
    for EACH (leaf, &about) {
        for EACH (other, &count)
            if (*leaf == *other)
                result = BYPASS_impossible;
        if (LLVMIsALoadInst(*leaf)) {
            LLVMValueRef base = base_of(function, LLVMGetOperand(*leaf, 0));
            if (base && (base == slots || base == slot))
                result = BYPASS_impossible;
        }
        if (result == BYPASS_none && !is_understood(function, *leaf))
            result = BYPASS_doubtful;
    }
    DROP(&about);
    DROP(&count);
    return result;
}

/* ---- finding them ---- */

static bool may_complete(struct function *function, const struct event *op,
                         const struct event *event)
{
    if (op->kind == EVENT_issue && event->kind == EVENT_sync)
        return event->routine->verb != VERB_opens || event->routine->object == OBJECT_fence;
    if ((event->kind != EVENT_complete && event->kind != EVENT_test) || !op->requests ||
        !event->requests)
        return false;
    struct moments moments = {
        .function = function, .then_block = op->block, .now_block = event->block};
    return slot_among(&moments, op->requests, event->requests, event->nrequests) != NEVER;
}

/* Whether the loop completes one operation after the other. Handles that are copied are mostly
 * copied back for that, into one variable. */
static bool varies_in(struct function *function, const struct event *op, const struct event *event,
                      int loop)
{
    if (event->routine->object == OBJECT_any || event->routine->object == OBJECT_some)
        return true;
    if (op->requests && alias_is_copied(function, base_of(function, op->requests)))
        return true;
    expression e = event->requests ? bridge_expression(function->bridge, event->requests) : NULL;
    return e && bridge_varies(function->bridge, e, loop);
}

/* The loop as a whole completes the operation: no way out of it, or past it, keeps it going. */
static void close_loop(struct bypasses *bypasses, struct function *function, uint32_t op, int loop)
{
    struct bridge *bridge = function->bridge;
    for (unsigned block = 0; block < function->nblocks; block++) {
        if (!bridge_loop_contains(bridge, loop, function->blocks[block]))
            continue;
        LLVMValueRef end = LLVMGetBasicBlockTerminator(function->blocks[block]);
        for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++)
            if (!bridge_loop_contains(bridge, loop, LLVMGetSuccessor(end, s)))
                add_entry(bypasses, (struct edge){end, op, s}, BYPASS_impossible);
    }
    LLVMValueRef guard = bridge_loop_guard(bridge, loop);
    for (unsigned s = 0; guard && s < LLVMGetNumSuccessors(guard); s++)
        if (!bridge_dominates(bridge, LLVMGetSuccessor(guard, s), bridge_loop_header(bridge, loop)))
            add_entry(bypasses, (struct edge){guard, op, s}, BYPASS_impossible);
}

/* The way on in a loop is no way round the wait behind it. */
static bool goes_on(struct bridge *bridge, int loop, LLVMBasicBlockRef wait,
                    LLVMBasicBlockRef other)
{
    return loop >= 0 && !bridge_loop_contains(bridge, loop, wait) &&
           bridge_loop_contains(bridge, loop, other);
}

/* Whether every way on from a block comes to the wait's block, or ends the program. */
static bool always_comes_to(struct function *function, LLVMBasicBlockRef from,
                            LLVMBasicBlockRef wait)
{
    for (LLVMBasicBlockRef at = bridge_ipdom(function->bridge, from); at;
         at = bridge_ipdom(function->bridge, at))
        if (at == wait)
            return true;
    return false;
}

static void look_at(struct bypasses *bypasses, struct function *function, uint32_t number,
                    const struct event *op, const struct event *event)
{
    struct bridge *bridge = function->bridge;
    LLVMBasicBlockRef op_block = function->blocks[op->block];
    for (int loop = bridge_loop(bridge, function->blocks[event->block]);
         loop >= 0 && !bridge_loop_contains(bridge, loop, op_block);
         loop = bridge_loop_parent(bridge, loop))
        if (varies_in(function, op, event, loop))
            close_loop(bypasses, function, number, loop);

    LLVMBasicBlockRef below = function->blocks[event->block];
    for (LLVMBasicBlockRef above = bridge_idom(bridge, below); above && below != op_block;
         below = above, above = bridge_idom(bridge, above)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(above);
        if (above != op_block && bridge_dominates(bridge, above, op_block) &&
            bridge_loop(bridge, above) < 0)
            break;
        if (!LLVMIsABranchInst(end) || !LLVMIsConditional(end) ||
            always_comes_to(function, above, below))
            continue;
        int loop = bridge_loop(bridge, above);
        for (unsigned s = 0; s < 2; s++)
            if (LLVMGetSuccessor(end, s) == below && LLVMGetSuccessor(end, !s) != below &&
                !goes_on(bridge, loop, below, LLVMGetSuccessor(end, !s))) {
                enum bypass bypass = judge(function, LLVMGetCondition(end), s == 0, op, event);
                if (bypass != BYPASS_none)
                    add_entry(bypasses, (struct edge){end, number, !s}, bypass);
            }
    }
}

struct bypasses *bypasses_find(struct function *function)
{
    struct bypasses *bypasses = checked(calloc(1, sizeof *bypasses));
    for (uint32_t i = 0; i < function->events.count; i++) {
        const struct event *op = &function->events.items[i];
        if (op->kind != EVENT_start && op->kind != EVENT_prepare && op->kind != EVENT_issue)
            continue;
        for EACH (event, &function->events)
            if (event->routine && may_complete(function, op, event))
                look_at(bypasses, function, i, op, event);
    }
    return bypasses;
}

void bypasses_free(struct bypasses *bypasses)
{
    struct entry *entry, *next;
    HASH_ITER(hh, bypasses->entries, entry, next)
    {
        HASH_DEL(bypasses->entries, entry);
        free(entry);
    }
    free(bypasses);
}
