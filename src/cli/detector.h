/* A run under the detector from beginning to end, as `run` and `try` (and `doctor`) do it. */
#ifndef REGATTA_CLI_DETECTOR_H
#define REGATTA_CLI_DETECTOR_H

#include "reporting.h"
#include "words.h"

struct detector {
    struct reporting reporting;
    const char *mpi;      /* --mpi, or NULL */
    const char *launcher; /* --launcher, or NULL */
    const char *records;  /* --keep-records, or NULL */
    struct words options; /* for the MPI's own launcher */
    const char *subject;  /* what reports call the program, if not by its path */
    int ranks;            /* 0: not given */
    int timeout;          /* seconds; 0: none */
    const char *draw[2];  /* --draw: two places, or NULL */
    bool live;
    bool strict_accumulate;
    bool predict;
};

/* Runs argv[0] with its arguments and returns the exit code of regatta. */
int detector_run(struct detector *detector, char **argv);

#endif
