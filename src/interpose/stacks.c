#include "stacks.h"

#include "regatta_options.h"
#include "scripts.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unwind.h>

#include "engine/table.h"
#include "platform/processor.h"

/* ---- equal stacks are one object ---- */

struct interned {
    UT_hash_handle hh;
    struct stack stack;
};

static struct interned *interned;

static const struct stack *intern(const void *const *addresses, int depth)
{
    struct interned *entry;
    size_t bytes = depth * sizeof *addresses;
    HASH_FIND(hh, interned, addresses, bytes, entry);
    if (entry)
        return &entry->stack;
    entry = malloc(sizeof *entry + bytes);
    if (!entry)
        return NULL;
    entry->stack.depth = depth;
    memcpy(entry->stack.addresses, addresses, bytes);
    HASH_ADD_KEYPTR(hh, interned, entry->stack.addresses, bytes, entry);
    return &entry->stack;
}

/* A recursion can be on its way at ever other depths and branches, and every one of these stacks is
 * kept. Once there are many stacks, of a return address that occurs more than once in a new one
 * only the innermost occurrence counts: where a program recurses, it has few stacks then, and all
 * that is lost is how deep it was. Returns the depth that is left. */
enum { STACKS_IN_FULL = 1024 };

static int fold_recursion(const void **addresses, int depth)
{
    int kept = 0;
    for (int i = 0; i < depth; i++) {
        bool again = false;
        for (int k = 0; k < kept && !again; k++)
            again = addresses[k] == addresses[i];
        if (!again)
            addresses[kept++] = addresses[i];
    }
    return kept;
}

static const struct stack *intern_folded(const void *const *addresses, int depth)
{
    const void *folded[2 * STACK_DEPTH];
    if (HASH_COUNT(interned) < STACKS_IN_FULL)
        return intern(addresses, depth);
    memcpy(folded, addresses, depth * sizeof *folded);
    return intern(folded, fold_recursion(folded, depth));
}

const struct stack *stack_of_address(const void *address)
{
    return intern(&address, 1);
}

/* ---- a full unwind ---- */

static _Unwind_Reason_Code trace_frame(struct _Unwind_Context *context, void *argument)
{
    struct trace *trace = argument;
    const void *address = (const void *)_Unwind_GetIP(context);
    /* The runtime's own frames come first: wait for the wrapper's caller. */
    if (trace->depth == 0 && address != trace->caller)
        return _URC_NO_REASON;
    if (!address)
        return _URC_END_OF_STACK;
    trace->addresses[trace->depth] = address;
    trace->slots[trace->depth] = platform_return_slot((const void *)_Unwind_GetCFA(context));
    return ++trace->depth >= trace->limit ? _URC_END_OF_STACK : _URC_NO_REASON;
}

/* ---- frames that are not the program's ---- */

struct in_mpi {
    uintptr_t address;
    bool found;
};

static int check_module(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    struct in_mpi *question = context;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        uintptr_t start = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
        if (info->dlpi_phdr[i].p_type != PT_LOAD || question->address < start ||
            question->address >= start + info->dlpi_phdr[i].p_memsz)
            continue;
        const char *base = strrchr(info->dlpi_name, '/');
        base = base ? base + 1 : info->dlpi_name;
        question->found = strncmp(base, "libmpi", 6) == 0 || strncmp(base, "libregatta", 10) == 0;
        return 1;
    }
    return 0;
}

bool stack_is_foreign(const void *address)
{
    struct in_mpi question = {(uintptr_t)address, false};
    dl_iterate_phdr(check_module, &question);
    return question.found;
}

static const struct stack *unwind(struct trace *trace)
{
    _Unwind_Backtrace(trace_frame, trace);
    if (trace->depth == 0) { /* no unwind tables: the caller is all we know */
        trace->addresses[0] = trace->caller;
        trace->depth = 1;
    }
    int first = 0;
    while (first + 1 < trace->depth && stack_is_foreign(trace->addresses[first]))
        first++;
    return intern_folded(trace->addresses + first, trace->depth - first);
}

/* ---- recent stacks of a thread ---- */

static void recent_stacks_free(void *stacks)
{
    free(stacks);
    interpose_here.recent_stacks = NULL; /* other destructors of the thread may still call MPI */
}

static pthread_key_t at_thread_end; /* made by the thread that calls MPI first */
static bool has_key;

/* Freed when the thread ends: programs may start many. */
static bool recent_stacks_allocate(void)
{
    if (!has_key)
        has_key = pthread_key_create(&at_thread_end, recent_stacks_free) == 0;
    interpose_here.recent_stacks = calloc(RECENT_STACKS, sizeof *interpose_here.recent_stacks);
    if (interpose_here.recent_stacks && has_key)
        pthread_setspecific(at_thread_end, interpose_here.recent_stacks);
    return interpose_here.recent_stacks != NULL;
}

/* ---- in scripts ---- */

struct script_trace {
    struct trace native;
    bool reached; /* the interpreter's own code */
};

static _Unwind_Reason_Code trace_to_interpreter(struct _Unwind_Context *context, void *argument)
{
    struct script_trace *trace = argument;
    if (trace->native.depth && script_is_interpreter((const void *)_Unwind_GetIP(context))) {
        trace->reached = true;
        return _URC_END_OF_STACK;
    }
    return trace_frame(context, &trace->native);
}

/* mpi4py itself says nothing: every call comes from it. */
static bool is_binding(const void *address)
{
    Dl_info info;
    return stack_is_foreign(address) ||
           (dladdr((const char *)address - 1, &info) && strstr(info.dli_fname, "/mpi4py/"));
}

/* The program's own code between a script and MPI, if there is any, and the lines of the script.
 * NULL if no script made the call. */
static const struct stack *take_in_script(const void *caller, int limit)
{
    struct script_trace trace = {.native = {.caller = caller, .limit = limit}};
    const void *addresses[2 * STACK_DEPTH];
    int depth = 0;
    _Unwind_Backtrace(trace_to_interpreter, &trace);
    for (int i = 0; i < trace.native.depth; i++)
        if (depth || !is_binding(trace.native.addresses[i]))
            addresses[depth++] = trace.native.addresses[i];
    int in_script = trace.reached ? script_lines(addresses + depth, limit) : 0;
    return in_script ? intern_folded(addresses, depth + in_script) : NULL;
}

/* ---- the whole ---- */

static int depth_limit(void)
{
    return options.stack_depth < 1             ? 1
           : options.stack_depth > STACK_DEPTH ? STACK_DEPTH
                                               : (int)options.stack_depth;
}

const struct stack *stack_take(const void *caller, const void *frame)
{
    if (!interpose_here.recent_stacks && scripts_are_run()) {
        /* There are no recent stacks in such a process, so nobody takes a line for another one that
         * came by the same return addresses. */
        struct trace trace = {.caller = caller, .limit = depth_limit()};
        const struct stack *in_script = take_in_script(caller, trace.limit);
        return in_script ? in_script : unwind(&trace);
    }
    if (!interpose_here.recent_stacks && !recent_stacks_allocate())
        return NULL;
    struct recent_stack *recent = recent_stack_slot(caller, frame);
    if (recent_stack_is(recent, caller, frame))
        return recent->stack;

    recent->caller = caller;
    recent->frame = frame;
    recent->trace.caller = caller;
    recent->trace.depth = 0;
    recent->trace.limit = depth_limit();
    recent->stack = unwind(&recent->trace);
    return recent->stack;
}
