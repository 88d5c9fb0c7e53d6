#include "versions.h"

#include "alias.h"
#include "normalise.h"

#include <uthash.h>

/* What a load reads. */
struct slot {
    LLVMValueRef address, base;
    expression place, offset;
    int64_t bytes;
    bool is_address; /* … of data, not a handle of MPI's */
};

static bool is_handle(LLVMValueRef load)
{
    for (LLVMUseRef use = LLVMGetFirstUse(load); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        const struct routine *routine = value_is_call(user) ? call_routine(user) : NULL;
        for (unsigned i = 0; routine && i < routine->narguments; i++) {
            enum role role = routine->arguments[i].role;
            if (LLVMGetOperand(user, i) == load && !role_may_be_written(role) &&
                role != ROLE_read && role != ROLE_base)
                return true;
        }
    }
    return false;
}

static struct slot slot_of(struct function *function, LLVMValueRef load)
{
    LLVMTargetDataRef data = LLVMGetModuleDataLayout(LLVMGetGlobalParent(function->value));
    struct slot slot = {.address = LLVMGetOperand(load, 0),
                        .bytes = (int64_t)LLVMStoreSizeOfType(data, LLVMTypeOf(load))};
    slot.place = bridge_expression(function->bridge, slot.address);
    slot.base = slot.place ? bridge_base(function->bridge, slot.place) : NULL;
    slot.offset = slot.base ? bridge_offset(function->bridge, slot.place) : NULL;
    slot.is_address = LLVMGetTypeKind(LLVMTypeOf(load)) == LLVMPointerTypeKind && !is_handle(load);
    return slot;
}

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

bool function_changes_strings(LLVMValueRef function)
{
    static const char *const beginnings[] = {
        "_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE",
        "_ZNKSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE", "_ZNSaIcE"};
    const char *name = LLVMGetValueName2(function, &(size_t){0});
    for (size_t i = 0; i < sizeof beginnings / sizeof beginnings[0]; i++) {
        size_t length = strlen(beginnings[i]);
        if (!strncmp(name, beginnings[i], length)) /* string::copy fills memory that it is given */
            return strncmp(name + length, "4copy", 5) != 0;
    }
    return false;
}

/* Whether the argument is in a variable of this function, or in a string or a constant, and the
 * slot behind what the function was given when it was entered. */
static bool came_before(struct function *function, const struct slot *slot, LLVMValueRef argument)
{
    expression place = bridge_expression(function->bridge, argument);
    LLVMValueRef base = place ? bridge_base(function->bridge, place) : NULL;
    if (!base || !slot->base || !LLVMIsAArgument(slot->base))
        return false;
    LLVMValueRef callee = value_is_call(base) ? call_target(base) : NULL;
    return LLVMIsAAllocaInst(base) || (callee && function_changes_strings(callee)) ||
           (LLVMIsAGlobalVariable(base) && LLVMIsGlobalConstant(base));
}

/* Whether `bytes` (negative: any number) at an address are plainly not those of the slot: at
 * another distance from the same base, or in another member of the elements of one array. */
static bool is_beside(struct function *function, const struct slot *slot, LLVMValueRef address,
                      int64_t bytes)
{
    struct bridge *bridge = function->bridge;
    expression place = bridge_expression(bridge, address);
    if (!place || !slot->base || bytes < 0 || bridge_base(bridge, place) != slot->base)
        return false;
    int64_t here, there;
    uint64_t step, other_step;
    bridge_residue(bridge, slot->offset, &here, &step);
    bridge_residue(bridge, bridge_offset(bridge, place), &there, &other_step);
    while (other_step) {
        uint64_t rest = step % other_step;
        step = other_step;
        other_step = rest;
    }
    if (!step)
        return there + bytes <= here || here + slot->bytes <= there;
    int64_t distance = (there - here) % (int64_t)step;
    distance += distance < 0 ? (int64_t)step : 0;
    return distance >= slot->bytes && distance + bytes <= (int64_t)step;
}

/* Whether the address is behind a pointer that is kept in the slot's own object. Data there is
 * taken not to be that object. */
static bool is_behind(struct function *function, const struct slot *slot, LLVMValueRef address)
{
    expression place = bridge_expression(function->bridge, address);
    LLVMValueRef base = place ? bridge_base(function->bridge, place) : NULL;
    if (!base || !slot->base || !LLVMIsALoadInst(base))
        return false;
    expression kept = bridge_expression(function->bridge, LLVMGetOperand(base, 0));
    return kept && bridge_base(function->bridge, kept) == slot->base;
}

/* What is stored is no address, and no part of one: by C's rules for types (C11 6.5) it changes
 * none. Integers of eight bytes and single ones may be parts of structs that are copied. */
static bool stores_number(LLVMValueRef instruction)
{
    if (!LLVMIsAStoreInst(instruction))
        return false;
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(instruction, 0));
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    unsigned bits = kind == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type) : 0;
    return kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind || bits == 16 || bits == 32;
}

static bool stores_address(LLVMValueRef instruction)
{
    return LLVMIsAStoreInst(instruction) &&
           LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(instruction, 0))) == LLVMPointerTypeKind;
}

/* Whether only one of the two can be known to others. */
static bool is_private(struct function *function, const struct slot *slot, LLVMValueRef address)
{
    expression place = bridge_expression(function->bridge, address);
    LLVMValueRef base = place ? bridge_base(function->bridge, place) : NULL;
    return base && slot->base && alias_private_apart(function, base, slot->base);
}

/* Whether the bytes that the event writes may be in the slot. */
static bool may_write(struct function *function, const struct event *event, const struct slot *slot)
{
    /* What comes in messages is no address. */
    if (slot->is_address && (event->routine || stores_number(event->instruction)))
        return false;
    for (unsigned i = 0; i < event->nbuffers; i++) {
        const struct buffer *buffer = &event->buffers[i];
        if (buffer->writes && !buffer->whole &&
            points_may_overlap(function->points, buffer->address, bytes_of(buffer), slot->address,
                               slot->bytes) &&
            !is_beside(function, slot, buffer->address, bytes_of(buffer)) &&
            !is_private(function, slot, buffer->address) &&
            (stores_address(event->instruction) || !is_behind(function, slot, buffer->address)))
            return true;
    }
    return false;
}

/* Whether MPI may put a handle, a status, a number or an address there. */
static bool may_be_result(struct function *function, const struct event *event,
                          const struct slot *slot)
{
    for (unsigned i = 0; event->routine && i < event->routine->narguments; i++) {
        LLVMValueRef argument = LLVMGetOperand(event->instruction, i);
        enum role role = event->routine->arguments[i].role;
        bool many = role == ROLE_requests || role == ROLE_statuses;
        if (!role_may_be_written(role) ||
            LLVMGetTypeKind(LLVMTypeOf(argument)) != LLVMPointerTypeKind ||
            LLVMIsConstant(argument) ||
            !points_may_overlap(function->points, argument, many ? -1 : 8, slot->address,
                                slot->bytes) ||
            is_beside(function, slot, argument, many ? -1 : 8) ||
            is_private(function, slot, argument))
            continue;
        bool gives_address = role == ROLE_new_base || role == ROLE_none;
        if (gives_address || !(slot->is_address || is_behind(function, slot, argument)))
            return true;
    }
    return false;
}

/* Whether an event can change what a load of the slot gives. */
static bool may_change(struct function *function, const struct event *event,
                       const struct slot *slot)
{
    if (may_write(function, event, slot) || may_be_result(function, event, slot))
        return true;
    if (event->kind != EVENT_call)
        return false;
    /* Only functions of this program can reach variables that were not handed out. */
    LLVMValueRef callee = call_target(event->instruction);
    if (!callee || !LLVMIsDeclaration(callee))
        return call_may_write(function->effects, event->instruction, slot->address, slot->bytes);
    if (function_only_looks(callee))
        return false;
    bool strings_only = function_changes_strings(callee);
    for (unsigned i = 0; i < LLVMGetNumArgOperands(event->instruction); i++) {
        LLVMValueRef argument = LLVMGetOperand(event->instruction, i);
        if (LLVMGetTypeKind(LLVMTypeOf(argument)) == LLVMPointerTypeKind &&
            !(strings_only && came_before(function, slot, argument)) &&
            points_may_reach(function->points, argument, slot->address) &&
            !is_private(function, slot, argument))
            return true;
    }
    return false;
}

/* ---- versions ---- */

enum { NOT_LOOKED, UNCHANGED, CHANGED };

/* A walk from a load up to what it sees. */
struct walk {
    struct function *function;
    struct slot slot;
    uint8_t *blocks;   /* whether something in the block may change the slot: looked for once */
    unsigned *visited; /* number of the round in which the block was last come to */
    unsigned round;
    LIST(unsigned) waiting;
};

/* The last event before `end` in the block that may change the slot, or NULL. */
static LLVMValueRef last_change(const struct walk *walk, unsigned block, size_t end)
{
    struct function *function = walk->function;
    for (size_t i = end; i-- > function->first_event[block];) {
        const struct event *event = &function->events.items[i];
        if (!LLVMIsALoadInst(event->instruction) && may_change(function, event, &walk->slot))
            return event->instruction;
    }
    return NULL;
}

static bool changes(struct walk *walk, unsigned block)
{
    if (walk->blocks[block] == NOT_LOOKED)
        walk->blocks[block] =
            last_change(walk, block, walk->function->first_event[block + 1]) ? CHANGED : UNCHANGED;
    return walk->blocks[block] == CHANGED;
}

static void come_to_predecessors(struct walk *walk, unsigned block, unsigned top)
{
    LLVMValueRef label = LLVMBasicBlockAsValue(walk->function->blocks[block]);
    for (LLVMUseRef use = LLVMGetFirstUse(label); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        unsigned from = LLVMIsATerminatorInst(user)
                            ? function_block(walk->function, LLVMGetInstructionParent(user))
                            : walk->function->nblocks;
        if (from == walk->function->nblocks || from == top || walk->visited[from] == walk->round)
            continue;
        walk->visited[from] = walk->round;
        APPEND(&walk->waiting, from);
    }
}

/* Whether something on a way from the dominator to the block, between the two, may change it. */
static bool changes_between(struct walk *walk, unsigned top, unsigned block)
{
    bool changed = false;
    walk->round++;
    walk->waiting.count = 0;
    come_to_predecessors(walk, block, top);
    while (walk->waiting.count && !changed) {
        unsigned at = walk->waiting.items[--walk->waiting.count];
        changed = changes(walk, at);
        come_to_predecessors(walk, at, top);
    }
    return changed;
}

static int common_loop(struct function *function, unsigned block, LLVMValueRef load)
{
    struct bridge *bridge = function->bridge;
    int loop = bridge_loop(bridge, function->blocks[block]);
    while (loop >= 0 && !bridge_loop_contains(bridge, loop, LLVMGetInstructionParent(load)))
        loop = bridge_loop_parent(bridge, loop);
    return loop;
}

static struct version find_version(struct function *function, LLVMValueRef load)
{
    struct walk walk = {.function = function, .slot = slot_of(function, load)};
    walk.blocks = checked(calloc(function->nblocks + 1, sizeof *walk.blocks));
    walk.visited = checked(calloc(function->nblocks + 1, sizeof *walk.visited));
    unsigned block = function_block(function, LLVMGetInstructionParent(load));
    size_t end = function->first_event[block];
    while (end < function->first_event[block + 1] &&
           function->events.items[end].instruction != load)
        end++;
    LLVMValueRef writer;
    while (!(writer = last_change(&walk, block, end))) {
        LLVMBasicBlockRef above = bridge_idom(function->bridge, function->blocks[block]);
        unsigned top = above ? function_block(function, above) : function->nblocks;
        if (!above || changes_between(&walk, top, block))
            break;
        block = top;
        end = function->first_event[top + 1];
    }
    free(walk.blocks);
    free(walk.visited);
    DROP(&walk.waiting);
    return (struct version){writer, block, common_loop(function, block, load)};
}

struct load_version {
    LLVMValueRef load;
    struct version version;
    UT_hash_handle hh;
};

struct version version_of(struct function *function, LLVMValueRef load)
{
    struct load_version *entry;
    HASH_FIND_PTR(function->versions, &load, entry);
    if (!entry) {
        entry = checked(calloc(1, sizeof *entry));
        entry->load = load;
        entry->version = find_version(function, load);
        HASH_ADD_PTR(function->versions, load, entry);
    }
    return entry->version;
}

bool versions_agree(struct function *function, LLVMValueRef a, LLVMValueRef b)
{
    struct version one = version_of(function, a), two = version_of(function, b);
    return one.writer == two.writer && one.block == two.block && one.scope == two.scope;
}

/* ---- representatives ---- */

struct representative {
    LLVMValueRef value, represents;
    UT_hash_handle hh;
};

/* Whether two addresses are the same: also if they start from two loads of one pointer. */
static bool same_place(struct function *function, expression a, expression b)
{
    struct bridge *bridge = function->bridge;
    if (a == b || !a || !b)
        return a == b && a;
    LLVMValueRef base = bridge_base(bridge, a), other = bridge_base(bridge, b);
    return base && other && bridge_offset(bridge, a) == bridge_offset(bridge, b) &&
           alias_representative(function, base) == alias_representative(function, other);
}

/* The value that was stored, if a store to the same address is what the load sees; if not, the
 * first load of the address that sees the same. */
static LLVMValueRef represent_load(struct function *function, LLVMValueRef load)
{
    LLVMValueRef writer = version_of(function, load).writer;
    expression place = bridge_expression(function->bridge, LLVMGetOperand(load, 0));
    if (writer && LLVMIsAStoreInst(writer) &&
        same_place(function, bridge_expression(function->bridge, LLVMGetOperand(writer, 1)),
                   place) &&
        LLVMTypeOf(LLVMGetOperand(writer, 0)) == LLVMTypeOf(load))
        return LLVMGetOperand(writer, 0);
    for EACH (event, &function->events)
        if (LLVMIsALoadInst(event->instruction) &&
            LLVMTypeOf(event->instruction) == LLVMTypeOf(load) &&
            !LLVMGetVolatile(event->instruction) &&
            same_place(function, event->buffers[0].place, place) &&
            versions_agree(function, event->instruction, load))
            return event->instruction;
    return load;
}

/* `p = n > 0 ? malloc(n) : NULL`: whoever touches *p touches what was allocated. */
static LLVMValueRef unless_null(struct function *function, LLVMValueRef value)
{
    struct bridge *bridge = function->bridge;
    LLVMValueRef only = NULL;
    if (!LLVMIsAPHINode(value) || LLVMGetTypeKind(LLVMTypeOf(value)) != LLVMPointerTypeKind)
        return value;
    LLVMBasicBlockRef block = LLVMGetInstructionParent(value);
    int loop = bridge_loop(bridge, block);
    if (loop >= 0 && bridge_loop_header(bridge, loop) == block)
        return value; /* may be from the iteration before */
    for (unsigned i = 0; i < LLVMCountIncoming(value); i++) {
        LLVMValueRef incoming = LLVMGetIncomingValue(value, i);
        if (LLVMIsConstant(incoming) && LLVMIsNull(incoming))
            continue;
        if (only && only != incoming)
            return value;
        only = incoming;
    }
    if (!only || !LLVMIsAInstruction(only))
        return value;
    int made = bridge_loop(bridge, LLVMGetInstructionParent(only));
    expression e = bridge_expression(bridge, only);
    bool plain = e && bridge_base(bridge, e) == only;
    return plain && (made < 0 || bridge_loop_contains(bridge, made, block)) ? only : value;
}

LLVMValueRef alias_representative(struct function *function, LLVMValueRef value)
{
    LLVMValueRef only = unless_null(function, value);
    if (only != value)
        return alias_representative(function, only);
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

/* ---- arrays of allocations ---- */

LLVMValueRef alias_keeper(struct function *function, LLVMValueRef allocation, LLVMValueRef load)
{
    struct bridge *bridge = function->bridge;
    LLVMValueRef keeper = NULL;
    if (!alias_is_allocation(allocation) || !LLVMIsALoadInst(load) || LLVMGetVolatile(load))
        return NULL;
    for (LLVMUseRef use = LLVMGetFirstUse(allocation); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsAStoreInst(user) || LLVMGetOperand(user, 0) != allocation)
            continue;
        if (keeper)
            return NULL;
        keeper = user;
    }
    if (!keeper)
        return NULL;
    expression place = bridge_expression(bridge, LLVMGetOperand(keeper, 1));
    expression other = bridge_expression(bridge, LLVMGetOperand(load, 0));
    LLVMValueRef base = place ? bridge_base(bridge, place) : NULL;
    LLVMValueRef other_base = other ? bridge_base(bridge, other) : NULL;
    int loop = bridge_loop(bridge, LLVMGetInstructionParent(keeper));
    if (!base || !other_base || loop < 0 ||
        bridge_loop(bridge, LLVMGetInstructionParent(allocation)) != loop ||
        !bridge_moves_evenly(bridge, place, loop) ||
        alias_bases(function, base, other_base) != ALIAS_same)
        return NULL;
    struct slot slot = slot_of(function, load);
    for EACH (number, &function->writers) {
        const struct event *event = &function->events.items[*number];
        if (event->instruction != keeper && may_change(function, event, &slot))
            return NULL;
    }
    return keeper;
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
    struct slot slot = slot_of(function, load);
    if (LLVMGetVolatile(load) || !address_is_steady(function, address, loop, depth))
        return false;
    for EACH (number, &function->writers) {
        const struct event *event = &function->events.items[*number];
        if (bridge_loop_contains(function->bridge, loop, function->blocks[event->block]) &&
            may_change(function, event, &slot))
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

void versions_free(struct function *function)
{
    struct steadiness *steadiness, *following;
    HASH_ITER(hh, function->steadiness, steadiness, following)
    {
        HASH_DEL(function->steadiness, steadiness);
        free(steadiness);
    }
    struct load_version *version, *later;
    HASH_ITER(hh, function->versions, version, later)
    {
        HASH_DEL(function->versions, version);
        free(version);
    }
    struct representative *entry, *next;
    HASH_ITER(hh, function->representatives, entry, next)
    {
        HASH_DEL(function->representatives, entry);
        free(entry);
    }
}
