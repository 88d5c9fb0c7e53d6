/* Nodes are pointers: values of the program and the contents of places. Constraints:
 *
 *     p = &o       p ⊇ {o.0}                p = q        edge q → p
 *     p = q + k    p ⊇ {o.(f+k) | o.f ∈ q}  p = *q       for each place in q: edge place → p
 *                                           *p = q       for each place in p: edge q → place
 *
 * Sets only grow and new members are passed on once (difference propagation). A set that becomes
 * too large stands for "anything", which bounds time and memory on hopeless programs. */
#include "points_inside.h"

enum { SET_LIMIT = 128, FIELDS = 256 };

/* ---- sets ---- */

static bool set_add(struct points *points, struct set *set, uint32_t item)
{
    uint32_t low = 0, high = set->count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (set->items[middle] < item)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < set->count && set->items[low] == item)
        return false;
    if (set->count == set->room) {
        set->room = set->room ? set->room * 2 : 4;
        uint32_t *items = arena_take(&points->arena, set->room * sizeof *items);
        if (set->count)
            memcpy(items, set->items, set->count * sizeof *items);
        set->items = items;
    }
    memmove(set->items + low + 1, set->items + low, (set->count - low) * sizeof *set->items);
    set->items[low] = item;
    set->count++;
    return true;
}

/* ---- nodes, objects, places ---- */

uint32_t points_new_node(struct points *points)
{
    APPEND(&points->nodes, (struct node){0});
    return (uint32_t)points->nodes.count - 1;
}

static void enqueue(struct points *points, uint32_t number)
{
    struct node *node = &points->nodes.items[number];
    if (!node->queued) {
        node->queued = true;
        APPEND(&points->queue, number);
    }
}

void points_make_anything(struct points *points, uint32_t number)
{
    struct node *node = &points->nodes.items[number];
    if (!node->anything) {
        node->anything = true;
        enqueue(points, number);
    }
}

static void add_place(struct points *points, uint32_t number, uint32_t place)
{
    struct node *node = &points->nodes.items[number];
    if (node->anything || !set_add(points, &node->all, place))
        return;
    if (node->all.count > SET_LIMIT) {
        points_make_anything(points, number);
        return;
    }
    set_add(points, &node->fresh, place);
    enqueue(points, number);
}

static void apply(struct points *points, const struct constraint *constraint, uint32_t place);
static void apply_anything(struct points *points, const struct constraint *constraint);

/* What the node holds already is passed to the new constraint at once. */
void points_add_constraint(struct points *points, uint32_t number, struct constraint constraint)
{
    enum { LOOK_BACK = 16 }; /* the same one twice is only a waste, and mostly comes in a row */
    struct node *node = &points->nodes.items[number];
    for (uint32_t i = 0; i < LOOK_BACK && i < node->nconstraints; i++) {
        const struct constraint *known = &node->constraints[node->nconstraints - 1 - i];
        if (known->kind == constraint.kind && known->other == constraint.other &&
            known->number == constraint.number && known->length == constraint.length)
            return;
    }
    if (node->nconstraints == node->room) {
        node->room = node->room ? node->room * 2 : 2;
        struct constraint *more = arena_take(&points->arena, node->room * sizeof *more);
        if (node->nconstraints)
            memcpy(more, node->constraints, node->nconstraints * sizeof *more);
        node->constraints = more;
    }
    node->constraints[node->nconstraints++] = constraint;
    for (uint32_t i = 0; i < points->nodes.items[number].all.count; i++)
        apply(points, &constraint, points->nodes.items[number].all.items[i]);
    if (points->nodes.items[number].anything)
        apply_anything(points, &constraint);
}

void points_add_copy(struct points *points, uint32_t from, uint32_t to)
{
    if (from != to)
        points_add_constraint(points, from, (struct constraint){.kind = COPY, .other = to});
}

int64_t points_offset(const struct pointee *object, int64_t offset)
{
    for (unsigned i = 0; i < object->nranges; i++) {
        const struct range *range = &object->ranges[i];
        if (offset >= range->start && offset < range->end)
            offset = range->start + (offset - range->start) % range->stride;
    }
    return offset;
}

uint32_t points_place_at(struct points *points, uint32_t object_number, int64_t offset)
{
    struct pointee *object = &points->objects.items[object_number];
    offset = points_offset(object, offset);
    if (offset < 0 || object->fields.count >= FIELDS)
        offset = 0;
    for EACH (field, &object->fields)
        if (points->nodes.items[*field].offset == offset)
            return *field;
    uint32_t place = points_new_node(points);
    points->nodes.items[place].is_place = true;
    points->nodes.items[place].object = object_number;
    points->nodes.items[place].offset = offset;
    APPEND(&points->objects.items[object_number].fields, place);
    return place;
}

/* From now on the elements of this part are one place; what they hold already flows together. */
static void add_range(struct points *points, uint32_t object_number, struct range range)
{
    struct pointee *object = &points->objects.items[object_number];
    if (range.stride <= 0)
        range.stride = 1;
    for (unsigned i = 0; i < object->nranges; i++)
        if (object->ranges[i].start <= range.start && object->ranges[i].end >= range.end &&
            range.stride % object->ranges[i].stride == 0)
            return;
    if (object->nranges == RANGES) {
        object->nranges = 0;
        range = (struct range){0, INT64_MAX, 1};
    }
    object->ranges[object->nranges++] = range;
    size_t count = object->fields.count;
    for (size_t i = 0; i < count; i++) {
        uint32_t field = points->objects.items[object_number].fields.items[i];
        int64_t offset = points->nodes.items[field].offset;
        if (points_offset(&points->objects.items[object_number], offset) == offset)
            continue;
        uint32_t normal = points_place_at(points, object_number, offset);
        points_add_copy(points, field, normal);
        points_add_copy(points, normal, field);
    }
}

uint32_t points_object_of(struct points *points, LLVMValueRef value)
{
    uint32_t number = value_map_get(&points->object_of, value);
    if (number == VALUE_MAP_NONE) {
        number = (uint32_t)points->objects.count;
        value_map_add(&points->object_of, value, number);
        APPEND(&points->objects, (struct pointee){.value = value});
        APPEND(&points->returned, UINT32_MAX);
    }
    return number;
}

void points_address_of(struct points *points, uint32_t node, LLVMValueRef object)
{
    add_place(points, node, points_place_at(points, points_object_of(points, object), 0));
}

bool points_is_pointer(LLVMValueRef value)
{
    return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind;
}

/* ---- solving ---- */

static void apply(struct points *points, const struct constraint *constraint, uint32_t place)
{
    uint32_t object = points->nodes.items[place].object;
    int64_t offset = points->nodes.items[place].offset;
    switch (constraint->kind) {
    case COPY:
        add_place(points, constraint->other, place);
        return;
    case OFFSET:
        add_place(points, constraint->other,
                  points_place_at(points, object, offset + constraint->number));
        return;
    case ELEMENT: {
        int64_t start = constraint->length
                            ? offset
                            : offset % (constraint->number > 0 ? constraint->number : 1);
        int64_t end = constraint->length ? offset + constraint->length : INT64_MAX;
        add_range(points, object, (struct range){start, end, constraint->number});
        add_place(points, constraint->other, points_place_at(points, object, offset));
        return;
    }
    case LOAD:
        points_add_copy(points, place, constraint->other);
        return;
    case STORE:
        points_add_copy(points, constraint->other, place);
        return;
    case COPY_ALL_FROM:
        for (size_t i = 0; i < points->objects.items[object].fields.count; i++)
            points_add_copy(points, points->objects.items[object].fields.items[i],
                            constraint->other);
        return;
    case COPY_ALL_TO:
        points_add_copy(points, constraint->other, place);
        for (size_t i = 0; i < points->objects.items[object].fields.count; i++)
            points_add_copy(points, constraint->other,
                            points->objects.items[object].fields.items[i]);
        return;
    case CALL: {
        LLVMValueRef value = points->objects.items[object].value;
        if (LLVMIsAFunction(value))
            points_bind_call(points, constraint->call, value);
        return;
    }
    }
}

static void apply_anything(struct points *points, const struct constraint *constraint)
{
    switch (constraint->kind) {
    case COPY:
    case OFFSET:
    case ELEMENT:
    case LOAD:
    case COPY_ALL_FROM:
        points_make_anything(points, constraint->other);
        return;
    case CALL:
        if (points_is_pointer(constraint->call))
            points_make_anything(points, points_node(points, constraint->call));
        return;
    case STORE:
    case COPY_ALL_TO:
        return; /* a store to nobody knows where: taken to hit nothing that we look at */
    }
}

void points_settle(struct points *points)
{
    while (points->queue.count) {
        uint32_t number = points->queue.items[--points->queue.count];
        struct node *node = &points->nodes.items[number];
        node->queued = false;
        struct set fresh = node->fresh;
        node->fresh = (struct set){0};
        bool anything = node->anything && !node->anything_passed;
        node->anything_passed = node->anything;
        /* Constraints may be added while we go: nodes move, so everything is read anew. */
        uint32_t count = node->nconstraints;
        for (uint32_t i = 0; i < count; i++) {
            struct constraint constraint = points->nodes.items[number].constraints[i];
            for (uint32_t k = 0; k < fresh.count; k++)
                apply(points, &constraint, fresh.items[k]);
            if (anything)
                apply_anything(points, &constraint);
        }
    }
}

struct points *points_solve(LLVMModuleRef module)
{
    struct points *points = checked(calloc(1, sizeof *points));
    points->module = module;
    points->data = LLVMGetModuleDataLayout(module);
    points_collect(points);
    points_settle(points);
    return points;
}

void points_free(struct points *points)
{
    for EACH (object, &points->objects)
        DROP(&object->fields);
    value_map_drop(&points->values);
    value_map_drop(&points->object_of);
    arena_drop(&points->arena);
    DROP(&points->nodes);
    DROP(&points->objects);
    DROP(&points->queue);
    DROP(&points->returned);
    free(points);
}
