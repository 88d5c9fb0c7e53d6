#include "completers.h"

#include <stdint.h>

#include "operations.h"
#include "interpose/record.h"
#include "interpose/site_records.h"
#include "interpose/stacks.h"
#include "interpose/wrapper.h"

/* Whoever comes first to an entry keeps it: a place that finds all of its own taken is never named.
 */
enum { COMPLETERS_BITS = 8, COMPLETERS = 1 << COMPLETERS_BITS, LOOKED_AT = 8 };

static struct completer {
    const struct stack *issued;    /* NULL: free */
    const struct routine *routine; /* NULL: several calls, or not known */
    const void *caller;
} completers[COMPLETERS];

/* The place's own entry or a free one; NULL: neither. */
static struct completer *entry_of(const struct stack *issued)
{
    uint64_t hash = (uintptr_t)issued * UINT64_C(0x9e3779b97f4a7c15);
    for (size_t i = 0; i < LOOKED_AT; i++) {
        struct completer *entry = &completers[((hash >> (64 - COMPLETERS_BITS)) + i) % COMPLETERS];
        if (!entry->issued || entry->issued == issued)
            return entry;
    }
    return NULL;
}

/* Whether the operation is over at its target when the call has returned, and not before. Requests
 * may have told an earlier end of others like it. Of two threads it is not known here whether the
 * call began behind the operation. What MPI_Win_flush_local completes of a put is its buffer. */
static bool is_certain(const struct operation *operation, const struct call *call)
{
    return call && !routine_has(operation->routine, ROLE_new_request) && !actors_are_concurrent() &&
           (call->routine->verb != VERB_flushes_local || operation->routine->object == OBJECT_get);
}

void completer_note(const struct operation *operation, const struct call *call)
{
    struct completer *entry = entry_of(operation->stack);
    bool certain = is_certain(operation, call);
    if (!entry)
        return;
    if (!entry->issued)
        *entry = (struct completer){operation->stack, certain ? call->routine : NULL,
                                    certain ? call->caller : NULL};
    else if (!certain || entry->caller != call->caller || entry->routine != call->routine)
        entry->routine = NULL;
}

static void write_completer(const struct completer *entry)
{
    uint64_t at = site_recorded(stack_of_address(entry->caller));
    if (!at)
        return;
    struct record record;
    record_begin(&record, "site");
    record_number(&record, "id", (int64_t)(uintptr_t)entry->issued);
    record_string(&record, "completed_by", entry->routine->name);
    record_number(&record, "completed_at", (int64_t)at);
    record_end(&record);
}

void completers_write(void)
{
    for (const struct operation *o = operations_first(); o; o = o->next)
        if (o->window)
            completer_note(o, NULL);
    for (size_t i = 0; i < COMPLETERS; i++)
        if (completers[i].issued && completers[i].routine)
            write_completer(&completers[i]);
}
