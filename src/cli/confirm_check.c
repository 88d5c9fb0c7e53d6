#include "confirm_check.h"
#include "cli.h"
#include "compilation.h"
#include "paths.h"
#include "findings/json.h"
#include "findings/limits.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { RUNS_MOST = 12 };
#define SECONDS_MOST "60" /* of one run */

static const char *fact_of(const struct finding *finding, const char *name)
{
    for (const struct fact *fact = finding->facts; fact; fact = fact->next)
        if (!strcmp(fact->name, name))
            return fact->value;
    return NULL;
}

static bool equal(const char *a, const char *b)
{
    return a == b || (a && b && !strcmp(a, b));
}

/* ---- commands ---- */

static pid_t start(const char *directory, char *const *argv, const char *log)
{
    pid_t child = fork();
    if (child < 0)
        fail(EXIT_INTERNAL, "fork: %s", strerror(errno));
    if (child > 0)
        return child;
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    int text = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    dup2(nothing, 0);
    dup2(text, 1);
    dup2(text, 2);
    if (!directory || chdir(directory) == 0)
        execvp(argv[0], argv);
    _exit(127);
}

static bool ended_well(pid_t child)
{
    int status;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* The first line of the log that speaks of an error. */
static const char *complaint(struct report *report, const char *log)
{
    char line[512];
    const char *found = NULL;
    FILE *file = fopen(log, "r");
    while (file && !found && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = 0;
        if (strstr(line, "error") || strstr(line, "undefined reference"))
            found = report_text(report, line);
    }
    if (file)
        fclose(file);
    return found ? found : "the compiler failed";
}

/* ---- building ---- */

struct building {
    const struct mpi *mpi;
    const struct units *units;
    struct report *report;
    const char *scratch;
    int jobs;
};

struct compilation {
    pid_t child;
    char *log;
};

static pid_t compile_unit(const struct building *building, const struct unit *unit,
                          const char *object, const char *log)
{
    struct words words = {0};
    words_add_copy(&words, "-O1");
    words_add_copy(&words, "-w");
    for EACH (flag, &unit->flags)
        words_add_copy(&words, *flag);
    words_add_copy(&words, "-c");
    words_add_copy(&words, unit->file);
    words_add_copy(&words, "-o");
    words_add_copy(&words, object);
    struct words line =
        compilation_line(building->mpi, unit->is_cxx ? LANGUAGE_CXX : LANGUAGE_C, words.list);
    return start(unit->directory, line.list, log);
}

static char *link_program(const struct building *building, const struct whole_program *whole,
                          const struct words *objects, const char *log)
{
    enum language language = LANGUAGE_C;
    bool openmp = false;
    struct words words = {0};
    char *program = checked_printf("%s/program", building->scratch);
    for EACH (unit, &whole->units) {
        if ((*unit)->is_cxx)
            language = LANGUAGE_CXX;
        for EACH (flag, &(*unit)->flags)
            openmp |= !strcmp(*flag, "-fopenmp");
    }
    for (size_t i = 0; i < objects->count; i++)
        words_add_copy(&words, objects->list[i]);
    for EACH (library, &building->units->libraries)
        words_add_copy(&words, *library);
    words_add_copy(&words, "-lm");
    if (openmp)
        words_add_copy(&words, "-fopenmp");
    words_add_copy(&words, "-o");
    words_add_copy(&words, program);
    struct words line = compilation_line(building->mpi, language, words.list);
    if (ended_well(start(NULL, line.list, log)))
        return program;
    free(program);
    return NULL;
}

/* The path of the program, or NULL and why not. */
static char *build(const struct building *building, const struct whole_program *whole,
                   const char **why)
{
    struct words objects = {0};
    struct compilation *running = checked_malloc((size_t)building->jobs * sizeof *running);
    size_t started = 0, ended = 0, limit = (size_t)building->jobs;
    char *program = NULL;
    *why = NULL;
    for EACH (unit, &whole->units) {
        if ((*unit)->is_bitcode)
            *why = "it is bitcode";
        if ((*unit)->is_fortran)
            *why = "it has sources in Fortran";
    }
    while (!*why && ended < whole->units.count) {
        if (started < whole->units.count && started < ended + limit) {
            struct compilation *next = &running[started % limit];
            words_add(&objects, checked_printf("%s/%zu.o", building->scratch, started));
            next->log = checked_printf("%s/%zu.log", building->scratch, started);
            next->child = compile_unit(building, whole->units.items[started], objects.list[started],
                                       next->log);
            started++;
            continue;
        }
        struct compilation *oldest = &running[ended++ % limit];
        if (!ended_well(oldest->child) && !*why)
            *why = complaint(building->report, oldest->log);
        free(oldest->log);
    }
    for (; ended < started; ended++) {
        ended_well(running[ended % limit].child);
        free(running[ended % limit].log);
    }
    free(running);
    if (!*why) {
        char *log = checked_printf("%s/link.log", building->scratch);
        program = link_program(building, whole, &objects, log);
        if (!program)
            *why = complaint(building->report, log);
        free(log);
    }
    return program;
}

/* ---- running ---- */

/* What a run was made with. */
struct setup {
    const char *program, *processes, *arguments;
};

static struct setup setup_of(const struct finding *finding)
{
    return (struct setup){fact_of(finding, "program"), fact_of(finding, "processes"),
                          fact_of(finding, "arguments")};
}

static const char *setup_text(struct report *report, const struct setup *setup)
{
    return report_textf(report, "regatta run -n %s%s%s", setup->processes,
                        setup->arguments ? " with the arguments " : "",
                        setup->arguments ? setup->arguments : "");
}

/* What `regatta run` has found; NULL if it could not be run. The program sees an empty directory
 * and no input, as in the example. */
static struct report *run(const struct building *building, const struct setup *setup, char *program)
{
    char *directory = checked_printf("%s/run", building->scratch);
    char *log = checked_printf("%s/run.log", building->scratch);
    char *findings = checked_printf("%s/run.json", building->scratch);

    struct words line = {0};
    const char *const fixed[] = {
        "/proc/self/exe",    "run",        "--quiet",        "--exitcode", "0",
        "--timeout",         SECONDS_MOST, "--json",         findings,     "--mpi",
        building->mpi->name, "-n",         setup->processes, "--",         program};
    for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++)
        words_add_copy(&line, fixed[i]);
    char *arguments = checked_strdup(setup->arguments ? setup->arguments : "");
    for (char *rest = arguments, *word; (word = strtok_r(rest, " ", &rest));)
        words_add_copy(&line, word);
    mkdir(directory, 0700);
    unlink(findings);
    ended_well(start(directory, line.list, log)); /* the program's own exit code */
    struct report *seen = report_new("run");
    char *problem = NULL;
    if (!json_read_report(seen, findings, &problem)) {
        free(problem);
        report_free(seen);
        seen = NULL;
    }
    free(arguments);
    free(findings);
    free(log);
    free(directory);
    return seen;
}

/* ---- the same finding ---- */

static bool is_same_line(const struct frame *a, const struct frame *b)
{
    if (!a || !b || !a->file || !b->file || a->line != b->line)
        return false;
    const char *x = strrchr(a->file, '/'), *y = strrchr(b->file, '/');
    return !strcmp(x ? x + 1 : a->file, y ? y + 1 : b->file);
}

/* The place in the source may be that of a caller of what the run names: --wrappers. */
static bool is_same_place(const struct access *found, const struct access *seen)
{
    const struct frame *place = access_line(found);
    for (size_t i = 0; place && i < seen->stack.depth; i++)
        if (is_same_line(place, &seen->stack.frames[i]))
            return true;
    return false;
}

/* Rules between processes are told apart by what the run has seen of the window. */
static bool is_same_rule(const char *a, const char *b)
{
    bool local = !strcmp(a, "local-race") || !strcmp(b, "local-race");
    bool race = strcmp(a, "usage") != 0 && strcmp(b, "usage") != 0;
    return !strcmp(a, b) || (race && !local);
}

static bool is_same(const struct finding *found, const struct finding *seen)
{
    if (!is_same_rule(found->rule, seen->rule))
        return false;
    if (!found->second.present)
        return is_same_place(&found->first, &seen->first);
    return seen->second.present && ((is_same_place(&found->first, &seen->first) &&
                                     is_same_place(&found->second, &seen->second)) ||
                                    (is_same_place(&found->first, &seen->second) &&
                                     is_same_place(&found->second, &seen->first)));
}

static void add_verdict(struct report *report, struct finding *finding, const char *verdict)
{
    finding->why = report_textf(report, "%s%s%s", finding->why ? finding->why : "",
                                finding->why ? " " : "", verdict);
}

/* How often and by whom is said by who has seen it; the ranks so far were those of an example. */
static void take_sighting(struct finding *finding, const struct finding *met)
{
    finding->found_by = 1u << MODE_CHECK | 1u << MODE_RUN;
    if (met->severity > finding->severity)
        finding->severity = met->severity;
    finding->count = met->count;
    finding->generation = met->generation;
    finding->pair_count = 0;
    for (size_t i = 0; i < met->pair_count; i++)
        finding_add_pair(finding, met->pairs[i]);
}

static void compare(struct report *report, const struct setup *setup, const struct report *seen)
{
    const char *how = setup_text(report, setup);
    for (size_t i = 0; i < report->finding_count; i++) {
        struct finding *finding = &report->findings[i];
        struct setup own = setup_of(finding);
        const struct finding *met = NULL;
        if (!equal(own.program, setup->program) || !equal(own.processes, setup->processes) ||
            !equal(own.arguments, setup->arguments))
            continue;
        for (size_t k = 0; !met && k < seen->finding_count; k++)
            if (is_same(finding, &seen->findings[k]))
                met = &seen->findings[k];
        if (met)
            take_sighting(finding, met);
        add_verdict(report, finding,
                    met ? report_textf(report, "Confirmed: %s reports it, too.", how)
                        : report_textf(report,
                                       "Not confirmed: %s, without input, does not report it.",
                                       how));
    }
}

/* What only the run has seen is told as well. */
static void note_others(struct report *report, const struct setup *setup, const struct report *seen)
{
    for (size_t k = 0; k < seen->finding_count; k++) {
        const struct finding *other = &seen->findings[k];
        bool known = false;
        for (size_t i = 0; !known && i < report->finding_count; i++)
            known = is_same(&report->findings[i], other);
        if (!known)
            report_note(report, report_textf(report, "%s also reports: %s [%s] at %s",
                                             setup_text(report, setup), other->message, other->rule,
                                             frame_place(report, access_line(&other->first))));
    }
}

static bool was_tried(const struct report *report, size_t count, const struct setup *setup)
{
    for (size_t i = 0; i < count; i++) {
        struct setup other = setup_of(&report->findings[i]);
        if (equal(other.program, setup->program) && equal(other.processes, setup->processes) &&
            equal(other.arguments, setup->arguments))
            return true;
    }
    return false;
}

/* ---- all programs ---- */

static void confirm_program(const struct building *building, const struct whole_program *whole,
                            size_t *runs)
{
    struct report *report = building->report;
    const char *why;
    char *program = build(building, whole, &why);
    if (!program) {
        report_note(report, report_textf(report, "not confirmed: %s could not be built: %s",
                                         whole->name, why));
        return;
    }
    for (size_t i = 0; i < report->finding_count; i++) {
        struct setup setup = setup_of(&report->findings[i]);
        if (!equal(setup.program, whole->name) || !setup.processes || was_tried(report, i, &setup))
            continue;
        if ((*runs)++ == RUNS_MOST)
            report_note(report,
                        report_textf(report, "not confirmed: what comes after %d runs", RUNS_MOST));
        if (*runs > RUNS_MOST)
            break;
        struct report *seen = run(building, &setup, program);
        if (!seen) {
            report_note(report, report_textf(report, "not confirmed: %s could not be run by %s",
                                             whole->name, setup_text(report, &setup)));
            continue;
        }
        compare(report, &setup, seen);
        note_others(report, &setup, seen);
        report_free(seen);
    }
    free(program);
}

void confirm_check(const struct mpi *mpi, const struct units *units,
                   const struct analysis *analysis, struct report *report, int jobs)
{
    char *scratch = paths_scratch("regatta-confirm", false);
    struct building building = {mpi, units, report, scratch, jobs};
    size_t runs = 0, without = 0, confirmed = 0;
    for EACH (whole, &analysis->wholes)
        confirm_program(&building, whole, &runs);
    for (size_t i = 0; i < report->finding_count; i++)
        without += !fact_of(&report->findings[i], "program");
    if (without)
        report_note(report, report_textf(
                                report, "not confirmed: %zu in code of which no program is in view",
                                without));
    report_settle(report); /* of equal findings the one speaks that is confirmed */
    for (size_t i = 0; i < report->finding_count; i++)
        confirmed += finding_is_confirmed(&report->findings[i]);
    if (report->finding_count)
        report_note(report, report_textf(report, "%zu of %zu findings confirmed by runs", confirmed,
                                         report->finding_count));
    free(scratch);
}
