#include "moments.h"

#include "alias.h"
#include "draws.h"
#include "../engine/section.h"

/* ---- bytes ---- */

/* Sections count from 0; offsets may be negative. */
enum { BIAS = 1 << 30 };

struct bytes {
    unsigned count;
    struct section sections[64];
    bool exact; /* false: the length is a guess */
    /* One section that stands for all iterations of a loop; -1: not so. */
    int swept_loop;
    int64_t swept_start, swept_stride;
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
    *rank = draw->ranks[draw->side];
    return event->comm && comm_is_world(event->comm);
}

/* Whether this rank's buffer is significant, and the peer exists. */
static bool takes_part(struct draw *draw, const struct event *event, const struct buffer *buffer)
{
    int64_t root, rank, peer;
    bool known_rank = rank_of_comm(draw, event, &rank);
    if (buffer->where == NOT_AT_FIRST && known_rank && rank == 0)
        return false;
    if ((buffer->where == AT_ROOT || buffer->where == NOT_AT_ROOT) && event->root && known_rank &&
        draw_value(draw, event->root, &root) && (rank == root) != (buffer->where == AT_ROOT))
        return false;
    static const enum role peers[] = {ROLE_dest, ROLE_source, ROLE_target};
    if (event->routine && event->routine->object == OBJECT_sendrecv)
        return true;
    for (size_t i = 0; i < sizeof peers / sizeof peers[0]; i++) {
        LLVMValueRef value = event_argument(event, peers[i]);
        int64_t nobody = draw->moments->function->flavour == FLAVOUR_openmpi ? -2 : -1;
        if (value && draw_value(draw, value, &peer) && peer == nobody)
            return false;
    }
    return true;
}

/* How the address moves with the counter of the innermost loop that only this side is in. */
static bool sweep(struct draw *draw, expression offset, unsigned block, int *swept_loop,
                  int64_t *stride, int64_t *count)
{
    const struct moments *moments = draw->moments;
    struct bridge *bridge = moments->function->bridge;
    int loop = bridge_loop(bridge, moments->function->blocks[block]);
    if (loop < 0 || loop >= MAX_LOOPS || !bridge_varies(bridge, offset, loop))
        return false;
    int parent = bridge_loop_parent(bridge, loop);
    if (moments_in_loop(moments, loop) && (parent < 0 || !moments_gone_round(moments, parent)))
        return false;
    int64_t first, second, last = draw_last_iteration(draw, loop, block);
    int64_t saved = draw->counters[draw->side][loop];
    bool was = draw->drawn[draw->side][loop];
    draw->drawn[draw->side][loop] = true;
    draw->counters[draw->side][loop] = 0;
    bool known = draw_expression(draw, offset, &first);
    draw->counters[draw->side][loop] = 1;
    known = known && draw_expression(draw, offset, &second);
    int64_t end = 0;
    draw->counters[draw->side][loop] = last;
    known = known && draw_expression(draw, offset, &end) && end == first + last * (second - first);
    draw->counters[draw->side][loop] = known ? 0 : saved;
    draw->drawn[draw->side][loop] = known || was;
    if (!known || last < 0)
        return false;
    *swept_loop = loop;
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
    bytes->swept_loop = -1;
    if (event->routine && !takes_part(draw, event, buffer))
        return true;
    int64_t start, count = 1, stride = 0, times = 1;
    expression address = bridge_expression(bridge, buffer->address);
    expression offset = address ? bridge_offset(bridge, address) : NULL;
    if (buffer->count && !draw_value(draw, buffer->count, &count))
        return false;
    if (buffer->blocks == BLOCKS_size || buffer->blocks == BLOCKS_localsize)
        count *= draw->size;
    else if (buffer->blocks != BLOCKS_one)
        bytes->exact = false;
    if (!offset)
        return false;
    unsigned block = side == THEN ? draw->moments->then_block : draw->moments->now_block;
    int swept_loop = -1;
    bool swept = buffer->element.known &&
                 sweep(draw, offset, block, &swept_loop, &stride, &times);
    if (!draw_expression(draw, offset, &start))
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
        bytes->swept_loop = swept ? swept_loop : -1;
        bytes->swept_start = start;
        bytes->swept_stride = stride;
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

/* Goes to the iteration that touches this byte; what holds there must fit the conditions. */
static void go_to_iteration(struct draw *draw, enum side side, const struct bytes *bytes,
                            uint64_t byte)
{
    if (bytes->swept_loop < 0 || bytes->swept_stride == 0)
        return;
    int64_t distance = (int64_t)byte - BIAS - bytes->swept_start;
    int64_t stride = bytes->swept_stride, iteration = distance / stride;
    if (distance % stride != 0 && stride < 0)
        iteration++;
    draw->counters[side][bytes->swept_loop] = iteration < 0 ? 0 : iteration;
    draw->drawn[side][bytes->swept_loop] = true;
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
        for (unsigned k = 0; k < now_bytes.count; k++) {
            struct section common;
            if (!section_overlaps(&then_bytes.sections[i], &now_bytes.sections[k], &common))
                continue;
            go_to_iteration(draw, THEN, &then_bytes, common.start);
            go_to_iteration(draw, NOW, &now_bytes, common.start);
            if ((then_bytes.swept_loop < 0 && now_bytes.swept_loop < 0) || draw_satisfied(draw)) {
                overlap->inexact |= !then_bytes.exact || !now_bytes.exact;
                overlap->rank = (int)draw->rank;
                return YES;
            }
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

/* The same for questions whose "never" must be sure. */
static enum answer ask_carefully(const struct moments *moments,
                                 enum outcome (*question)(struct draw *, void *), void *context)
{
    enum answer answer = ask(moments, question, context);
    for (uint64_t seed = ALIKE; answer == NEVER && seed < ALIKE + SEEDS; seed++)
        if (each_draw(moments, seed, question, context) == YES)
            answer = SOMETIMES;
    return answer;
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
    if (then_base == now_base && !moments_share(moments, then_base))
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
    if (!draw_expression(draw, member->then_offset, &slot))
        return YES;
    draw->side = NOW;
    if (!draw_expression(draw, member->now_offset, &first) ||
        (member->count && !draw_value(draw, member->count, &count)))
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
    int64_t slot, first, many = 1;
    bool plain = bridge_constant(member.then_offset, &slot) &&
                 bridge_constant(member.now_offset, &first) &&
                 (!count || LLVMIsAConstantInt(count));
    if (plain && count)
        many = LLVMConstIntGetSExtValue(count);
    enum answer answer =
        !plain ? ask_carefully(moments, among_here, &member)
               : (slot >= first && slot < first + many * member.slot_size ? ALWAYS : NEVER);
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
    bool known = draw_expression(draw, search->member.then_offset, &slot);
    draw->side = NOW;
    known = known && draw_expression(draw, search->member.now_offset, &first);
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
    if (!draw_value(draw, member->then_value, &a))
        return YES;
    draw->side = NOW;
    return !draw_value(draw, member->now_value, &b) || a == b ? YES : NO;
}

enum answer values_equal(const struct moments *moments, LLVMValueRef then_value,
                         LLVMValueRef now_value)
{
    if (LLVMIsAConstantInt(then_value) && LLVMIsAConstantInt(now_value))
        return then_value == now_value ? ALWAYS : NEVER;
    struct membership member = {.then_value = then_value, .now_value = now_value};
    return ask_carefully(moments, equal_here, &member);
}

/* ---- window memory ---- */

struct remote_question {
    const struct remote_access *accesses[2];
    int ranks[2];
    bool inexact;
};

/* The rank whose window is touched, and the bytes of it. */
static bool remote_bytes(struct draw *draw, enum side side, const struct remote_access *access,
                         int64_t *target, struct bytes *bytes)
{
    const struct event *event = access->event;
    int64_t disp, unit, count = 1;
    draw->side = side;
    if (access->buffer) {
        *target = draw->ranks[side];
        if (!buffer_bytes(draw, side, event, access->buffer, bytes))
            return false;
        int64_t start = 0;
        struct bridge *bridge = draw->moments->function->bridge;
        if (access->base &&
            !draw_expression(draw, bridge_offset(bridge, bridge_expression(bridge, access->base)), &start))
            return false;
        for (unsigned i = 0; i < bytes->count; i++)
            bytes->sections[i].start -= (uint64_t)start;
        return true;
    }
    LLVMValueRef target_count = event_argument(event, ROLE_target_count);
    bytes->count = 0;
    bytes->exact = access->target_type.known;
    bytes->swept_loop = -1;
    int64_t nobody = draw->moments->function->flavour == FLAVOUR_openmpi ? -2 : -1;
    if (!draw_value(draw, event_argument(event, ROLE_target), target) ||
        !draw_value(draw, event_argument(event, ROLE_target_disp), &disp) ||
        !draw_value(draw, access->unit, &unit) ||
        (target_count && !draw_value(draw, target_count, &count)))
        return false;
    if (*target == nobody || count <= 0 || !access->target_type.known)
        return access->target_type.known;
    const struct layout *type = &access->target_type;
    bool dense = type->nruns == 1 && type->runs[0].count == 1 && type->runs[0].offset == 0 &&
                 type->runs[0].length == type->extent;
    if (dense) {
        add_section(bytes, disp * unit, type->extent * count, 0, 1);
        return true;
    }
    for (int64_t i = 0; i < count && i < 32; i++)
        for (unsigned r = 0; r < type->nruns; r++)
            add_section(bytes, disp * unit + i * type->extent + type->runs[r].offset,
                        type->runs[r].length, type->runs[r].stride, type->runs[r].count);
    return true;
}

static enum outcome remote_here(struct draw *draw, void *context)
{
    struct remote_question *question = context;
    struct bytes bytes[2];
    int64_t targets[2];
    for (int side = THEN; side <= NOW; side++)
        if (!remote_bytes(draw, side, question->accesses[side], &targets[side], &bytes[side])) {
            question->inexact = true;
            return NO;
        }
    if (targets[THEN] < 0 || targets[THEN] >= draw->size || targets[NOW] < 0 ||
        targets[NOW] >= draw->size)
        return INVALID;
    if (targets[THEN] != targets[NOW])
        return NO;
    for (unsigned i = 0; i < bytes[THEN].count; i++)
        for (unsigned k = 0; k < bytes[NOW].count; k++)
            if (section_overlaps(&bytes[THEN].sections[i], &bytes[NOW].sections[k], NULL)) {
                question->ranks[THEN] = (int)draw->ranks[THEN];
                question->ranks[NOW] = (int)draw->ranks[NOW];
                question->inexact |= !bytes[THEN].exact || !bytes[NOW].exact;
                return YES;
            }
    return NO;
}

enum answer remote_overlap(const struct moments *moments, const struct remote_access *then_access,
                           const struct remote_access *now_access, int ranks[2])
{
    struct remote_question question = {.accesses = {then_access, now_access}};
    unsigned yes = 0, no = 0;
    /* A program may be written for a certain number of processes. What races must do so with
     * every number for which it makes sense at all. */
    for (int64_t size = FIRST_SIZE; size < FIRST_SIZE + SIZES; size++)
        for (uint64_t seed = 0; seed < SEEDS && !no; seed++) {
            enum outcome outcome = each_draw_of_size(moments, seed, size, remote_here, &question);
            yes += outcome == YES;
            no += outcome == NO;
        }
    enum answer answer = !yes ? NEVER : no ? SOMETIMES : ALWAYS;
    ranks[THEN] = question.ranks[THEN];
    ranks[NOW] = question.ranks[NOW];
    return answer == ALWAYS && question.inexact ? SOMETIMES : answer;
}
