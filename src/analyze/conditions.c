#include "conditions.h"

#include "alias.h"
#include "draws.h"
#include "normalise.h"
#include "search.h"
#include "solve.h"
#include "subjects.h"

#include <uthash.h>

enum { MOST_CONDITIONS = 96 };

struct block_conditions {
    bool found, cut;
    condition_list list;
};

/* ---- branches that end the program ---- */

/* By block: whether all ways on end the program (exit, abort, a failed assertion). Not those that
 * go on for ever. */
static void find_ends(struct function *function)
{
    bool *ends = checked(calloc(function->nblocks + 1, sizeof *ends));
    for (bool again = true; again;) {
        again = false;
        for (unsigned block = function->nblocks; block-- > 0;) {
            LLVMValueRef end = LLVMGetBasicBlockTerminator(function->blocks[block]);
            unsigned successors = LLVMGetNumSuccessors(end);
            bool all = successors || LLVMIsAUnreachableInst(end);
            for (unsigned i = 0; all && i < successors; i++)
                all = ends[function_block(function, LLVMGetSuccessor(end, i))];
            if (all && !ends[block])
                again = ends[block] = true;
        }
    }
    function->ends = ends;
}

/* Whether all other ways from here end the program. */
static bool is_only_way(struct function *function, LLVMValueRef terminator,
                        LLVMBasicBlockRef target)
{
    if (!function->ends)
        find_ends(function);
    for (unsigned i = 0; i < LLVMGetNumSuccessors(terminator); i++) {
        LLVMBasicBlockRef other = LLVMGetSuccessor(terminator, i);
        if (other != target && !function->ends[function_block(function, other)])
            return false;
    }
    return true;
}

/* ---- those of a block ---- */

void edge_conditions(struct function *function, LLVMValueRef terminator, unsigned successor,
                     enum side side, condition_list *conditions)
{
    bool branch = LLVMIsABranchInst(terminator) && LLVMIsConditional(terminator);
    if (!branch && !LLVMIsASwitchInst(terminator))
        return;
    LLVMBasicBlockRef target = LLVMGetSuccessor(terminator, successor);
    LLVMValueRef value = branch ? LLVMGetCondition(terminator) : LLVMGetOperand(terminator, 0);
    unsigned cases = LLVMGetNumSuccessors(terminator), same = 0;
    for (unsigned i = 0; i < cases; i++)
        same += LLVMGetSuccessor(terminator, i) == target;
    if (same != 1)
        return;
    struct condition condition = {
        .value = value, .side = side, .sure = is_only_way(function, terminator, target)};
    if (branch) {
        condition.number = successor == 0;
        APPEND(conditions, condition);
    } else if (successor > 0) {
        condition.number = LLVMConstIntGetSExtValue(LLVMGetOperand(terminator, 2 * successor));
        APPEND(conditions, condition);
    } else {
        enum { MANY_CASES = 16 };
        condition.negated = true;
        for (unsigned i = 1; i < cases && cases < MANY_CASES; i++) {
            condition.number = LLVMConstIntGetSExtValue(LLVMGetOperand(terminator, 2 * i));
            APPEND(conditions, condition);
        }
    }
}

static bool has_one_predecessor(LLVMBasicBlockRef block)
{
    LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block));
    return use && !LLVMGetNextUse(use);
}

/* What an edge says, `rank == 1` in a branch like a case of a switch on `rank`. */
static bool edge_condition(struct function *function, LLVMValueRef terminator,
                           LLVMBasicBlockRef target, struct condition *condition)
{
    condition_list list = {0};
    for (unsigned i = 0; i < LLVMGetNumSuccessors(terminator); i++)
        if (LLVMGetSuccessor(terminator, i) == target)
            edge_conditions(function, terminator, i, NOW, &list);
    bool one = list.count == 1;
    if (one)
        *condition = list.items[0];
    DROP(&list);
    LLVMValueRef compared = one ? LLVMIsAICmpInst(condition->value) : NULL;
    LLVMIntPredicate predicate = compared ? LLVMGetICmpPredicate(compared) : LLVMIntSLT;
    if (compared && (predicate == LLVMIntEQ || predicate == LLVMIntNE) &&
        LLVMIsAConstantInt(LLVMGetOperand(compared, 1))) {
        bool holds = !condition->number == condition->negated;
        condition->value = LLVMGetOperand(compared, 0);
        condition->number = LLVMConstIntGetSExtValue(LLVMGetOperand(compared, 1));
        condition->negated = holds != (predicate == LLVMIntEQ);
    }
    return one;
}

/* Several ways lead to the block, and each asks the same: compilers turn `if (rank == 0) …
 * if (rank == 1) …` into a switch and, behind the first part, another one with the same cases. */
static bool common_condition(struct function *function, LLVMBasicBlockRef below, unsigned block,
                             struct condition *common)
{
    bool any = false;
    for (LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(below)); use;
         use = LLVMGetNextUse(use)) {
        struct condition condition;
        LLVMValueRef terminator = LLVMGetUser(use);
        if (!LLVMIsATerminatorInst(terminator))
            return false;
        int loop = bridge_loop(function->bridge, LLVMGetInstructionParent(terminator));
        if ((loop >= 0 && !bridge_loop_contains(function->bridge, loop, function->blocks[block])) ||
            !edge_condition(function, terminator, below, &condition))
            return false;
        if (any && (condition.value != common->value || condition.number != common->number ||
                    condition.negated != common->negated))
            return false;
        condition.sure &= !any || common->sure;
        *common = condition;
        any = true;
    }
    return any;
}

/* … and whoever comes to the block takes it that they can hold together. */
static void reverse(condition_list *conditions)
{
    for EACH (condition, conditions)
        condition->asked = true;
    for (size_t i = 0, k = conditions->count; i + 1 < k; i++) {
        struct condition swapped = conditions->items[i];
        conditions->items[i] = conditions->items[--k];
        conditions->items[k] = swapped;
    }
}

/* Walks up the dominators: long in a large function, so each block does it once. */
static void find_block_conditions(struct function *function, unsigned block,
                                  struct block_conditions *found)
{
    LLVMBasicBlockRef below = function->blocks[block];
    for (LLVMBasicBlockRef above = bridge_idom(function->bridge, below); above && !found->cut;
         below = above, above = bridge_idom(function->bridge, above)) {
        LLVMValueRef terminator = LLVMGetBasicBlockTerminator(above);
        if (!has_one_predecessor(below)) {
            struct condition common;
            if (common_condition(function, below, block, &common))
                APPEND(&found->list, common);
            continue;
        }
        /* The branch that left a loop speaks about its last iteration, which is over. */
        int loop = bridge_loop(function->bridge, above);
        if (loop >= 0 && !bridge_loop_contains(function->bridge, loop, function->blocks[block]))
            continue;
        for (unsigned i = 0; i < LLVMGetNumSuccessors(terminator); i++)
            if (LLVMGetSuccessor(terminator, i) == below)
                edge_conditions(function, terminator, i, NOW, &found->list);
        found->cut = found->list.count >= MOST_CONDITIONS;
    }
    reverse(&found->list);
}

static struct block_conditions *conditions_of(struct function *function, unsigned block)
{
    if (!function->conditions)
        function->conditions = checked(calloc(function->nblocks, sizeof *function->conditions));
    struct block_conditions *known = &function->conditions[block];
    if (!known->found) {
        known->found = true;
        find_block_conditions(function, block, known);
    }
    return known;
}

bool block_conditions(struct function *function, unsigned block, enum side side,
                      condition_list *conditions)
{
    const struct block_conditions *known = conditions_of(function, block);
    for EACH (condition, &known->list) {
        struct condition copy = *condition;
        copy.side = side;
        APPEND(conditions, copy);
    }
    return !known->cut;
}

/* ---- what they are about ---- */

static bool is_about_elements(struct function *function, LLVMValueRef value, int depth)
{
    if (LLVMIsALoadInst(value)) {
        expression address = bridge_expression(function->bridge, LLVMGetOperand(value, 0));
        int loop = bridge_loop(function->bridge, LLVMGetInstructionParent(value));
        return address && loop >= 0 && bridge_varies(function->bridge, address, loop) &&
               alias_representative(function, value) == value;
    }
    bool inner = LLVMIsACmpInst(value) || LLVMIsABinaryOperator(value) ||
                 LLVMIsASelectInst(value) || LLVMIsACastInst(value) || LLVMIsAFreezeInst(value) ||
                 LLVMIsAUnaryOperator(value);
    for (int i = 0; inner && depth > 0 && i < LLVMGetNumOperands(value); i++)
        if (is_about_elements(function, LLVMGetOperand(value, (unsigned)i), depth - 1))
            return true;
    return false;
}

bool condition_is_about_elements(struct function *function, LLVMValueRef value)
{
    enum { DEEPEST = 8 };
    return is_about_elements(function, value, DEEPEST);
}

/* ---- whether they can hold together ---- */

static uint64_t scramble(uint64_t number)
{
    number = (number ^ number >> 31) * 0x9E3779B97F4A7C15u;
    return number ^ number >> 29;
}

/* The same question comes again for every operation that was started under the same conditions. */
struct possibility {
    uint64_t question;
    enum possible possible;
    UT_hash_handle hh;
};

uint64_t moments_number(const struct moments *moments)
{
    struct bridge *bridge = moments->function->bridge;
    LLVMBasicBlockRef *blocks = moments->function->blocks;
    uint64_t sum = 0;
    for (size_t i = 0; i < moments->nconditions; i++) {
        const struct condition *condition = &moments->conditions[i];
        sum += scramble(scramble((uintptr_t)condition->value) + (uint64_t)condition->number * 8 +
                        condition->negated * 4u + condition->side * 2u);
    }
    sum = scramble(sum + moments->distance);
    sum = scramble(sum + (uint64_t)bridge_loop(bridge, blocks[moments->then_block]));
    return scramble(sum + (uint64_t)bridge_loop(bridge, blocks[moments->now_block]));
}

/* Where so many questions about the paths of one function were asked in vain, the next ones are,
 * too: they are much the same. Asking Z3 nevertheless took 60 s for the 96,000 instructions of
 * HPCC. */
enum { IN_VAIN = 48 };

static enum possible decide(const struct moments *moments)
{
    enum { FEW = 6, ALL = 168 };
    struct draw found;
    struct proof proof;
    if (find_draw(moments, FEW, stop_at_once, NULL, &found))
        return POSSIBLE;
    bool hopeless = moments->function->gaps[GAP_conditions] >= IN_VAIN;
    proof_open(&proof, moments, NULL);
    enum searched searched = search_example(&proof, NULL, &found);
    enum solved solved = searched == SEARCHED_found              ? SOLVED_found
                         : searched == SEARCHED_unfit            ? SOLVED_undecided
                         : inequalities_impossible(&proof.known) ? SOLVED_none
                         : hopeless                              ? SOLVED_undecided
                                    : solve_example(&proof, NULL, &found);
    proof_close(&proof);
    if (solved == SOLVED_undecided && !hopeless &&
        find_draw(moments, ALL, stop_at_once, NULL, &found))
        return POSSIBLE;
    return solved == SOLVED_none ? IMPOSSIBLE : solved == SOLVED_undecided ? UNDECIDED : POSSIBLE;
}

enum possible moments_possible(const struct moments *moments)
{
    struct possibility *entry;
    if (moments->nconditions < 2 && !moments->distance)
        return POSSIBLE;
    uint64_t question = moments_number(moments);
    HASH_FIND(hh, moments->function->possibilities, &question, sizeof question, entry);
    if (!entry) {
        entry = checked(calloc(1, sizeof *entry));
        entry->question = question;
        entry->possible = decide(moments);
        moments->function->gaps[GAP_conditions] += entry->possible == UNDECIDED;
        HASH_ADD(hh, moments->function->possibilities, question, sizeof entry->question, entry);
    }
    return entry->possible;
}

struct related {
    struct subjects about, rounds;
    bool has_rounds, takes_rounds;
    LIST(bool) taken;
    condition_list list;
};

/* What is about the same as the conditions that were not asked for, or about the same as something
 * that is. */
static void find_related(const struct moments *moments, bool other_rounds, struct related *related)
{
    struct function *function = moments->function;
    related->has_rounds = subjects_of_rounds(moments, &related->rounds);
    bool again = related->takes_rounds = related->has_rounds && other_rounds;
    if (related->takes_rounds)
        related->about = related->rounds;
    for (size_t i = 0; i < moments->nconditions; i++) {
        const struct condition *condition = &moments->conditions[i];
        APPEND(&related->taken, !condition->asked);
        if (!condition->asked)
            subjects_add(&related->about, subjects_of(function, condition->value));
        again |= !condition->asked;
    }
    while (again) {
        again = false;
        if (related->has_rounds && !related->takes_rounds &&
            subjects_meet(&related->rounds, &related->about)) {
            subjects_add(&related->about, &related->rounds);
            related->takes_rounds = again = true;
        }
        for (size_t i = 0; i < moments->nconditions; i++) {
            const struct subjects *own = subjects_of(function, moments->conditions[i].value);
            if (related->taken.items[i] || !subjects_meet(own, &related->about))
                continue;
            subjects_add(&related->about, own);
            related->taken.items[i] = again = true;
        }
    }
    for (size_t i = 0; i < moments->nconditions; i++)
        if (related->taken.items[i])
            APPEND(&related->list, moments->conditions[i]);
}

/* Long paths fall apart into small questions, most of which were asked before. */
enum possible moments_still_possible(const struct moments *moments, bool other_rounds)
{
    struct related related = {.has_rounds = false};
    find_related(moments, other_rounds, &related);
    struct moments about_it = *moments;
    about_it.conditions = related.list.items;
    about_it.nconditions = related.list.count;
    bool alone = related.list.count + related.takes_rounds < 2;
    enum possible possible = alone ? POSSIBLE : moments_possible(&about_it);
    DROP(&related.list);
    DROP(&related.taken);
    return possible;
}

bool was_asked(const struct function *function, uint64_t number)
{
    struct possibility *entry;
    HASH_FIND(hh, function->possibilities, &number, sizeof number, entry);
    return entry != NULL;
}

bool asked_first(struct function *function, uint64_t number)
{
    if (was_asked(function, number))
        return false;
    struct possibility *entry = checked(calloc(1, sizeof *entry));
    entry->question = number;
    HASH_ADD(hh, function->possibilities, question, sizeof entry->question, entry);
    return true;
}

void conditions_free(struct function *function)
{
    free(function->ends);
    subjects_free(function);
    for (unsigned i = 0; function->conditions && i < function->nblocks; i++)
        DROP(&function->conditions[i].list);
    free(function->conditions);
    struct possibility *entry, *next;
    HASH_ITER(hh, function->possibilities, entry, next)
    {
        HASH_DEL(function->possibilities, entry);
        free(entry);
    }
}
