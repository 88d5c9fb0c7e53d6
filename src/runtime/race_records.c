#include "race_records.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "engine.h"
#include "findings.h"
#include "record.h"
#include "routine.h"
#include "session.h"
#include "stacks.h"
#include "transport.h"
#include "window_accesses.h"

/* ---- sites ---- */

/* A site is the address of its stack: below 2^48 and unique in the process. What other ranks need to name
 * it in a finding stands on a blackboard of this rank. */
struct known_site {
    const struct stack *stack;
    UT_hash_handle hh;
};

static struct known_site *known_sites;

static uint64_t site_key(site_t site)
{
    return site << 1 | 1;
}

static void render_site(struct record *members, const struct stack *stack,
                        const struct routine *routine)
{
    record_begin_members(members);
    if (routine)
        record_string(members, "call", routine->name);
    record_stack(members, stack);
}

void race_site_publish(site_t site, const struct stack *stack, const struct routine *routine)
{
    struct record members;
    size_t size;
    render_site(&members, stack, routine);
    board_take(session.rank, site_key(site), &size);
    if (members.failed)
        board_put_back(session.rank, site_key(site));
    else
        board_replace(session.rank, site_key(site), members.text, members.length);
    free(members.text);
}

site_t race_site(const struct stack *stack, const struct routine *routine)
{
    struct known_site *known;
    HASH_FIND_PTR(known_sites, &stack, known);
    if (!known && (known = malloc(sizeof *known))) {
        known->stack = stack;
        HASH_ADD_PTR(known_sites, stack, known);
        race_site_publish((uintptr_t)stack, stack, routine);
    }
    return (uintptr_t)stack;
}

/* ---- findings ---- */

static const char *const kinds[ACCESS_KINDS] = {
    "load",           "store",        "get",      "put", "accumulate", "get_accumulate", "fetch_and_op",
    "compare_and_swap", "load", "store",
};

static const char *const rules[RACE_RULES] = {"remote-race", "atomicity", "shared-window",
                                              "thread-race"};

static bool stopped;

void race_reports_stop(void)
{
    stopped = true;
}

static const char *verb_of(const struct access_side *side)
{
    switch (side->kind) {
    case ACCESS_LOAD:
    case ACCESS_GET:
    case ACCESS_BUFFER_READ:
        return "reads";
    case ACCESS_STORE:
    case ACCESS_PUT:
    case ACCESS_BUFFER_WRITE:
        return "writes";
    default:
        return side->op == ACC_NO_OP ? "reads" : "updates";
    }
}

static bool is_rma(enum access_kind kind)
{
    return kind >= ACCESS_GET && kind <= ACCESS_COMPARE_AND_SWAP;
}

static void write_texts(struct finding_text *text, const struct finding *finding)
{
    const struct access_side *a = &finding->first, *b = &finding->second;
    text->rule = rules[finding->rule];
    text->severity = "error";
    if (finding->rule == RACE_ATOMICITY) {
        snprintf(text->message, sizeof text->message,
                 "accumulates that are not atomic to each other: %s by rank %u and %s by rank %u",
                 kinds[a->kind], a->rank, kinds[b->kind], b->rank);
        snprintf(text->why, sizeof text->why,
                 "they touch the same bytes, nothing orders them, and they differ in %s: only accumulates with "
                 "the same basic type on the same elements and the same operator (or MPI_NO_OP) are atomic.",
                 a->type != b->type ? "basic type" : a->op != b->op ? "operator" : "element boundaries");
        snprintf(text->fix, sizeof text->fix,
                 "use the same operator and type for both, or synchronise between them.");
        return;
    }
    snprintf(text->message, sizeof text->message,
             "race on window memory: %s by rank %u is not ordered with %s by rank %u", kinds[a->kind],
             a->rank, kinds[b->kind], b->rank);
    if (is_rma(a->kind) && is_rma(b->kind) && a->rank == b->rank)
        snprintf(text->why, sizeof text->why,
                 "both operations of rank %u were under way at the same time: the first is over only when it is "
                 "completed by a flush, an unlock or a fence, and none came before the second.",
                 a->rank);
    else if (is_rma(a->kind) || is_rma(b->kind))
        snprintf(text->why, sizeof text->why,
                 "an RMA operation is over at its remote completion (flush, unlock, fence, or the target's "
                 "MPI_Win_wait); no message, barrier or other synchronisation orders that with the other access.");
    else
        snprintf(text->why, sizeof text->why, "no synchronisation orders the two accesses.");
    snprintf(text->fix, sizeof text->fix,
             "complete the operation (e.g. MPI_Win_flush) and synchronise the two ranks after it and before the "
             "other access, e.g. by MPI_Barrier or a message.");
}

/* A load or store of this process, whose site nobody else needs. */
static bool render_own_access(struct place *place, const struct access_side *side)
{
    const struct stack *stack =
        side->rank == (uint32_t)session.rank ? window_access_stack(side->site) : NULL;
    if (!stack)
        return false;
    struct record members;
    render_site(&members, stack, NULL);
    place->members = members.text;
    place->members_length = members.failed ? 0 : members.length;
    return true;
}

static void fill_place(struct place *place, const struct access_side *side, uint64_t bytes,
                       char *detail, size_t room)
{
    snprintf(detail, room, "%s %llu bytes of the window of rank %d", verb_of(side),
             (unsigned long long)bytes, session.rank);
    *place = (struct place){.kind = kinds[side->kind],
                            .detail = detail,
                            .thread = side->thread,
                            .remote = true,
                            .rank = side->rank};
    if (render_own_access(place, side))
        return;
    size_t size;
    const void *members = board_take(side->rank, site_key(side->site), &size);
    char *copy = malloc(size + 1);
    if (copy && size)
        memcpy(copy, members, size);
    board_put_back(side->rank, site_key(side->site));
    place->members = copy;
    place->members_length = copy ? size : 0;
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
    if (stopped)
        return;
    struct reported *larger = realloc(reported, (nreported + 1) * sizeof *reported);
    if (!larger)
        return;
    reported = larger;
    int number = finding_number();
    if (!number)
        return;
    reported[nreported++] = (struct reported){*finding, number};

    struct finding_text text;
    struct place places[2];
    char details[2][96];
    write_texts(&text, finding);
    fill_place(&places[0], &finding->first, finding->common.length, details[0], sizeof details[0]);
    fill_place(&places[1], &finding->second, finding->common.length, details[1], sizeof details[1]);
    struct finding_memory memory = {.offset = 0, .bytes = finding->common.length, .is_window = true};
    finding_report(&text, &places[0], &places[1], &memory);
    free((void *)places[0].members);
    free((void *)places[1].members);
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
