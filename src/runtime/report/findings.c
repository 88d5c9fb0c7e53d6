#include "findings.h"

#include <stdlib.h>
#include <string.h>

#include "interpose/callers.h"
#include "interpose/regatta_options.h"
#include "interpose/record.h"
#include "session.h"
#include "engine/table.h"

/* A finding is the same if rule and both stacks are: stacks are unique objects, so pointers tell.
 * The ways through the C++ library count as one (callers.h): std::sort would use up max_findings.
 * The command line merges stacks that meet at the same source lines. */
struct seen_key {
    const char *rule;
    const struct stack *first, *second;
};

struct seen {
    struct seen_key key;
    int number;
    uint64_t count;
    UT_hash_handle hh;
};

static struct seen *seen;
static int numbers;
static bool told_full; /* max_findings reached, and said so */

int finding_number(void)
{
    if (numbers >= options.max_findings) {
        if (!told_full)
            record_limit("findings", "further findings", "max_findings reached");
        told_full = true;
        return 0;
    }
    return ++numbers;
}

bool finding_is_new(const char *rule, const struct stack *first, const struct stack *second)
{
    struct seen_key key = {rule, stack_representative(first), stack_representative(second)};
    struct seen *entry;
    HASH_FIND(hh, seen, &key, sizeof key, entry);
    if (entry) {
        entry->count++;
        return false;
    }
    entry = calloc(1, sizeof *entry);
    if (!entry || !(entry->number = finding_number())) {
        free(entry);
        return false;
    }
    entry->key = key;
    entry->count = 1;
    HASH_ADD(hh, seen, key, sizeof key, entry);
    return true;
}

static void record_place(struct record *record, const char *name, const struct place *place)
{
    record_object(record, name);
    if (place->kind)
        record_string(record, "kind", place->kind);
    record_number(record, "rank", place->remote ? place->rank : session.rank);
    record_number(record, "thread", place->thread);
    if (place->detail)
        record_string(record, "detail", place->detail);
    if (place->remote) {
        if (place->members_length)
            record_members(record, place->members, place->members_length);
    } else {
        if (place->call)
            record_string(record, "call", place->call);
        record_stack(record, place->stack);
    }
    record_object_end(record);
}

void finding_report(const struct finding_text *text, const struct place *first,
                    const struct place *second, const struct finding_memory *memory)
{
    struct record record;
    record_begin(&record, "finding");
    record_number(&record, "key", numbers);
    record_string(&record, "rule", text->rule);
    record_string(&record, "severity", text->severity);
    record_string(&record, "message", text->message);
    record_string(&record, "why", text->why);
    record_string(&record, "fix", text->fix);
    record_place(&record, "first", first);
    if (second)
        record_place(&record, "second", second);
    if (memory) {
        record_object(&record, "memory");
        record_string(&record, "side", memory->is_window ? "target" : "origin");
        record_number(&record, "rank", session.rank);
        if (memory->window)
            record_string(&record, "window", memory->window);
        record_number(&record, "offset", memory->offset);
        record_number(&record, "bytes", memory->bytes);
        record_object_end(&record);
    }
    record_end(&record);
}

void findings_record_counts(void)
{
    for (struct seen *entry = seen; entry; entry = entry->hh.next) {
        if (entry->count == 1)
            continue;
        struct record record;
        record_begin(&record, "count");
        record_number(&record, "key", entry->number);
        record_number(&record, "count", entry->count);
        record_end(&record);
    }
}
