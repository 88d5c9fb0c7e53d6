#include "conflicts.h"

#include <stdio.h>

#include "accesses.h"
#include "findings.h"
#include "operations.h"
#include "session.h"
#include "interpose/stacks.h"

/* The side that comes second: a call, or a load or store of the program. */
struct newcomer {
    struct operation *operation; /* NULL for an own access */
    const struct own_access *own;
    const void *caller, *frame;
    const struct stack *stack; /* taken when it is needed, if NULL */
    enum buffer_access access;
    uint64_t bytes;
    bool found; /* a conflict */
};

const char *buffer_completion(const struct routine *routine)
{
    bool has_request = routine_has(routine, ROLE_new_request);
    if (routine->verb == VERB_begins)
        return "the matching MPI_File_..._end";
    if (routine->verb == VERB_issues && !has_request)
        return "its epoch is closed or flushed (MPI_Win_flush, MPI_Win_flush_local, "
               "MPI_Win_unlock, "
               "MPI_Win_complete, MPI_Win_fence)";
    if (routine->verb == VERB_issues)
        return "MPI_Wait or MPI_Test on its request, or the end of its epoch";
    return "MPI_Wait or MPI_Test on its request";
}

/* "MPI_Isend", "MPI_Pready (MPI_Psend_init)" */
struct call_name {
    char text[96];
};

static struct call_name name_of_call(const struct routine *at, const struct routine *made_by)
{
    struct call_name name;
    if (at == made_by)
        snprintf(name.text, sizeof name.text, "%s", at->name);
    else
        snprintf(name.text, sizeof name.text, "%s (%s)", at->name, made_by->name);
    return name;
}

/* The same, or "store" */
static struct call_name name_of(const struct newcomer *newcomer)
{
    if (newcomer->operation)
        return name_of_call(newcomer->operation->at, newcomer->operation->routine);
    return newcomer->own->store ? (struct call_name){"store"} : (struct call_name){"load"};
}

static void explain_same_call(struct finding_text *text, const char *name)
{
    snprintf(text->message, sizeof text->message, "race on a buffer: the buffers of one %s overlap",
             name);
    snprintf(text->why, sizeof text->why,
             "MPI may read the one and write the other buffer in any order while the call runs.");
    snprintf(text->fix, sizeof text->fix,
             "use separate memory, or MPI_IN_PLACE or the _replace variant where the call has it.");
}

static void explain(struct finding_text *text, const struct newcomer *newcomer,
                    const struct operation *operation, const struct routine *at, bool wrote)
{
    struct call_name first_name = name_of_call(at, operation->routine),
                     second_name = name_of(newcomer);
    const char *first = first_name.text, *second = second_name.text;
    const char *does = newcomer->access == BUFFER_WRITE ? "writes" : "reads";
    snprintf(text->message, sizeof text->message,
             "race on a buffer in use: %s by rank %d %s what its %s still %s", second, session.rank,
             does, first, wrote ? "writes" : "reads");
    snprintf(text->why, sizeof text->why,
             "the %s keeps its buffer until %s; that has not happened when %s%s %s the same bytes.",
             first, buffer_completion(operation->routine), newcomer->own ? "the " : "", second,
             does);
    if (newcomer->own)
        snprintf(text->fix, sizeof text->fix,
                 "complete the %s before the %s, or use different memory.", first, second);
    else
        snprintf(text->fix, sizeof text->fix,
                 "complete the %s before the %s, or give the two calls different memory.", first,
                 second);
}

static void report(const struct newcomer *newcomer, const struct operation_buffer *older,
                   enum buffer_access older_access, const struct section *common)
{
    const struct operation *operation = older->operation, *later = newcomer->operation;
    struct operation_place from = operation_buffer_place(older);
    bool writes = newcomer->access == BUFFER_WRITE, wrote = older_access == BUFFER_WRITE;
    char first_detail[96], second_detail[128];

    if (!finding_is_new("local-race", from.stack, newcomer->stack))
        return;
    snprintf(first_detail, sizeof first_detail, "%s %llu bytes", wrote ? "writes" : "reads",
             (unsigned long long)older->bytes);
    snprintf(second_detail, sizeof second_detail, "%s %llu bytes, %llu of them the same",
             writes ? "writes" : "reads", (unsigned long long)newcomer->bytes,
             (unsigned long long)common->length);

    struct finding_text text = {.rule = "local-race", .severity = "error"};
    if (operation == later)
        explain_same_call(&text, name_of(newcomer).text);
    else
        explain(&text, newcomer, operation, from.at, wrote);
    struct place places[2] = {
        {.kind = routine_kind(operation->routine, older_access == BUFFER_WRITE),
         .call = from.at->name,
         .detail = first_detail,
         .thread = operation->thread,
         .stack = from.stack},
        {.kind = later    ? routine_kind(later->routine, writes)
                 : writes ? "store"
                          : "load",
         .call = later ? later->at->name : NULL,
         .detail = second_detail,
         .thread = later ? later->thread : session_thread(),
         .stack = newcomer->stack},
    };
    struct finding_memory memory = {.offset = common->start - older->start,
                                    .bytes = common->length};
    finding_report(&text, &places[0], &places[1], &memory);
}

static bool visit(void *context, void *owner, enum buffer_access access,
                  const struct section *common)
{
    struct newcomer *newcomer = context;
    newcomer->found = true;
    if (!newcomer->stack)
        newcomer->stack = stack_take(newcomer->caller, newcomer->frame);
    if (newcomer->operation && !newcomer->operation->stack)
        newcomer->operation->stack = newcomer->stack;
    report(newcomer, owner, access, common);
    return true;
}

void conflicts_check(struct operation *newcomer, const struct call *call,
                     const struct section *sections, size_t n, enum buffer_access access)
{
    struct newcomer context = {.operation = newcomer,
                               .caller = call->caller,
                               .frame = call->frame,
                               .stack = newcomer->stack,
                               .access = access,
                               .bytes = sections_bytes(sections, n)};
    inuse_conflicts(session.inuse, sections, n, access, visit, &context);
}

bool conflicts_check_own(const struct own_access *own)
{
    struct newcomer context = {.own = own,
                               .caller = own->caller,
                               .frame = own->frame,
                               .access = own->store ? BUFFER_WRITE : BUFFER_READ,
                               .bytes = own->bytes};
    struct section section = {.start = own->address, .length = own->bytes, .count = 1};
    inuse_conflicts(session.inuse, &section, 1, context.access, visit, &context);
    return context.found;
}
