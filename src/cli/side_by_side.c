#include "side_by_side.h"
#include "findings/views.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- what came out ---- */

static void compare_ends(struct report *report, struct outcomes *outcomes,
                         const struct comparison *comparison, const struct trial *trial,
                         const struct reference *reference)
{
    const char *here =
        trial->hung ? report_textf(report, "no end: stopped after %.0f seconds", trial->seconds)
        : comparison->outcome == OUTCOME_CODE && comparison->detail
            ? report_textf(report, "exit code %d: %s", trial->code, comparison->detail)
            : report_textf(report, "exit code %d", trial->code);
    outcomes_add_row(
        report, outcomes,
        (struct outcome_row){"end", report_textf(report, "exit code %d", reference->code), here});
}

/* The lines from the first that differs on, as many as are read at a glance. */
static const char *some_lines(struct report *report, const char *text)
{
    enum { LINES = 4, WIDTH = 200 };
    const char *lines = *text ? "" : "(nothing)";
    for (int i = 0; *text && i < LINES; i++) {
        int length = (int)strcspn(text, "\n");
        lines = report_textf(report, "%s%s%.*s", lines, i ? "\n" : "",
                             length < WIDTH ? length : WIDTH, text);
        text += length + (text[length] == '\n');
    }
    return *text ? report_textf(report, "%s\n…", lines) : lines;
}

static void compare_output(struct report *report, struct outcomes *outcomes,
                           const struct trial *trial, const struct reference *reference)
{
    char *output = trial_output(trial), *normal = outcome_normalise(reference, output);
    const char *was = reference->outputs[0], *is = normal;
    size_t length;
    while (*was && (length = strcspn(was, "\n") + 1) && !strncmp(was, is, length)) {
        was += length;
        is += length;
    }
    if (*was || *is)
        outcomes_add_row(report, outcomes,
                         (struct outcome_row){"standard output, lines sorted",
                                              some_lines(report, was), some_lines(report, is)});
    free(normal);
    free(output);
}

static const char *bytes_text(struct report *report, const struct memory *memory)
{
    return memory->bytes == 1
               ? report_textf(report, "byte %" PRId64, memory->offset)
               : report_textf(report, "bytes %" PRId64 " to %" PRId64, memory->offset,
                              memory->offset + (int64_t)memory->bytes - 1);
}

static void compare_memory(struct report *report, struct outcomes *outcomes,
                           const struct finding *finding, const struct comparison *comparison)
{
    const struct traced_print *print = comparison->print, *before = comparison->before;
    if (!print || !before)
        return;
    const char *what =
        !print->is_window
            ? report_textf(report, "data received by rank %d", print->rank)
            : report_textf(report, "%s of %s%s%s of rank %d", bytes_text(report, &finding->memory),
                           print->window ? "window '" : "a window",
                           print->window ? print->window : "", print->window ? "'" : "",
                           print->rank);
    outcomes_add_row(
        report, outcomes,
        (struct outcome_row){
            what, report_textf(report, "contents with the hash %08" PRIx32, (uint32_t)before->hash),
            report_textf(report, "contents with the hash %08" PRIx32, (uint32_t)print->hash)});
}

/* ---- what the schedule did ---- */

static const struct {
    enum setting setting;
    long value;
    const char *text;
} deeds[] = {
    {SETTING_defer, 1, "RMA operations wait for the call that must complete them"},
    {SETTING_local_completion, 1, "they wait past local completion, with a copy of their buffer"},
    {SETTING_order, 1, "they go to MPI in random order"},
    {SETTING_order, 2, "they go to MPI in reverse order"},
    {SETTING_order, 3, "puts go to MPI first"},
    {SETTING_order, 4, "gets go to MPI first"},
    {SETTING_split, 1, "each goes element by element"},
    {SETTING_split, 2, "each goes byte by byte"},
    {SETTING_add_flush, 1, "each is flushed as soon as it has gone to MPI"},
    {SETTING_poison, 1, "received data comes at completion, not before"},
    {SETTING_synchronous, 1, "standard sends are synchronous"},
    {SETTING_wildcards, 1, "wildcard receives take another message that is there"},
    {SETTING_late_tests, 1, "MPI_Test and MPI_Iprobe say no a few times"},
    {SETTING_stagger, 1, "the ranks go one after the other, from 0 up"},
    {SETTING_stagger, 2, "the ranks go one after the other, down to 0"},
    {SETTING_threads, 1, "the main thread of each process is kept back"},
    {SETTING_threads, 2, "the other threads of each process are kept back"},
};

static void tell_schedule(struct report *report, struct outcomes *outcomes,
                          const struct schedule *schedule)
{
    for (size_t i = 0; i < sizeof deeds / sizeof deeds[0]; i++)
        if (schedule->values[deeds[i].setting] == deeds[i].value)
            outcomes_add_how(report, outcomes, deeds[i].text);
    long latency = schedule->values[SETTING_latency];
    if (latency)
        outcomes_add_how(report, outcomes,
                         report_textf(report,
                                      "up to %ld microseconds before an operation goes to MPI",
                                      latency));
}

static bool is_known(const struct outcomes *outcomes, const struct access *access)
{
    for (size_t i = 0; i < outcomes->moved_count; i++) {
        const struct access *known = &outcomes->moved[i];
        const struct frame *a = access_frame(known), *b = access_frame(access);
        if (known->rank == access->rank && known->target == access->target && a && b &&
            a->line == b->line && a->offset == b->offset)
            return true;
    }
    return false;
}

/* Those on the bytes that differ first. */
static void tell_moved(struct report *report, struct outcomes *outcomes, const struct trace *trace,
                       const struct traced_print *print)
{
    enum { MOST = 12 };
    for (int others = 0; others < 2; others++)
        for (size_t i = 0; i < trace->operation_count && outcomes->moved_count < MOST; i++) {
            const struct traced_operation *operation = &trace->operations[i];
            bool there = print && print->is_window && operation->window == print->window_id &&
                         operation->target == print->rank;
            struct access access = {.present = true,
                                    .call = report_text(report, operation->call),
                                    .rank = operation->rank,
                                    .target = operation->target,
                                    .stack = outcome_stack(report, &operation->stack)};
            if (there != others && !is_known(outcomes, &access))
                outcomes_add_moved(report, outcomes, access);
        }
}

void side_by_side(struct report *report, struct finding *finding,
                  const struct comparison *comparison, const struct trial *trial,
                  const struct trace *trace, const struct reference *reference)
{
    if (!trial)
        return;
    const long *values = trial->schedule.values;
    struct outcomes *outcomes = obstack_alloc(&report->texts, sizeof *outcomes);
    *outcomes = (struct outcomes){0};
    compare_ends(report, outcomes, comparison, trial, reference);
    compare_output(report, outcomes, trial, reference);
    compare_memory(report, outcomes, finding, comparison);
    tell_schedule(report, outcomes, &trial->schedule);
    if (values[SETTING_defer] || values[SETTING_order] || values[SETTING_split] ||
        values[SETTING_latency])
        tell_moved(report, outcomes, trace, comparison->print);
    finding->outcomes = outcomes;
}
