#include "detector.h"
#include "job.h"
#include "launch.h"
#include "launcher.h"
#include "paths.h"
#include "runtime_options.h"
#include "ends/explain.h"
#include "findings/json.h"
#include "findings/limits.h"
#include "findings/progress.h"
#include "findings/records.h"
#include "findings/sentences.h"

#include <errno.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* One run, between the command line and the report. */
struct session {
    struct detector *detector;
    struct launcher launcher;
    char *working_directory;
    char *records;
    struct symbols *symbols;
    uint64_t records_seen; /* --live: size of the records when they were last read */
    struct report *shown;  /* --live: what was shown already */
    struct pages *pages;   /* where the processes are */
    bool behind;           /* a launcher, which is the user's */
    enum launch_end how;
};

/* ---- records --------------------------------------------------------------------------------- */

static void make_kept_records(const char *directory)
{
    if (mkdir(directory, 0777) != 0 && errno != EEXIST)
        fail(EXIT_USAGE, "cannot make %s: %s", directory, strerror(errno));
    if (access(directory, R_OK | W_OK | X_OK) != 0)
        fail(EXIT_USAGE, "cannot write into %s: %s", directory, strerror(errno));
    char *pattern = checked_printf("%s/*.records", directory);
    glob_t found;
    if (glob(pattern, 0, NULL, &found) == 0)
        fail(EXIT_USAGE, "%s already holds the records of another run", directory);
    free(pattern);
}

static void make_records(struct session *session)
{
    const struct detector *detector = session->detector;
    if (detector->records) {
        make_kept_records(detector->records);
        session->records = paths_absolute(detector->records);
    } else {
        /* Removed at exit. Another launcher may start processes on other machines: they see our
         * directory, which they need for the program as well, but not our /tmp. */
        session->records = paths_scratch("regatta-records", detector->launcher != NULL);
    }
}

/* ---- the report -------------------------------------------------------------------------------
 */

/* What a program completes or orders by calls that are not seen looks like a race: not all of that
 * can be trusted. */
static void doubt(struct report *report, const char *unseen)
{
    static const char *const doubtful[] = {
        "remote-race", "local-race", "atomicity", "shared-window", "thread-race", "usage", NULL};
    for (size_t i = 0; i < report->finding_count; i++)
        for (const char *const *rule = doubtful; *rule; rule++)
            if (!strcmp(report->findings[i].rule, *rule))
                finding_doubt(report, &report->findings[i], unseen);
    report_limit(report, "calls", report_textf(report, "calls such as %s", unseen),
                 "not by its MPI_ name; what depends on order or completion is a warning");
}

static struct report *read_records(struct session *session)
{
    if (!session->symbols) {
        /* Regatta is not to go to the network for the symbols of other people's libraries. */
        unsetenv("DEBUGINFOD_URLS");
        session->symbols = symbols_new(session->working_directory);
    }
    struct report *report = report_new("run");
    const char *subject = session->detector->subject;
    report->program = report_text(report, subject ? subject : session->launcher.program.path);
    report->draw[0] = session->detector->draw[0];
    report->draw[1] = session->detector->draw[1];
    report->wants_ring = session->detector->reporting.shiviz;
    if (!records_read(report, session->records, session->symbols))
        fail(EXIT_INTERNAL, "cannot read the records in %s: %s", session->records, strerror(errno));
    if (session->launcher.program.unseen && report->process_count)
        doubt(report, session->launcher.program.unseen);
    if (session->launcher.program.gomp.why && report->process_count)
        report_limit(report, "openmp",
                     report_textf(report, "order between OpenMP's threads in %s", report->program),
                     session->launcher.program.gomp.why);
    return report;
}

static void show_live(void *context)
{
    struct session *session = context;
    uint64_t size = records_size(session->records);
    if (size == session->records_seen)
        return;
    session->records_seen = size;
    struct report *report = read_records(session);
    reporting_show_new(&session->detector->reporting, report, session->shown);
    report_free(session->shown);
    session->shown = report;
}

static void look(void *context)
{
    struct session *session = context;
    pages_look(session->pages);
    if (session->detector->live)
        show_live(session);
}

/* A call counts as waited in if it has been for a second: a short time-out gives that time. */
static void note_places(void *context, enum launch_end why)
{
    struct session *session = context;
    for (int i = 0; why == LAUNCH_TIMED_OUT && i < 6; i++) {
        pages_look(session->pages);
        usleep(200 * 1000);
    }
    pages_look(session->pages);
    pages_keep(session->pages);
    if (why == LAUNCH_TIMED_OUT)
        pages_ask(session->pages);
}

static void kill_rest(void *context)
{
    pages_kill(((struct session *)context)->pages);
}

static bool all_finalized(const struct report *report)
{
    for (size_t i = 0; i < report->process_count; i++)
        if (report->processes[i].ending != ENDED_FINALIZED)
            return false;
    return true;
}

/* How the run ended, beyond its exit code. */
static void explain(struct session *session, struct report *report, int code)
{
    report->exit_code = code;
    pages_find(session->pages); /* a short run had no time to be looked at */
    if (session->how == LAUNCH_ENDED || (session->how == LAUNCH_SIGNALLED && all_finalized(report)))
        pages_look(session->pages);
    else
        report->waiting = explain_waiting(report, session->symbols, session->pages);
    if (report->waiting) {
        bool timed_out = session->how == LAUNCH_TIMED_OUT;
        report->waiting->stopped_by = timed_out ? "timeout" : "signal";
        report->waiting->seconds = timed_out ? session->detector->timeout : 0;
        waiting_add_finding(report, report->waiting);
    }
    report->death = explain_death(report, session->symbols, session->pages);
    if (report->death)
        report_note(report, death_words(report, report->death));
    else if (session->how == LAUNCH_ENDED && code != 0)
        explain_calls(report, session->symbols, session->pages);
}

/* Each process thinks that it is alone: so it is with a launcher of another MPI, and with an MPI
 * that was built not to understand its own, as MPICH 4.2.0 of Ubuntu 24.04. */
static void note_singletons(const struct session *session, struct report *report)
{
    if (report->process_count < 2 || report->ranks != 1)
        return;
    const char *title = session->launcher.mpi->title;
    bool own = !session->detector->launcher && !session->behind;
    const char *blame =
        own ? report_textf(report,
                           "this %s does not understand its own launcher, as Ubuntu 24.04's MPICH",
                           title)
            : report_textf(report, "the launcher is not that of %s", title);
    report_limit(
        report, own ? "mpi" : "launcher", "anything between the processes",
        report_textf(report, "%zu processes, each rank 0 of 1: %s", report->process_count, blame));
}

/* An interpreter that made no MPI call: perhaps its mpi4py is that of another MPI. */
static void note_other_mpi4py(const struct session *session, struct report *report)
{
    const struct mpi *mpi = session->launcher.mpi;
    const char *path = session->launcher.program.path, *slash = strrchr(path, '/');
    char *compiler = mpi_compiler(mpi, LANGUAGE_C);
    if (!strncmp(slash ? slash + 1 : path, "python", 6) && compiler)
        report_note(report, report_textf(report,
                                         "mpi4py belongs to the MPI that it was built for; to get "
                                         "one for %s: MPICC=%s %s -m pip install "
                                         "--no-binary=mpi4py mpi4py (in a virtual environment)",
                                         mpi->title, compiler, path));
    free(compiler);
}

/* What the source told before the run: a finding that both have is one. Only errors: whether what
 * `check` only warns of can happen, the run knows better; and what it did not look at, the run did.
 */
static void join_checked(const struct session *session, struct report *report)
{
    size_t limits = report->limit_count, notes = report->note_count, own = report->finding_count;
    const char *mode = report->mode;
    char *problem;
    if (!session->detector->checked)
        return;
    for (size_t i = 0; i < report->finding_count; i++)
        report->findings[i].found_by = 1u << mode_number(mode);
    if (!json_read_report(report, session->detector->checked, &problem))
        free(problem);
    report->mode = mode;
    size_t kept = own;
    for (size_t i = own; i < report->finding_count; i++)
        if (report->findings[i].severity == SEVERITY_ERROR)
            report->findings[kept++] = report->findings[i];
    report->finding_count = kept;
    report->limit_count = limits;
    report->note_count = notes;
}

static int finish(struct session *session, int code)
{
    progress_switch("run", !session->detector->reporting.quiet);
    struct report *report = read_records(session);
    join_checked(session, report);
    explain(session, report, code);
    note_singletons(session, report);
    if (!report->process_count)
        note_other_mpi4py(session, report);
    if (report->process_count && session->how == LAUNCH_TIMED_OUT)
        ; /* by us */
    else if (report->process_count)
        records_note_endings(report);
    else if (session->launcher.program.kind == PROGRAM_LINKED)
        report_limit(report, "process", "anything", "no process initialised MPI");
    else
        report_limit(report, "process", "anything", "not an MPI program: no MPI calls were seen");
    if (session->how == LAUNCH_TIMED_OUT)
        code = EXIT_TIMED_OUT;
    code = reporting_finish(&session->detector->reporting, report, code, session->shown);
    report_free(report);
    return code;
}

/* ---- from beginning to end --------------------------------------------------------------------
 */

/* Settings of the runtime, the program and its MPI. */
static void choose(struct session *session, char **argv)
{
    struct detector *detector = session->detector;
    if (detector->strict_accumulate)
        runtime_options_add("strict_accumulate=1");
    if (detector->predict)
        runtime_options_add("predict=1");
    if (detector->draw[0])
        runtime_options_add("draw=1");
    runtime_options_check();
    session->working_directory = paths_working_directory();
    session->launcher = (struct launcher){.asked_mpi = detector->mpi,
                                          .command = detector->launcher,
                                          .ranks = detector->ranks,
                                          .options = detector->options,
                                          .verbose = detector->reporting.verbose,
                                          .follows_threads = true,
                                          .program = program_inspect(argv)};
    launcher_choose_mpi(&session->launcher);
}

static void preload(struct session *session)
{
    char *runtime = mpi_runtime_or_fail(session->launcher.mpi);
    launcher_preload(&session->launcher, runtime, session->records);
    free(runtime);
}

/* Starts the line and watches it; returns its exit code. */
static int watch(struct session *session, char *const *line, int code_if_missing)
{
    session->pages = pages_watch(session->records);
    struct launch_watch watch = {.tick = look,
                                 .ending = note_places,
                                 .abandon = kill_rest,
                                 .context = session,
                                 .timeout = session->detector->timeout,
                                 .how = &session->how};
    return launch(line, &watch, code_if_missing);
}

static int report(struct session *session, int code)
{
    code = finish(session, code);
    symbols_free(session->symbols);
    report_free(session->shown);
    pages_free(session->pages);
    return code;
}

int detector_run(struct detector *detector, char **argv)
{
    struct session session = {.detector = detector};
    choose(&session, argv);
    free(mpi_runtime_or_fail(session.launcher.mpi)); /* before anything is made */
    reporting_prepare(&detector->reporting, session.working_directory);
    make_records(&session);
    preload(&session);
    struct words line = launcher_line(&session.launcher, argv);
    if (detector->reporting.verbose)
        launcher_say(&line);
    int missing = detector->launcher ? EXIT_USAGE : EXIT_INTERNAL;
    return report(&session, watch(&session, line.list, missing));
}

/* ---- behind a launcher ------------------------------------------------------------------------
 */

/* A directory that all processes of the run find without asking each other. */
static void join_records(struct session *session, const struct job *job)
{
    const char *named = session->detector->records;
    if (!named && !job->name)
        fail(EXIT_USAGE, "exec: this launcher gives its processes no common name; say --records "
                         "DIR, a new directory that all nodes see");
    session->records =
        named ? paths_absolute(named)
              : checked_printf("%s/regatta-exec-%s", session->working_directory, job->name);
    if (mkdir(session->records, 0777) != 0 && errno != EEXIST)
        fail(EXIT_USAGE, "cannot make %s: %s", session->records, strerror(errno));
    if (!named && job->rank == 0)
        paths_remove_at_exit(session->records);
}

static bool all_ended(const struct report *report)
{
    size_t ended = 0;
    for (size_t i = 0; i < report->process_count; i++)
        ended += report->processes[i].ending != ENDED_UNKNOWN;
    return ended >= report->process_count && ended >= (size_t)report->ranks;
}

/* The other processes of the program end about when ours does; where one was killed, nothing comes
 * any more. */
static void await_others(struct session *session, int code)
{
    enum { STEP = 100 * 1000 /* microseconds */, PATIENT = 300, HASTY = 20 /* steps */ };
    uint64_t seen = 0;
    for (int i = code == 0 ? PATIENT : HASTY; i > 0; i--) {
        uint64_t size = records_size(session->records);
        if (size != seen) {
            seen = size;
            struct report *report = read_records(session);
            bool over = all_ended(report);
            report_free(report);
            if (over)
                return;
        }
        usleep(STEP);
    }
}

int detector_exec(struct detector *detector, char **argv)
{
    struct session session = {.detector = detector, .behind = true};
    struct job job = job_find();
    choose(&session, argv);
    free(mpi_runtime_or_fail(session.launcher.mpi));
    if (job.rank == 0)
        reporting_prepare(&detector->reporting, session.working_directory);
    join_records(&session, &job);
    preload(&session);
    for (size_t i = 0; i + 1 < session.launcher.settings.count; i += 2)
        setenv(session.launcher.settings.list[i], session.launcher.settings.list[i + 1], 1);
    argv[0] = (char *)session.launcher.program.command;
    if (job.rank != 0) {
        execvp(argv[0], argv);
        fail(EXIT_USAGE, "cannot run %s: %s", argv[0], strerror(errno));
    }
    int code = watch(&session, argv, EXIT_USAGE);
    if (session.how == LAUNCH_ENDED)
        await_others(&session, code);
    /* What we start from here on is no part of the run. */
    for (size_t i = 0; i + 1 < session.launcher.settings.count; i += 2)
        unsetenv(session.launcher.settings.list[i]);
    free(job.name);
    return report(&session, code);
}
