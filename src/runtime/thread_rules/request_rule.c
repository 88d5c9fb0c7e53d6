#include "request_rule.h"

#include <link.h>
#include <stdlib.h>

#include "engine/table.h"
#include "operations.h"
#include "shared_handles.h"
#include "watched_call.h"

/* A request is known by the operation behind it, since MPI gives one handle to several operations
 * that are over. When a wait has made the variable MPI_REQUEST_NULL, who comes next finds nothing
 * in it; then the variable tells what was there. Who has a copy of the handle finds no operation
 * behind it; then the handle tells, until MPI gives it to another operation. */
struct known {
    uint64_t operation; /* its number, the address of the variable, or the handle */
    uint64_t held;      /* of the latter two: the number of the operation that was there last, */
    bool completed;     /* which has been completed */
    struct encounters uses;
    UT_hash_handle hh;
};

static struct known *by_operation, *by_variable, *by_handle;

bool request_rule_applies(const struct call *call)
{
    const struct routine *routine = call->routine;
    bool completes = routine->verb == VERB_completes || routine->verb == VERB_tests ||
                     routine->verb == VERB_activates;
    return completes && (routine_has(routine, ROLE_request) || routine_has(routine, ROLE_requests));
}

static const void *requests_of(const struct call *call, int *count)
{
    bool several = routine_has(call->routine, ROLE_requests);
    *count = several ? call->nrequests : 1;
    return several ? call->requests : call->request;
}

static struct known *known_in(struct known **table, uint64_t operation, bool make)
{
    struct known *known;
    HASH_FIND(hh, *table, &operation, sizeof operation, known);
    if (!known && make && (known = calloc(1, sizeof *known))) {
        known->operation = operation;
        HASH_ADD(hh, *table, operation, sizeof operation, known);
    }
    return known;
}

static void forget(struct known **table, struct known *known)
{
    HASH_DEL(*table, known);
    encounters_clear(&known->uses);
    free(known);
}

/* Numbers of operations never come again: those that are over go, when there are many. */
static void forget_some(void)
{
    enum { MANY = 1024 };
    struct known *known, *next;
    if (HASH_COUNT(by_operation) < MANY)
        return;
    HASH_ITER(hh, by_operation, known, next)
    {
        bool is_idle = true;
        for (unsigned i = 0; i < known->uses.count; i++)
            is_idle &= known->uses.list[i]->over && actor_knows(known->uses.list[i]->end);
        if (is_idle)
            forget(&by_operation, known);
    }
}

static bool starts(const struct encounter *encounter)
{
    return encounter->routine->verb == VERB_activates;
}

/* The Forum has settled that two may not wait for one request, or one wait and one test (the
 * paper's table 1). It has not settled two tests, nor a start beside a wait. */
static enum finding_case case_of(const struct encounter *a, const struct encounter *b)
{
    if (starts(a) || starts(b))
        return CASE_REQUEST_STARTED_AND_COMPLETED;
    return a->waits || b->waits ? CASE_REQUEST_COMPLETED_TWICE : CASE_REQUEST_TESTED_TWICE;
}

static void compare(struct hearing *hearing, struct known *known)
{
    for (unsigned i = 0; i < known->uses.count; i++)
        hearing_compare(hearing, known->uses.list[i], "thread-request",
                        case_of(known->uses.list[i], hearing->now), NULL);
    encounters_add(&known->uses, hearing->now);
}

/* Memory of the heap and of other threads' stacks may have changed hands since, unseen: only static
 * variables and those of the main thread's stack stay what they are. */
static int is_in_module(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    uintptr_t address = *(const uintptr_t *)context;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        uintptr_t low = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
        if (info->dlpi_phdr[i].p_type == PT_LOAD && address >= low &&
            address < low + info->dlpi_phdr[i].p_memsz)
            return 1;
    }
    return 0;
}

extern void *__libc_stack_end; /* the far end of the main thread's stack */

static bool stays_what_it_is(const void *variable)
{
    enum { STACK = 8 << 20 };
    uintptr_t address = (uintptr_t)variable, end = (uintptr_t)__libc_stack_end;
    return (address < end && end - address < STACK) || dl_iterate_phdr(is_in_module, &address);
}

static void check_null(struct hearing *hearing, const void *variable)
{
    struct known *known = known_in(&by_variable, (uintptr_t)variable, false);
    if (known && known->completed && stays_what_it_is(variable))
        compare(hearing, known);
}

/* A copy of a handle whose request is complete. Operations that were done at once share one handle:
 * nobody can tell which of them the copy means. */
static void check_copy(struct hearing *hearing, MPI_Request request)
{
    struct known *known = known_in(&by_handle, (uintptr_t)request, false);
    if (known && known->completed && !handle_was_shared(request))
        compare(hearing, known);
}

/* All who have used it, not only the one that will complete it. */
static void note_user(struct hearing *hearing, struct known *known, uint64_t operation)
{
    if (!known)
        return;
    if (known->held != operation)
        encounters_clear(&known->uses);
    known->held = operation;
    known->completed = false;
    encounters_add(&known->uses, hearing->now);
}

void request_check(struct hearing *hearing, const struct call *call)
{
    int count;
    bool ambiguous;
    const void *requests = requests_of(call, &count);
    hearing->now->waits = call->routine->verb == VERB_completes;
    forget_some();
    for (int i = 0; i < count; i++) {
        MPI_Request request = call_request_at(call, requests, i);
        const void *variable = call_request_variable(call, requests, i);
        if (request == handles.request_null) {
            check_null(hearing, variable);
            continue;
        }
        const struct operation *operation = operation_by_request(request, variable, &ambiguous);
        if (!operation && !ambiguous)
            check_copy(hearing, request);
        struct known *known = operation && handle_means(operation, variable)
                                  ? known_in(&by_operation, operation->number, true)
                                  : NULL;
        if (!known)
            continue;
        compare(hearing, known);
        note_user(hearing, known_in(&by_variable, (uintptr_t)variable, true), operation->number);
        note_user(hearing, known_in(&by_handle, (uintptr_t)request, true), operation->number);
    }
}

static void note_end(struct known **table, uint64_t key)
{
    struct known *known = known_in(table, key, false);
    if (known)
        known->completed = true;
}

void request_made(const struct call *call)
{
    MPI_Request request = call_request_at(call, call->new_request, 0);
    struct known *known = known_in(&by_handle, (uintptr_t)request, false);
    if (known) {
        encounters_clear(&known->uses);
        known->held = 0;
        known->completed = false;
    }
}

/* Variables that the call has made MPI_REQUEST_NULL. */
void request_over(const struct call *call)
{
    int count;
    const void *requests = requests_of(call, &count);
    if (call->routine->verb == VERB_activates)
        return; /* completes nothing, and has saved nothing */
    const struct call_request *saved = watched(call)->saved;
    for (int i = 0; saved && i < count; i++) {
        bool ended = saved[i].handle != handles.request_null &&
                     call_request_at(call, requests, i) == handles.request_null;
        if (ended) {
            note_end(&by_variable, (uintptr_t)saved[i].variable);
            note_end(&by_handle, (uintptr_t)saved[i].handle);
        }
    }
}
