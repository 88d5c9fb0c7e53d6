/* regatta exec: one process of a program that a launcher starts, `srun -n 64 regatta exec ./prog`.
 */
#include "detector.h"

int cmd_exec(int argc, char **argv)
{
    static struct detector detector = {.reporting = REPORTING_DEFAULTS};
    static const struct option own[] = {
        {"--mpi", "NAME", OPTION_CHOICE, &detector.mpi,
         "mpich or openmpi (else REGATTA_MPI, else as PROG is linked)", 0, 0, "mpich|openmpi"},
        {"--records", "DIR", OPTION_TEXT, &detector.records,
         "where the processes write, and keep it; seen by all nodes, new for each run", 0, 0, NULL},
        DETECTOR_OPTIONS(detector),
        {0},
    };
    static const struct option common[] = {REPORTING_OPTIONS(detector.reporting), {0}};
    static const struct command command = {
        .name = "exec",
        .usage = "[OPTIONS] PROG [ARGS...]",
        .about =
            "Is what a launcher starts instead of PROG, once for each process:\n"
            "\n"
            "    srun -n 64 regatta exec ./prog\n"
            "\n"
            "The processes run under the detector; that of rank 0 waits for the others and\n"
            "reports. They write into a directory of their own in the working directory, which\n"
            "all nodes must see.",
        .tables = {own, common},
        .more =
            "Exit code of rank 0: 66 if errors were found (--exitcode), else the program's own,\n"
            "as of the other ranks.",
    };
    int next = options_parse(&command, argc, argv);
    if (next >= argc)
        fail(EXIT_USAGE, "exec: which program? See regatta exec --help");
    return detector_exec(&detector, argv + next);
}
