/* Questions to the pointer analysis once it is solved. */
#include "points_inside.h"

/* The number of the value's node, UINT32_MAX if it can point to anything, or to nothing that was
 * seen. */
static uint32_t known_node(struct points *points, LLVMValueRef value)
{
    uint32_t number = value_map_get(&points->values, value);
    if (number == VALUE_MAP_NONE && LLVMIsConstant(value)) {
        /* Constants are nodes from their first use on. */
        number = points_node(points, value);
        points_settle(points);
    }
    if (number == VALUE_MAP_NONE)
        return UINT32_MAX;
    const struct node *node = &points->nodes.items[number];
    return node->anything || !node->all.count ? UINT32_MAX : number;
}

static bool places_overlap(const struct points *points, uint32_t a, int64_t bytes, uint32_t b,
                           int64_t other_bytes)
{
    const struct node *x = &points->nodes.items[a], *y = &points->nodes.items[b];
    if (x->object != y->object)
        return false;
    const struct pointee *object = &points->objects.items[x->object];
    int64_t p = points_offset(object, x->offset), q = points_offset(object, y->offset);
    return !(bytes >= 0 && p + bytes <= q) && !(other_bytes >= 0 && q + other_bytes <= p);
}

bool points_may_overlap(struct points *points, LLVMValueRef a, int64_t bytes, LLVMValueRef b,
                        int64_t other_bytes)
{
    uint32_t number_a = known_node(points, a), number_b = known_node(points, b);
    if (number_a == UINT32_MAX || number_b == UINT32_MAX)
        return true;
    const struct node *one = &points->nodes.items[number_a], *two = &points->nodes.items[number_b];
    for (uint32_t i = 0; i < one->all.count; i++)
        for (uint32_t k = 0; k < two->all.count; k++)
            if (places_overlap(points, one->all.items[i], bytes, two->all.items[k], other_bytes))
                return true;
    return false;
}

bool points_may_meet(struct points *points, LLVMValueRef a, LLVMValueRef b)
{
    return points_may_overlap(points, a, -1, b, -1);
}

/* ---- objects behind objects ---- */

enum { REACHED_LIMIT = 64 };

struct reached {
    uint32_t objects[REACHED_LIMIT];
    unsigned count;
};

/* False if that are too many. */
static bool reach(const struct points *points, struct reached *reached, const struct set *places)
{
    for (uint32_t i = 0; i < places->count; i++) {
        uint32_t object = points->nodes.items[places->items[i]].object;
        unsigned k = 0;
        while (k < reached->count && reached->objects[k] != object)
            k++;
        if (k == REACHED_LIMIT)
            return false;
        reached->objects[k] = object;
        reached->count += k == reached->count;
    }
    return true;
}

bool points_may_reach(struct points *points, LLVMValueRef from, LLVMValueRef to)
{
    uint32_t start = known_node(points, from), end = known_node(points, to);
    struct reached reached = {.count = 0}, goals = {.count = 0};
    if (start == UINT32_MAX || end == UINT32_MAX ||
        !reach(points, &reached, &points->nodes.items[start].all) ||
        !reach(points, &goals, &points->nodes.items[end].all))
        return true;
    for (unsigned i = 0; i < reached.count; i++) {
        const struct pointee *object = &points->objects.items[reached.objects[i]];
        for (unsigned k = 0; k < goals.count; k++)
            if (goals.objects[k] == reached.objects[i])
                return true;
        for (uint32_t f = 0; f < object->fields.count; f++)
            if (!reach(points, &reached, &points->nodes.items[object->fields.items[f]].all))
                return true;
    }
    return false;
}

size_t points_callees(struct points *points, LLVMValueRef call, LLVMValueRef *callees, size_t limit)
{
    uint32_t number = known_node(points, LLVMGetCalledValue(call));
    const struct node *node = number == UINT32_MAX ? NULL : &points->nodes.items[number];
    size_t count = 0;
    for (uint32_t i = 0; node && i < node->all.count; i++) {
        LLVMValueRef value =
            points->objects.items[points->nodes.items[node->all.items[i]].object].value;
        if (!LLVMIsAFunction(value))
            continue;
        if (count == limit)
            return 0;
        callees[count++] = value;
    }
    return count;
}

/* ---- buffers of MPI ---- */

void points_add_buffer(struct points *points, LLVMValueRef address, int64_t bytes)
{
    points_learn(points, address);
    uint32_t number = value_map_get(&points->object_of, address);
    if (number != VALUE_MAP_NONE) {
        points->objects.items[number].used_from = 0;
        points->objects.items[number].used_to = INT64_MAX;
        return;
    }
    number = known_node(points, address);
    if (number == UINT32_MAX) {
        points->buffers_anywhere = true;
        return;
    }
    const struct node *node = &points->nodes.items[number];
    for (uint32_t i = 0; i < node->all.count; i++) {
        const struct node *place = &points->nodes.items[node->all.items[i]];
        struct pointee *object = &points->objects.items[place->object];
        int64_t from = points_offset(object, place->offset);
        int64_t to = bytes < 0 ? INT64_MAX : from + bytes;
        if (!object->used_to || from < object->used_from)
            object->used_from = from;
        if (to > object->used_to)
            object->used_to = to;
    }
}

bool points_in_buffers(struct points *points, LLVMValueRef address, int64_t bytes)
{
    uint32_t number = points->buffers_anywhere ? UINT32_MAX : known_node(points, address);
    if (number == UINT32_MAX)
        return true;
    const struct node *node = &points->nodes.items[number];
    for (uint32_t i = 0; i < node->all.count; i++) {
        const struct node *place = &points->nodes.items[node->all.items[i]];
        const struct pointee *object = &points->objects.items[place->object];
        int64_t from = points_offset(object, place->offset);
        if (object->used_to > from && (bytes < 0 || from + bytes > object->used_from))
            return true;
    }
    return false;
}

/* ---- sets of places ---- */

enum { TOUCHED_LIMIT = 128 };

static enum touched_answer touch(struct points *points, struct touched *touched, uint32_t place,
                                 int32_t bytes)
{
    uint32_t low = 0, high = touched->count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (touched->items[middle].place < place)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < touched->count && touched->items[low].place == place) {
        struct touched_place *known = &touched->items[low];
        if (known->bytes < 0 || (bytes >= 0 && bytes <= known->bytes))
            return TOUCHED_same;
        known->bytes = bytes;
        return TOUCHED_more;
    }
    if (touched->count == TOUCHED_LIMIT)
        return TOUCHED_too_much;
    if (touched->count == touched->room) {
        touched->room = touched->room ? touched->room * 2 : 4;
        struct touched_place *items = arena_take(&points->arena, touched->room * sizeof *items);
        if (touched->count)
            memcpy(items, touched->items, touched->count * sizeof *items);
        touched->items = items;
    }
    memmove(touched->items + low + 1, touched->items + low,
            (touched->count - low) * sizeof *touched->items);
    touched->items[low] = (struct touched_place){place, bytes};
    touched->count++;
    return TOUCHED_more;
}

static bool is_variable_of(LLVMValueRef object, LLVMValueRef function)
{
    return LLVMIsAAllocaInst(object) &&
           LLVMGetBasicBlockParent(LLVMGetInstructionParent(object)) == function;
}

bool points_touch(struct points *points, struct touched *touched, LLVMValueRef address,
                  int64_t bytes, LLVMValueRef function)
{
    uint32_t number = known_node(points, address);
    if (number == UINT32_MAX)
        return false;
    int32_t few = bytes < 0 || bytes > INT32_MAX ? -1 : (int32_t)bytes;
    const struct node *node = &points->nodes.items[number];
    for (uint32_t i = 0; i < node->all.count; i++) {
        uint32_t place = node->all.items[i];
        uint32_t object = points->nodes.items[place].object;
        if (!is_variable_of(points->objects.items[object].value, function) &&
            touch(points, touched, place, few) == TOUCHED_too_much)
            return false;
    }
    return true;
}

enum touched_answer points_touch_all(struct points *points, struct touched *touched,
                                     const struct touched *others)
{
    enum touched_answer answer = TOUCHED_same;
    for (uint32_t i = 0; i < others->count && answer != TOUCHED_too_much; i++) {
        enum touched_answer one =
            touch(points, touched, others->items[i].place, others->items[i].bytes);
        answer = one > answer ? one : answer;
    }
    return answer;
}

bool points_is_touched(struct points *points, const struct touched *touched, LLVMValueRef address,
                       int64_t bytes)
{
    uint32_t number = known_node(points, address);
    if (number == UINT32_MAX)
        return touched->count > 0;
    const struct node *node = &points->nodes.items[number];
    for (uint32_t i = 0; i < node->all.count; i++)
        for (uint32_t k = 0; k < touched->count; k++)
            if (places_overlap(points, node->all.items[i], bytes, touched->items[k].place,
                               touched->items[k].bytes))
                return true;
    return false;
}
