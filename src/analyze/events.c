#include "events.h"

#include "alias.h"
#include "conditions.h"
#include "derived.h"
#include "normalise.h"

#include <time.h>
#include <uthash.h>

struct block_number {
    LLVMBasicBlockRef block;
    unsigned number;
    UT_hash_handle hh;
};

unsigned function_block(const struct function *function, LLVMBasicBlockRef block)
{
    struct block_number *entry, *numbers = function->block_numbers;
    HASH_FIND_PTR(numbers, &block, entry);
    return entry ? entry->number : function->nblocks;
}

static LLVMValueRef argument_of(LLVMValueRef call, const struct routine *routine, enum role role)
{
    for (unsigned i = 0; i < routine->narguments; i++)
        if (routine->arguments[i].role == role)
            return LLVMGetOperand(call, i);
    return NULL;
}

LLVMValueRef event_argument(const struct event *event, enum role role)
{
    return event->routine ? argument_of(event->instruction, event->routine, role) : NULL;
}

static void add_buffer(struct event *event, struct buffer buffer)
{
    if (event->nbuffers < EVENT_BUFFERS && !is_special_address(buffer.address))
        event->buffers[event->nbuffers++] = buffer;
}

/* MPI_BOTTOM: the buffers are where the datatype says. */
static void add_blocks_of_type(struct event *event, struct buffer buffer, LLVMValueRef type,
                               enum flavour flavour)
{
    struct type_block blocks[TYPE_BLOCKS];
    unsigned count = type_blocks(type, flavour, blocks);
    LLVMTypeRef number = LLVMInt64TypeInContext(LLVMGetTypeContext(LLVMTypeOf(event->instruction)));
    for (unsigned i = 0; i < count; i++) {
        buffer.address = blocks[i].address;
        buffer.element = blocks[i].element;
        buffer.count = LLVMConstInt(number, (unsigned long long)blocks[i].count, true);
        add_buffer(event, buffer);
    }
}

/* One buffer argument of an MPI call. A broadcast reads at the root and writes elsewhere. */
static void add_mpi_buffer(struct event *event, const struct routine_buffer *shape,
                           enum flavour flavour)
{
    LLVMValueRef call = event->instruction;
    struct buffer buffer = {.address = LLVMGetOperand(call, shape->argument),
                            .blocks = shape->blocks,
                            .reads = shape->role == ROLE_read,
                            .writes = shape->role == ROLE_write,
                            .where = shape->at_root ? AT_ROOT : EVERYWHERE};
    bool per_rank = shape->count != NO_ARGUMENT &&
                    (event->routine->arguments[shape->count].role == ROLE_counts);
    if (shape->count != NO_ARGUMENT && !per_rank)
        buffer.count = LLVMGetOperand(call, shape->count);
    if (shape->type != NO_ARGUMENT && !per_rank &&
        event->routine->arguments[shape->type].role != ROLE_types)
        buffer.element = layout_of(LLVMGetOperand(call, shape->type), flavour);
    if (per_rank) {
        buffer.scattered = true;
        buffer.blocks = BLOCKS_sum;
    }
    if (shape->role == ROLE_packed)
        return;
    if (LLVMIsConstant(buffer.address) && LLVMIsNull(buffer.address) &&
        shape->type != NO_ARGUMENT) {
        add_blocks_of_type(event, buffer, LLVMGetOperand(call, shape->type), flavour);
        return;
    }
    /* The first rank has no one before it: Exscan leaves its result alone. */
    if (event->routine->order == ORDER_prefix && strstr(event->routine->name, "xscan") &&
        buffer.writes)
        buffer.where = NOT_AT_FIRST;
    if (shape->role != ROLE_bcast) {
        add_buffer(event, buffer);
        return;
    }
    buffer.reads = true;
    buffer.where = AT_ROOT;
    add_buffer(event, buffer);
    buffer.reads = false;
    buffer.writes = true;
    buffer.where = NOT_AT_ROOT;
    add_buffer(event, buffer);
}

static bool touches_nothing(const struct event *event, enum flavour flavour)
{
    static const enum role peers[] = {ROLE_dest, ROLE_source, ROLE_target};
    if (event->routine->object == OBJECT_sendrecv)
        return false;
    for (size_t i = 0; i < sizeof peers / sizeof peers[0]; i++) {
        LLVMValueRef peer = event_argument(event, peers[i]);
        if (peer && is_proc_null(peer, flavour))
            return true;
    }
    return false;
}

static void add_mpi_buffers(struct event *event, enum flavour flavour)
{
    const struct routine *routine = event->routine;
    if (touches_nothing(event, flavour))
        return;
    LLVMValueRef op = event_argument(event, ROLE_op);
    for (unsigned i = 0; i < routine->nbuffers; i++) {
        const struct routine_buffer *shape = &routine->buffers[i];
        /* MPI_NO_OP does not look at the origin buffer (MPI-4.0 12.3.4). */
        if (routine->verb == VERB_issues && shape->role == ROLE_read && op && is_no_op(op, flavour))
            continue;
        add_mpi_buffer(event, shape, flavour);
    }
    /* A half of a sendrecv whose peer is nobody. */
    if (routine->object == OBJECT_sendrecv && event->nbuffers == 2) {
        LLVMValueRef source = event_argument(event, ROLE_source);
        LLVMValueRef dest = event_argument(event, ROLE_dest);
        if (source && is_proc_null(source, flavour))
            event->nbuffers = 1;
        if (dest && is_proc_null(dest, flavour))
            event->buffers[0] = event->buffers[--event->nbuffers];
    }
}

static bool mpi_event(struct event *event, enum flavour flavour)
{
    const struct routine *routine = event->routine;
    event->root = event_argument(event, ROLE_root);
    event->comm = event_argument(event, ROLE_comm);
    event->window = event_argument(event, ROLE_win);
    event->target = event_argument(event, ROLE_target);
    event->nrequests = event_argument(event, ROLE_nrequests);
    static const enum role slots[] = {ROLE_new_request, ROLE_request, ROLE_requests,
                                      ROLE_request_value};
    for (size_t i = 0; i < sizeof slots / sizeof slots[0] && !event->requests; i++)
        event->requests = event_argument(event, slots[i]);

    switch (routine->verb) {
    case VERB_blocking:
        event->kind = EVENT_access;
        break;
    case VERB_starts:
        event->kind = EVENT_start;
        break;
    case VERB_prepares:
        /* Partitions come into use one by one: not followed yet. */
        if (routine->object == OBJECT_partitioned_send ||
            routine->object == OBJECT_partitioned_recv)
            return false;
        event->kind = EVENT_prepare;
        break;
    case VERB_activates:
        event->kind = EVENT_activate;
        return true;
    case VERB_completes:
        event->kind = EVENT_complete;
        return true;
    case VERB_tests:
        event->kind = routine->object == OBJECT_exposure ? EVENT_sync : EVENT_test;
        if (routine->object == OBJECT_partition)
            event->requests = NULL; /* completes nothing, but brings word from another process */
        return true;
    case VERB_peeks: {
        /* Only looks, but true means completed; the handle is passed by value. */
        event->kind = EVENT_test;
        LLVMValueRef handle = event->requests;
        event->requests = handle && LLVMIsALoadInst(handle) ? LLVMGetOperand(handle, 0) : NULL;
        return true;
    }
    case VERB_releases:
        event->kind = EVENT_release;
        return true;
    case VERB_issues:
        event->kind = EVENT_issue;
        break;
    case VERB_begins:
        event->kind = EVENT_issue;
        event->window = event_argument(event, ROLE_file);
        break;
    case VERB_finishes:
        event->kind = EVENT_sync;
        event->window = event_argument(event, ROLE_file);
        return true;
    case VERB_opens:
    case VERB_closes:
    case VERB_flushes:
    case VERB_flushes_local:
    case VERB_syncs:
        event->kind = EVENT_sync;
        return true;
    case VERB_creates:
        event->kind = EVENT_window;
        if (routine_has(routine, ROLE_new_win))
            return true;
        event->kind = EVENT_access; /* constructors of communicators and files: only their order */
        return true;
    default:
        event->kind = EVENT_access;
        return routine->order != ORDER_none;
    }
    add_mpi_buffers(event, flavour);
    return true;
}

/* Library functions that touch what their arguments point to. Lengths: argument number,
 * -1 for one byte at least (strings), or GIVES_BACK for all of the object. */
enum { GIVES_BACK = -2 };
static const struct {
    const char *name;
    int8_t address, length;
    bool writes;
} library[] = {
    {"memcpy", 0, 2, true},
    {"memcpy", 1, 2, false},
    {"memmove", 0, 2, true},
    {"memmove", 1, 2, false},
    {"memset", 0, 2, true},
    {"memcmp", 0, 2, false},
    {"memcmp", 1, 2, false},
    {"strcpy", 0, -1, true},
    {"strcpy", 1, -1, false},
    {"strncpy", 0, 2, true},
    {"strncpy", 1, -1, false},
    {"strlen", 0, -1, false},
    {"strcmp", 0, -1, false},
    {"strcmp", 1, -1, false},
    {"strcat", 0, -1, true},
    {"sprintf", 0, -1, true},
    {"snprintf", 0, -1, true},
    {"puts", 0, -1, false},
    {"bzero", 0, 1, true},
    {"atoi", 0, -1, false},
    {"strtol", 0, -1, false},
    {"__memcpy_chk", 0, 2, true},
    {"__memcpy_chk", 1, 2, false},
    {"__memset_chk", 0, 2, true},
    {"__memmove_chk", 0, 2, true},
    {"__memmove_chk", 1, 2, false},
    {"free", 0, GIVES_BACK, true},
    {"realloc", 0, GIVES_BACK, true},
    {"reallocarray", 0, GIVES_BACK, true},
    {"_ZdlPv", 0, GIVES_BACK, true},
    {"_ZdaPv", 0, GIVES_BACK, true},
    {"_ZdlPvm", 0, GIVES_BACK, true},
    {"_ZdaPvm", 0, GIVES_BACK, true},
    {"_ZdlPvmSt11align_val_t", 0, GIVES_BACK, true},
    {"_ZdaPvmSt11align_val_t", 0, GIVES_BACK, true},
    {"MPI_Free_mem", 0, GIVES_BACK, true},
    {"shmdt", 0, GIVES_BACK, true},
    {"munmap", 0, 1, true},
};

static bool library_event(struct event *event, const char *name)
{
    unsigned count = LLVMGetNumArgOperands(event->instruction);
    char intrinsic[32] = "";
    if (!strncmp(name, "llvm.mem", 8)) {
        snprintf(intrinsic, sizeof intrinsic, "%s", name + 5);
        intrinsic[strcspn(intrinsic, ".")] = 0;
        name = intrinsic;
    }
    for (size_t i = 0; i < sizeof library / sizeof library[0]; i++) {
        if (strcmp(library[i].name, name) || library[i].address >= (int)count ||
            library[i].length >= (int)count)
            continue;
        add_buffer(event, (struct buffer){
                              .address = LLVMGetOperand(event->instruction, library[i].address),
                              .count = library[i].length < 0
                                           ? NULL
                                           : LLVMGetOperand(event->instruction, library[i].length),
                              .element = layout_bytes(1),
                              .whole = library[i].length == GIVES_BACK,
                              .reads = !library[i].writes,
                              .writes = library[i].writes});
    }
    event->kind = EVENT_access;
    return event->nbuffers > 0;
}

/* The return from a function gives back the variables of its frame (semantics §8, Frames). Where it
 * was inlined, its variables end there; the marks of compilers, which are about blocks, were
 * removed before (normalise.c). */
static bool frame_event(struct event *event, LLVMValueRef variable)
{
    add_buffer(event,
               (struct buffer){
                   .address = variable, .element = layout_bytes(1), .whole = true, .writes = true});
    event->kind = EVENT_access;
    return event->nbuffers > 0;
}

static bool call_event(struct event *event, enum flavour flavour)
{
    LLVMValueRef callee = call_target(event->instruction);
    event->routine = call_routine(event->instruction);
    if (event->routine)
        return mpi_event(event, flavour) || library_event(event, event->routine->name);
    const char *name = callee ? LLVMGetValueName2(callee, &(size_t){0}) : "";
    if (library_event(event, name))
        return true;
    if (!strncmp(name, "llvm.lifetime.end", 17))
        return frame_event(event, LLVMGetOperand(event->instruction, 1));
    if (!strncmp(name, "llvm.", 5) || !strncmp(name, STAND_IN, strlen(STAND_IN)))
        return false;
    event->kind = EVENT_call;
    return true;
}

/* Optimised bitcode loads before it is known whether the value is wanted: all that comes of it are
 * the arms of selections. */
static bool is_speculative(LLVMValueRef value, int depth)
{
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        bool arm = LLVMIsASelectInst(user) && LLVMGetOperand(user, 0) != value;
        bool pure =
            LLVMIsABinaryOperator(user) || LLVMIsACastInst(user) || LLVMIsAUnaryOperator(user);
        if (!arm && !(pure && depth > 0 && is_speculative(user, depth - 1)))
            return false;
    }
    return LLVMGetFirstUse(value) != NULL;
}

static bool memory_event(struct event *event, LLVMTargetDataRef data)
{
    LLVMValueRef at = event->instruction;
    struct buffer buffer = {0};
    LLVMTypeRef type;
    if (LLVMIsALoadInst(at)) {
        buffer.address = LLVMGetOperand(at, 0);
        buffer.reads = true;
        buffer.speculative = is_speculative(at, 4);
        type = LLVMTypeOf(at);
    } else if (LLVMIsAStoreInst(at)) {
        buffer.address = LLVMGetOperand(at, 1);
        buffer.writes = true;
        type = LLVMTypeOf(LLVMGetOperand(at, 0));
    } else if (LLVMIsAAtomicRMWInst(at)) {
        buffer.address = LLVMGetOperand(at, 0);
        buffer.reads = buffer.writes = true;
        type = LLVMTypeOf(LLVMGetOperand(at, 1));
    } else {
        return false;
    }
    buffer.element = layout_bytes((int64_t)LLVMStoreSizeOfType(data, type));
    add_buffer(event, buffer);
    event->kind = EVENT_access;
    return event->nbuffers > 0;
}

/* Whether an operation may use the variable after its call has returned. */
static bool is_given_away(LLVMValueRef address, int depth)
{
    for (LLVMUseRef use = LLVMGetFirstUse(address); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        const struct routine *routine = value_is_call(user) ? call_routine(user) : NULL;
        if (routine && (routine->verb == VERB_starts || routine->verb == VERB_issues ||
                        routine->verb == VERB_prepares))
            return true;
        if (LLVMIsAGetElementPtrInst(user) && depth > 0 && is_given_away(user, depth - 1))
            return true;
    }
    return false;
}

static void find_bases(struct function *function, struct event *event)
{
    for (unsigned i = 0; i < event->nbuffers; i++) {
        struct buffer *buffer = &event->buffers[i];
        buffer->place = bridge_expression(function->bridge, buffer->address);
        buffer->base = buffer->place ? bridge_base(function->bridge, buffer->place) : NULL;
        buffer->nindices = member_indices(buffer->address, buffer->indices);
    }
}

static void add_frame_event(struct function *function, LLVMValueRef at, unsigned block,
                            LLVMValueRef variable)
{
    struct event event = {.instruction = at, .block = block};
    if (!is_given_away(variable, 3) || !frame_event(&event, variable))
        return;
    find_bases(function, &event);
    APPEND(&function->writers, function->events.count);
    APPEND(&function->events, event);
}

static bool is_stack_call(LLVMValueRef at, const char *name)
{
    LLVMValueRef callee = at && value_is_call(at) ? call_target(at) : NULL;
    return callee && !strncmp(LLVMGetValueName2(callee, &(size_t){0}), name, strlen(name));
}

/* Arrays of variable length, and what alloca gave to a function that was inlined, end where the
 * stack is as it was before them. */
static void read_stack_restored(struct function *function, LLVMValueRef at, unsigned block)
{
    LLVMValueRef saved = LLVMGetOperand(at, 0);
    if (!is_stack_call(saved, "llvm.stacksave"))
        return;
    LLVMBasicBlockRef since = LLVMGetInstructionParent(saved);
    for (unsigned i = 0; i < function->nblocks; i++) {
        bool after = function->blocks[i] != since;
        if (after && !bridge_dominates(function->bridge, since, function->blocks[i]))
            continue;
        for (LLVMValueRef variable = LLVMGetFirstInstruction(function->blocks[i]); variable;
             variable = LLVMGetNextInstruction(variable)) {
            after |= variable == saved;
            if (after && LLVMIsAAllocaInst(variable))
                add_frame_event(function, at, block, variable);
        }
    }
}

/* At the end of a function: one event for each variable of its frame that matters. */
static void read_return(struct function *function, LLVMValueRef at, unsigned block)
{
    if (!strcmp(LLVMGetValueName2(function->value, &(size_t){0}), "main"))
        return; /* what is under way there ended in MPI_Finalize, or is lost anyway */
    for (LLVMValueRef variable = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function->value));
         variable; variable = LLVMGetNextInstruction(variable))
        if (LLVMIsAAllocaInst(variable))
            add_frame_event(function, at, block, variable);
}

static void order_blocks(struct function *function)
{
    struct frame {
        LLVMBasicBlockRef block;
        unsigned next;
    };
    LIST(struct frame) frames = {0};
    LIST(LLVMBasicBlockRef) finished = {0};
    struct block_number *numbers = NULL, *entry;
    LLVMBasicBlockRef first = LLVMGetEntryBasicBlock(function->value);
    APPEND(&frames, (struct frame){first, 0});
    entry = checked(calloc(1, sizeof *entry));
    entry->block = first;
    HASH_ADD_PTR(numbers, block, entry);
    while (frames.count) {
        struct frame *frame = &frames.items[frames.count - 1];
        LLVMValueRef end = LLVMGetBasicBlockTerminator(frame->block);
        if (end && frame->next < LLVMGetNumSuccessors(end)) {
            LLVMBasicBlockRef successor = LLVMGetSuccessor(end, frame->next++);
            HASH_FIND_PTR(numbers, &successor, entry);
            if (!entry) {
                entry = checked(calloc(1, sizeof *entry));
                entry->block = successor;
                HASH_ADD_PTR(numbers, block, entry);
                APPEND(&frames, (struct frame){successor, 0});
            }
            continue;
        }
        APPEND(&finished, frame->block);
        frames.count--;
    }
    DROP(&frames);
    function->nblocks = (unsigned)finished.count;
    function->blocks = checked(calloc(finished.count, sizeof *function->blocks));
    for (unsigned i = 0; i < function->nblocks; i++) {
        LLVMBasicBlockRef block = finished.items[function->nblocks - 1 - i];
        function->blocks[i] = block;
        HASH_FIND_PTR(numbers, &block, entry);
        entry->number = i;
    }
    function->block_numbers = numbers;
    DROP(&finished);
}

enum { SECONDS_PER_FUNCTION = 20 };

static double seconds_now(void);

struct function *function_read(LLVMValueRef value, enum flavour flavour, struct points *points,
                               const struct effects *effects)
{
    struct function *function = checked(calloc(1, sizeof *function));
    function->value = value;
    function->flavour = flavour;
    function->points = points;
    function->effects = effects;
    function->deadline = seconds_now() + SECONDS_PER_FUNCTION;
    function->bridge = bridge_open(value);
    LLVMTargetDataRef data = LLVMGetModuleDataLayout(LLVMGetGlobalParent(value));
    order_blocks(function);
    function->first_event = checked(calloc(function->nblocks + 1, sizeof(size_t)));
    for (unsigned i = 0; i < function->nblocks; i++) {
        function->first_event[i] = function->events.count;
        for (LLVMValueRef at = LLVMGetFirstInstruction(function->blocks[i]); at;
             at = LLVMGetNextInstruction(at)) {
            struct event event = {.instruction = at, .block = i};
            if (value_is_call(at) ? call_event(&event, flavour) : memory_event(&event, data)) {
                find_bases(function, &event);
                if (!LLVMIsALoadInst(at))
                    APPEND(&function->writers, function->events.count);
                APPEND(&function->events, event);
            } else if (event.routine && event.routine->verb == VERB_prepares) {
                function->gaps[GAP_partitioned]++;
            } else if (LLVMIsAReturnInst(at)) {
                read_return(function, at, i);
            } else if (is_stack_call(at, "llvm.stackrestore")) {
                read_stack_restored(function, at, i);
            }
        }
    }
    function->first_event[function->nblocks] = function->events.count;
    return function;
}

static double seconds_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

bool function_is_late(struct function *function)
{
    if (!function->late)
        function->late = seconds_now() > function->deadline;
    return function->late;
}

void function_free(struct function *function)
{
    struct block_number *entry, *next, *numbers = function->block_numbers;
    HASH_ITER(hh, numbers, entry, next)
    {
        HASH_DEL(numbers, entry);
        free(entry);
    }
    alias_free(function);
    conditions_free(function);
    bridge_close(function->bridge);
    free(function->blocks);
    free(function->first_event);
    DROP(&function->events);
    DROP(&function->writers);
    free(function);
}
