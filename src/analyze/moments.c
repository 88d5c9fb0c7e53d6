#include "moments.h"

#include "alias.h"
#include "normalise.h"
#include "../engine/section.h"

#include <llvm-c/Target.h>

enum { SIZES = 4, FIRST_SIZE = 2, SEEDS = 16, DRAWS = 6, MAX_LOOPS = 64, UNKNOWN_TRIPS = 1000 };

/* One way the numbers could be. */
struct draw {
    const struct moments *moments;
    uint64_t seed, luck; /* seed: free numbers; luck: iterations */
    int64_t rank, size;
    int64_t counters[2][MAX_LOOPS];
    bool drawn[2][MAX_LOOPS];
    enum side side;
    int depth;
};

static uint64_t mix(uint64_t a, uint64_t b)
{
    uint64_t h = a * 0x9E3779B97F4A7C15u ^ (b + 0x7F4A7C15u) * 0xD1B54A32D192ED03u;
    h ^= h >> 29;
    h *= 0xBF58476D1CE4E5B9u;
    return h ^ h >> 32;
}

/* Whether a loop has been gone round between the moments, itself or one around it. */
static bool gone_round(const struct moments *moments, int loop)
{
    struct bridge *bridge = moments->function->bridge;
    for (; loop >= 0; loop = bridge_loop_parent(bridge, loop))
        if (distance_at(moments->distance, bridge_loop_depth(bridge, loop)) &&
            bridge_loop_contains(bridge, loop,
                                 moments->function->blocks[moments->then_block]))
            return true;
    return false;
}

static bool holds_both(const struct moments *moments, int loop)
{
    struct bridge *bridge = moments->function->bridge;
    return bridge_loop_contains(bridge, loop, moments->function->blocks[moments->then_block]) &&
           bridge_loop_contains(bridge, loop, moments->function->blocks[moments->now_block]);
}

/* Whether a value computed in the function is the same at both moments: its definition did not
 * run again in between. */
static bool same_at_both(const struct moments *moments, LLVMValueRef value)
{
    if (!LLVMIsAInstruction(value))
        return true;
    int loop = bridge_loop(moments->function->bridge, LLVMGetInstructionParent(value));
    return loop < 0 || (holds_both(moments, loop) && !gone_round(moments, loop));
}

/* ---- drawing numbers ---- */

static bool evaluate_value(struct draw *draw, LLVMValueRef value, int64_t *number);

/* A number nobody knows. Constants that it is compared with are likely, since conditions are
 * about them; otherwise small positive numbers, as counts and indices are. */
static int64_t draw_unknown(struct draw *draw, LLVMValueRef leaf)
{
    static const int64_t pool[] = {1, 1, 1, 2, 2, 3, 4, 5, 7, 8, 10, 16, 33, 64, 100, 1000};
    LLVMValueRef known_as = alias_representative(draw->moments->function, leaf);
    uint64_t h = mix((uint64_t)(uintptr_t)known_as, draw->seed);
    if (!same_at_both(draw->moments, leaf))
        h = mix(h, 77 + draw->side);
    LLVMTypeRef type = LLVMTypeOf(leaf);
    if (LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 1)
        return (int64_t)(h >> 7 & 1);
    int64_t hints[8];
    unsigned nhints = 0;
    for (LLVMUseRef use = LLVMGetFirstUse(known_as); use && nhints < 6; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAICmpInst(user) && LLVMIsAConstantInt(LLVMGetOperand(user, 1))) {
            int64_t constant = LLVMConstIntGetSExtValue(LLVMGetOperand(user, 1));
            hints[nhints++] = constant;
            hints[nhints++] = constant + 1;
        } else if (LLVMIsASwitchInst(user)) {
            for (unsigned i = 1; i < LLVMGetNumSuccessors(user) && nhints < 6; i++)
                hints[nhints++] = LLVMConstIntGetSExtValue(LLVMGetOperand(user, 2 * i));
        }
    }
    if (nhints && (h >> 40 & 1))
        return hints[(h >> 20) % nhints];
    return pool[(h >> 12) % (sizeof pool / sizeof pool[0])];
}

static bool is_stand_in(LLVMValueRef value, const char *name)
{
    return LLVMIsACallInst(value) && call_target(value) &&
           !strcmp(LLVMGetValueName2(call_target(value), &(size_t){0}), name);
}

/* MPI_COMM_WORLD: MPICH's handle is a number, Open MPI's the address of a variable. */
static bool is_world(LLVMValueRef comm)
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

static bool operate(LLVMOpcode opcode, int64_t a, int64_t b, int64_t *result)
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
    if (LLVMIsAICmpInst(leaf)) {
        if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(leaf, 0))) != LLVMIntegerTypeKind ||
            !evaluate_value(draw, LLVMGetOperand(leaf, 0), &a) ||
            !evaluate_value(draw, LLVMGetOperand(leaf, 1), &b))
            return false;
        *number = compare(LLVMGetICmpPredicate(leaf), a, b) ? -1 : 0;
        return true;
    }
    if (LLVMIsASelectInst(leaf)) {
        if (!evaluate_value(draw, LLVMGetOperand(leaf, 0), &a))
            return false;
        return evaluate_value(draw, LLVMGetOperand(leaf, a ? 1 : 2), number);
    }
    if (LLVMIsABinaryOperator(leaf))
        return evaluate_value(draw, LLVMGetOperand(leaf, 0), &a) &&
               evaluate_value(draw, LLVMGetOperand(leaf, 1), &b) &&
               operate(LLVMGetInstructionOpcode(leaf), a, b, number);
    if (LLVMIsAZExtInst(leaf) && evaluate_value(draw, LLVMGetOperand(leaf, 0), &a)) {
        unsigned bits = LLVMGetIntTypeWidth(LLVMTypeOf(LLVMGetOperand(leaf, 0)));
        *number = bits < 64 ? a & (int64_t)((1ull << bits) - 1) : a;
        return true;
    }
    if ((LLVMIsASExtInst(leaf) || LLVMIsATruncInst(leaf) || LLVMIsAFreezeInst(leaf)) &&
        evaluate_value(draw, LLVMGetOperand(leaf, 0), number))
        return true;
    return false;
}

static bool given_by_condition(const struct draw *draw, LLVMValueRef leaf, int64_t *number)
{
    for (size_t i = 0; i < draw->moments->nconditions; i++) {
        const struct condition *condition = &draw->moments->conditions[i];
        if (condition->value == leaf && !condition->negated && LLVMIsAPHINode(leaf) &&
            (condition->side == draw->side || same_at_both(draw->moments, leaf))) {
            *number = condition->number;
            return true;
        }
    }
    return false;
}

static bool draw_leaf(void *context, LLVMValueRef leaf, int64_t *number)
{
    struct draw *draw = context;
    if (LLVMGetTypeKind(LLVMTypeOf(leaf)) != LLVMIntegerTypeKind)
        return false;
    if (given_by_condition(draw, leaf, number))
        return true;
    if (is_stand_in(leaf, STAND_IN_RANK) && is_world(LLVMGetOperand(leaf, 0))) {
        *number = draw->rank;
        return true;
    }
    if (is_stand_in(leaf, STAND_IN_SIZE) && is_world(LLVMGetOperand(leaf, 0))) {
        *number = draw->size;
        return true;
    }
    /* What MPI answers is luck, not input. */
    const char *callee = LLVMIsACallInst(leaf) && call_target(leaf)
                             ? LLVMGetValueName2(call_target(leaf), &(size_t){0})
                             : "";
    if (!strncmp(callee, STAND_IN, strlen(STAND_IN)) && strncmp(callee, STAND_IN_RANK, 12) &&
        strncmp(callee, STAND_IN_SIZE, 12)) {
        uint64_t h = mix(draw->luck, (uint64_t)(uintptr_t)leaf);
        *number = (int64_t)(h >> 9) & (strncmp(callee, STAND_IN_FLAG, 13) ? 3 : 1);
        return true;
    }
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

static bool evaluate(struct draw *draw, expression e, int64_t *number)
{
    struct bridge_numbers numbers = {draw, draw_leaf, draw_iteration};
    return e && bridge_evaluate(draw->moments->function->bridge, e, &numbers, number);
}

static bool evaluate_value(struct draw *draw, LLVMValueRef value, int64_t *number)
{
    if (LLVMIsAConstantInt(value)) {
        *number = LLVMConstIntGetSExtValue(value);
        return true;
    }
    LLVMTypeRef type = LLVMTypeOf(value);
    /* Truth values are kept as leaves: scalar evolution would rewrite them. */
    if (LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 1)
        return draw_leaf(draw, value, number);
    return evaluate(draw, bridge_expression(draw->moments->function->bridge, value), number);
}

static int64_t trips_of(struct draw *draw, int loop)
{
    int64_t trips;
    expression e = bridge_loop_trips(draw->moments->function->bridge, loop);
    return e && evaluate(draw, e, &trips) && trips >= 0 ? trips : UNKNOWN_TRIPS;
}

/* The highest value the counter has while the block runs. */
static int64_t last_iteration(struct draw *draw, int loop, unsigned block)
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
    if (loop < 0 || loop >= MAX_LOOPS)
        return false;
    enum side side = draw->side;
    if (!draw->drawn[side][loop]) {
        unsigned block = side == THEN ? moments->then_block : moments->now_block;
        int64_t value, last = last_iteration(draw, loop, block);
        int parent = bridge_loop_parent(bridge, loop);
        if (side == NOW && holds_both(moments, loop) && (parent < 0 || !gone_round(moments, parent))) {
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

static bool satisfied(struct draw *draw)
{
    for (size_t i = 0; i < draw->moments->nconditions; i++) {
        const struct condition *condition = &draw->moments->conditions[i];
        int64_t number;
        draw->side = condition->side;
        if (!evaluate_value(draw, condition->value, &number))
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
        if (gone_round(draw->moments, loop) && !draw_iteration(draw, loop, &number))
            return false;
    return true;
}

/* What one draw says: nothing, if its numbers cannot be. */
enum outcome { INVALID, NO, YES };

/* Runs through all draws with one seed until one says yes. INVALID if none was possible. */
static enum outcome each_draw(const struct moments *moments, uint64_t seed,
                      enum outcome (*visit)(struct draw *, void *), void *context)
{
    bool valid = false;
    for (int64_t size = FIRST_SIZE; size < FIRST_SIZE + SIZES; size++)
        for (int64_t rank = 0; rank < size; rank++)
            for (uint64_t luck = 0; luck < DRAWS; luck++) {
                struct draw draw;
                draw.moments = moments;
                draw.seed = seed + 1;
                draw.luck = mix(mix(seed, luck), (uint64_t)(rank * 64 + size));
                draw.rank = rank;
                draw.size = size;
                draw.depth = 0;
                memset(draw.drawn, 0, sizeof draw.drawn);
                enum outcome outcome = satisfied(&draw) ? visit(&draw, context) : INVALID;
                if (outcome == YES)
                    return YES;
                valid |= outcome == NO;
            }
    return valid ? NO : INVALID;
}

static enum outcome stop_at_once(struct draw *draw, void *context)
{
    (void)draw, (void)context;
    return YES;
}

bool moments_possible(const struct moments *moments)
{
    if (moments->nconditions < 2 && !moments->distance)
        return true;
    for (uint64_t seed = 0; seed < SEEDS; seed++)
        if (each_draw(moments, seed, stop_at_once, NULL) == YES)
            return true;
    return false;
}

void edge_conditions(LLVMValueRef terminator, unsigned successor, enum side side,
                     condition_list *conditions)
{
    if (LLVMIsABranchInst(terminator) && LLVMIsConditional(terminator) &&
        LLVMGetSuccessor(terminator, 0) != LLVMGetSuccessor(terminator, 1)) {
        APPEND(conditions, (struct condition){LLVMGetCondition(terminator), successor == 0, false,
                                              side});
    } else if (LLVMIsASwitchInst(terminator)) {
        enum { MANY_CASES = 16 };
        LLVMBasicBlockRef target = LLVMGetSuccessor(terminator, successor);
        LLVMValueRef value = LLVMGetOperand(terminator, 0);
        unsigned cases = LLVMGetNumSuccessors(terminator), same = 0;
        for (unsigned i = 0; i < cases; i++)
            same += LLVMGetSuccessor(terminator, i) == target;
        if (successor > 0 && same == 1)
            APPEND(conditions,
                   (struct condition){
                       value, LLVMConstIntGetSExtValue(LLVMGetOperand(terminator, 2 * successor)),
                       false, side});
        for (unsigned i = 1; successor == 0 && same == 1 && i < cases && cases < MANY_CASES; i++)
            APPEND(conditions,
                   (struct condition){value,
                                      LLVMConstIntGetSExtValue(LLVMGetOperand(terminator, 2 * i)),
                                      true, side});
    }
}

static bool has_one_predecessor(LLVMBasicBlockRef block)
{
    LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block));
    return use && !LLVMGetNextUse(use);
}

void block_conditions(struct function *function, unsigned block, enum side side,
                      condition_list *conditions)
{
    LLVMBasicBlockRef below = function->blocks[block];
    for (LLVMBasicBlockRef above = bridge_idom(function->bridge, below); above;
         below = above, above = bridge_idom(function->bridge, above)) {
        LLVMValueRef terminator = LLVMGetBasicBlockTerminator(above);
        /* The branch that left a loop speaks about its last iteration, which is over. */
        int loop = bridge_loop(function->bridge, above);
        if (loop >= 0 && !bridge_loop_contains(function->bridge, loop, function->blocks[block]))
            continue;
        for (unsigned i = 0; i < LLVMGetNumSuccessors(terminator); i++) {
            LLVMBasicBlockRef successor = LLVMGetSuccessor(terminator, i);
            if (successor == below && has_one_predecessor(successor))
                edge_conditions(terminator, i, side, conditions);
        }
    }
}

/* ---- bytes ---- */

/* Sections count from 0; offsets may be negative. */
enum { BIAS = 1 << 30 };

struct bytes {
    unsigned count;
    struct section sections[64];
    bool exact; /* false: the length is a guess */
};

static void add_section(struct bytes *bytes, int64_t start, int64_t length, int64_t stride,
                        int64_t count)
{
    if (length <= 0 || count <= 0 || bytes->count == 64)
        return;
    if (count > 1 && stride < 0) {
        start += stride * (count - 1);
        stride = -stride;
    }
    if (count > 1 && stride <= length) {
        length += stride * (count - 1);
        count = 1;
    }
    bytes->sections[bytes->count++] =
        (struct section){.start = (uint64_t)(start + BIAS),
                         .length = (uint64_t)length,
                         .stride = count > 1 ? (uint64_t)stride : 0,
                         .count = (uint64_t)count};
}

static bool rank_of_comm(struct draw *draw, const struct event *event, int64_t *rank)
{
    *rank = draw->rank;
    return event->comm && is_world(event->comm);
}

/* Whether this rank's buffer is significant, and the peer exists. */
static bool takes_part(struct draw *draw, const struct event *event, const struct buffer *buffer)
{
    int64_t root, rank, peer;
    bool known_rank = rank_of_comm(draw, event, &rank);
    if (buffer->where == NOT_AT_FIRST && known_rank && rank == 0)
        return false;
    if ((buffer->where == AT_ROOT || buffer->where == NOT_AT_ROOT) && event->root && known_rank &&
        evaluate_value(draw, event->root, &root) && (rank == root) != (buffer->where == AT_ROOT))
        return false;
    static const enum role peers[] = {ROLE_dest, ROLE_source, ROLE_target};
    if (event->routine && event->routine->object == OBJECT_sendrecv)
        return true;
    for (size_t i = 0; i < sizeof peers / sizeof peers[0]; i++) {
        LLVMValueRef value = event_argument(event, peers[i]);
        int64_t nobody = draw->moments->function->flavour == FLAVOUR_openmpi ? -2 : -1;
        if (value && evaluate_value(draw, value, &peer) && peer == nobody)
            return false;
    }
    return true;
}

/* How the address moves with the counter of the innermost loop that only this side is in. */
static bool sweep(struct draw *draw, expression offset, unsigned block, int64_t *stride,
                  int64_t *count)
{
    const struct moments *moments = draw->moments;
    struct bridge *bridge = moments->function->bridge;
    int loop = bridge_loop(bridge, moments->function->blocks[block]);
    if (loop < 0 || loop >= MAX_LOOPS || !bridge_varies(bridge, offset, loop))
        return false;
    int parent = bridge_loop_parent(bridge, loop);
    if (holds_both(moments, loop) && (parent < 0 || !gone_round(moments, parent)))
        return false;
    int64_t first, second, last = last_iteration(draw, loop, block);
    int64_t saved = draw->counters[draw->side][loop];
    bool was = draw->drawn[draw->side][loop];
    draw->drawn[draw->side][loop] = true;
    draw->counters[draw->side][loop] = 0;
    bool known = evaluate(draw, offset, &first);
    draw->counters[draw->side][loop] = 1;
    known = known && evaluate(draw, offset, &second);
    int64_t end = 0;
    draw->counters[draw->side][loop] = last;
    known = known && evaluate(draw, offset, &end) && end == first + last * (second - first);
    draw->counters[draw->side][loop] = known ? 0 : saved;
    draw->drawn[draw->side][loop] = known || was;
    if (!known || last < 0)
        return false;
    *stride = second - first;
    *count = last + 1;
    return true;
}

static bool buffer_bytes(struct draw *draw, enum side side, const struct event *event,
                         const struct buffer *buffer, struct bytes *bytes)
{
    struct bridge *bridge = draw->moments->function->bridge;
    draw->side = side;
    bytes->count = 0;
    bytes->exact = buffer->element.known;
    if (event->routine && !takes_part(draw, event, buffer))
        return true;
    int64_t start, count = 1, stride = 0, times = 1;
    expression address = bridge_expression(bridge, buffer->address);
    expression offset = address ? bridge_offset(bridge, address) : NULL;
    if (buffer->count && !evaluate_value(draw, buffer->count, &count))
        return false;
    if (buffer->blocks == BLOCKS_size || buffer->blocks == BLOCKS_localsize)
        count *= draw->size;
    else if (buffer->blocks != BLOCKS_one)
        bytes->exact = false;
    if (!offset)
        return false;
    bool swept = sweep(draw, offset, side == THEN ? draw->moments->then_block
                                                  : draw->moments->now_block, &stride, &times);
    if (!evaluate(draw, offset, &start))
        return false;
    if (count <= 0)
        return true;
    const struct layout *element = &buffer->element;
    if (!element->known) {
        add_section(bytes, start, 4, 0, 1);
        return true;
    }
    bool dense = element->nruns == 1 && element->runs[0].count == 1 &&
                 element->runs[0].offset == 0 && element->runs[0].length == element->extent;
    if (dense) {
        add_section(bytes, start, element->extent * count, swept ? stride : 0, times);
        return true;
    }
    for (int64_t i = 0; i < count && i < 32; i++)
        for (unsigned r = 0; r < element->nruns; r++) {
            const struct run *run = &element->runs[r];
            add_section(bytes, start + i * element->extent + run->offset, run->length, run->stride,
                        run->count);
        }
    if (times > 1 || count > 32)
        bytes->exact = false;
    return true;
}

/* Bytes outside the variable they are said to be in: no correct program has such numbers. */
static bool out_of_bounds(const struct bytes *bytes, int64_t size)
{
    for (unsigned i = 0; i < bytes->count; i++)
        if (bytes->sections[i].start < BIAS ||
            section_end(&bytes->sections[i]) > BIAS + (uint64_t)size)
            return true;
    return false;
}

struct overlap {
    const struct event *then_event, *now_event;
    const struct buffer *then_buffer, *now_buffer;
    int64_t size; /* of the variable they are both in, -1: unknown */
    bool inexact, unanswered;
    int rank; /* one for which they overlap */
};

static enum outcome overlaps_here(struct draw *draw, void *context)
{
    struct overlap *overlap = context;
    struct bytes then_bytes, now_bytes;
    if (!buffer_bytes(draw, THEN, overlap->then_event, overlap->then_buffer, &then_bytes) ||
        !buffer_bytes(draw, NOW, overlap->now_event, overlap->now_buffer, &now_bytes)) {
        overlap->unanswered = true;
        return NO;
    }
    if (overlap->size >= 0 && (out_of_bounds(&then_bytes, overlap->size) ||
                               out_of_bounds(&now_bytes, overlap->size)))
        return INVALID;
    for (unsigned i = 0; i < then_bytes.count; i++)
        for (unsigned k = 0; k < now_bytes.count; k++)
            if (section_overlaps(&then_bytes.sections[i], &now_bytes.sections[k], NULL)) {
                overlap->inexact |= !then_bytes.exact || !now_bytes.exact;
                overlap->rank = (int)draw->rank;
                return YES;
            }
    return NO;
}

/* For free numbers, all; for the rest, one. Seeds under which the conditions cannot hold at all
 * do not count. */
static enum answer ask(const struct moments *moments,
                       enum outcome (*question)(struct draw *, void *), void *context)
{
    unsigned yes = 0, no = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        enum outcome outcome = each_draw(moments, seed, question, context);
        yes += outcome == YES;
        no += outcome == NO;
        if (yes && no)
            return SOMETIMES;
    }
    return yes ? ALWAYS : NEVER;
}

static LLVMValueRef base_of(const struct moments *moments, LLVMValueRef address)
{
    expression e = bridge_expression(moments->function->bridge, address);
    return e ? bridge_base(moments->function->bridge, e) : NULL;
}

static enum alias bases(const struct moments *moments, LLVMValueRef then_base,
                        LLVMValueRef now_base)
{
    if (!then_base || !now_base)
        return ALIAS_unknown;
    if (then_base == now_base && !same_at_both(moments, then_base))
        return alias_is_allocation(then_base) ? ALIAS_distinct : ALIAS_unknown;
    return alias_bases(moments->function, then_base, now_base);
}

enum answer buffers_overlap(const struct moments *moments, const struct event *then_event,
                            const struct buffer *then_buffer, const struct event *now_event,
                            const struct buffer *now_buffer, int *rank)
{
    LLVMValueRef then_base = base_of(moments, then_buffer->address);
    LLVMValueRef now_base = base_of(moments, now_buffer->address);
    if (bases(moments, then_base, now_base) != ALIAS_same)
        return NEVER;
    struct overlap overlap = {then_event, now_event,           then_buffer, now_buffer,
                              alias_object_size(then_base), false, false, 0};
    enum answer answer = ask(moments, overlaps_here, &overlap);
    *rank = overlap.rank;
    if (answer == ALWAYS && (overlap.inexact || overlap.unanswered))
        return SOMETIMES;
    return answer;
}

struct membership {
    expression then_offset, now_offset;
    LLVMValueRef count, then_value, now_value;
    int64_t slot_size;
};

static enum outcome among_here(struct draw *draw, void *context)
{
    struct membership *member = context;
    int64_t slot, first, count = 1;
    draw->side = THEN;
    if (!evaluate(draw, member->then_offset, &slot))
        return YES;
    draw->side = NOW;
    if (!evaluate(draw, member->now_offset, &first) ||
        (member->count && !evaluate_value(draw, member->count, &count)))
        return YES;
    return slot >= first && slot < first + count * member->slot_size ? YES : NO;
}

enum answer slot_among(const struct moments *moments, LLVMValueRef then_slot,
                       LLVMValueRef now_slots, LLVMValueRef count)
{
    struct bridge *bridge = moments->function->bridge;
    LLVMValueRef then_base = base_of(moments, then_slot), now_base = base_of(moments, now_slots);
    switch (bases(moments, then_base, now_base)) {
    case ALIAS_distinct:
        return alias_is_copied(then_base) ? SOMETIMES : NEVER;
    case ALIAS_unknown:
        return SOMETIMES;
    case ALIAS_same:
        break;
    }
    struct membership member = {
        .then_offset = bridge_offset(bridge, bridge_expression(bridge, then_slot)),
        .now_offset = bridge_offset(bridge, bridge_expression(bridge, now_slots)),
        .count = count,
        .slot_size = moments->function->flavour == FLAVOUR_openmpi ? 8 : 4};
    enum answer answer = ask(moments, among_here, &member);
    return answer == NEVER && alias_is_copied(then_base) ? SOMETIMES : answer;
}

struct search {
    struct membership member;
    bool found, differs;
    int64_t index;
};

static enum outcome index_here(struct draw *draw, void *context)
{
    struct search *search = context;
    int64_t slot, first;
    draw->side = THEN;
    bool known = evaluate(draw, search->member.then_offset, &slot);
    draw->side = NOW;
    known = known && evaluate(draw, search->member.now_offset, &first);
    int64_t index = known ? (slot - first) / search->member.slot_size : -1;
    search->differs |= !known || (search->found && index != search->index);
    search->found = true;
    search->index = index;
    return search->differs ? YES : NO;
}

bool slot_index(const struct moments *moments, LLVMValueRef then_slot, LLVMValueRef now_slots,
                int64_t *index)
{
    struct bridge *bridge = moments->function->bridge;
    if (bases(moments, base_of(moments, then_slot), base_of(moments, now_slots)) != ALIAS_same)
        return false;
    struct search search = {
        .member = {.then_offset = bridge_offset(bridge, bridge_expression(bridge, then_slot)),
                   .now_offset = bridge_offset(bridge, bridge_expression(bridge, now_slots)),
                   .slot_size = moments->function->flavour == FLAVOUR_openmpi ? 8 : 4}};
    for (uint64_t seed = 0; seed < SEEDS && !search.differs; seed++)
        each_draw(moments, seed, index_here, &search);
    *index = search.index;
    return search.found && !search.differs;
}

static enum outcome equal_here(struct draw *draw, void *context)
{
    struct membership *member = context;
    int64_t a, b;
    draw->side = THEN;
    if (!evaluate_value(draw, member->then_value, &a))
        return YES;
    draw->side = NOW;
    return !evaluate_value(draw, member->now_value, &b) || a == b ? YES : NO;
}

enum answer values_equal(const struct moments *moments, LLVMValueRef then_value,
                         LLVMValueRef now_value)
{
    struct membership member = {.then_value = then_value, .now_value = now_value};
    return ask(moments, equal_here, &member);
}
