/* regatta-mpiexec: stands in for mpiexec where a build system names one (MPIEXEC_EXECUTABLE). What
 * mpiexec understands goes to that of the program's MPI; the program runs under the detector.
 * Options of `regatta run` come from REGATTA_RUN, as "--sarif out.sarif --timeout 60". */
#include "detector.h"
#include "words.h"
#include "findings/checked.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wordexp.h>

/* Options of MPICH's and Open MPI's launchers that take values: without the dashes, which both
 * write once or twice. All others are taken for flags. */
static const struct {
    const char *name;
    int values;
} valued[] = {
    {"host", 1},
    {"hosts", 1},
    {"H", 1},
    {"hostfile", 1},
    {"machinefile", 1},
    {"f", 1},
    {"ppn", 1},
    {"N", 1},
    {"npernode", 1},
    {"env", 2},
    {"genv", 2},
    {"envlist", 1},
    {"genvlist", 1},
    {"x", 1},
    {"wdir", 1},
    {"wd", 1},
    {"bind-to", 1},
    {"map-by", 1},
    {"rank-by", 1},
    {"mca", 2},
    {"gmca", 2},
    {"rf", 1},
    {"rankfile", 1},
    {"launcher", 1},
    {"iface", 1},
    {"path", 1},
    {"prefix", 1},
    {"timeout", 1},
    {"tune", 1},
    {"am", 1},
    {"output", 1},
    {"stdin", 1},
    {"max-restarts", 1},
    {"rmk", 1},
    {"outfile-pattern", 1},
    {"errfile-pattern", 1},
    {"umask", 1},
};

static int values_of(const char *option)
{
    const char *name = option + strspn(option, "-");
    for (size_t i = 0; i < sizeof valued / sizeof valued[0]; i++)
        if (!strcmp(valued[i].name, name))
            return valued[i].values;
    return 0;
}

static bool is_count(const char *option)
{
    return !strcmp(option, "-n") || !strcmp(option, "-np") || !strcmp(option, "-c") ||
           !strcmp(option, "--n") || !strcmp(option, "--np");
}

static int number_or_fail(const char *text)
{
    char *end;
    long number = text ? strtol(text, &end, 10) : 0;
    if (!text || *end || number < 1 || number > 1000000)
        fail(EXIT_USAGE, "mpiexec: how many processes? Not '%s'", text ? text : "");
    return (int)number;
}

/* The options of the report, from the environment: a build system has no place for them. */
static void read_environment(const struct command *command)
{
    const char *settings = getenv("REGATTA_RUN");
    wordexp_t parts;
    if (!settings || !*settings)
        return;
    if (wordexp(settings, &parts, WRDE_NOCMD) != 0)
        fail(EXIT_USAGE, "REGATTA_RUN cannot be understood: '%s'", settings);
    struct words words = {0};
    words_add_copy(&words, "run");
    for (size_t i = 0; i < parts.we_wordc; i++)
        words_add_copy(&words, parts.we_wordv[i]);
    wordfree(&parts);
    options_parse(command, (int)words.count, words.list);
}

int cmd_mpiexec(int argc, char **argv)
{
    static struct detector detector = {.reporting = REPORTING_DEFAULTS};
    static const struct option own[] = {
        {"--mpi", "NAME", OPTION_CHOICE, &detector.mpi, "mpich or openmpi", 0, 0, "mpich|openmpi"},
        {"--timeout", "SECONDS", OPTION_NUMBER, &detector.timeout,
         "stop it after that long and say where the ranks wait", 1, 1000000, NULL},
        {0},
    };
    static const struct option common[] = {REPORTING_OPTIONS(detector.reporting), {0}};
    static const struct command command = {.name = "mpiexec", .tables = {own, common}};
    int i = 1;
    for (; i < argc && argv[i][0] == '-'; i++) {
        if (is_count(argv[i])) {
            detector.ranks = number_or_fail(argv[++i]);
            continue;
        }
        if (!strcmp(argv[i], "--help")) {
            puts("usage: regatta-mpiexec -n N [OPTIONS OF MPIEXEC] PROG [ARGS...]\n\n"
                 "Like mpiexec, with PROG under regatta run. Options of regatta run are read from "
                 "the\nenvironment variable REGATTA_RUN, e.g. '--sarif out.sarif --timeout 60'.");
            return 0;
        }
        words_add_copy(&detector.options, argv[i]);
        for (int values = values_of(argv[i]); values > 0 && i + 1 < argc; values--)
            words_add_copy(&detector.options, argv[++i]);
    }
    if (i >= argc)
        fail(EXIT_USAGE, "mpiexec: which program? See regatta-mpiexec --help");
    if (!detector.ranks)
        detector.ranks = 1;
    read_environment(&command);
    return detector_run(&detector, argv + i);
}
