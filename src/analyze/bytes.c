#include "bytes.h"

#include "alias.h"

void bytes_add(struct bytes *bytes, int64_t start, int64_t length, int64_t stride, int64_t count)
{
    if (length <= 0 || count <= 0 || bytes->count == BYTES_SECTIONS)
        return;
    if (count > 1 && stride < 0) {
        start += stride * (count - 1);
        stride = -stride;
    }
    if (count > 1 && stride <= length) {
        length += stride * (count - 1);
        count = 1;
    }
    bytes->sections[bytes->count++] = (struct section){.start = (uint64_t)(start + BIAS),
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

bool buffer_bytes(struct draw *draw, enum side side, const struct event *event,
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
    bool swept = buffer->element.known && sweep(draw, offset, block, &swept_loop, &stride, &times);
    if (!draw_expression(draw, offset, &start))
        return false;
    if (count <= 0)
        return true;
    const struct layout *element = &buffer->element;
    if (buffer->scattered) {
        enum { MUCH = 1 << 20 };
        int64_t size = buffer->base ? alias_object_size(buffer->base) : -1;
        bytes_add(bytes, start, size >= 0 ? size - start : MUCH, 0, 1);
        return true;
    }
    if (!element->known) {
        bytes_add(bytes, start, 4, 0, 1);
        return true;
    }
    if (layout_is_dense(element)) {
        bytes_add(bytes, start, element->extent * count, swept ? stride : 0, times);
        bytes->swept_loop = swept ? swept_loop : -1;
        bytes->swept_start = start;
        bytes->swept_stride = stride;
        return true;
    }
    for (int64_t i = 0; i < count && i < 32; i++)
        for (unsigned r = 0; r < element->nruns; r++) {
            const struct run *run = &element->runs[r];
            bytes_add(bytes, start + i * element->extent + run->offset, run->length, run->stride,
                      run->count);
        }
    if (times > 1 || count > 32)
        bytes->exact = false;
    return true;
}

bool bytes_exceed(const struct bytes *bytes, int64_t size)
{
    for (unsigned i = 0; i < bytes->count; i++)
        if (bytes->sections[i].start < BIAS ||
            section_end(&bytes->sections[i]) > BIAS + (uint64_t)size)
            return true;
    return false;
}

void bytes_go_to(struct draw *draw, enum side side, const struct bytes *bytes, uint64_t byte)
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
