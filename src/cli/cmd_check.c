/* regatta check: static analysis of sources, bitcode, a compilation database or a build. */
#include "mpis.h"
#include "paths.h"
#include "reporting.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef REGATTA_HAVE_ANALYZER
#include "changes.h"
#include "confirm_check.h"
#include "analyze/analyze.h"
#include "findings/ignores.h"
#include "findings/limits.h"
#include "findings/progress.h"

/* Operands before "--" are inputs. After it come compiler flags if there were inputs, else the
 * command of a build. */
static bool take_inputs(struct units *units, const char *database, int argc, char **argv)
{
    int split = 0;
    while (split < argc && strcmp(argv[split], "--"))
        split++;
    char **after = argv + split + 1;
    int nafter = split < argc ? argc - split - 1 : 0;
    if (split)
        units_take_libraries(units, after, (size_t)nafter);
    for (int i = 0; i < split; i++)
        units_add(units, argv[i], after, (size_t)nafter);
    if (database)
        units_add_database(units, database);
    if (!split && !database && nafter) {
        int code = units_record(units, after);
        if (code != 0)
            say("check: the build ended with exit code %d; what it compiled is analysed", code);
    }
    return split || database || nafter;
}

/* So that comments in them are read (ignores.h), named as findings name them. */
static void name_sources(struct report *report, const struct units *units, const char *here)
{
    size_t length = strlen(here);
    for EACH (unit, &units->list) {
        if (unit->is_bitcode)
            continue;
        const char *file = unit->directory && unit->file[0] != '/'
                               ? report_textf(report, "%s/%s", unit->directory, unit->file)
                               : unit->file;
        if (!strncmp(file, here, length) && file[length] == '/')
            file += length + 1;
        report_add_source(report, file);
    }
}

/* Before anything is built and run for them. */
static void leave_out_unchanged(struct reporting *reporting, struct report *report,
                                const struct changes *changes, const extent_list *extents)
{
    report->directory = reporting->directory;
    report_settle(report);
    size_t count = filter_unchanged(report, changes, extents);
    if (count)
        reporting->left_out = report_textf(report, " · %zu in unchanged code", count);
}

/* Warnings, optimisation, what only another compiler knows: each once. */
static void tell_left_out(const struct units *units, struct report *report)
{
    const char *told = "";
    for EACH (unit, &units->list)
        for EACH (flag, &unit->left_out) {
            const char *word = report_textf(report, " %s ", *flag);
            if (!strstr(told, word))
                told = report_textf(report, "%s%s", told[0] ? told : " ", word + 1);
        }
    if (told[0])
        say("check: compiler flags left out:%.*s", (int)strlen(told) - 1, told);
}

/* ---- --timeout ---- */

static volatile pid_t worker;

static void pass_on(int number)
{
    kill(-worker, number);
    raise(number);
}

/* Goes on in a process of its own, with a group of its own, so that compilers end with it. Returns
 * true in it; here it returns false if the time is over, else ends as the worker did. */
static bool in_time(int seconds)
{
    fflush(NULL);
    char *scratch = paths_scratch("regatta-check", false);
    setenv("TMPDIR", scratch, 1); /* a worker that is killed cannot tidy up */
    free(scratch);
    worker = fork();
    if (worker < 0)
        fail(EXIT_INTERNAL, "fork: %s", strerror(errno));
    setpgid(worker, worker); /* both do: whoever comes first */
    if (worker == 0)
        return true;
    const struct sigaction action = {.sa_handler = pass_on, .sa_flags = (int)SA_RESETHAND};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
    for (int64_t step = 0; step < seconds * (int64_t)100; step++) {
        int status;
        if (waitpid(worker, &status, WNOHANG) == worker)
            exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
        usleep(10 * 1000);
    }
    kill(-worker, SIGKILL);
    waitpid(worker, NULL, 0);
    return false;
}

static int give_up(struct reporting *reporting, int seconds)
{
    struct report *report = report_new("check");
    report_limit(report, "input", "anything",
                 report_textf(report, "stopped after %d second%s (--timeout)", seconds,
                              seconds == 1 ? "" : "s"));
    int code = reporting_finish(reporting, report, EXIT_TIMED_OUT, NULL);
    report_free(report);
    return code;
}

int cmd_check(int argc, char **argv)
{
    static struct reporting reporting = REPORTING_DEFAULTS;
    static const char *database, *mpi_name, *wrappers;
    static int jobs, seconds;
    static bool no_cache, confirm;
    static const char *revision;
    static const struct option own[] = {
        {"-p", "DIR", OPTION_TEXT, &database, "where compile_commands.json is (or the file itself)",
         0, 0, NULL},
        {"-j", "N", OPTION_NUMBER, &jobs, "sources compiled at a time (one per core)", 1, 1024,
         NULL},
        {"--mpi", "NAME", OPTION_CHOICE, &mpi_name,
         "whose headers: mpich or openmpi (else REGATTA_MPI, else as mpicc)", 0, 0,
         "mpich|openmpi"},
        {"--wrappers", "FILE", OPTION_TEXT, &wrappers,
         "names of functions that wrap MPI: findings point to their callers", 0, 0, NULL},
        {"--changed-since", "REV", OPTION_TEXT, &revision,
         "only findings in functions that git says have changed since then", 0, 0, NULL},
        {"--timeout", "SECONDS", OPTION_NUMBER, &seconds,
         "give up after that long, without findings (exit code 124)", 1, 1000000, NULL},
        {"--no-cache", NULL, OPTION_FLAG, &no_cache,
         "compile and analyse all anew (else: what changed since the last run)", 0, 0, NULL},
        {"--confirm", NULL, OPTION_FLAG, &confirm,
         "build programs with findings, run them, and say which the run reports, too", 0, 0, NULL},
        {0},
    };
    static const struct option common[] = {REPORTING_OPTIONS(reporting), {0}};
    static const struct command command = {
        .name = "check",
        .usage = "[OPTIONS] FILES... [-- FLAGS...] | -p DIR | -- BUILD COMMAND...",
        .about =
            "Looks for races without running the program: sources in C, C++ and Fortran, LLVM\n"
            "bitcode, directories of them, a compilation database, or whatever a build compiles.",
        .tables = {own, common},
        .more =
            "Exit code: 66 if errors were found (--exitcode), else 0; 2 wrong usage or nothing\n"
            "that could be analysed; with --strict 3 if something was not looked at; 124 stopped\n"
            "by --timeout.",
    };
    options_gather(&command, argc, argv);
    int next = options_parse(&command, argc, argv);
    if (next > 1 && !strcmp(argv[next - 1], "--"))
        next--;
    char *directory = paths_working_directory();
    reporting_prepare(&reporting, directory);
    struct changes *changes = revision ? changes_since(revision) : NULL;
    if (seconds && !in_time(seconds))
        return give_up(&reporting, seconds);

    const char *how;
    const struct mpi *mpi = mpi_default(mpi_name, &how);
    struct units units;
    units_init(&units, mpi->name);
    units.quiet = reporting.quiet;
    if (!no_cache)
        cache_open(&units.cache);
    progress_switch("check", !reporting.quiet);
    if (!take_inputs(&units, database, argc - next, argv + next))
        fail(EXIT_USAGE, "check: which files? See regatta check --help");
    jobs = jobs ? jobs : (int)sysconf(_SC_NPROCESSORS_ONLN);
    units_compile(&units, jobs);

    struct report *report = report_new("check");
    struct analysis analysis = {.wants_extents = changes};
    if (wrappers && !wrappers_read(&analysis.wrappers, wrappers))
        fail(EXIT_USAGE, "check: %s: %s", wrappers, strerror(errno));
    analyze(&units, report, &analysis);
    if (changes)
        leave_out_unchanged(&reporting, report, changes, &analysis.extents);
    if (confirm)
        confirm_check(mpi, &units, &analysis, report, jobs);
    if (units.failed)
        report_limit(report, "input",
                     report_textf(report, "%zu of %zu inputs", units.failed,
                                  units.missing + units.list.count),
                     "they could not be compiled or read");
    if (reporting.verbose) {
        tell_left_out(&units, report);
        if (units.from_cache)
            say("check: bitcode of %zu sources from the cache", units.from_cache);
        if (analysis.from_cache)
            say("check: findings of %zu programs from the cache", analysis.from_cache);
        say("check: %zu programs, %zu functions, %zu instructions in %.2f s", analysis.programs,
            analysis.functions, analysis.instructions, analysis.seconds);
        for (int i = 0; i < STAGE_COUNT; i++)
            say("check: %-22s %8.2f s of CPU time", stage_text(i), analysis.stages.seconds[i]);
    }
    name_sources(report, &units, directory);
    int code = analysis.programs ? 0 : EXIT_USAGE;
    code = reporting_finish(&reporting, report, code, NULL);
    report_free(report);
    analysis_free(&analysis);
    units_free(&units);
    changes_free(changes);
    free(directory);
    return code;
}

#else

int cmd_check(int argc, char **argv)
{
    (void)argc, (void)argv;
    fail(EXIT_INTERNAL, "check: this regatta was built without LLVM. Install llvm-19-dev and "
                        "clang-19 and build it again");
}

#endif
