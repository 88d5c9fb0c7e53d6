/* Which pairs of accesses race: sections 4 and 5 of the semantics page. */
#include "oracle_graph.h"

#include <stdlib.h>
#include <string.h>

const char *const oracle_rule_names[ORACLE_RULES] = {
    "edge: thread create",
    "edge: thread join",
    "edge: mutex",
    "edge: barrier of threads",
    "edge: signal between threads",
    "edge: message",
    "edge: synchronous send",
    "edge: collective all to all",
    "edge: collective root to all",
    "edge: collective all to root",
    "edge: scan",
    "edge: neighbourhood collective",
    "edge: nonblocking collective",
    "edge: window constructor",
    "edge: window free",
    "edge: fence",
    "edge: opening fence",
    "edge: post",
    "edge: complete to wait",
    "edge: post to complete, by what was fetched",
    "edge: lock, information passed",
    "edge: atomic, from the issue",
    "completion: update that was fetched",
    "no edge: fence with no_precede",
    "no edge: zero contribution",
    "no edge: order of locks is luck",
    "no edge: atomic, from the completion",
    "no edge: lock before the first read",
    "completion: flush",
    "completion: flush_local of gets",
    "completion: request of gets",
    "completion: fence",
    "completion: unlock",
    "completion: complete of gets",
    "completion: wait at the target",
    "no completion: flush_local of writes",
    "no completion: request of writes",
    "no completion: complete of writes",
    "no completion: fetch that writes",
    "no completion: flush by another thread",
    "conflict: locks exclude",
    "conflict: shared locks do not exclude",
    "conflict: atomics are atomic",
    "conflict: atomics, type",
    "conflict: atomics, elements",
    "conflict: atomics, operation",
    "conflict: atomics, no_op",
    "conflict: atomics, same_op",
    "conflict: atomics, compare-and-swap",
    "conflict: atomics, strict",
    "conflict: atomic read",
    "bytes: exact in granules",
    "bytes: exact in blocks",
};

/* ---- Section 4: ordered -----------------------------------------------------------------------
 */

static bool ends_before(const struct graph *graph, const struct access *a, uint32_t event)
{
    if (event == NEVER)
        return false;
    for (size_t i = 0; i < graph->words; i++)
        if (a->ends[i] & graph->before[event * graph->words + i])
            return true;
    return false;
}

static bool event_before_start(const struct graph *graph, uint32_t event, const struct access *b)
{
    return graph_before(graph, event, b->start) ||
           (b->opening != NEVER && graph_before(graph, event, b->opening));
}

/* Takes out the bytes at which `a` was seen to be over before `b` started. */
static void take_out_seen(const struct graph *graph, const struct access *a, const struct access *b,
                          uint64_t *common)
{
    for (size_t i = 0; i < graph->sighting_count; i++) {
        const struct sighting *sighting = &graph->sightings[i];
        if (&graph->accesses[sighting->access] == a &&
            event_before_start(graph, sighting->event, b))
            for (size_t w = 0; w < BYTE_WORDS; w++)
                common[w] &= ~sighting->bytes[w];
    }
}

static bool ordered(const struct graph *graph, const struct access *a, const struct access *b)
{
    return ends_before(graph, a, b->start) || ends_before(graph, a, b->opening) ||
           ends_before(graph, b, a->start) || ends_before(graph, b, a->opening);
}

/* In lock epochs of two processes on the same window and target, one of them exclusive. */
static bool excluded(const struct graph *graph, const struct access *a, const struct access *b)
{
    if (!graph_has(graph, RULE_EXCLUSION) || a->side.rank == b->side.rank)
        return false;
    for (uint32_t i = 0; i < a->lock_count; i++)
        for (uint32_t j = 0; j < b->lock_count; j++) {
            const struct lock_epoch *p = &graph->epochs[a->locks[i]];
            const struct lock_epoch *q = &graph->epochs[b->locks[j]];
            if (p->window == q->window && p->target == q->target &&
                (p->type == LOCK_EXCLUSIVE || q->type == LOCK_EXCLUSIVE ||
                 !graph_has(graph, RULE_SHARED_DOES_NOT_EXCLUDE)))
                return true;
        }
    return false;
}

/* ---- Section 5: conflict ----------------------------------------------------------------------
 */

enum column { LOAD, STORE, GET, PUT, ACC };

static enum column column_of(enum access_kind kind)
{
    switch (kind) {
    case ACCESS_LOAD:
    case ACCESS_BUFFER_READ:
        return LOAD;
    case ACCESS_STORE:
    case ACCESS_BUFFER_WRITE:
        return STORE;
    case ACCESS_GET:
        return GET;
    case ACCESS_PUT:
        return PUT;
    default:
        return ACC;
    }
}

static bool is_rma(const struct access *access)
{
    return access->operation != NEVER;
}

/* The first byte of the element of the accumulate that covers this byte of the target's memory. */
static uint64_t element_of(const struct graph *graph, const struct access *access, uint64_t byte)
{
    const struct step *step = access->step;
    const struct program_window *window = &graph->trace->program->windows[step->window];
    uint64_t base = window->kind == WINDOW_DYNAMIC ? 0 : window->at[step->target];
    uint64_t size = type_bytes[step->type];
    for (size_t s = 0; s < step->section_count; s++) {
        const struct section *section = &step->sections[s];
        for (uint64_t block = 0; block < section->count; block++) {
            uint64_t start = base + section->start + block * section->stride;
            if (byte >= start && byte < start + section->length)
                return start + (byte - start) / size * size;
        }
    }
    return UINT64_MAX;
}

static bool same_elements(const struct graph *graph, const struct access *a, const struct access *b,
                          const uint64_t *common)
{
    for (uint64_t byte = 0; byte < MAX_MEMORY; byte++)
        if (common[byte / 64] >> (byte % 64) & 1 &&
            element_of(graph, a, byte) != element_of(graph, b, byte))
            return false;
    return true;
}

static bool ops_agree(const struct graph *graph, const struct access *a, const struct access *b)
{
    const struct program *program = graph->trace->program;
    uint32_t p = a->side.op, q = b->side.op;
    bool same_op = program->windows[a->window].same_op || program->windows[b->window].same_op;
    bool strict = program->strict_accumulate && graph_has(graph, RULE_STRICT);
    if (p == q || !graph_has(graph, RULE_ATOMIC_OP))
        return true;
    if (a->side.rank == b->side.rank)
        return true; /* accumulate_ordering */
    if (!graph_has(graph, RULE_SAME_OP))
        same_op = false;
    if ((p == ACC_NO_OP || q == ACC_NO_OP) && !same_op && graph_has(graph, RULE_ATOMIC_NO_OP))
        return true;
    return (p == ACC_CAS || q == ACC_CAS) && !strict && graph_has(graph, RULE_CAS);
}

static bool atomic(const struct graph *graph, const struct access *a, const struct access *b,
                   const uint64_t *common)
{
    if (a->side.op == ACC_NO_OP && b->side.op == ACC_NO_OP)
        return true; /* two reads */
    if (!graph_has(graph, RULE_ATOMIC))
        return false;
    if (graph_has(graph, RULE_ATOMIC_TYPE) && a->side.type != b->side.type)
        return false;
    if (graph_has(graph, RULE_ATOMIC_ELEMENTS) && !same_elements(graph, a, b, common))
        return false;
    return ops_agree(graph, a, b);
}

static bool atomic_read(const struct graph *graph, const struct access *access)
{
    return access->side.op == ACC_NO_OP && graph_has(graph, RULE_ATOMIC_READ);
}

/* Whether the table calls the pair a race, by which rule, and whether it is ours to say. */
enum verdict { VERDICT_FOREIGN, VERDICT_OK, VERDICT_RACE };

static enum verdict without_rma(const struct access *a, const struct access *b,
                                enum race_rule *rule)
{
    bool buffers = a->buffer != NEVER || b->buffer != NEVER;
    if (a->side.rank == b->side.rank && (buffers || a->side.thread == b->side.thread))
        return VERDICT_FOREIGN;
    *rule = a->side.rank == b->side.rank ? RACE_THREAD : RACE_SHARED;
    return column_of(a->side.kind) == STORE || column_of(b->side.kind) == STORE ? VERDICT_RACE
                                                                                : VERDICT_OK;
}

static enum verdict judge(const struct graph *graph, const struct access *a, const struct access *b,
                          const uint64_t *common, enum race_rule *rule)
{
    if (!is_rma(a) && !is_rma(b))
        return without_rma(a, b, rule);
    enum column p = column_of(a->side.kind), q = column_of(b->side.kind);
    if (p > q) {
        const struct access *swap = a;
        enum column other = p;
        a = b;
        b = swap;
        p = q;
        q = other;
    }
    *rule = RACE_REMOTE;
    if (p == ACC) {
        *rule = RACE_ATOMICITY;
        return atomic(graph, a, b, common) ? VERDICT_OK : VERDICT_RACE;
    }
    if (q == ACC && (p == LOAD || p == GET))
        return atomic_read(graph, b) ? VERDICT_OK : VERDICT_RACE;
    if (q == GET && (p == LOAD || p == GET))
        return VERDICT_OK;
    return VERDICT_RACE;
}

/* ---- Pairs ------------------------------------------------------------------------------------
 */

/* An operation's own buffers do not overlap. */
static bool is_local_race(const struct graph *graph, const struct access *a, const struct access *b)
{
    uint64_t any = 0;
    if (!graph->trace->program->local_races || is_rma(a) || is_rma(b) ||
        a->side.rank != b->side.rank || (a->buffer == NEVER && b->buffer == NEVER) ||
        a->step == b->step)
        return false;
    for (size_t i = 0; i < BYTE_WORDS; i++)
        any |= a->all_bytes[i] & b->all_bytes[i];
    return any && !ordered(graph, a, b) &&
           (column_of(a->side.kind) == STORE || column_of(b->side.kind) == STORE);
}

static void check_pair(const struct graph *graph, const struct access *a, const struct access *b,
                       struct oracle_result *result)
{
    struct oracle_race race = {
        .owner = a->owner, .sides = {a->side, b->side}, .steps = {a->step, b->step}};
    uint64_t any = 0;
    if (a->owner != b->owner)
        return;
    if (is_local_race(graph, a, b)) {
        race.local = true;
        race.begun =
            graph_before(graph, a->start, b->start) || graph_before(graph, b->start, a->start);
        TRACE_ADD(result->races, result->count, result->capacity, race);
        return;
    }
    for (size_t i = 0; i < BYTE_WORDS; i++)
        race.common[i] = a->bytes[i] & b->bytes[i];
    take_out_seen(graph, a, b, race.common);
    take_out_seen(graph, b, a, race.common);
    for (size_t i = 0; i < BYTE_WORDS; i++)
        any |= race.common[i];
    if (!any || ordered(graph, a, b) || excluded(graph, a, b))
        return;
    enum access_kind low = a->side.kind < b->side.kind ? a->side.kind : b->side.kind;
    enum access_kind high = a->side.kind < b->side.kind ? b->side.kind : a->side.kind;
    switch (judge(graph, a, b, race.common, &race.rule)) {
    case VERDICT_FOREIGN:
        break;
    case VERDICT_OK:
        result->compatible[low][high]++;
        break;
    case VERDICT_RACE:
        result->racing[low][high]++;
        TRACE_ADD(result->races, result->count, result->capacity, race);
        break;
    }
}

void oracle_check(const struct trace *trace, uint64_t without, struct oracle_result *result)
{
    struct graph graph;
    memset(result, 0, sizeof *result);
    graph_build(&graph, trace, without);
    for (size_t i = 0; i < graph.access_count; i++)
        for (size_t j = 0; j < i; j++)
            check_pair(&graph, &graph.accesses[j], &graph.accesses[i], result);
    graph_clear(&graph);
}

void oracle_clear(struct oracle_result *result)
{
    free(result->races);
    memset(result, 0, sizeof *result);
}

/* ---- Comparison of results --------------------------------------------------------------------
 */

static bool same_side(const struct access_side *a, const struct access_side *b)
{
    return a->kind == b->kind && a->rank == b->rank && a->site == b->site;
}

static bool contains(const struct oracle_result *result, const struct oracle_race *race)
{
    for (size_t i = 0; i < result->count; i++) {
        const struct oracle_race *other = &result->races[i];
        if (race->rule == other->rule && ((same_side(&race->sides[0], &other->sides[0]) &&
                                           same_side(&race->sides[1], &other->sides[1])) ||
                                          (same_side(&race->sides[0], &other->sides[1]) &&
                                           same_side(&race->sides[1], &other->sides[0]))))
            return true;
    }
    return false;
}

bool oracle_same_pairs(const struct oracle_result *a, const struct oracle_result *b)
{
    for (size_t i = 0; i < a->count; i++)
        if (!contains(b, &a->races[i]))
            return false;
    for (size_t i = 0; i < b->count; i++)
        if (!contains(a, &b->races[i]))
            return false;
    return true;
}
