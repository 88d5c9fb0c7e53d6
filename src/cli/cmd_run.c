/* regatta run: a program under the detector. */
#include "detector.h"

int cmd_run(int argc, char **argv)
{
    static struct detector detector = {.reporting = REPORTING_DEFAULTS};
    static const struct option own[] = {
        {"-n", "N", OPTION_NUMBER, &detector.ranks, "number of processes", 1, 1000000, NULL},
        {"-np", "N", OPTION_NUMBER, &detector.ranks, NULL, 1, 1000000, NULL},
        {"--mpi", "NAME", OPTION_CHOICE, &detector.mpi,
         "mpich or openmpi (else REGATTA_MPI, else as PROG is linked)", 0, 0, "mpich|openmpi"},
        {"--launcher", "'CMD...'", OPTION_TEXT, &detector.launcher,
         "start processes by this, e.g. 'srun -n 8'; -n is optional then", 0, 0, NULL},
        DETECTOR_OPTIONS(detector),
        {"--keep-records", "DIR", OPTION_TEXT, &detector.records,
         "keep what the processes wrote, for regatta report DIR", 0, 0, NULL},
        {0},
    };
    static const struct option common[] = {REPORTING_OPTIONS(detector.reporting), {0}};
    static const struct command command = {
        .name = "run",
        .usage = "[OPTIONS] -n N PROG [ARGS...]",
        .about =
            "Runs an MPI program, as it is, under the detector. Its streams, arguments,\n"
            "environment, signals and exit code pass through; the report goes to standard error.",
        .tables = {own, common},
        .more =
            "Exit code: 66 if errors were found (--exitcode), else the program's own;\n"
            "124 stopped by --timeout; 2 wrong usage, nothing was run; 70 Regatta itself failed.",
    };
    int next = options_parse(&command, argc, argv);
    if (next >= argc)
        fail(EXIT_USAGE, "run: which program? See regatta run --help");
    if (!detector.ranks && !detector.launcher)
        fail(EXIT_USAGE, "run: how many processes? Say -n N before the program");
    return detector_run(&detector, argv + next);
}
