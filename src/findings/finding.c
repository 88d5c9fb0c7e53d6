#include "finding.h"
#include "causes.h"
#include "identity.h"
#include "rules.h"
#include "sources.h"
#include "system_headers.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

struct known_text {
    const char *text;
    UT_hash_handle hh;
};

struct report *report_new(const char *mode)
{
    struct report *report = checked_malloc(sizeof *report);
    memset(report, 0, sizeof *report);
    obstack_init(&report->texts);
    report->mode = report_text(report, mode);
    report->exit_code = -1;
    return report;
}

void report_free(struct report *report)
{
    if (!report)
        return;
    for (size_t i = 0; i < report->finding_count; i++)
        free(report->findings[i].pairs);
    free(report->findings);
    free(report->processes);
    free(report->notes);
    free(report->limits);
    sources_free(report);
    struct known_text *known, *next;
    HASH_ITER(hh, report->known_texts, known, next)
    {
        HASH_DEL(report->known_texts, known);
        free(known);
    }
    obstack_free(&report->texts, NULL);
    free(report);
}

static struct known_text *find_text(struct report *report, const char *text, size_t length)
{
    struct known_text *known;
    HASH_FIND(hh, report->known_texts, text, length, known);
    return known;
}

static const char *remember(struct report *report, const char *text, size_t length)
{
    struct known_text *known = checked_malloc(sizeof *known);
    known->text = text;
    HASH_ADD_KEYPTR(hh, report->known_texts, known->text, length, known);
    return text;
}

const char *report_text(struct report *report, const char *text)
{
    if (!text)
        return NULL;
    size_t length = strlen(text);
    struct known_text *known = find_text(report, text, length);
    return known ? known->text
                 : remember(report, obstack_copy0(&report->texts, text, length), length);
}

const char *report_textf(struct report *report, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    obstack_vprintf(&report->texts, format, arguments);
    va_end(arguments);
    size_t length = (size_t)obstack_object_size(&report->texts);
    obstack_1grow(&report->texts, '\0');
    char *text = obstack_finish(&report->texts);
    struct known_text *known = find_text(report, text, length);
    if (!known)
        return remember(report, text, length);
    obstack_free(&report->texts, text);
    return known->text;
}

struct finding *report_add(struct report *report)
{
    report->findings = checked_grow(report->findings, report->finding_count,
                                    &report->finding_capacity, sizeof *report->findings);
    struct finding *finding = &report->findings[report->finding_count++];
    memset(finding, 0, sizeof *finding);
    finding->count = 1;
    finding->generation = -1;
    finding->memory.offset = -1;
    return finding;
}

struct process *report_add_process(struct report *report)
{
    report->processes = checked_grow(report->processes, report->process_count,
                                     &report->process_capacity, sizeof *report->processes);
    struct process *process = &report->processes[report->process_count++];
    memset(process, 0, sizeof *process);
    process->ending = ENDED_UNKNOWN;
    return process;
}

void report_note(struct report *report, const char *text)
{
    for (size_t i = 0; i < report->note_count; i++)
        if (!strcmp(report->notes[i], text))
            return;
    report->notes = checked_grow(report->notes, report->note_count, &report->note_capacity,
                                 sizeof *report->notes);
    report->notes[report->note_count++] = report_text(report, text);
}

void finding_add_fact(struct report *report, struct finding *finding, const char *name,
                      const char *value)
{
    if (!value)
        return;
    struct fact *fact = obstack_alloc(&report->texts, sizeof *fact);
    *fact = (struct fact){report_text(report, name), report_text(report, value), NULL};
    struct fact **end = &finding->facts;
    while (*end)
        end = &(*end)->next;
    *end = fact;
}

static int compare_pairs(struct rank_pair a, struct rank_pair b)
{
    if (a.first != b.first)
        return a.first < b.first ? -1 : 1;
    return (a.second > b.second) - (a.second < b.second);
}

void finding_add_pair(struct finding *finding, struct rank_pair pair)
{
    /* Binary search: a finding seen by all of 100,000 ranks must not cost a square of that. */
    size_t low = 0;
    size_t high = finding->pair_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = compare_pairs(finding->pairs[middle], pair);
        if (order == 0)
            return;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    size_t count = finding->pair_count;
    if ((count & (count - 1)) == 0) /* full at every power of two, and at 0 */
        finding->pairs =
            checked_realloc(finding->pairs, (count ? 2 * count : 1) * sizeof *finding->pairs);
    memmove(&finding->pairs[low + 1], &finding->pairs[low], (count - low) * sizeof pair);
    finding->pairs[low] = pair;
    finding->pair_count++;
}

const char *mode_name(enum mode mode)
{
    static const char *const names[MODES] = {"run", "check", "stress"};
    return names[mode];
}

enum mode mode_number(const char *name)
{
    for (int i = 0; i < MODES; i++)
        if (!strcmp(name, mode_name(i)))
            return i;
    return MODE_RUN;
}

bool finding_is_confirmed(const struct finding *finding)
{
    return finding->found_by >> MODE_CHECK & 1 && finding->found_by != 1u << MODE_CHECK;
}

const char *severity_name(enum severity severity)
{
    static const char *const names[SEVERITY_COUNT] = {"note", "warning", "error"};
    return names[severity];
}

bool severity_parse(const char *name, enum severity *severity)
{
    for (int i = 0; i < SEVERITY_COUNT; i++) {
        if (!strcmp(name, severity_name(i))) {
            *severity = i;
            return true;
        }
    }
    return false;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

const char *frame_place(struct report *report, const struct frame *frame)
{
    if (frame && frame->file && frame->line)
        return report_textf(report, "%s:%u", frame->file, frame->line);
    if (frame && frame->file)
        return frame->file;
    if (frame && frame->module)
        return report_textf(report, "%s+0x%" PRIx64, base_name(frame->module), frame->offset);
    return "?";
}

static bool says_something(const struct frame *frame)
{
    return frame->file || frame->module || frame->function;
}

/* Between the user's functions may stand what is compiled into the libraries of the language, too:
 * the beginning of a std::thread, std::call_once. And OpenCoarrays' libcaf_*.so makes the MPI calls
 * of Fortran's coarrays. */
static bool is_language_library(const char *module)
{
    static const char *const names[] = {"libstdc++.so", "libc++.so", "libc.so", "libpthread.so",
                                        "libcaf_"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (!strncmp(base_name(module), names[i], strlen(names[i])))
            return true;
    return false;
}

static bool is_users(const struct frame *frame)
{
    if (frame->file)
        return !is_system_header(frame->file);
    return says_something(frame) && !(frame->module && is_language_library(frame->module));
}

const struct frame *stack_place(const struct stack *stack)
{
    for (size_t i = 0; i < stack->depth; i++)
        if (is_users(&stack->frames[i]))
            return &stack->frames[i];
    return stack->depth ? &stack->frames[0] : NULL;
}

const struct frame *access_frame(const struct access *access)
{
    const struct frame *frame = access->present ? stack_place(&access->stack) : NULL;
    return frame && says_something(frame) ? frame : NULL;
}

const struct frame *access_line(const struct access *access)
{
    const struct frame *end = access->stack.frames + access->stack.depth;
    /* libc itself may have debug information, too. */
    for (const struct frame *frame = access_frame(access); frame && frame < end; frame++)
        if (frame->file && frame->line && is_users(frame) &&
            !(frame->module && is_language_library(frame->module)))
            return frame;
    return NULL;
}

size_t report_count(const struct report *report, enum severity severity)
{
    size_t count = 0;
    for (size_t i = 0; i < report->finding_count; i++)
        count += report->findings[i].severity == severity;
    return count;
}

void report_remove(struct report *report, size_t index)
{
    free(report->findings[index].pairs);
    memmove(&report->findings[index], &report->findings[index + 1],
            (report->finding_count - index - 1) * sizeof *report->findings);
    report->finding_count--;
}

/* ---- settling: order, ids, joining --------------------------------------------------------- */

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

static void join(struct finding *into, struct finding *other)
{
    bool swapped = compare_places(&into->first, &other->first) != 0;
    uint64_t room = INT64_MAX - into->count; /* JSON has no larger numbers */
    into->count += other->count < room ? other->count : room;
    into->found_by |= other->found_by;
    if (!into->trace)
        into->trace = other->trace;
    if (other->generation >= 0 && (into->generation < 0 || other->generation < into->generation))
        into->generation = other->generation;
    for (size_t i = 0; i < other->pair_count; i++) {
        struct rank_pair pair = other->pairs[i];
        if (swapped && other->second.present)
            pair = (struct rank_pair){pair.second, pair.first};
        finding_add_pair(into, pair);
    }
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
