#include "alias.h"

#include "normalise.h"

#include <uthash.h>

static bool is_variable(LLVMValueRef value)
{
    return LLVMIsAAllocaInst(value) || LLVMIsAGlobalVariable(value);
}

static const char *const allocators[] = {"malloc",
                                         "calloc",
                                         "aligned_alloc",
                                         "memalign",
                                         "valloc",
                                         "_Znwm",
                                         "_Znam",
                                         "_ZnwmSt11align_val_t",
                                         "_ZnamSt11align_val_t",
                                         "_ZnwmRKSt9nothrow_t",
                                         "_ZnamRKSt9nothrow_t",
                                         "strdup"};

static bool is_allocator_call(LLVMValueRef value)
{
    LLVMValueRef callee = value_is_call(value) ? call_target(value) : NULL;
    const char *name = callee ? LLVMGetValueName2(callee, &(size_t){0}) : "";
    for (size_t i = 0; i < sizeof allocators / sizeof allocators[0]; i++)
        if (!strcmp(name, allocators[i]))
            return true;
    return false;
}

bool alias_is_allocation(LLVMValueRef value)
{
    return is_allocator_call(value);
}

static bool is_object(LLVMValueRef value)
{
    return is_variable(value) || is_allocator_call(value);
}

/* Sets of places are long to compare, and the same two bases come again and again. */
struct pair_of_bases {
    LLVMValueRef bases[2];
    bool may_meet;
    UT_hash_handle hh;
};

static bool may_meet(struct function *function, LLVMValueRef a, LLVMValueRef b)
{
    struct pair_of_bases *entry, key = {.bases = {a < b ? a : b, a < b ? b : a}};
    HASH_FIND(hh, function->pairs, key.bases, sizeof key.bases, entry);
    if (!entry) {
        entry = checked(calloc(1, sizeof *entry));
        memcpy(entry->bases, key.bases, sizeof key.bases);
        entry->may_meet = points_may_meet(function->points, a, b);
        HASH_ADD(hh, function->pairs, bases, sizeof entry->bases, entry);
    }
    return entry->may_meet;
}

enum alias alias_bases(struct function *function, LLVMValueRef a, LLVMValueRef b)
{
    a = alias_representative(function, a);
    b = alias_representative(function, b);
    if (a == b)
        return ALIAS_same;
    if (is_object(a) && is_object(b))
        return ALIAS_distinct;
    if ((LLVMIsAArgument(a) && LLVMIsAAllocaInst(b)) ||
        (LLVMIsAArgument(b) && LLVMIsAAllocaInst(a)))
        return ALIAS_distinct;
    return may_meet(function, a, b) ? ALIAS_unknown : ALIAS_distinct;
}

int64_t alias_object_size(LLVMValueRef object)
{
    LLVMTypeRef type = NULL;
    LLVMModuleRef module;
    if (LLVMIsAGlobalVariable(object)) {
        type = LLVMGlobalGetValueType(object);
        module = LLVMGetGlobalParent(object);
    } else if (LLVMIsAAllocaInst(object) && LLVMIsAConstantInt(LLVMGetOperand(object, 0)) &&
               LLVMConstIntGetZExtValue(LLVMGetOperand(object, 0)) == 1) {
        type = LLVMGetAllocatedType(object);
        module = LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(object)));
    }
    if (!type || !LLVMTypeIsSized(type))
        return -1;
    return (int64_t)LLVMABISizeOfType(LLVMGetModuleDataLayout(module), type);
}

/* A loaded handle that goes anywhere but into a comparison or an MPI call by value has a copy. */
static bool goes_elsewhere(LLVMValueRef load)
{
    for (LLVMUseRef use = LLVMGetFirstUse(load); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef taker = LLVMGetUser(use);
        if (!LLVMIsAICmpInst(taker) && !(value_is_call(taker) && call_routine(taker)))
            return true;
    }
    return false;
}

/* Follows addresses within the object. */
static bool copied_from(LLVMValueRef address, int depth)
{
    for (LLVMUseRef use = LLVMGetFirstUse(address); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAGetElementPtrInst(user) || LLVMIsAPHINode(user) || LLVMIsASelectInst(user)) {
            if (depth > 0 && copied_from(user, depth - 1))
                return true;
        } else if (LLVMIsALoadInst(user)) {
            if (goes_elsewhere(user))
                return true;
        } else if (value_is_call(user) && !call_routine(user)) {
            const char *name =
                call_target(user) ? LLVMGetValueName2(call_target(user), &(size_t){0}) : "?";
            bool copies = !strncmp(name, "llvm.memcpy", 11) || !strncmp(name, "llvm.memmove", 12);
            if (copies ? LLVMGetOperand(user, 1) == address : strncmp(name, "llvm.", 5) != 0)
                return true;
        } else if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == address) {
            return true;
        }
    }
    return false;
}

bool alias_is_copied(struct function *function, LLVMValueRef object)
{
    if (!object || !is_object(object))
        return true;
    uint32_t known = value_map_get(&function->copied, object);
    if (known == VALUE_MAP_NONE) {
        known = copied_from(object, 6);
        value_map_add(&function->copied, object, known);
    }
    return known;
}

/* Whether an event may copy a handle that is kept at some distance from the base. */
static bool may_copy(struct function *function, const struct event *event, LLVMValueRef base)
{
    if (event->kind == EVENT_call)
        return true;
    if (event->routine)
        return false;
    for (unsigned i = 0; i < event->nbuffers; i++)
        if (event->buffers[i].reads &&
            (!LLVMIsALoadInst(event->instruction) || goes_elsewhere(event->instruction)) &&
            (!event->buffers[i].base ||
             alias_bases(function, event->buffers[i].base, base) != ALIAS_distinct))
            return true;
    return false;
}

bool alias_handles_are_copied(struct function *function, LLVMValueRef base)
{
    if (!base || is_object(base))
        return alias_is_copied(function, base);
    uint32_t known = value_map_get(&function->copied, base);
    if (known == VALUE_MAP_NONE) {
        known = false;
        for EACH (event, &function->events)
            if (!known)
                known = may_copy(function, event, base);
        value_map_add(&function->copied, base, known);
    }
    return known;
}

struct representative {
    LLVMValueRef value, represents;
    UT_hash_handle hh;
};

static int64_t bytes_of(const struct buffer *buffer)
{
    int64_t count = 1;
    if (buffer->count) {
        if (!LLVMIsAConstantInt(buffer->count))
            return -1;
        count = LLVMConstIntGetSExtValue(buffer->count);
    }
    return buffer->element.known ? count * buffer->element.extent : -1;
}

/* Library functions that change nothing their arguments point to and that is still looked at. */
bool function_only_looks(LLVMValueRef function)
{
    const char *name = LLVMGetValueName2(function, &(size_t){0});
    static const char *const names[] = {"free",   "printf", "fprintf", "puts",          "fputs",
                                        "fwrite", "_ZdlPv", "_ZdaPv",  "_ZdlPvm",       "_ZdaPvm",
                                        "perror", "exit",   "abort",   "__assert_fail", "strlen",
                                        "memcmp", "strcmp"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (!strcmp(name, names[i]))
            return true;
    return false;
}

/* Whether an event can change what a load at this address gives. */
static bool may_change(struct function *function, const struct event *event, LLVMValueRef address,
                       int64_t bytes)
{
    for (unsigned i = 0; i < event->nbuffers; i++)
        if (event->buffers[i].writes && !event->buffers[i].whole &&
            points_may_overlap(function->points, event->buffers[i].address,
                               bytes_of(&event->buffers[i]), address, bytes))
            return true;
    if (event->kind == EVENT_call) {
        /* Only functions of this program can reach variables that were not handed out. */
        LLVMValueRef callee = call_target(event->instruction);
        if (!callee || !LLVMIsDeclaration(callee))
            return call_may_write(function->effects, event->instruction, address, bytes);
        if (function_only_looks(callee))
            return false;
        for (unsigned i = 0; i < LLVMGetNumArgOperands(event->instruction); i++) {
            LLVMValueRef argument = LLVMGetOperand(event->instruction, i);
            if (LLVMGetTypeKind(LLVMTypeOf(argument)) == LLVMPointerTypeKind &&
                points_may_meet(function->points, argument, address))
                return true;
        }
    }
    for (unsigned i = 0; event->routine && i < event->routine->narguments; i++) {
        LLVMValueRef argument = LLVMGetOperand(event->instruction, i);
        enum role role = event->routine->arguments[i].role;
        if (role_may_be_written(role) &&
            LLVMGetTypeKind(LLVMTypeOf(argument)) == LLVMPointerTypeKind &&
            !LLVMIsConstant(argument) &&
            points_may_overlap(function->points, argument,
                               role == ROLE_requests || role == ROLE_statuses ? -1 : 8, address,
                               bytes))
            return true;
    }
    return false;
}

/* Whether one instruction comes before the other on every path and never after it. */
static bool always_before(struct function *function, LLVMValueRef first, LLVMValueRef second)
{
    LLVMBasicBlockRef from = LLVMGetInstructionParent(first), to = LLVMGetInstructionParent(second);
    struct bridge *bridge = function->bridge;
    for (int loop = bridge_loop(bridge, from); loop >= 0; loop = bridge_loop_parent(bridge, loop))
        if (bridge_loop_contains(bridge, loop, to))
            return false;
    if (from != to)
        return bridge_dominates(bridge, from, to);
    for (LLVMValueRef at = first; at; at = LLVMGetNextInstruction(at))
        if (at == second)
            return true;
    return false;
}

/* What determines the load's value: the last event that can change it, if all others come before
 * that one and it comes before the load. If it is a store to the address, the value stored; if not,
 * or if there is none, the first load of the address after it. */
static LLVMValueRef represent_load(struct function *function, LLVMValueRef load)
{
    enum { MANY = 16 };
    LLVMValueRef address = LLVMGetOperand(load, 0), writers[MANY], last = NULL;
    expression e = bridge_expression(function->bridge, address);
    LLVMTargetDataRef data = LLVMGetModuleDataLayout(LLVMGetGlobalParent(function->value));
    int64_t bytes = (int64_t)LLVMStoreSizeOfType(data, LLVMTypeOf(load));
    size_t count = 0;
    for EACH (number, &function->writers) {
        const struct event *event = &function->events.items[*number];
        if (may_change(function, event, address, bytes)) {
            if (count == MANY)
                return load;
            writers[count++] = event->instruction;
        }
    }
    for (size_t i = 0; i < count; i++)
        if (!last || always_before(function, last, writers[i]))
            last = writers[i];
    for (size_t i = 0; i < count; i++)
        if (writers[i] != last && !always_before(function, writers[i], last))
            return load;
    if (last && !always_before(function, last, load))
        return load;
    if (last && LLVMIsAStoreInst(last) &&
        bridge_expression(function->bridge, LLVMGetOperand(last, 1)) == e &&
        LLVMTypeOf(LLVMGetOperand(last, 0)) == LLVMTypeOf(load))
        return LLVMGetOperand(last, 0);
    for EACH (event, &function->events)
        if (LLVMIsALoadInst(event->instruction) && event->buffers[0].place == e &&
            LLVMTypeOf(event->instruction) == LLVMTypeOf(load) &&
            (!last || always_before(function, last, event->instruction)))
            return event->instruction;
    return load;
}

LLVMValueRef alias_representative(struct function *function, LLVMValueRef value)
{
    if (!LLVMIsALoadInst(value) || LLVMGetVolatile(value))
        return value;
    struct representative *entry;
    HASH_FIND_PTR(function->representatives, &value, entry);
    if (!entry) {
        entry = checked(calloc(1, sizeof *entry));
        entry->value = value;
        entry->represents = value;
        HASH_ADD_PTR(function->representatives, value, entry);
        entry->represents = represent_load(function, value);
        /* What was stored may be a load itself. */
        if (entry->represents != value)
            entry->represents = alias_representative(function, entry->represents);
    }
    return entry->represents;
}

/* ---- loads in loops ---- */

struct steadiness {
    struct load_in_loop {
        LLVMValueRef load;
        int64_t loop;
    } key;
    bool steady;
    UT_hash_handle hh;
};

static bool address_is_steady(struct function *function, LLVMValueRef address, int loop, int depth);

static bool find_steady(struct function *function, LLVMValueRef load, int loop, int depth)
{
    LLVMValueRef address = LLVMGetOperand(load, 0);
    LLVMTargetDataRef data = LLVMGetModuleDataLayout(LLVMGetGlobalParent(function->value));
    int64_t bytes = (int64_t)LLVMStoreSizeOfType(data, LLVMTypeOf(load));
    if (LLVMGetVolatile(load) || !address_is_steady(function, address, loop, depth))
        return false;
    for EACH (number, &function->writers) {
        const struct event *event = &function->events.items[*number];
        if (bridge_loop_contains(function->bridge, loop, function->blocks[event->block]) &&
            may_change(function, event, address, bytes))
            return false;
    }
    return true;
}

static bool is_steady(struct function *function, LLVMValueRef load, int loop, int depth)
{
    struct steadiness *entry, key = {.key = {load, loop}};
    HASH_FIND(hh, function->steadiness, &key.key, sizeof key.key, entry);
    if (!entry) {
        entry = checked(calloc(1, sizeof *entry));
        entry->key = key.key;
        entry->steady = find_steady(function, load, loop, depth);
        HASH_ADD(hh, function->steadiness, key, sizeof entry->key, entry);
    }
    return entry->steady;
}

static bool address_is_steady(struct function *function, LLVMValueRef address, int loop, int depth)
{
    struct bridge *bridge = function->bridge;
    expression e = bridge_expression(bridge, address);
    if (e && !bridge_varies(bridge, e, loop))
        return true;
    LLVMValueRef base = e ? bridge_base(bridge, e) : NULL;
    expression offset = base ? bridge_offset(bridge, e) : NULL;
    return depth > 0 && offset && !bridge_varies(bridge, offset, loop) && LLVMIsALoadInst(base) &&
           is_steady(function, base, loop, depth - 1);
}

bool alias_is_steady(struct function *function, LLVMValueRef value, int loop)
{
    enum { DEPTH = 4 };
    return LLVMIsALoadInst(value) && is_steady(function, value, loop, DEPTH);
}

struct value_number {
    LLVMValueRef value;
    UT_hash_handle hh;
    uint64_t number;
};

uint64_t alias_number(struct function *function, LLVMValueRef value)
{
    struct value_number *entry;
    HASH_FIND_PTR(function->numbers, &value, entry);
    if (!entry) {
        entry = checked(calloc(1, sizeof *entry));
        entry->value = value;
        entry->number = HASH_COUNT(function->numbers) + 1;
        HASH_ADD_PTR(function->numbers, value, entry);
    }
    return entry->number;
}

void alias_free(struct function *function)
{
    value_map_drop(&function->copied);
    struct steadiness *steadiness, *following;
    HASH_ITER(hh, function->steadiness, steadiness, following)
    {
        HASH_DEL(function->steadiness, steadiness);
        free(steadiness);
    }
    struct pair_of_bases *pair, *further;
    HASH_ITER(hh, function->pairs, pair, further)
    {
        HASH_DEL(function->pairs, pair);
        free(pair);
    }
    struct value_number *number, *after;
    HASH_ITER(hh, function->numbers, number, after)
    {
        HASH_DEL(function->numbers, number);
        free(number);
    }
    struct representative *entry, *next;
    HASH_ITER(hh, function->representatives, entry, next)
    {
        HASH_DEL(function->representatives, entry);
        free(entry);
    }
}
