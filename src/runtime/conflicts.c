#include "conflicts.h"

#include <stdio.h>
#include <string.h>

#include "findings.h"
#include "operations.h"
#include "session.h"
#include "stacks.h"

/* The side that comes second. */
struct newcomer {
    struct operation *operation;
    const struct call *call;
    enum buffer_access access;
    uint64_t bytes;
};

/* The findings schema's word for what an operation does to a buffer. */
static const char *kind_of(const struct routine *routine, enum buffer_access access)
{
    switch (routine->object) {
    case OBJECT_send:
    case OBJECT_partitioned_send:
        return "send";
    case OBJECT_recv:
    case OBJECT_partitioned_recv:
        return "recv";
    case OBJECT_sendrecv:
        return access == BUFFER_READ ? "send" : "recv";
    case OBJECT_collective:
        return "collective";
    case OBJECT_io:
        return "io";
    case OBJECT_put:
        return "put";
    case OBJECT_get:
        return "get";
    case OBJECT_accumulate:
        return "accumulate";
    case OBJECT_get_accumulate:
        return "get_accumulate";
    case OBJECT_fetch_and_op:
        return "fetch_and_op";
    case OBJECT_compare_and_swap:
        return "compare_and_swap";
    default: /* MPI_Pack and the like work on memory as the program itself would */
        return access == BUFFER_READ ? "load" : "store";
    }
}

/* What frees the buffers of an operation. */
static const char *completion_of(const struct operation *operation)
{
    if (operation->has_file)
        return "the matching MPI_File_..._end";
    if (operation->window && !operation->has_request)
        return "its epoch is closed or flushed (MPI_Win_flush, MPI_Win_flush_local, MPI_Win_unlock, "
               "MPI_Win_complete, MPI_Win_fence)";
    if (operation->window)
        return "MPI_Wait or MPI_Test on its request, or the end of its epoch";
    return "MPI_Wait or MPI_Test on its request";
}

static void report(const struct newcomer *newcomer, const struct operation_buffer *older,
                   enum buffer_access older_access, const struct section *common)
{
    const struct operation *operation = older->operation;
    const struct operation *later = newcomer->operation;
    const char *first = operation->routine->name, *second = later->routine->name;
    bool same_call = operation == later;
    bool writes = newcomer->access == BUFFER_WRITE, wrote = older_access == BUFFER_WRITE;
    char first_detail[96], second_detail[128];

    if (!finding_is_new("local-race", operation->stack, later->stack))
        return;
    snprintf(first_detail, sizeof first_detail, "%s %llu bytes", wrote ? "writes" : "reads",
             (unsigned long long)older->bytes);
    snprintf(second_detail, sizeof second_detail, "%s %llu bytes, %llu of them the same",
             writes ? "writes" : "reads", (unsigned long long)newcomer->bytes,
             (unsigned long long)common->length);

    struct finding_text text = {.rule = "local-race", .severity = "error"};
    if (same_call) {
        snprintf(text.message, sizeof text.message,
                 "race on a buffer: the buffers of one %s overlap", second);
        snprintf(text.why, sizeof text.why,
                 "MPI may read the one and write the other buffer in any order while the call runs.");
        snprintf(text.fix, sizeof text.fix,
                 "use separate memory, or MPI_IN_PLACE or the _replace variant where the call has it.");
    } else {
        snprintf(text.message, sizeof text.message,
                 "race on a buffer in use: %s by rank %d %s what its %s still %s", second,
                 session.rank, writes ? "writes" : "reads", first, wrote ? "writes" : "reads");
        snprintf(text.why, sizeof text.why,
                 "the %s keeps its buffer until %s; that has not happened when %s %s the same bytes.",
                 first, completion_of(operation), second, writes ? "writes" : "reads");
        snprintf(text.fix, sizeof text.fix,
                 "complete the %s before the %s, or give the two calls different memory.", first,
                 second);
    }
    struct place places[2] = {
        {.kind = kind_of(operation->routine, older_access),
         .call = first,
         .detail = first_detail,
         .thread = operation->thread,
         .stack = operation->stack},
        {.kind = kind_of(later->routine, newcomer->access),
         .call = second,
         .detail = second_detail,
         .thread = later->thread,
         .stack = later->stack},
    };
    struct finding_memory memory = {.offset = common->start - older->start,
                                    .bytes = common->length};
    finding_report(&text, &places[0], &places[1], &memory);
}

static bool visit(void *context, void *owner, enum buffer_access access,
                  const struct section *common)
{
    struct newcomer *newcomer = context;
    if (!newcomer->operation->stack)
        newcomer->operation->stack = stack_take(newcomer->call->caller, newcomer->call->frame);
    report(newcomer, owner, access, common);
    return true;
}

void conflicts_check(struct operation *newcomer, const struct call *call,
                     const struct section *sections, size_t n, enum buffer_access access)
{
    struct newcomer context = {newcomer, call, access, sections_bytes(sections, n)};
    inuse_conflicts(session.inuse, sections, n, access, visit, &context);
}
