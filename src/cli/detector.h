/* A run under the detector from beginning to end, as `run`, `exec` and `try` (and `doctor`) do it.
 */
#ifndef REGATTA_CLI_DETECTOR_H
#define REGATTA_CLI_DETECTOR_H

#include "reporting.h"
#include "words.h"

struct detector {
    struct reporting reporting;
    const char *mpi;      /* --mpi, or NULL */
    const char *launcher; /* --launcher, or NULL */
    const char *records;  /* --keep-records, --records, or NULL */
    struct words options; /* for the MPI's own launcher */
    const char *checked;  /* findings of `check` on the same source, a file; or NULL */
    const char *subject;  /* what reports call the program, if not by its path */
    int ranks;            /* 0: not given */
    int timeout;          /* seconds; 0: none */
    const char *draw[2];  /* --draw: two places, or NULL */
    bool live;
    bool strict_accumulate;
    bool predict;
};

/* Rows of the tables of options of `run` and `exec`. */
#define DETECTOR_OPTIONS(d)                                                                        \
    {"--predict",                                                                                  \
     NULL,                                                                                         \
     OPTION_FLAG,                                                                                  \
     &(d).predict,                                                                                 \
     "warn of threads' calls that only the order of locks kept apart",                             \
     0,                                                                                            \
     0,                                                                                            \
     NULL},                                                                                        \
        {"--strict-accumulate",                                                                    \
         NULL,                                                                                     \
         OPTION_FLAG,                                                                              \
         &(d).strict_accumulate,                                                                   \
         "MPI_Compare_and_swap is not atomic with other accumulates",                              \
         0,                                                                                        \
         0,                                                                                        \
         NULL},                                                                                    \
        {"--live", NULL, OPTION_FLAG, &(d).live, "show findings while the program runs",           \
         0,        0,    NULL},                                                                    \
        {"--timeout",                                                                              \
         "SECONDS",                                                                                \
         OPTION_NUMBER,                                                                            \
         &(d).timeout,                                                                             \
         "stop it after that long and say where the ranks wait",                                   \
         1,                                                                                        \
         1000000,                                                                                  \
         NULL},                                                                                    \
    {                                                                                              \
        "--draw", "PLACE PLACE", OPTION_PAIR, (d).draw,                                            \
            "show what orders two places, e.g. halo.c:57 halo.c:71", 0, 0, NULL                    \
    }

/* Runs argv[0] with its arguments and returns the exit code of regatta. */
int detector_run(struct detector *detector, char **argv);
/* The same in one of the processes that a launcher has started: becomes argv[0], or for rank 0
 * starts it, waits for all processes and reports. */
int detector_exec(struct detector *detector, char **argv);

#endif
