/* regatta try: one source file compiled, run under the detector and reported. */
#include "compilation.h"
#include "detector.h"
#include "launch.h"
#include "mpis.h"
#include "paths.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct {
    const char *suffix;
    enum language language;
} suffixes[] = {
    {".c", LANGUAGE_C},         {".cc", LANGUAGE_CXX},      {".cpp", LANGUAGE_CXX},
    {".cxx", LANGUAGE_CXX},     {".C", LANGUAGE_CXX},       {".c++", LANGUAGE_CXX},
    {".f", LANGUAGE_FORTRAN},   {".for", LANGUAGE_FORTRAN}, {".f90", LANGUAGE_FORTRAN},
    {".f95", LANGUAGE_FORTRAN}, {".f03", LANGUAGE_FORTRAN}, {".f08", LANGUAGE_FORTRAN},
    {".F", LANGUAGE_FORTRAN},   {".F90", LANGUAGE_FORTRAN},
};

static enum language language_of(const char *file)
{
    const char *suffix = strrchr(file, '.');
    for (size_t i = 0; suffix && i < sizeof suffixes / sizeof suffixes[0]; i++)
        if (!strcmp(suffixes[i].suffix, suffix))
            return suffixes[i].language;
    fail(EXIT_USAGE, "%s: the name ends like no C, C++ or Fortran source", file);
}

static char *program_name(const char *directory, const char *file)
{
    const char *slash = strrchr(file, '/');
    const char *name = slash ? slash + 1 : file;
    return checked_printf("%s/%.*s", directory, (int)(strrchr(name, '.') - name), name);
}

/* Compiled from the user's directory, so that the debug information names files as the user does.
 */
static int compile(const struct mpi *mpi, const char *file, const char *program)
{
    enum language language = language_of(file);
    struct words arguments = {0};
    const char *options[] = {"-O1", file, "-o", program, "-lm"};
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
        words_add_copy(&arguments, options[i]);
    /* gcc takes MPICH's MPI_STATUSES_IGNORE for an array that is too small. */
    if (language != LANGUAGE_FORTRAN)
        words_add_copy(&arguments, "-Wno-stringop-overflow");
    struct words line = compilation_line(mpi, language, arguments.list);
    return launch(line.list, NULL, EXIT_INTERNAL);
}

/* What the source tells without being run, as a file of findings in the directory; NULL if nothing
 * could be told. It is given up after a while: the run does not wait for ever. */
static char *check(const struct mpi *mpi, const char *file, const char *directory)
{
    char *findings = checked_printf("%s/checked.json", directory);
    char *output = paths_output_of((char *[]){"/proc/self/exe", "check", "--quiet", "--exitcode",
                                              "0", "--timeout", "30", "--json", findings, "--mpi",
                                              (char *)mpi->name, (char *)file, NULL});
    free(output);
    if (access(findings, R_OK) == 0)
        return findings;
    free(findings);
    return NULL;
}

int cmd_try(int argc, char **argv)
{
    static struct detector detector = {.reporting = REPORTING_DEFAULTS, .ranks = 4};
    static bool no_check;
    static const struct option own[] = {
        {"-n", "N", OPTION_NUMBER, &detector.ranks, "number of processes (4)", 1, 1000000, NULL},
        {"-np", "N", OPTION_NUMBER, &detector.ranks, NULL, 1, 1000000, NULL},
        {"--mpi", "NAME", OPTION_CHOICE, &detector.mpi,
         "mpich or openmpi (else REGATTA_MPI, else as mpicc)", 0, 0, "mpich|openmpi"},
        {"--no-check", NULL, OPTION_FLAG, &no_check,
         "only run it; do not look at the source as regatta check does", 0, 0, NULL},
        {"--predict", NULL, OPTION_FLAG, &detector.predict,
         "warn of threads' calls that only the order of locks kept apart", 0, 0, NULL},
        {"--strict-accumulate", NULL, OPTION_FLAG, &detector.strict_accumulate,
         "MPI_Compare_and_swap is not atomic with other accumulates", 0, 0, NULL},
        {"--live", NULL, OPTION_FLAG, &detector.live, "show findings while the program runs", 0, 0,
         NULL},
        {"--timeout", "SECONDS", OPTION_NUMBER, &detector.timeout,
         "stop it after that long and say where the ranks wait", 1, 1000000, NULL},
        {"--draw", "PLACE PLACE", OPTION_PAIR, detector.draw,
         "show what orders two places, e.g. halo.c:57 halo.c:71", 0, 0, NULL},
        {0},
    };
    static const struct option common[] = {REPORTING_OPTIONS(detector.reporting), {0}};
    static const struct command command = {
        .name = "try",
        .usage = "FILE [OPTIONS] [-- ARGS...]",
        .about = "Looks at one C or C++ file as regatta check does, compiles it (or Fortran) with "
                 "checks,\n"
                 "as regatta cc does, into a temporary directory, runs it under the detector and\n"
                 "reports what either found.",
        .tables = {own, common},
        .more = "Exit code: 66 if errors were found (--exitcode), else the program's own; 2 wrong "
                "usage\n"
                "or the file does not compile; 70 Regatta itself failed.",
    };
    int next = options_parse(&command, argc, argv);
    if (next >= argc)
        fail(EXIT_USAGE, "try: which source file? See regatta try --help");
    const char *file = argv[next];
    /* Options may follow the file; it stands in for the command's name while they are parsed. */
    int arguments = next + options_parse(&command, argc - next, argv + next);
    if (arguments < argc && strcmp(argv[arguments - 1], "--"))
        fail(EXIT_USAGE,
             "try: one source file at a time; arguments of the program stand behind --");
    if (access(file, R_OK) != 0)
        fail(EXIT_USAGE, "%s: %s", file, strerror(errno));
    language_of(file);
    const char *how;
    const struct mpi *mpi = mpi_default(detector.mpi, &how);
    detector.mpi = mpi->name;
    detector.subject = file;
    free(mpi_runtime_or_fail(mpi));
    reporting_prepare(&detector.reporting, paths_working_directory());

    char *scratch = paths_scratch("regatta-try", false);
    char *program = program_name(scratch, file);
    int code = compile(mpi, file, program);
    if (code != 0)
        fail(EXIT_USAGE, "%s does not compile with %s", file, mpi->title);
    if (!no_check && language_of(file) != LANGUAGE_FORTRAN)
        detector.checked = check(mpi, file, scratch);
    argv[--arguments] = program;
    return detector_run(&detector, argv + arguments);
}
