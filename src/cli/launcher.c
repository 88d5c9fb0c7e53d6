#include "launcher.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wordexp.h>

#include "cli.h"

/* ---- which MPI ------------------------------------------------------------------------------- */

void launcher_choose_mpi(struct launcher *launcher)
{
    struct program *program = &launcher->program;
    const char *how;
    const struct mpi *asked = mpi_asked_for(launcher->asked_mpi, &how);
    if (program->kind == PROGRAM_STATIC_MPI)
        fail(EXIT_USAGE,
             "%s has MPI linked in statically, so its calls cannot be intercepted; "
             "link it against the shared MPI library",
             program->path);
    if (asked && program->kind == PROGRAM_LINKED && asked != program->mpi)
        fail(EXIT_USAGE, "%s says %s, but %s is linked against %s (%s)", how, asked->name,
             program->path, program->mpi->name, program->evidence);
    launcher->mpi = asked ? asked : program->mpi;
    if (!asked && program->mpi)
        how = program->evidence;
    if (!launcher->mpi)
        launcher->mpi = mpi_default(NULL, &how);
    if (launcher->verbose) {
        if (program->kind == PROGRAM_LINKED)
            say("%s is linked against %s (%s)", program->path, launcher->mpi->title,
                program->evidence);
        else
            say("%s is not linked against MPI itself; assuming %s (%s)", program->path,
                launcher->mpi->title, how);
    }
}

/* ---- the command line of the launcher ----------------------------------------------------------
 */

void launcher_set(struct launcher *launcher, const char *name, const char *value)
{
    words_add_copy(&launcher->settings, name);
    words_add_copy(&launcher->settings, value);
}

void launcher_preload(struct launcher *launcher, const char *library, const char *records)
{
    const char *first = launcher->program.comes_first;
    const char *already = getenv("LD_PRELOAD");
    if (already && !*already)
        already = NULL;
    const char *openmp = launcher->follows_threads ? launcher->program.gomp.stand_in : NULL;
    char *preload = checked_printf("%s%s%s%s%s%s%s", first ? first : "", first ? ":" : "",
                                   already ? already : "", already ? ":" : "", library,
                                   openmp ? ":" : "", openmp ? openmp : "");
    launcher_set(launcher, "LD_PRELOAD", preload);
    if (openmp && !getenv("KMP_WARNINGS")) /* libgomp says nothing of its own accord */
        launcher_set(launcher, "KMP_WARNINGS", "0");
    launcher_set(launcher, "REGATTA_RECORDS", records);
    if (getenv("REGATTA_OPTIONS"))
        launcher_set(launcher, "REGATTA_OPTIONS", getenv("REGATTA_OPTIONS"));
    free(preload);
}

static void add_mpich_launcher(const struct launcher *launcher, struct words *line)
{
    for (size_t i = 0; i < launcher->settings.count; i++) {
        if (i % 2 == 0)
            words_add_copy(line, "-genv");
        words_add_copy(line, launcher->settings.list[i]);
    }
}

static void add_openmpi_settings(const struct launcher *launcher, struct words *line)
{
    for (size_t i = 0; i + 1 < launcher->settings.count; i += 2) {
        words_add_copy(line, "-x");
        words_add(line, checked_printf("%s=%s", launcher->settings.list[i],
                                       launcher->settings.list[i + 1]));
    }
}

static void add_openmpi_launcher(const struct launcher *launcher, struct words *line)
{
    /* These two it wants in its own environment; ours is where it looks. */
    if (geteuid() == 0) {
        setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
        setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
    }
    words_add_copy(line, "--oversubscribe");
    add_openmpi_settings(launcher, line);
}

static void add_mpi_launcher(const struct launcher *launcher, struct words *line)
{
    char *path = mpi_launcher(launcher->mpi);
    if (!path)
        fail(EXIT_INTERNAL,
             "%s's mpiexec was not found; install it (Debian: %s) or name one with "
             "--launcher",
             launcher->mpi->title, launcher->mpi->package);
    words_add(line, path);
    if (!strcmp(launcher->mpi->name, "openmpi"))
        add_openmpi_launcher(launcher, line);
    else
        add_mpich_launcher(launcher, line);
    for (size_t i = 0; i < launcher->options.count; i++)
        words_add_copy(line, launcher->options.list[i]);
    words_add_copy(line, "-n");
    words_add(line, checked_printf("%d", launcher->ranks));
}

/* Any other launcher: env(1) sets the variables on the far side of it. */
static void add_user_launcher(const struct launcher *launcher, struct words *line)
{
    wordexp_t parts;
    if (wordexp(launcher->command, &parts, WRDE_NOCMD) != 0 || parts.we_wordc == 0)
        fail(EXIT_USAGE, "--launcher cannot be understood: '%s'", launcher->command);
    for (size_t i = 0; i < parts.we_wordc; i++)
        words_add_copy(line, parts.we_wordv[i]);
    wordfree(&parts);
    if (launcher->ranks) {
        words_add_copy(line, "-n");
        words_add(line, checked_printf("%d", launcher->ranks));
    }
    words_add_copy(line, "env");
    for (size_t i = 0; i + 1 < launcher->settings.count; i += 2)
        words_add(line, checked_printf("%s=%s", launcher->settings.list[i],
                                       launcher->settings.list[i + 1]));
    if (strchr(launcher->program.command, '=')) { /* env would take the program for a setting */
        words_add_copy(line, "sh");
        words_add_copy(line, "-c");
        words_add_copy(line, "exec \"$0\" \"$@\"");
    }
}

struct words launcher_line(const struct launcher *launcher, char *const *argv)
{
    struct words line = {0};
    bool openmpi = !launcher->command && !strcmp(launcher->mpi->name, "openmpi");
    if (launcher->command)
        add_user_launcher(launcher, &line);
    else
        add_mpi_launcher(launcher, &line);
    words_add_copy(&line, launcher->program.command);
    for (int i = 1; argv[i]; i++) {
        words_add_copy(&line, argv[i]);
        /* mpiexec's colon begins another program, for which Open MPI forgets all -x. */
        if (openmpi && !strcmp(argv[i], ":"))
            add_openmpi_settings(launcher, &line);
    }
    return line;
}

void launcher_say(const struct words *line)
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
