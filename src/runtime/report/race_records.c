#include "race_records.h"

#include <stdlib.h>

#include "crossings.h"
#include "engine/engine.h"
#include "findings.h"
#include "hints.h"
#include "recent.h"
#include "interpose/record.h"
#include "interpose/site_records.h"
#include "rma.h"
#include "session.h"
#include "shortage.h"
#include "window_accesses.h"

static const char *const kinds[ACCESS_KINDS] = {
    "load",       "store",          "get",          "put",
    "accumulate", "get_accumulate", "fetch_and_op", "compare_and_swap",
    "load",       "store",
};

/* A call that promised something is a side without a kind of its own. */
static bool is_access(const struct access_side *side)
{
    return side->kind < ACCESS_KINDS;
}

static const char *const rules[RACE_RULES] = {
    "remote-race", "atomicity", "shared-window", "thread-race", "usage", "usage", "usage", "usage"};

static const char *const epochs[EPOCH_KINDS] = {"fence", "exposure", "lock", "none"};

static bool stopped;

void race_reports_stop(void)
{
    stopped = true;
}

static bool is_rma(enum access_kind kind)
{
    return kind >= ACCESS_GET && kind <= ACCESS_COMPARE_AND_SWAP;
}

static const char *access_of(const struct access_side *side)
{
    switch (side->kind) {
    case ACCESS_LOAD:
    case ACCESS_GET:
    case ACCESS_BUFFER_READ:
        return "read";
    case ACCESS_STORE:
    case ACCESS_PUT:
    case ACCESS_BUFFER_WRITE:
        return "write";
    default:
        return side->op == ACC_NO_OP ? "read" : "update";
    }
}

/* A load or store of this process, whose site nobody else needs, is known by the stack that it was
 * last seen with; all other sites are in the records of their rank. */
static struct side_record side_record_of(const struct access_side *side)
{
    if (!is_access(side))
        return (struct side_record){
            .rank = (int)side->rank, .thread = (int)side->thread, .site = side->site};
    struct side_record record = {.kind = kinds[side->kind],
                                 .access = access_of(side),
                                 .epoch = is_rma(side->kind) ? epochs[side->epoch] : NULL,
                                 .rank = (int)side->rank,
                                 .thread = (int)(side->rank == (uint32_t)session.rank
                                                     ? acting_thread(side->thread)
                                                     : side->thread),
                                 .site = side->site};
    const struct window_place *own =
        side->rank == (uint32_t)session.rank ? window_place(side->site) : NULL;
    if (own && own->stack)
        record.site = site_recorded(own->stack);
    if (own)
        record.after = own->recent + 1;
    if (own && own->given_back_by && side->kind == ACCESS_STORE) {
        record.kind = own->given_back_by;
        record.access = "give-back";
    }
    return record;
}

static enum finding_case case_of(const struct finding *finding)
{
    static const enum finding_case by_rule[RACE_RULES] = {
        [RACE_ATOMICITY] = CASE_NOT_ATOMIC,         [MISUSE_UNATTACHED] = CASE_NOT_ATTACHED,
        [MISUSE_NO_STORE] = CASE_FALSE_NOSTORE,     [MISUSE_NO_PUT] = CASE_FALSE_NOPUT,
        [MISUSE_OVERLAP] = CASE_LOCKED_AND_EXPOSED, [RACE_THREAD] = CASE_THREADS_NOT_ORDERED,
    };
    if (by_rule[finding->rule])
        return by_rule[finding->rule];
    return is_rma(finding->first.kind) || is_rma(finding->second.kind) ? CASE_RMA_NOT_ORDERED
                                                                       : CASE_SHARED_NOT_ORDERED;
}

static const char *difference_of(const struct access_side *a, const struct access_side *b)
{
    return a->type != b->type ? "type" : a->op != b->op ? "operator" : "elements";
}

static bool polls(const struct access_side *side)
{
    const struct window_place *own =
        side->rank == (uint32_t)session.rank ? window_place(side->site) : NULL;
    return side->kind == ACCESS_LOAD && own && own->polls;
}

struct reported {
    struct finding finding;
    int number;
};

static struct reported *reported;
static size_t nreported;

void race_report(void *context, const struct finding *finding)
{
    (void)context;
    if (stopped || shortage_blinds() || hint_ignores(finding->common.start, finding->common.length))
        return;
    struct reported *larger = realloc(reported, (nreported + 1) * sizeof *reported);
    if (!larger)
        return;
    reported = larger;
    int number = finding_number();
    if (!number)
        return;
    reported[nreported++] = (struct reported){*finding, number};

    struct rma_place where;
    rma_describe(finding->window, finding->common.start, &where);
    struct finding_record record = {
        .rule = rules[finding->rule],
        .which = case_of(finding),
        .first = side_record_of(&finding->first),
        .second = side_record_of(&finding->second),
        .has_second = finding->rule != MISUSE_UNATTACHED,
        .polls = polls(&finding->first) || polls(&finding->second),
        .numbers = {{"address", (int64_t)finding->common.start}},
        .has_memory = true,
        .memory = {.is_window = true,
                   .rank = session.rank,
                   .offset = where.offset,
                   .bytes = finding->common.length,
                   .window = where.name[0] ? where.name : NULL,
                   .created_by = where.created_by,
                   .created = site_recorded(where.created)},
        .missing = finding->rule >= MISUSE_UNATTACHED            ? NULL
                   : finding->first.rank == finding->second.rank ? "completion"
                                                                 : "order",
        .differ = finding->rule == RACE_ATOMICITY ? difference_of(&finding->first, &finding->second)
                                                  : NULL,
    };
    finding_report(&record);
    recent_write();
}

void race_report_invisible(const struct invisible_store *store)
{
    if (stopped || shortage_blinds() || !finding_number())
        return;
    struct access_side first = {.kind = ACCESS_STORE, .rank = store->writer, .site = store->stored};
    struct access_side second = {
        .kind = ACCESS_LOAD, .rank = (uint32_t)session.rank, .site = store->loaded};
    struct rma_place where;
    rma_describe_window(store->window, &where);
    struct finding_record record = {
        .rule = rules[RACE_SHARED],
        .which =
            store->writer_synchronised ? CASE_SHARED_LOAD_NOT_SYNCED : CASE_SHARED_STORE_NOT_SYNCED,
        .first = side_record_of(&first),
        .second = side_record_of(&second),
        .has_second = true,
        .has_memory = true,
        .memory = {.is_window = true,
                   .rank = (int)store->owner,
                   .offset = store->offset,
                   .bytes = store->bytes,
                   .window = where.name[0] ? where.name : NULL,
                   .created_by = where.created_by,
                   .created = site_recorded(where.created)},
    };
    finding_report(&record);
    recent_write();
}

static bool is_same_side(const struct access_side *a, const struct access_side *b)
{
    return a->kind == b->kind && a->rank == b->rank && a->site == b->site;
}

static bool count(void *context, const struct finding *finding)
{
    (void)context;
    for (size_t i = 0; i < nreported; i++) {
        const struct finding *known = &reported[i].finding;
        if (known->rule == finding->rule && is_same_side(&known->first, &finding->first) &&
            is_same_side(&known->second, &finding->second) && finding->count > 1) {
            struct record record;
            record_begin(&record, "count");
            record_number(&record, "key", reported[i].number);
            record_number(&record, "count", finding->count);
            record_end(&record);
        }
    }
    return true;
}

void race_record_counts(void)
{
    engine_findings(session.engine, count, NULL);
}
