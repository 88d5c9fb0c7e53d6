#include "findings.h"

#include <stdlib.h>

#include "interpose/callers.h"
#include "interpose/regatta_options.h"
#include "interpose/record.h"
#include "recent.h"
#include "session.h"
#include "shortage.h"
#include "engine/table.h"

/* A finding is the same if case and both stacks are: stacks are unique objects, so pointers tell.
 * The ways through the C++ library count as one (callers.h): std::sort would use up max_findings.
 * The command line merges stacks that meet at the same source lines. */
struct seen_key {
    uint64_t which;
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
    if (shortage_blinds())
        return 0;
    if (numbers >= options.max_findings) {
        if (!told_full)
            record_limit("findings", "further findings", "max_findings reached");
        told_full = true;
        return 0;
    }
    return ++numbers;
}

bool finding_is_new(enum finding_case which, const struct stack *first, const struct stack *second)
{
    struct seen_key key = {which, stack_representative(first), stack_representative(second)};
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

void finding_report(struct finding_record *finding)
{
    finding->key = numbers;
    finding_record_write(finding);
    if (finding->has_second && finding->first.thread != finding->second.thread)
        recent_write(); /* what the threads did, for the diagram */
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
