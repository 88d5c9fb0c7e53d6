/* A report is settled: findings that are the same become one, each gets its id, and they stand in
 * the order in which they are shown. */
#include "causes.h"
#include "finding.h"
#include "identity.h"
#include "rules.h"

#include <stdlib.h>
#include <string.h>

/* ---- order ----------------------------------------------------------------------------------- */

static int compare_texts(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "");
}

static int compare_numbers(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int compare_frames(const struct frame *x, const struct frame *y)
{
    int order = compare_texts(x->file, y->file);
    if (!order)
        order = compare_numbers(x->line, y->line);
    if (!order)
        order = compare_texts(x->function, y->function);
    /* Within a known line the offset is left out: one line may have several return addresses. */
    if (!order && !(x->file && x->line)) {
        order = compare_texts(x->module, y->module);
        if (!order)
            order = compare_numbers(x->offset, y->offset);
    }
    return order;
}

static int compare_places(const struct access *a, const struct access *b)
{
    static const struct frame nowhere;
    const struct frame *x = access_frame(a), *y = access_frame(b);
    return compare_frames(x ? x : &nowhere, y ? y : &nowhere);
}

/* Places alone do not tell findings apart when there is no stack at all; then the texts must. */
static int compare_if_nowhere(const struct finding *a, const struct finding *b)
{
    if (access_frame(&a->first) || access_frame(&a->second))
        return 0;
    int order = compare_texts(a->first.call, b->first.call);
    return order ? order : compare_texts(a->message, b->message);
}

/* Stacks that end in one place: the one that tells more comes first. */
static int compare_stacks(const struct stack *a, const struct stack *b)
{
    int order = compare_numbers(b->depth, a->depth);
    for (size_t i = 0; !order && i < a->depth; i++)
        order = compare_frames(&a->frames[i], &b->frames[i]);
    return order;
}

/* The two sides in an order of their own, so that (a, b) and (b, a) are the same pair. */
static const struct access *lower_side(const struct finding *finding)
{
    bool swapped = finding->second.present && compare_places(&finding->first, &finding->second) > 0;
    return swapped ? &finding->second : &finding->first;
}

static const struct access *upper_side(const struct finding *finding)
{
    return lower_side(finding) == &finding->first ? &finding->second : &finding->first;
}

/* Severity is not part of it: the graver of two equal findings speaks for both. */
static int compare_identity(const struct finding *a, const struct finding *b)
{
    int order = compare_numbers(rule_rank(a->rule), rule_rank(b->rule));
    if (!order)
        order = compare_texts(a->rule, b->rule);
    if (!order)
        order = compare_places(lower_side(a), lower_side(b));
    if (!order)
        order = compare_numbers(a->second.present, b->second.present);
    if (!order)
        order = compare_places(upper_side(a), upper_side(b));
    if (!order)
        order = compare_if_nowhere(a, b);
    return order;
}

/* Among equal findings the one that speaks for all: graver first, then by what it says. */
static int compare_speakers(const struct finding *a, const struct finding *b)
{
    int order = (int)b->severity - (int)a->severity;
    if (!order) /* who has seen it speaks, not who has thought it out */
        order = (int)(a->found_by == 1u << MODE_CHECK) - (int)(b->found_by == 1u << MODE_CHECK);
    if (!order)
        order = a->first.rank - b->first.rank;
    if (!order)
        order = a->second.rank - b->second.rank;
    if (!order)
        order = compare_numbers(a->first.thread, b->first.thread);
    if (!order)
        order = compare_texts(a->first.call, b->first.call);
    if (!order)
        order = compare_texts(a->message, b->message);
    if (!order)
        order = compare_texts(a->first.detail, b->first.detail);
    if (!order)
        order = compare_texts(a->second.detail, b->second.detail);
    if (!order)
        order = compare_places(&a->first, &b->first);
    if (!order)
        order = compare_stacks(&a->first.stack, &b->first.stack);
    if (!order)
        order = compare_stacks(&a->second.stack, &b->second.stack);
    return order;
}

static int compare_for_joining(const void *left, const void *right)
{
    int order = compare_identity(left, right);
    return order ? order : compare_speakers(left, right);
}

static int compare_for_showing(const void *left, const void *right)
{
    const struct finding *a = left;
    const struct finding *b = right;
    int order = (int)b->severity - (int)a->severity;
    return order ? order : compare_identity(a, b);
}

/* What only `check` found was not seen: its count is none, and its ranks are those of an example.
 */
static bool was_seen(const struct finding *finding)
{
    return finding->found_by != 1u << MODE_CHECK;
}

static void forget_sightings(struct finding *finding)
{
    free(finding->pairs);
    finding->pairs = NULL;
    finding->pair_count = 0;
    finding->count = 0;
    finding->generation = -1;
}

static void join_sightings(struct finding *into, const struct finding *other)
{
    bool swapped = compare_places(&into->first, &other->first) != 0;
    uint64_t room = INT64_MAX - into->count; /* JSON has no larger numbers */
    into->count += other->count < room ? other->count : room;
    if (other->generation >= 0 && (into->generation < 0 || other->generation < into->generation))
        into->generation = other->generation;
    for (size_t i = 0; i < other->pair_count; i++) {
        struct rank_pair pair = other->pairs[i];
        if (swapped && other->second.present)
            pair = (struct rank_pair){pair.second, pair.first};
        finding_add_pair(into, pair);
    }
}

static void join(struct finding *into, struct finding *other)
{
    if (was_seen(other) && !was_seen(into))
        forget_sightings(into);
    if (was_seen(other) || !was_seen(into))
        join_sightings(into, other);
    into->found_by |= other->found_by;
    if (!into->trace)
        into->trace = other->trace;
    if (!into->path)
        into->path = other->path;
    if (!into->outcomes)
        into->outcomes = other->outcomes;
    free(other->pairs);
}

static void sort(struct report *report, int (*compare)(const void *, const void *))
{
    if (report->finding_count)
        qsort(report->findings, report->finding_count, sizeof *report->findings, compare);
}

/* ---- one mistake under two rules ---- */

/* Findings of one process at the same two places stand together. */
static int compare_processes(const void *left, const void *right)
{
    const struct finding *a = left, *b = right;
    int order = compare_places(lower_side(a), lower_side(b));
    if (!order)
        order = compare_numbers(a->second.present, b->second.present);
    if (!order)
        order = compare_places(upper_side(a), upper_side(b));
    return order ? order : a->first.rank - b->first.rank;
}

/* The address of the bytes, as their process told it; 0: it did not. */
static uint64_t address_of(const struct finding *finding)
{
    for (const struct fact *fact = finding->facts; fact; fact = fact->next)
        if (!strcmp(fact->name, "address"))
            return strtoull(fact->value, NULL, 10);
    return 0;
}

/* An operation of a process to its own window memory, out of or into the same memory: what races
 * with it meets its buffer and its target. The target speaks. Without places nothing says that the
 * two are the same. */
static bool is_said_by(const struct finding *local, const struct finding *remote)
{
    int rank = local->first.rank;
    uint64_t here = address_of(local), there = address_of(remote);
    return !strcmp(local->rule, "local-race") && !strcmp(remote->rule, "remote-race") &&
           remote->first.rank == rank && remote->second.rank == rank &&
           local->second.rank == rank && access_frame(&local->first) &&
           access_frame(&local->second) && here && there && here < there + remote->memory.bytes &&
           there < here + local->memory.bytes;
}

static bool is_said_in(const struct finding *some, size_t count, const struct finding *local)
{
    for (size_t i = 0; i < count; i++)
        if (is_said_by(local, &some[i]))
            return true;
    return false;
}

static void drop_said_twice(struct report *report)
{
    sort(report, compare_processes);
    const struct finding *all = report->findings;
    for (size_t start = 0, end = 0; start < report->finding_count; start = end) {
        while (end < report->finding_count && !compare_processes(&all[start], &all[end]))
            end++;
        for (size_t i = start; i < end;) {
            if (is_said_in(&all[start], end - start, &all[i])) {
                report_remove(report, i);
                end--;
            } else {
                i++;
            }
        }
    }
}

/* Joins neighbours that `same` says are one. */
static void join_neighbours(struct report *report,
                            bool (*same)(const struct finding *, const struct finding *))
{
    struct finding *all = report->findings;
    size_t kept = 0;
    for (size_t i = 0; i < report->finding_count; i++) {
        if (kept && same(&all[kept - 1], &all[i]))
            join(&all[kept - 1], &all[i]);
        else
            all[kept++] = all[i];
    }
    report->finding_count = kept;
}

static bool same_places(const struct finding *a, const struct finding *b)
{
    return compare_identity(a, b) == 0;
}

static bool same_id(const struct finding *a, const struct finding *b)
{
    return !strcmp(a->id, b->id);
}

static int compare_ids(const void *left, const void *right)
{
    const struct finding *a = left, *b = right;
    int order = strcmp(a->id, b->id);
    return order ? order : compare_speakers(a, b);
}

void report_settle(struct report *report)
{
    for (size_t i = 0; i < report->finding_count; i++) {
        struct finding *finding = &report->findings[i];
        if (!finding->found_by)
            finding->found_by = 1u << mode_number(report->mode);
        if (!finding->pair_count) {
            int second = finding->second.present ? finding->second.rank : -1;
            finding_add_pair(finding, (struct rank_pair){finding->first.rank, second});
        }
    }
    drop_said_twice(report);
    sort(report, compare_for_joining);
    join_neighbours(report, same_places);
    identity_name(report);
    /* Of several findings files: the same, at another line meanwhile. */
    sort(report, compare_ids);
    join_neighbours(report, same_id);
    sort(report, compare_for_showing);
    causes_find(report);
}

/* ---- another order --------------------------------------------------------------------------- */

static int compare_counts(const void *left, const void *right)
{
    const struct finding *a = left, *b = right;
    int order = compare_numbers(b->count, a->count);
    return order ? order : compare_for_showing(left, right);
}

static int compare_rules(const void *left, const void *right)
{
    int order = compare_identity(left, right);
    return order ? order : compare_for_showing(left, right);
}

static int compare_by_place(const void *left, const void *right)
{
    const struct finding *a = left, *b = right;
    int order = compare_places(lower_side(a), lower_side(b));
    if (!order)
        order = compare_places(upper_side(a), upper_side(b));
    return order ? order : compare_for_showing(left, right);
}

static int lowest_rank(const struct finding *finding)
{
    return finding->pair_count ? finding->pairs[0].first : finding->first.rank;
}

static int compare_ranks(const void *left, const void *right)
{
    int order = lowest_rank(left) - lowest_rank(right);
    return order ? order : compare_for_showing(left, right);
}

void report_sort(struct report *report, const char *order)
{
    static const struct {
        const char *name;
        int (*compare)(const void *, const void *);
    } orders[] = {
        {"count", compare_counts}, {"place", compare_by_place},       {"rank", compare_ranks},
        {"rule", compare_rules},   {"severity", compare_for_showing},
    };
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++)
        if (!strcmp(orders[i].name, order))
            sort(report, orders[i].compare);
}
