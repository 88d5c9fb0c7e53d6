#include "finding.h"
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
    free(report->own_sources);
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

bool finding_is_exchange(const struct finding *finding)
{
    const char *first = finding->first.kind, *second = finding->second.kind;
    return finding->second.present && finding->first.call && finding->second.call && first &&
           second &&
           ((!strcmp(first, "send") && !strcmp(second, "recv")) ||
            (!strcmp(first, "recv") && !strcmp(second, "send")));
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

size_t report_keep(struct report *report, bool (*wanted)(const struct finding *, void *),
                   void *context)
{
    size_t kept = 0, before = report->finding_count;
    for (size_t i = 0; i < before; i++) {
        if (wanted(&report->findings[i], context))
            report->findings[kept++] = report->findings[i];
        else
            free(report->findings[i].pairs);
    }
    report->finding_count = kept;
    return before - kept;
}
