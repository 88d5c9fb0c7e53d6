#include "draws.h"

#include "alias.h"
#include "normalise.h"

static uint64_t mix(uint64_t a, uint64_t b)
{
    uint64_t h = a * 0x9E3779B97F4A7C15u ^ (b + 0x7F4A7C15u) * 0xD1B54A32D192ED03u;
    h ^= h >> 29;
    h *= 0xBF58476D1CE4E5B9u;
    return h ^ h >> 32;
}

/* Whether a loop has been gone round between the moments, itself or one around it. */
bool moments_gone_round(const struct moments *moments, int loop)
{
    struct bridge *bridge = moments->function->bridge;
    for (; loop >= 0; loop = bridge_loop_parent(bridge, loop))
        if (distance_at(moments->distance, bridge_loop_depth(bridge, loop)) &&
            bridge_loop_contains(bridge, loop, moments->function->blocks[moments->then_block]))
            return true;
    return false;
}

bool moments_in_loop(const struct moments *moments, int loop)
{
    struct bridge *bridge = moments->function->bridge;
    if (moments->aligned && !moments->aligned[loop])
        return false;
    return bridge_loop_contains(bridge, loop, moments->function->blocks[moments->then_block]) &&
           bridge_loop_contains(bridge, loop, moments->function->blocks[moments->now_block]);
}

/* Whether both moments come behind the loop, and never without having been in this block of it. */
static bool left_before(const struct moments *moments, int loop, LLVMBasicBlockRef block)
{
    struct bridge *bridge = moments->function->bridge;
    LLVMBasicBlockRef then = moments->function->blocks[moments->then_block];
    LLVMBasicBlockRef now = moments->function->blocks[moments->now_block];
    return !bridge_loop_contains(bridge, loop, then) && !bridge_loop_contains(bridge, loop, now) &&
           bridge_dominates(bridge, block, then) && bridge_dominates(bridge, block, now);
}

/* Whether a value computed in the function is the same at both moments: its definition did not
 * run again in between, or gives the same whenever it runs. */
bool moments_share(const struct moments *moments, LLVMValueRef value)
{
    if (!LLVMIsAInstruction(value))
        return true;
    struct bridge *bridge = moments->function->bridge;
    LLVMBasicBlockRef block = LLVMGetInstructionParent(value);
    for (int loop = bridge_loop(bridge, block); loop >= 0;
         loop = bridge_loop_parent(bridge, loop)) {
        if (moments_in_loop(moments, loop) && !moments_gone_round(moments, loop))
            return true;
        /* It was left before both: only a loop around it can make it run again. */
        if (!moments->aligned && left_before(moments, loop, block))
            continue;
        if (moments->aligned || !alias_is_steady(moments->function, value, loop))
            return false;
    }
    return true;
}

/* ---- numbers that are given ---- */

void draw_give(struct draw *draw, LLVMValueRef value, bool shared, enum side side, int64_t number)
{
    if (draw->ngiven < GIVEN)
        draw->given[draw->ngiven++] = (struct given){value, shared, side, number};
}

void draw_give_iteration(struct draw *draw, enum side side, int loop, int64_t number)
{
    const struct moments *moments = draw->moments;
    struct bridge *bridge = moments->function->bridge;
    int parent = loop < MAX_LOOPS ? bridge_loop_parent(bridge, loop) : -1;
    if (loop >= MAX_LOOPS)
        return;
    /* One round later: follows from the iteration of then. */
    if (side == NOW && moments_in_loop(moments, loop) &&
        (parent < 0 || !moments_gone_round(moments, parent)) &&
        distance_at(moments->distance, bridge_loop_depth(bridge, loop)) == 1)
        return;
    draw->counters[side][loop] = number;
    draw->drawn[side][loop] = true;
}

static bool is_given(const struct draw *draw, enum side side, LLVMValueRef known_as,
                     int64_t *number)
{
    for (unsigned i = 0; i < draw->ngiven; i++)
        if (draw->given[i].value == known_as &&
            (draw->given[i].shared || draw->given[i].side == side)) {
            *number = draw->given[i].number;
            return true;
        }
    return false;
}

/* ---- drawing numbers ---- */

bool is_argument_count(LLVMValueRef value)
{
    if (!LLVMIsAArgument(value))
        return false;
    LLVMValueRef function = LLVMGetParamParent(value);
    return LLVMGetParam(function, 0) == value &&
           !strcmp(LLVMGetValueName2(function, &(size_t){0}), "main");
}

/* A number nobody knows. Constants that it is compared with are likely, since conditions are
 * about them; otherwise small positive numbers, as counts and indices are. */
static int64_t draw_unknown(struct draw *draw, LLVMValueRef leaf)
{
    static const int64_t pool[] = {1, 1, 1, 2, 2, 3, 4, 5, 7, 8, 10, 16, 33, 64, 100, 1000};
    LLVMValueRef known_as = alias_representative(draw->moments->function, leaf);
    int64_t number;
    if (is_given(draw, draw->side, known_as, &number))
        return number;
    uint64_t h = mix(alias_number(draw->moments->function, known_as), draw->seed);
    /* Another process may have read something else. */
    if (draw->moments->aligned || !moments_share(draw->moments, leaf))
        h = mix(h, 77 + draw->side);
    LLVMTypeRef type = LLVMTypeOf(leaf);
    if (LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 1)
        return (int64_t)(h >> 7 & 1);
    /* Addresses are numbers where a program takes the difference of two: the size of a vector. */
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
        return (int64_t)(h >> 12 & 63) * 48;
    int64_t hints[8];
    unsigned nhints = 0;
    bool positive = is_argument_count(known_as);
    for (LLVMUseRef use = LLVMGetFirstUse(known_as); use && nhints < 5; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAICmpInst(user) && LLVMIsAConstantInt(LLVMGetOperand(user, 1))) {
            int64_t constant = LLVMConstIntGetSExtValue(LLVMGetOperand(user, 1));
            hints[nhints++] = constant - 1;
            hints[nhints++] = constant;
            hints[nhints++] = constant + 1;
        } else if (LLVMIsASwitchInst(user)) {
            for (unsigned i = 1; i < LLVMGetNumSuccessors(user) && nhints < 6; i++)
                hints[nhints++] = LLVMConstIntGetSExtValue(LLVMGetOperand(user, 2 * i));
        }
    }
    if (nhints && (h >> 40 & 1) && (!positive || hints[(h >> 20) % nhints] > 0))
        return hints[(h >> 20) % nhints];
    return pool[(h >> 12) % (sizeof pool / sizeof pool[0])];
}

static bool is_stand_in(LLVMValueRef value, const char *name)
{
    return LLVMIsACallInst(value) && call_target(value) &&
           !strcmp(LLVMGetValueName2(call_target(value), &(size_t){0}), name);
}

/* MPI_COMM_WORLD: MPICH's handle is a number, Open MPI's the address of a variable. */
bool comm_is_world(LLVMValueRef comm)
{
    if (LLVMIsAConstantInt(comm))
        return (uint32_t)LLVMConstIntGetZExtValue(comm) == 0x44000000;
    return LLVMIsAGlobalVariable(comm) &&
           !strcmp(LLVMGetValueName2(comm, &(size_t){0}), "ompi_mpi_comm_world");
}

static int64_t fit(int64_t number, LLVMTypeRef type)
{
    unsigned bits = LLVMGetTypeKind(type) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type) : 64;
    return bits < 64 ? (int64_t)((uint64_t)number << (64 - bits)) >> (64 - bits) : number;
}

static bool compare(LLVMIntPredicate predicate, int64_t a, int64_t b)
{
    switch (predicate) {
    case LLVMIntEQ:
        return a == b;
    case LLVMIntNE:
        return a != b;
    case LLVMIntSGT:
        return a > b;
    case LLVMIntSGE:
        return a >= b;
    case LLVMIntSLT:
        return a < b;
    case LLVMIntSLE:
        return a <= b;
    case LLVMIntUGT:
        return (uint64_t)a > (uint64_t)b;
    case LLVMIntUGE:
        return (uint64_t)a >= (uint64_t)b;
    case LLVMIntULT:
        return (uint64_t)a < (uint64_t)b;
    default:
        return (uint64_t)a <= (uint64_t)b;
    }
}

bool draw_operation(LLVMOpcode opcode, int64_t a, int64_t b, int64_t *result)
{
    switch (opcode) {
    case LLVMSRem:
    case LLVMURem:
        if (!b || b == -1)
            return false;
        *result = a % b;
        return true;
    case LLVMSDiv:
    case LLVMUDiv:
        if (!b || b == -1)
            return false;
        *result = a / b;
        return true;
    case LLVMAnd:
        *result = a & b;
        return true;
    case LLVMOr:
        *result = a | b;
        return true;
    case LLVMXor:
        *result = a ^ b;
        return true;
    case LLVMShl:
        *result = b < 0 || b > 63 ? 0 : (int64_t)((uint64_t)a << b);
        return true;
    case LLVMLShr:
    case LLVMAShr:
        *result = b < 0 || b > 63 ? 0 : a >> b;
        return true;
    case LLVMAdd:
        *result = (int64_t)((uint64_t)a + (uint64_t)b);
        return true;
    case LLVMSub:
        *result = (int64_t)((uint64_t)a - (uint64_t)b);
        return true;
    case LLVMMul:
        *result = (int64_t)((uint64_t)a * (uint64_t)b);
        return true;
    default:
        return false;
    }
}

/* Arithmetic that LLVM keeps as a leaf (remainders, masks, choices), computed from its operands. */
static bool compute(struct draw *draw, LLVMValueRef leaf, int64_t *number)
{
    int64_t a, b;
    if (LLVMIsALoadInst(leaf)) {
        LLVMValueRef stored = alias_representative(draw->moments->function, leaf);
        return !LLVMIsALoadInst(stored) && draw_value(draw, stored, number);
    }
    if (LLVMIsAICmpInst(leaf)) {
        if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(leaf, 0))) != LLVMIntegerTypeKind ||
            !draw_value(draw, LLVMGetOperand(leaf, 0), &a) ||
            !draw_value(draw, LLVMGetOperand(leaf, 1), &b))
            return false;
        *number = compare(LLVMGetICmpPredicate(leaf), a, b) ? -1 : 0;
        return true;
    }
    if (LLVMIsASelectInst(leaf)) {
        if (!draw_value(draw, LLVMGetOperand(leaf, 0), &a))
            return false;
        return draw_value(draw, LLVMGetOperand(leaf, a ? 1 : 2), number);
    }
    if (LLVMIsABinaryOperator(leaf))
        return draw_value(draw, LLVMGetOperand(leaf, 0), &a) &&
               draw_value(draw, LLVMGetOperand(leaf, 1), &b) &&
               draw_operation(LLVMGetInstructionOpcode(leaf), a, b, number);
    if (LLVMIsAZExtInst(leaf) && draw_value(draw, LLVMGetOperand(leaf, 0), &a)) {
        unsigned bits = LLVMGetIntTypeWidth(LLVMTypeOf(LLVMGetOperand(leaf, 0)));
        *number = bits < 64 ? a & (int64_t)((1ull << bits) - 1) : a;
        return true;
    }
    if ((LLVMIsASExtInst(leaf) || LLVMIsATruncInst(leaf) || LLVMIsAFreezeInst(leaf)) &&
        draw_value(draw, LLVMGetOperand(leaf, 0), number))
        return true;
    return false;
}

static bool given_by_condition(const struct draw *draw, LLVMValueRef leaf, int64_t *number)
{
    for (size_t i = 0; i < draw->moments->nconditions; i++) {
        const struct condition *condition = &draw->moments->conditions[i];
        if (condition->value == leaf && !condition->negated && LLVMIsAPHINode(leaf) &&
            (condition->side == draw->side || moments_share(draw->moments, leaf))) {
            *number = condition->number;
            return true;
        }
    }
    return false;
}

enum query world_query(LLVMValueRef value)
{
    if (!LLVMIsACallInst(value) || !call_target(value))
        return NO_QUERY;
    bool rank = is_stand_in(value, STAND_IN_RANK);
    if ((!rank && !is_stand_in(value, STAND_IN_SIZE)) || !comm_is_world(LLVMGetOperand(value, 0)))
        return NO_QUERY;
    return rank ? QUERY_rank : QUERY_size;
}

bool draw_answer(const struct draw *draw, enum side side, LLVMValueRef value, int64_t *number)
{
    const char *callee = LLVMIsACallInst(value) && call_target(value)
                             ? LLVMGetValueName2(call_target(value), &(size_t){0})
                             : "";
    bool flag = !strncmp(callee, STAND_IN_FLAG, strlen(STAND_IN_FLAG));
    if (!flag && strncmp(callee, STAND_IN_INDEX, strlen(STAND_IN_INDEX)))
        return false;
    if (is_given(draw, side, value, number))
        return true;
    uint64_t h = mix(draw->luck, alias_number(draw->moments->function, value));
    *number = (int64_t)(h >> 9) & (flag ? 1 : 3);
    return true;
}

static bool draw_leaf(void *context, LLVMValueRef leaf, int64_t *number)
{
    struct draw *draw = context;
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(leaf));
    if (kind != LLVMIntegerTypeKind && kind != LLVMPointerTypeKind)
        return false;
    if (given_by_condition(draw, leaf, number))
        return true;
    enum query query = world_query(leaf);
    if (query != NO_QUERY) {
        *number = query == QUERY_rank ? draw->ranks[draw->side] : draw->size;
        return true;
    }
    if (draw_answer(draw, draw->side, leaf, number))
        return true;
    enum { DEEPEST = 24 };
    if (draw->depth < DEEPEST) {
        draw->depth++;
        bool computed = compute(draw, leaf, number);
        draw->depth--;
        if (computed) {
            *number = fit(*number, LLVMTypeOf(leaf));
            return true;
        }
    }
    *number = fit(draw_unknown(draw, leaf), LLVMTypeOf(leaf));
    return true;
}

static bool draw_iteration(void *context, int loop, int64_t *number);

bool draw_expression(struct draw *draw, expression e, int64_t *number)
{
    struct bridge_numbers numbers = {draw, draw_leaf, draw_iteration};
    return e && bridge_evaluate(draw->moments->function->bridge, e, &numbers, number);
}

bool draw_value(struct draw *draw, LLVMValueRef value, int64_t *number)
{
    if (LLVMIsAConstantInt(value)) {
        *number = LLVMConstIntGetSExtValue(value);
        return true;
    }
    LLVMTypeRef type = LLVMTypeOf(value);
    /* Truth values are kept as leaves: scalar evolution would rewrite them. */
    if (LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 1)
        return draw_leaf(draw, value, number);
    return draw_expression(draw, bridge_expression(draw->moments->function->bridge, value), number);
}

static int64_t trips_of(struct draw *draw, int loop)
{
    int64_t trips;
    expression e = bridge_loop_trips(draw->moments->function->bridge, loop);
    return e && draw_expression(draw, e, &trips) && trips >= 0 ? trips : UNKNOWN_TRIPS;
}

/* The highest value the counter has while the block runs. */
int64_t draw_last_iteration(struct draw *draw, int loop, unsigned block)
{
    struct bridge *bridge = draw->moments->function->bridge;
    int64_t trips = trips_of(draw, loop);
    bool in_header = bridge_loop_header(bridge, loop) == draw->moments->function->blocks[block];
    return bridge_loop_leaves_early(bridge, loop) && !in_header ? trips - 1 : trips;
}

static int64_t pick(struct draw *draw, int loop, int64_t last)
{
    uint64_t h = mix(mix(draw->luck, (uint64_t)loop + 1), draw->side);
    if (last <= 0)
        return 0;
    switch (h >> 11 & 7) {
    case 0:
    case 1:
    case 2:
        return 0;
    case 3:
        return last < 1 ? last : 1;
    case 4:
        return last < 2 ? last : 2;
    case 5:
        return last;
    default:
        return (int64_t)((h >> 20) % (uint64_t)(last + 1));
    }
}

static bool draw_iteration(void *context, int loop, int64_t *number)
{
    struct draw *draw = context;
    const struct moments *moments = draw->moments;
    struct bridge *bridge = moments->function->bridge;
    enum side side = draw->side;
    unsigned at = side == THEN ? moments->then_block : moments->now_block;
    if (loop < 0 || loop >= MAX_LOOPS ||
        !bridge_loop_contains(bridge, loop, moments->function->blocks[at]))
        return false; /* left: nobody knows in which iteration */
    if (!draw->drawn[side][loop]) {
        unsigned block = side == THEN ? moments->then_block : moments->now_block;
        int64_t value, last = draw_last_iteration(draw, loop, block);
        int parent = bridge_loop_parent(bridge, loop);
        if (side == NOW && moments_in_loop(moments, loop) &&
            (parent < 0 || !moments_gone_round(moments, parent))) {
            draw->side = THEN;
            bool known = draw_iteration(draw, loop, &value);
            draw->side = NOW;
            if (!known)
                return false;
            unsigned round = distance_at(moments->distance, bridge_loop_depth(bridge, loop));
            value += round == 2 ? 2 + (int64_t)(mix(draw->luck, 5) % 3) : round;
            if (value > last)
                return false;
        } else {
            value = pick(draw, loop, last);
        }
        draw->counters[side][loop] = value;
        draw->drawn[side][loop] = true;
    }
    *number = draw->counters[side][loop];
    return true;
}

/* ---- conditions ---- */

bool draw_satisfied(struct draw *draw)
{
    for (size_t i = 0; i < draw->moments->nconditions; i++) {
        const struct condition *condition = &draw->moments->conditions[i];
        int64_t number;
        draw->side = condition->side;
        if (!draw_value(draw, condition->value, &number))
            continue;
        LLVMTypeRef type = LLVMTypeOf(condition->value);
        bool is_truth = LLVMGetIntTypeWidth(type) == 1;
        bool equal = is_truth ? !number == !condition->number : number == condition->number;
        if (equal == condition->negated)
            return false;
    }
    /* The loops that were gone round must allow it. */
    int loop = bridge_loop(draw->moments->function->bridge,
                           draw->moments->function->blocks[draw->moments->now_block]);
    draw->side = NOW;
    for (int64_t number; loop >= 0;
         loop = bridge_loop_parent(draw->moments->function->bridge, loop))
        if (moments_gone_round(draw->moments, loop) && !draw_iteration(draw, loop, &number))
            return false;
    return true;
}

static void draw_begin(struct draw *draw, const struct moments *moments, int64_t size, int64_t rank,
                       int64_t other, uint64_t seed, uint64_t luck)
{
    draw->moments = moments;
    draw->seed = seed + 1;
    draw->luck = luck;
    draw->rank = draw->ranks[THEN] = rank;
    draw->ranks[NOW] = other;
    draw->size = size;
    draw->depth = 0;
    draw->ngiven = 0;
    memset(draw->drawn, 0, sizeof draw->drawn);
}

void draw_open(struct draw *draw, const struct moments *moments, uint64_t seed)
{
    draw_begin(draw, moments, FIRST_SIZE, 0, moments->aligned ? 1 : 0, seed, seed);
}

enum outcome each_draw_of_size(const struct moments *moments, uint64_t seed, int64_t size,
                               enum outcome (*visit)(struct draw *, void *), void *context)
{
    bool valid = false;
    if (function_is_late(moments->function))
        return INVALID;
    for (int64_t pair = 0; pair < (moments->aligned ? size * size : size); pair++) {
        int64_t rank = pair % size, other = moments->aligned ? pair / size : rank;
        if (moments->aligned && other == rank)
            continue;
        for (uint64_t luck = 0; luck < DRAWS; luck++) {
            struct draw draw;
            draw_begin(&draw, moments, size, rank, other, seed,
                       mix(mix(seed, luck), (uint64_t)(pair * 64 + size)));
            enum outcome outcome = draw_satisfied(&draw) ? visit(&draw, context) : INVALID;
            if (outcome == YES)
                return YES;
            valid |= outcome == NO;
        }
    }
    return valid ? NO : INVALID;
}

/* Other numbers at each attempt, and ranks in turn: most questions are answered by the first few.
 */
bool find_draw(const struct moments *moments, unsigned attempts, draw_visitor *visit, void *context,
               struct draw *found)
{
    int64_t size = FIRST_SIZE, rank = 0;
    for (unsigned i = 0; i < attempts; i++) {
        draw_begin(found, moments, size, rank, rank, i, mix(i, 3));
        if (draw_satisfied(found) && visit(found, context) == YES)
            return true;
        if (++rank == size) {
            rank = 0;
            size = size == FIRST_SIZE + SIZES - 1 ? FIRST_SIZE : size + 1;
        }
    }
    return false;
}

enum outcome stop_at_once(struct draw *draw, void *context)
{
    (void)draw, (void)context;
    return YES;
}
