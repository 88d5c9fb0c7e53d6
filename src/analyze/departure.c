#include "departure.h"

enum { NO_EVENT = -1 };

struct walk {
    const struct function *function;
    const bool *waits;
    size_t goal;  /* event that is looked for; NO_EVENT: the end of a block */
    unsigned to;  /* … which; nblocks: none */
    unsigned end; /* block that is not gone beyond */
    int closed;   /* loop that is not gone into */
    bool *seen;
};

static bool waits_between(const struct walk *walk, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        if (walk->waits[i])
            return true;
    return false;
}

static bool comes_to(struct walk *walk, unsigned block);

static bool goes_on_to(struct walk *walk, unsigned block)
{
    const struct function *function = walk->function;
    if (block == walk->to)
        return true;
    if (block == walk->end)
        return false;
    LLVMValueRef end = LLVMGetBasicBlockTerminator(function->blocks[block]);
    for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++)
        if (comes_to(walk, function_block(function, LLVMGetSuccessor(end, s))))
            return true;
    return false;
}

/* From the start of the block, without a call of everybody. */
static bool comes_to(struct walk *walk, unsigned block)
{
    const struct function *function = walk->function;
    if (block == function->nblocks || walk->seen[block] ||
        (walk->closed >= 0 &&
         bridge_loop_contains(function->bridge, walk->closed, function->blocks[block])))
        return false;
    walk->seen[block] = true;
    size_t first = function->first_event[block], last = function->first_event[block + 1];
    if (walk->goal != (size_t)NO_EVENT && function->events.items[walk->goal].block == block)
        return !waits_between(walk, first, walk->goal);
    return !waits_between(walk, first, last) && goes_on_to(walk, block);
}

static bool can_reach(const struct function *function, const bool *waits, LLVMBasicBlockRef from,
                      size_t goal)
{
    bool *seen = checked(calloc(function->nblocks + 1, sizeof *seen));
    struct walk walk = {function, waits, goal, function->nblocks, function->nblocks, -1, seen};
    bool reached = comes_to(&walk, function_block(function, from));
    free(seen);
    return reached;
}

/* From behind the call to the goal, without getting to the end of a block, or into a loop. */
static bool can_avoid(const struct function *function, const bool *waits, size_t call, size_t goal,
                      unsigned block, int loop)
{
    unsigned start = function->events.items[call].block;
    bool *seen = checked(calloc(function->nblocks + 1, sizeof *seen));
    struct walk walk = {function, waits, goal, function->nblocks, block, loop, seen};
    bool here = function->events.items[goal].block == start && goal > call;
    bool reached = here ? !waits_between(&walk, call + 1, goal)
                        : !waits_between(&walk, call + 1, function->first_event[start + 1]) &&
                              goes_on_to(&walk, start);
    free(seen);
    return reached;
}

static bool can_get_to_end(const struct function *function, const bool *waits, size_t call,
                           unsigned block)
{
    unsigned start = function->events.items[call].block;
    bool *seen = checked(calloc(function->nblocks + 1, sizeof *seen));
    struct walk walk = {function, waits, (size_t)NO_EVENT, block, function->nblocks, -1, seen};
    bool reached = !waits_between(&walk, call + 1, function->first_event[start + 1]) &&
                   goes_on_to(&walk, start);
    free(seen);
    return reached;
}

/* One process is in the loop, the other one behind it: wherever that one has left, the first one
 * has come by as well, and it has stayed. */
static bool stayed(const struct function *function, const bool *waits, int loop, size_t call,
                   size_t inside, size_t outside)
{
    LLVMBasicBlockRef start = function->blocks[function->events.items[call].block];
    bool can_go_around = !bridge_loop_contains(function->bridge, loop, start) &&
                         can_avoid(function, waits, call, outside, function->nblocks, loop);
    bool is_behind = false;
    for (unsigned block = 0; block < function->nblocks; block++) {
        if (!bridge_loop_contains(function->bridge, loop, function->blocks[block]))
            continue;
        LLVMValueRef end = LLVMGetBasicBlockTerminator(function->blocks[block]);
        for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++) {
            LLVMBasicBlockRef next = LLVMGetSuccessor(end, s);
            if (bridge_loop_contains(function->bridge, loop, next) ||
                !can_reach(function, waits, next, outside))
                continue;
            is_behind = true;
            if (can_get_to_end(function, waits, call, block) &&
                can_avoid(function, waits, call, inside, block, -1))
                return false;
        }
    }
    /* All go into the loop or all go around it, but who is in front of it is not behind it. */
    return !can_go_around ||
           (is_behind && !can_avoid(function, waits, outside, inside, function->nblocks, -1));
}

static bool stays_in_loop(const struct function *function, const bool *waits, const bool *aligned,
                          size_t call, size_t inside, size_t outside)
{
    struct bridge *bridge = function->bridge;
    LLVMBasicBlockRef here = function->blocks[function->events.items[inside].block];
    LLVMBasicBlockRef there = function->blocks[function->events.items[outside].block];
    for (int loop = bridge_loop(bridge, here); loop >= 0; loop = bridge_loop_parent(bridge, loop))
        if (aligned[loop] && !bridge_loop_contains(bridge, loop, there) &&
            stayed(function, waits, loop, call, inside, outside))
            return true;
    return false;
}

bool departed_together(const struct function *function, const bool *waits, const bool *aligned,
                       size_t call, size_t one, size_t two)
{
    return stays_in_loop(function, waits, aligned, call, one, two) ||
           stays_in_loop(function, waits, aligned, call, two, one);
}
