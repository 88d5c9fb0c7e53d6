#include "detector.h"
#include "launch.h"
#include "mpis.h"
#include "paths.h"
#include "program.h"
#include "runtime_options.h"
#include "words.h"
#include "findings/records.h"

#include <errno.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <wordexp.h>

/* One run, between the command line and the report. */
struct session {
    struct detector *detector;
    struct program program;
    const struct mpi *mpi;
    char *working_directory;
    char *records;
    struct words settings; /* NAME, value, NAME, value … for the ranks alone */
    struct symbols *symbols;
    uint64_t records_seen; /* --live: size of the records when they were last read */
    struct report *shown;  /* --live: what was shown already */
};

/* ---- which MPI ------------------------------------------------------------------------------- */

static void choose_mpi(struct session *session)
{
    struct program *program = &session->program;
    const char *how;
    const struct mpi *asked = mpi_asked_for(session->detector->mpi, &how);
    if (program->kind == PROGRAM_STATIC_MPI)
        fail(EXIT_USAGE,
             "%s has MPI linked in statically, so its calls cannot be intercepted; "
             "link it against the shared MPI library",
             program->path);
    if (asked && program->kind == PROGRAM_LINKED && asked != program->mpi)
        fail(EXIT_USAGE, "%s says %s, but %s is linked against %s (%s)", how, asked->name,
             program->path, program->mpi->name, program->evidence);
    session->mpi = asked ? asked : program->mpi;
    if (!asked && program->mpi)
        how = program->evidence;
    if (!session->mpi)
        session->mpi = mpi_default(NULL, &how);
    if (session->detector->reporting.verbose) {
        if (program->kind == PROGRAM_LINKED)
            say("%s is linked against %s (%s)", program->path, session->mpi->title,
                program->evidence);
        else
            say("%s is not linked against MPI itself; assuming %s (%s)", program->path,
                session->mpi->title, how);
    }
}

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

/* ---- the command line of the launcher ----------------------------------------------------------
 */

static void add_setting(struct session *session, const char *name, const char *value)
{
    words_add_copy(&session->settings, name);
    words_add_copy(&session->settings, value);
}

/* What the ranks, and only they, need in their environment. */
static void make_settings(struct session *session)
{
    char *runtime = mpi_runtime_or_fail(session->mpi);
    const char *already = getenv("LD_PRELOAD");
    char *preload =
        already && *already ? checked_printf("%s:%s", already, runtime) : checked_strdup(runtime);
    add_setting(session, "LD_PRELOAD", preload);
    add_setting(session, "REGATTA_RECORDS", session->records);
    if (getenv("REGATTA_OPTIONS"))
        add_setting(session, "REGATTA_OPTIONS", getenv("REGATTA_OPTIONS"));
    free(preload);
    free(runtime);
}

static void add_mpich_launcher(const struct session *session, struct words *line)
{
    for (size_t i = 0; i < session->settings.count; i++) {
        if (i % 2 == 0)
            words_add_copy(line, "-genv");
        words_add_copy(line, session->settings.list[i]);
    }
}

static void add_openmpi_settings(const struct session *session, struct words *line)
{
    for (size_t i = 0; i + 1 < session->settings.count; i += 2) {
        words_add_copy(line, "-x");
        words_add(line, checked_printf("%s=%s", session->settings.list[i],
                                       session->settings.list[i + 1]));
    }
}

static void add_openmpi_launcher(const struct session *session, struct words *line)
{
    /* These two it wants in its own environment; ours is where it looks. */
    if (geteuid() == 0) {
        setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
        setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
    }
    words_add_copy(line, "--oversubscribe");
    add_openmpi_settings(session, line);
}

static void add_mpi_launcher(const struct session *session, struct words *line)
{
    char *launcher = mpi_launcher(session->mpi);
    if (!launcher)
        fail(EXIT_INTERNAL,
             "%s's mpiexec was not found; install it (Debian: %s) or name one with "
             "--launcher",
             session->mpi->title, session->mpi->package);
    words_add(line, launcher);
    if (!strcmp(session->mpi->name, "openmpi"))
        add_openmpi_launcher(session, line);
    else
        add_mpich_launcher(session, line);
    words_add_copy(line, "-n");
    words_add(line, checked_printf("%d", session->detector->ranks));
}

/* Any other launcher: env(1) sets the variables on the far side of it. */
static void add_user_launcher(const struct session *session, struct words *line)
{
    wordexp_t parts;
    if (wordexp(session->detector->launcher, &parts, WRDE_NOCMD) != 0 || parts.we_wordc == 0)
        fail(EXIT_USAGE, "--launcher cannot be understood: '%s'", session->detector->launcher);
    for (size_t i = 0; i < parts.we_wordc; i++)
        words_add_copy(line, parts.we_wordv[i]);
    wordfree(&parts);
    if (session->detector->ranks) {
        words_add_copy(line, "-n");
        words_add(line, checked_printf("%d", session->detector->ranks));
    }
    words_add_copy(line, "env");
    for (size_t i = 0; i + 1 < session->settings.count; i += 2)
        words_add(line, checked_printf("%s=%s", session->settings.list[i],
                                       session->settings.list[i + 1]));
    if (strchr(session->program.path, '=')) { /* env would take the program for a setting */
        words_add_copy(line, "sh");
        words_add_copy(line, "-c");
        words_add_copy(line, "exec \"$0\" \"$@\"");
    }
}

static struct words launcher_line(const struct session *session, char *const *argv)
{
    struct words line = {0};
    bool openmpi = !session->detector->launcher && !strcmp(session->mpi->name, "openmpi");
    if (session->detector->launcher)
        add_user_launcher(session, &line);
    else
        add_mpi_launcher(session, &line);
    words_add_copy(&line, session->program.path);
    for (int i = 1; argv[i]; i++) {
        words_add_copy(&line, argv[i]);
        /* mpiexec's colon begins another program, for which Open MPI forgets all -x. */
        if (openmpi && !strcmp(argv[i], ":"))
            add_openmpi_settings(session, &line);
    }
    return line;
}

static void say_line(const struct words *line)
{
    char *text = checked_strdup("running:");
    for (size_t i = 0; i < line->count; i++) {
        char *longer = checked_printf("%s %s", text, line->list[i]);
        free(text);
        text = longer;
    }
    say("%s", text);
    free(text);
}

/* ---- the report -------------------------------------------------------------------------------
 */

static struct report *read_records(struct session *session)
{
    if (!session->symbols) {
        /* Regatta is not to go to the network for the symbols of other people's libraries. */
        unsetenv("DEBUGINFOD_URLS");
        session->symbols = symbols_new(session->working_directory);
    }
    struct report *report = report_new("run");
    const char *subject = session->detector->subject;
    report->program = report_text(report, subject ? subject : session->program.path);
    if (!records_read(report, session->records, session->symbols))
        fail(EXIT_INTERNAL, "cannot read the records in %s: %s", session->records, strerror(errno));
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

static int finish(struct session *session, int code)
{
    struct report *report = read_records(session);
    if (report->process_count)
        records_note_endings(report);
    else if (session->program.kind == PROGRAM_LINKED)
        report_note(report, "no process initialised MPI: nothing was checked");
    else
        report_note(report, "not an MPI program: no MPI calls were seen");
    code = reporting_finish(&session->detector->reporting, report, code, session->shown);
    report_free(report);
    return code;
}

/* ---- from beginning to end --------------------------------------------------------------------
 */

int detector_run(struct detector *detector, char **argv)
{
    struct session session = {.detector = detector};
    runtime_options_check();
    session.working_directory = paths_working_directory();
    session.program = program_inspect(argv);
    choose_mpi(&session);
    free(mpi_runtime_or_fail(session.mpi));
    reporting_prepare(&detector->reporting, session.working_directory);
    make_records(&session);
    make_settings(&session);
    struct words line = launcher_line(&session, argv);
    if (detector->reporting.verbose)
        say_line(&line);
    int missing = detector->launcher ? EXIT_USAGE : EXIT_INTERNAL;
    int code = launch(line.list, detector->live ? show_live : NULL, &session, missing);
    code = finish(&session, code);
    symbols_free(session.symbols);
    report_free(session.shown);
    return code;
}
