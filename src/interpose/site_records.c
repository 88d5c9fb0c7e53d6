#include "site_records.h"

#include <stdbool.h>
#include <stdlib.h>

#include "engine/table.h"
#include "mpi/routine.h"
#include "record.h"

struct written {
    uint64_t site;
    bool stack, call;
    UT_hash_handle hh;
};

static struct written *all_written;

static struct written *find(uint64_t site)
{
    struct written *written;
    HASH_FIND(hh, all_written, &site, sizeof site, written);
    return written;
}

static struct written *get(uint64_t site)
{
    struct written *written = find(site);
    if (!written && (written = calloc(1, sizeof *written))) {
        written->site = site;
        HASH_ADD(hh, all_written, site, sizeof site, written);
    }
    return written;
}

const char *routine_until(const struct routine *made_by)
{
    bool has_request = routine_has(made_by, ROLE_new_request);
    switch (made_by->verb) {
    case VERB_blocking:
        return NULL;
    case VERB_begins:
        return "file-end";
    case VERB_issues:
        return has_request ? "request-or-epoch" : "epoch";
    default:
        return "request";
    }
}

/* One MPI_Startall may start sends and receives: which it was, the access tells. */
static const char *kind_of(const struct routine *made_by, bool writes)
{
    if (made_by->verb == VERB_prepares &&
        (made_by->object == OBJECT_send || made_by->object == OBJECT_recv))
        return writes ? "recv" : "send";
    return routine_kind(made_by, writes);
}

static void record_call(struct record *record, const struct routine *at,
                        const struct routine *made_by)
{
    const char *until = routine_until(made_by);
    record_string(record, "call", at->name);
    record_string(record, "made_by", made_by->name);
    record_string(record, "reads_as", kind_of(made_by, false));
    record_string(record, "writes_as", kind_of(made_by, true));
    if (until)
        record_string(record, "until", until);
}

/* Without memory to remember it, it is written all the same, and may be again: a finding without
 * its place would be another one. Memory that is short ends the search soon. */
static void write_site(uint64_t site, const struct stack *stack, const struct routine *at,
                       const struct routine *made_by)
{
    struct written unknown = {.site = site}, *written = get(site);
    if (!written)
        written = &unknown;
    if (written->stack && (written->call || !at))
        return;
    struct record record;
    record_begin(&record, "site");
    record_number(&record, "id", (int64_t)site);
    if (at)
        record_call(&record, at, made_by);
    if (!written->stack)
        record_stack(&record, stack);
    record_end(&record);
    written->stack = true;
    written->call |= at != NULL;
}

void site_record(uint64_t site, const struct stack *stack)
{
    if (stack)
        write_site(site, stack, NULL, NULL);
}

uint64_t site_recorded(const struct stack *stack)
{
    site_record((uintptr_t)stack, stack);
    return (uintptr_t)stack;
}

uint64_t site_recorded_call(const struct stack *stack, const struct routine *at,
                            const struct routine *made_by)
{
    uint64_t site = (uintptr_t)stack;
    const struct written *written = find(site);
    if (stack && !(written && written->call))
        write_site(site, stack, at, made_by);
    return site;
}
