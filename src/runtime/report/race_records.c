#include "race_records.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conflicts.h"
#include "engine/engine.h"
#include "findings.h"
#include "interpose/record.h"
#include "releases.h"
#include "rma.h"
#include "mpi/routine.h"
#include "session.h"
#include "interpose/stacks.h"
#include "engine/table.h"
#include "transport.h"
#include "window_accesses.h"

/* ---- sites ---- */

/* A site is the address of its stack: below 2^48 and unique in the process. What is needed to name
 * it in a finding goes to each rank on whose memory something happens from there, in a letter
 * before the first such operation. */
struct site_name {
    struct {
        uint64_t site, rank;
    } key;
    const struct routine
        *made_by; /* of MPI calls: what made the operation; NULL for loads and stores */
    char *members;
    size_t length;
    UT_hash_handle hh;
};

static struct site_name *site_names; /* of this process, and of others as they told */

struct told_site {
    struct {
        uint64_t site, rank;
    } key;
    UT_hash_handle hh;
};

static struct told_site *told_sites; /* what has been told to whom */

static struct site_name *site_name_find(uint32_t rank, site_t site)
{
    struct site_name *name, key = {.key = {site, rank}};
    HASH_FIND(hh, site_names, &key.key, sizeof key.key, name);
    return name;
}

static void site_name_add(uint32_t rank, site_t site, const struct routine *made_by, char *members,
                          size_t length)
{
    struct site_name *name = site_name_find(rank, site);
    if (name) {
        free(members);
        return;
    }
    name = calloc(1, sizeof *name);
    if (!name)
        return;
    name->key.site = site;
    name->key.rank = rank;
    name->made_by = made_by;
    name->members = members;
    name->length = length;
    HASH_ADD(hh, site_names, key, sizeof name->key, name);
}

static void render_site(struct record *members, const struct stack *stack, const struct routine *at)
{
    record_begin_members(members);
    if (at)
        record_string(members, "call", at->name);
    record_stack(members, stack);
}

static void publish(site_t site, const struct stack *stack, const struct routine *at,
                    const struct routine *made_by)
{
    struct record members;
    render_site(&members, stack, at);
    if (members.failed)
        free(members.text);
    else
        site_name_add(session.rank, site, made_by, members.text, members.length);
}

void race_site_publish(site_t site, const struct stack *stack)
{
    publish(site, stack, NULL, NULL);
}

site_t race_site(const struct stack *stack, const struct routine *at, const struct routine *made_by)
{
    if (!site_name_find(session.rank, (uintptr_t)stack))
        publish((uintptr_t)stack, stack, at, made_by);
    return (uintptr_t)stack;
}

/* Routines have the same numbers in all processes. 0: none. */
static uint64_t routine_number(const struct routine *routine)
{
    return routine ? routine - routines + 1 : 0;
}

static const struct routine *routine_by_number(uint64_t number)
{
    return number > 0 && number <= ROUTINES ? &routines[number - 1] : NULL;
}

void race_site_tell(site_t site, uint32_t rank)
{
    struct told_site *told, key = {.key = {site, rank}};
    if (rank == (uint32_t)session.rank)
        return;
    HASH_FIND(hh, told_sites, &key.key, sizeof key.key, told);
    if (told)
        return;
    struct site_name *name = site_name_find(session.rank, site);
    told = name ? calloc(1, sizeof *told) : NULL;
    if (!told)
        return;
    told->key = key.key;
    HASH_ADD(hh, told_sites, key, sizeof told->key, told);
    struct letter letter = {LETTER_SITE,   session.rank, site, routine_number(name->made_by),
                            name->members, name->length};
    letter_send(rank, &letter);
}

void race_site_told(const struct letter *letter)
{
    char *members = malloc(letter->size + 1);
    if (members) {
        memcpy(members, letter->bytes, letter->size);
        site_name_add(letter->from, letter->topic, routine_by_number(letter->number), members,
                      letter->size);
    }
}

/* ---- findings ---- */

static const char *const kinds[ACCESS_KINDS] = {
    "load",       "store",          "get",          "put",
    "accumulate", "get_accumulate", "fetch_and_op", "compare_and_swap",
    "load",       "store",
};

static const char *const rules[RACE_RULES] = {"remote-race", "atomicity", "shared-window",
                                              "thread-race"};

enum { DETAIL_ROOM = MPI_MAX_OBJECT_NAME + 128 };

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

static bool is_update(const struct access_side *side)
{
    return side->kind >= ACCESS_ACCUMULATE && side->kind <= ACCESS_COMPARE_AND_SWAP;
}

static bool writes(const struct access_side *side)
{
    return verb_of(side)[0] != 'r';
}

/* The routine behind an access that is no operation at the target: whose buffer it is. NULL for the
 * program's own. */
static const struct routine *routine_of(const struct access_side *side)
{
    const struct site_name *name =
        is_rma(side->kind) ? NULL : site_name_find(side->rank, side->site);
    return name ? name->made_by : NULL;
}

/* The routine whose buffer is in use for longer than the call takes, or NULL. */
static const struct routine *user_of(const struct access_side *side)
{
    const struct routine *routine = routine_of(side);
    return routine && routine->verb != VERB_blocking ? routine : NULL;
}

/* The word of the findings format. One MPI_Startall may start sends and receives. */
static const char *kind_of(const struct access_side *side)
{
    const struct routine *routine = routine_of(side);
    if (!routine)
        return kinds[side->kind];
    if (routine->verb == VERB_prepares &&
        (routine->object == OBJECT_send || routine->object == OBJECT_recv))
        return writes(side) ? "recv" : "send";
    return routine_kind(routine, writes(side));
}

/* "put", "store", "MPI_Recv" */
static const char *name_of(const struct access_side *side)
{
    const struct routine *routine = routine_of(side);
    return routine ? routine->name : kinds[side->kind];
}

static void explain_atomicity(struct finding_text *text, const struct access_side *a,
                              const struct access_side *b)
{
    snprintf(text->message, sizeof text->message,
             "accumulates that are not atomic to each other: %s by rank %u and %s by rank %u",
             kinds[a->kind], a->rank, kinds[b->kind], b->rank);
    snprintf(
        text->why, sizeof text->why,
        "they touch the same bytes, nothing orders them, and they differ in %s: only accumulates "
        "with "
        "the same basic type on the same elements and the same operator (or MPI_NO_OP) are atomic.",
        a->type != b->type ? "basic type"
        : a->op != b->op   ? "operator"
                           : "element boundaries");
    snprintf(text->fix, sizeof text->fix,
             "use the same operator and type for both, or synchronise between them.");
}

/* When an operation is over at the target, in the words of the kind of epoch it is in. */
static const char *completion_of(const struct access_side *side)
{
    bool reads = verb_of(side)[0] == 'r';
    switch (side->epoch) {
    case EPOCH_FENCE:
        return "the next MPI_Win_fence";
    case EPOCH_EXPOSURE:
        return reads ? "the origin's MPI_Win_complete" : "the target's MPI_Win_wait";
    default:
        return reads ? "MPI_Win_flush, MPI_Win_flush_local or MPI_Win_unlock at the origin"
                     : "MPI_Win_flush or MPI_Win_unlock at the origin";
    }
}

static const char *fix_of(const struct access_side *operation, bool same_rank)
{
    switch (operation->epoch) {
    case EPOCH_FENCE:
        return "put an MPI_Win_fence between the two, or use different bytes of the window.";
    case EPOCH_EXPOSURE:
        return same_rank ? "complete the first in an access epoch of its own (MPI_Win_complete, "
                           "MPI_Win_wait at the "
                           "target), or use different bytes of the window."
                         : "close the exposure epoch (MPI_Win_wait) before the other access, or "
                           "use different bytes.";
    default:
        return same_rank ? "add MPI_Win_flush between the two (MPI_Win_flush_local completes gets "
                           "only), or use different bytes."
                         : "complete the operation (MPI_Win_flush or MPI_Win_unlock), then "
                           "synchronise the two ranks before "
                           "the other access, e.g. by MPI_Barrier or a message; or hold an "
                           "exclusive lock for both.";
    }
}

static void explain_rma(struct finding_text *text, const struct finding *finding)
{
    const struct access_side *a = &finding->first, *b = &finding->second;
    const struct access_side *operation = is_rma(a->kind) ? a : b, *other = operation == a ? b : a;
    bool same_rank = a->rank == b->rank;
    if (is_rma(a->kind) && is_rma(b->kind) && same_rank)
        snprintf(text->why, sizeof text->why,
                 "both operations of rank %u were under way at the same time: the %s is over at "
                 "%s, and that did not "
                 "come before the %s.",
                 a->rank, kinds[a->kind], completion_of(a), kinds[b->kind]);
    else
        snprintf(text->why, sizeof text->why,
                 "the %s of rank %u is over at %s; no message, barrier or other synchronisation "
                 "orders that with "
                 "the %s of rank %u, in either direction.",
                 kinds[operation->kind], operation->rank, completion_of(operation), name_of(other),
                 other->rank);
    snprintf(text->fix, sizeof text->fix, "%s", fix_of(operation, same_rank));
    if (other->kind == ACCESS_LOAD && window_access_polls(other)) {
        size_t length = strlen(text->why);
        snprintf(text->why + length, sizeof text->why - length,
                 " The load looks like polling: MPI promises neither that it ever sees the new "
                 "value nor that it "
                 "sees all of it.");
        snprintf(
            text->fix, sizeof text->fix,
            "poll with an atomic read (MPI_Fetch_and_op with MPI_NO_OP, and %s at the origin), or "
            "wait for a message instead.",
            is_update(operation) ? "the accumulate as it is"
                                 : "MPI_Accumulate with MPI_REPLACE instead of the put");
    }
}

/* The call that ends an operation at its target. */
static const char *completing_call(const struct access_side *operation)
{
    switch (operation->epoch) {
    case EPOCH_FENCE:
        return "MPI_Win_fence";
    case EPOCH_EXPOSURE:
        return writes(operation) ? "MPI_Win_wait at the target" : "MPI_Win_complete";
    default:
        return "MPI_Win_flush or MPI_Win_unlock";
    }
}

/* The call that frees the buffers of an operation. */
static const char *freeing_call(const struct routine *user)
{
    if (user->verb == VERB_begins)
        return "the matching MPI_File_..._end";
    return user->verb == VERB_issues && !routine_has(user, ROLE_new_request)
               ? "MPI_Win_flush_local or the end of its epoch"
               : "MPI_Wait";
}

/* An operation at the target meets a buffer that is in use: either may be the one that should have
 * been completed. */
static void explain_rma_and_buffer(struct finding_text *text, const struct access_side *operation,
                                   const struct access_side *buffer)
{
    const struct routine *user = user_of(buffer);
    const char *kind = kinds[operation->kind];
    snprintf(text->why, sizeof text->why,
             "MPI %s the buffer of rank %u's %s until %s, and the %s of rank %u is over at %s; "
             "nothing orders the end "
             "of one with the start of the other.",
             verb_of(buffer), buffer->rank, user->name, buffer_completion(user), kind,
             operation->rank, completion_of(operation));
    if (buffer->rank == operation->rank)
        snprintf(text->fix, sizeof text->fix,
                 "complete the %s (%s) before the %s is issued, or complete the %s (%s) before the "
                 "call of %s; or use "
                 "different bytes.",
                 user->name, freeing_call(user), kind, kind, completing_call(operation),
                 user->name);
    else
        snprintf(text->fix, sizeof text->fix,
                 "complete the %s (%s) and let rank %u know, e.g. by a message or MPI_Barrier, "
                 "before it issues the "
                 "%s; or complete the %s (%s) and let rank %u know before it calls %s; or use "
                 "different bytes.",
                 user->name, freeing_call(user), operation->rank, kind, kind,
                 completing_call(operation), buffer->rank, user->name);
}

/* No operation at the target: loads, stores and buffers of two processes in a shared window. */
static void explain_shared(struct finding_text *text, const struct access_side *a,
                           const struct access_side *b)
{
    const struct access_side *buffer = user_of(a) ? a : b, *other = buffer == a ? b : a;
    const struct routine *user = user_of(buffer);
    if (!user) {
        snprintf(
            text->why, sizeof text->why,
            "both reach the same memory of a shared window by loads and stores; no message, "
            "barrier or other "
            "synchronisation orders the two ranks between them (MPI_Win_sync alone does not).");
        snprintf(text->fix, sizeof text->fix,
                 "synchronise the two ranks between the accesses: MPI_Win_sync, MPI_Barrier (or a "
                 "message), "
                 "MPI_Win_sync.");
        return;
    }
    snprintf(text->why, sizeof text->why,
             "both reach the same memory of a shared window: MPI %s the buffer of rank %u's %s "
             "until %s; no message, "
             "barrier or other synchronisation orders all of that with the %s of rank %u.",
             verb_of(buffer), buffer->rank, user->name, buffer_completion(user), name_of(other),
             other->rank);
    snprintf(text->fix, sizeof text->fix,
             "complete the %s (%s), then synchronise the two ranks before the %s; or synchronise "
             "them after the %s "
             "and before the call of %s: MPI_Win_sync, MPI_Barrier (or a message), MPI_Win_sync.",
             user->name, freeing_call(user), name_of(other), name_of(other), user->name);
}

/* "put by rank 0", "the buffer of MPI_Isend by rank 0" */
static void describe_side(char *text, size_t room, const struct access_side *side)
{
    snprintf(text, room, "%s%s by rank %u", user_of(side) ? "the buffer of " : "", name_of(side),
             side->rank);
}

static void write_texts(struct finding_text *text, const struct finding *finding)
{
    const struct access_side *a = &finding->first, *b = &finding->second;
    text->rule = rules[finding->rule];
    text->severity = "error";
    if (finding->rule == RACE_ATOMICITY) {
        explain_atomicity(text, a, b);
        return;
    }
    char sides[2][96];
    describe_side(sides[0], sizeof sides[0], a);
    describe_side(sides[1], sizeof sides[1], b);
    snprintf(text->message, sizeof text->message,
             "race on window memory: %s is not ordered with %s", sides[0], sides[1]);
    if (!is_rma(a->kind) && !is_rma(b->kind))
        explain_shared(text, a, b);
    else if (user_of(a) || user_of(b))
        explain_rma_and_buffer(text, user_of(a) ? b : a, user_of(a) ? a : b);
    else
        explain_rma(text, finding);
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

/* "writes 8 bytes at rank 1, window 'halo' offset 0" */
static void describe_bytes(char *detail, size_t room, const struct access_side *side,
                           uint64_t bytes, const struct rma_place *where)
{
    char name[sizeof where->name + 4] = "";
    if (where->name[0])
        snprintf(name, sizeof name, " '%s'", where->name);
    snprintf(detail, room, "%s %llu byte%s%s at rank %d, window%s offset %llu", verb_of(side),
             (unsigned long long)bytes, bytes == 1 ? "" : "s",
             user_of(side) ? " of its buffer" : "", session.rank, name,
             (unsigned long long)where->offset);
}

static void fill_place(struct place *place, const struct access_side *side, const char *detail)
{
    *place = (struct place){.kind = kind_of(side),
                            .detail = detail,
                            .thread = side->thread,
                            .remote = true,
                            .rank = side->rank};
    if (render_own_access(place, side))
        return;
    const struct site_name *name = site_name_find(side->rank, side->site);
    char *copy = name ? malloc(name->length + 1) : NULL;
    if (copy)
        memcpy(copy, name->members, name->length);
    place->members = copy;
    place->members_length = copy ? name->length : 0;
}

struct reported {
    struct finding finding;
    int number;
};

static struct reported *reported;
static size_t nreported;

static bool is_own_access(const struct access_side *side)
{
    return side->kind <= ACCESS_STORE && side->rank == (uint32_t)session.rank;
}

static bool is_update_of_other(const struct access_side *side)
{
    return is_update(side) && side->rank != (uint32_t)session.rank;
}

/* Another rank's update and a load or store of the owner, who reads these bytes by atomics too. If
 * such a read saw the update, the load or store came after it, though the update's origin may not
 * have completed it yet. Which of them saw which is not known, so none is reported: a race may be
 * missed here, no lock is called one. */
static bool may_have_been_seen(const struct finding *finding)
{
    const struct access_side *a = &finding->first, *b = &finding->second;
    return ((is_update_of_other(a) && is_own_access(b)) ||
            (is_update_of_other(b) && is_own_access(a))) &&
           release_was_fetched(finding->common.start);
}

void race_report(void *context, const struct finding *finding)
{
    (void)context;
    if (stopped || may_have_been_seen(finding))
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
    struct rma_place where;
    char details[2][DETAIL_ROOM];
    rma_describe(finding->window, finding->common.start, &where);
    write_texts(&text, finding);
    describe_bytes(details[0], DETAIL_ROOM, &finding->first, finding->common.length, &where);
    snprintf(details[1], DETAIL_ROOM, "%s the same bytes%s", verb_of(&finding->second),
             user_of(&finding->second) ? ", its buffer" : "");
    fill_place(&places[0], &finding->first, details[0]);
    fill_place(&places[1], &finding->second, details[1]);
    struct finding_memory memory = {.offset = where.offset,
                                    .bytes = finding->common.length,
                                    .is_window = true,
                                    .window = where.name[0] ? where.name : NULL};
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
