/* Nodes are pointers: values of the program and the contents of places. Constraints:
 *
 *     p = &o       p ⊇ {o.0}                p = q        edge q → p
 *     p = q + k    p ⊇ {o.(f+k) | o.f ∈ q}  p = *q       for each place in q: edge place → p
 *                                           *p = q       for each place in p: edge q → place
 *
 * Sets only grow and new members are passed on once (difference propagation). A set that becomes
 * too large stands for "anything", which bounds time and memory on hopeless programs. */
#include "points_inside.h"

#include "normalise.h"

#include <llvm-c/Target.h>

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

static uint32_t new_node(struct points *points)
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

static void make_anything(struct points *points, uint32_t number)
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
        make_anything(points, number);
        return;
    }
    set_add(points, &node->fresh, place);
    enqueue(points, number);
}

static void apply(struct points *points, const struct constraint *constraint, uint32_t place);
static void apply_anything(struct points *points, const struct constraint *constraint);

/* What the node holds already is passed to the new constraint at once. */
static void add_constraint(struct points *points, uint32_t number, struct constraint constraint)
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

static void add_copy(struct points *points, uint32_t from, uint32_t to)
{
    if (from != to)
        add_constraint(points, from, (struct constraint){.kind = COPY, .other = to});
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

static uint32_t place_at(struct points *points, uint32_t object_number, int64_t offset)
{
    struct pointee *object = &points->objects.items[object_number];
    offset = points_offset(object, offset);
    if (offset < 0 || object->fields.count >= FIELDS)
        offset = 0;
    for EACH (field, &object->fields)
        if (points->nodes.items[*field].offset == offset)
            return *field;
    uint32_t place = new_node(points);
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
        uint32_t normal = place_at(points, object_number, offset);
        add_copy(points, field, normal);
        add_copy(points, normal, field);
    }
}

static uint32_t object_of(struct points *points, LLVMValueRef value)
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

static void address_of(struct points *points, uint32_t node, LLVMValueRef object)
{
    add_place(points, node, place_at(points, object_of(points, object), 0));
}

static bool is_pointer(LLVMValueRef value)
{
    return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind;
}

/* ---- addresses computed from addresses ---- */

static void element_constraint(struct points *points, uint32_t from, uint32_t to, int64_t stride,
                               int64_t length)
{
    add_constraint(
        points, from,
        (struct constraint){.kind = ELEMENT, .other = to, .number = stride, .length = length});
}

/* Walks the indices of a getelementptr; each step of a constant number of bytes is added up, each
 * step by an unknown index is a constraint of its own. */
static void address_arithmetic(struct points *points, LLVMValueRef gep, uint32_t to)
{
    uint32_t at = points_node(points, LLVMGetOperand(gep, 0));
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
    int64_t bytes = 0;
    int count = LLVMGetNumOperands(gep);
    for (int i = 1; i < count; i++) {
        LLVMValueRef index = LLVMGetOperand(gep, (unsigned)i);
        int64_t step = 0, length = 0;
        if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);
            bytes += (int64_t)LLVMOffsetOfElement(points->data, type, field);
            type = LLVMStructGetTypeAtIndex(type, field);
            continue;
        }
        if (i > 1) {
            bool is_array = LLVMGetTypeKind(type) == LLVMArrayTypeKind;
            length = is_array ? (int64_t)LLVMGetArrayLength2(type) : 0;
            type = LLVMGetElementType(type);
        }
        if (!LLVMTypeIsSized(type))
            continue;
        step = (int64_t)LLVMABISizeOfType(points->data, type);
        if (LLVMIsAConstantInt(index)) {
            bytes += step * LLVMConstIntGetSExtValue(index);
            continue;
        }
        uint32_t next = new_node(points), moved = at;
        if (bytes) {
            moved = new_node(points);
            add_constraint(points, at,
                           (struct constraint){.kind = OFFSET, .other = moved, .number = bytes});
            bytes = 0;
        }
        element_constraint(points, moved, next, step, length * step);
        at = next;
    }
    if (bytes)
        add_constraint(points, at,
                       (struct constraint){.kind = OFFSET, .other = to, .number = bytes});
    else
        add_copy(points, at, to);
}

/* ---- values ---- */

static void constant_node(struct points *points, LLVMValueRef value, uint32_t node)
{
    if (LLVMIsAFunction(value) || LLVMIsAGlobalVariable(value)) {
        address_of(points, node, value);
        return;
    }
    if (LLVMIsAGlobalAlias(value)) {
        add_copy(points, points_node(points, LLVMAliasGetAliasee(value)), node);
        return;
    }
    if (LLVMIsAConstantExpr(value)) {
        switch (LLVMGetConstOpcode(value)) {
        case LLVMGetElementPtr:
            address_arithmetic(points, value, node);
            return;
        case LLVMBitCast:
        case LLVMAddrSpaceCast:
            add_copy(points, points_node(points, LLVMGetOperand(value, 0)), node);
            return;
        default:
            return; /* MPI_IN_PLACE and its like */
        }
    }
}

uint32_t points_node(struct points *points, LLVMValueRef value)
{
    uint32_t number = value_map_get(&points->values, value);
    if (number == VALUE_MAP_NONE) {
        number = new_node(points);
        value_map_add(&points->values, value, number);
        if (LLVMIsConstant(value))
            constant_node(points, value, number);
    }
    return number;
}

static uint32_t result_of(struct points *points, LLVMValueRef function)
{
    uint32_t object = object_of(points, function);
    if (points->returned.items[object] == UINT32_MAX) {
        uint32_t node = new_node(points);
        points->returned.items[object] = node;
    }
    return points->returned.items[object];
}

/* Contents of global variables: every pointer in the initialiser, at its offset. */
static void initialise(struct points *points, LLVMValueRef global, LLVMValueRef constant,
                       int64_t offset, int depth)
{
    LLVMTypeRef type = LLVMTypeOf(constant);
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (kind == LLVMPointerTypeKind) {
        if (!LLVMIsNull(constant))
            add_copy(points, points_node(points, constant),
                     place_at(points, object_of(points, global), offset));
        return;
    }
    bool is_struct = kind == LLVMStructTypeKind, is_array = kind == LLVMArrayTypeKind;
    if (depth == 0 || (!is_struct && !is_array) || LLVMIsNull(constant) ||
        LLVMIsAConstantDataSequential(constant))
        return;
    int count = LLVMGetNumOperands(constant);
    for (int i = 0; i < count; i++) {
        LLVMValueRef element = LLVMGetOperand(constant, (unsigned)i);
        int64_t at = is_struct ? (int64_t)LLVMOffsetOfElement(points->data, type, (unsigned)i)
                               : i * (int64_t)LLVMABISizeOfType(points->data, LLVMTypeOf(element));
        initialise(points, global, element, offset + at, depth - 1);
    }
}

/* ---- calls ---- */

static bool allocates(const char *name)
{
    static const char *const names[] = {"malloc", "calloc", "realloc", "aligned_alloc", "memalign",
                                        "valloc", "strdup", "_Znwm",   "_Znam",         "fopen"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (!strncmp(name, names[i], strlen(names[i])) &&
            (name[0] == '_' || !strcmp(name, names[i])))
            return true;
    return false;
}

/* MPI routines that hand out memory: *argument points to a new object. */
static int handed_out(const struct routine *routine)
{
    if (!strncmp(routine->name, "MPI_Alloc_mem", 13))
        return 2;
    for (int i = 0; i < routine->narguments; i++)
        if (routine->arguments[i].role == ROLE_new_base)
            return i;
    return -1;
}

static void external_call(struct points *points, LLVMValueRef call, LLVMValueRef callee)
{
    const char *name = LLVMGetValueName2(callee, &(size_t){0});
    unsigned count = LLVMGetNumArgOperands(call);
    const struct routine *routine = call_routine(call);
    int base = routine ? handed_out(routine) : -1;
    if (base >= 0) {
        uint32_t content = new_node(points);
        address_of(points, content, call);
        add_constraint(points, points_node(points, LLVMGetOperand(call, (unsigned)base)),
                       (struct constraint){.kind = STORE, .other = content});
        return;
    }
    bool copies = !strncmp(name, "llvm.memcpy", 11) || !strncmp(name, "llvm.memmove", 12) ||
                  !strcmp(name, "memcpy") || !strcmp(name, "memmove");
    if (copies && count >= 2) {
        uint32_t between = new_node(points);
        add_constraint(points, points_node(points, LLVMGetOperand(call, 1)),
                       (struct constraint){.kind = COPY_ALL_FROM, .other = between});
        add_constraint(points, points_node(points, LLVMGetOperand(call, 0)),
                       (struct constraint){.kind = COPY_ALL_TO, .other = between});
    }
    if (!is_pointer(call))
        return;
    if (allocates(name)) {
        address_of(points, points_node(points, call), call);
        if (!strcmp(name, "realloc")) {
            uint32_t between = new_node(points);
            add_constraint(points, points_node(points, LLVMGetOperand(call, 0)),
                           (struct constraint){.kind = COPY_ALL_FROM, .other = between});
            add_constraint(points, points_node(points, call),
                           (struct constraint){.kind = COPY_ALL_TO, .other = between});
        }
    } else if (!strncmp(name, "mem", 3) || !strncmp(name, "str", 3)) {
        if (count && is_pointer(LLVMGetOperand(call, 0)))
            add_copy(points, points_node(points, LLVMGetOperand(call, 0)),
                     points_node(points, call));
    } else if (!routine) {
        make_anything(points, points_node(points, call));
    }
}

static void bind_call(struct points *points, LLVMValueRef call, LLVMValueRef callee)
{
    if (LLVMIsDeclaration(callee)) {
        external_call(points, call, callee);
        return;
    }
    unsigned count = LLVMGetNumArgOperands(call), parameters = LLVMCountParams(callee);
    for (unsigned i = 0; i < count && i < parameters; i++) {
        LLVMValueRef argument = LLVMGetOperand(call, i), parameter = LLVMGetParam(callee, i);
        if (is_pointer(argument) && is_pointer(parameter))
            add_copy(points, points_node(points, argument), points_node(points, parameter));
    }
    if (is_pointer(call))
        add_copy(points, result_of(points, callee), points_node(points, call));
}

static void call_constraints(struct points *points, LLVMValueRef call)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (LLVMIsAFunction(callee))
        bind_call(points, call, callee);
    else if (LLVMIsAInlineAsm(callee)) {
        if (is_pointer(call))
            make_anything(points, points_node(points, call));
    } else
        add_constraint(points, points_node(points, callee),
                       (struct constraint){.kind = CALL, .call = call});
}

/* ---- constraints of the program ---- */

static void instruction_constraints(struct points *points, LLVMValueRef at)
{
    switch (LLVMGetInstructionOpcode(at)) {
    case LLVMCall:
    case LLVMInvoke:
        call_constraints(points, at);
        return;
    case LLVMAlloca:
        address_of(points, points_node(points, at), at);
        return;
    case LLVMGetElementPtr:
        if (is_pointer(at))
            address_arithmetic(points, at, points_node(points, at));
        return;
    case LLVMLoad:
        if (is_pointer(at))
            add_constraint(points, points_node(points, LLVMGetOperand(at, 0)),
                           (struct constraint){.kind = LOAD, .other = points_node(points, at)});
        return;
    case LLVMStore:
        if (is_pointer(LLVMGetOperand(at, 0)))
            add_constraint(points, points_node(points, LLVMGetOperand(at, 1)),
                           (struct constraint){
                               .kind = STORE, .other = points_node(points, LLVMGetOperand(at, 0))});
        return;
    case LLVMPHI:
        for (unsigned i = 0; is_pointer(at) && i < LLVMCountIncoming(at); i++)
            add_copy(points, points_node(points, LLVMGetIncomingValue(at, i)),
                     points_node(points, at));
        return;
    case LLVMSelect:
        for (unsigned i = 1; is_pointer(at) && i < 3; i++)
            add_copy(points, points_node(points, LLVMGetOperand(at, i)), points_node(points, at));
        return;
    case LLVMRet:
        if (LLVMGetNumOperands(at) == 1 && is_pointer(LLVMGetOperand(at, 0)))
            add_copy(points, points_node(points, LLVMGetOperand(at, 0)),
                     result_of(points, LLVMGetBasicBlockParent(LLVMGetInstructionParent(at))));
        return;
    case LLVMFreeze:
        if (is_pointer(at))
            add_copy(points, points_node(points, LLVMGetOperand(at, 0)), points_node(points, at));
        return;
    default:
        if (is_pointer(at))
            make_anything(points, points_node(points, at));
    }
}

/* Functions that somebody outside may call get pointers to anything. */
static bool called_from_outside(LLVMValueRef function, bool is_program)
{
    if (is_program)
        return !strcmp(LLVMGetValueName2(function, &(size_t){0}), "main");
    return LLVMGetLinkage(function) != LLVMInternalLinkage &&
           LLVMGetLinkage(function) != LLVMPrivateLinkage;
}

static void collect(struct points *points)
{
    LLVMValueRef main_function = LLVMGetNamedFunction(points->module, "main");
    bool is_program = main_function && !LLVMIsDeclaration(main_function);
    for (LLVMValueRef global = LLVMGetFirstGlobal(points->module); global;
         global = LLVMGetNextGlobal(global))
        if (!LLVMIsDeclaration(global) && LLVMGetInitializer(global))
            initialise(points, global, LLVMGetInitializer(global), 0, 6);
    for (LLVMValueRef function = LLVMGetFirstFunction(points->module); function;
         function = LLVMGetNextFunction(function)) {
        if (LLVMIsDeclaration(function))
            continue;
        for (unsigned i = 0; i < LLVMCountParams(function); i++)
            if (is_pointer(LLVMGetParam(function, i)) &&
                (called_from_outside(function, is_program) || !LLVMGetFirstUse(function)))
                make_anything(points, points_node(points, LLVMGetParam(function, i)));
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
             block = LLVMGetNextBasicBlock(block))
            for (LLVMValueRef at = LLVMGetFirstInstruction(block); at;
                 at = LLVMGetNextInstruction(at))
                instruction_constraints(points, at);
    }
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
        add_place(points, constraint->other, place_at(points, object, offset + constraint->number));
        return;
    case ELEMENT: {
        int64_t start = constraint->length
                            ? offset
                            : offset % (constraint->number > 0 ? constraint->number : 1);
        int64_t end = constraint->length ? offset + constraint->length : INT64_MAX;
        add_range(points, object, (struct range){start, end, constraint->number});
        add_place(points, constraint->other, place_at(points, object, offset));
        return;
    }
    case LOAD:
        add_copy(points, place, constraint->other);
        return;
    case STORE:
        add_copy(points, constraint->other, place);
        return;
    case COPY_ALL_FROM:
        for (size_t i = 0; i < points->objects.items[object].fields.count; i++)
            add_copy(points, points->objects.items[object].fields.items[i], constraint->other);
        return;
    case COPY_ALL_TO:
        add_copy(points, constraint->other, place);
        for (size_t i = 0; i < points->objects.items[object].fields.count; i++)
            add_copy(points, constraint->other, points->objects.items[object].fields.items[i]);
        return;
    case CALL: {
        LLVMValueRef value = points->objects.items[object].value;
        if (LLVMIsAFunction(value))
            bind_call(points, constraint->call, value);
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
        make_anything(points, constraint->other);
        return;
    case CALL:
        if (is_pointer(constraint->call))
            make_anything(points, points_node(points, constraint->call));
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

void points_learn(struct points *points, LLVMValueRef value)
{
    enum { OPERANDS = 64 };
    if (!LLVMIsAInstruction(value) || !is_pointer(value) ||
        value_map_get(&points->values, value) != VALUE_MAP_NONE)
        return;
    points_node(points, value); /* before its operands: phis go in circles */
    for (int i = 0; i < LLVMGetNumOperands(value) && i < OPERANDS; i++)
        points_learn(points, LLVMGetOperand(value, (unsigned)i));
    instruction_constraints(points, value);
    points_settle(points);
}

struct points *points_solve(LLVMModuleRef module)
{
    struct points *points = checked(calloc(1, sizeof *points));
    points->module = module;
    points->data = LLVMGetModuleDataLayout(module);
    collect(points);
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
