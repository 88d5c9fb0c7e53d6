/* One run of the program under one schedule: started in the background, watched, and what came of
 * it. */
#ifndef REGATTA_CLI_TRIAL_H
#define REGATTA_CLI_TRIAL_H

#include "launcher.h"
#include "schedules.h"

#include <sys/types.h>
#include <time.h>

struct trial {
    struct schedule schedule;
    const char *only; /* sites to perturb, or NULL: all */
    char *directory;  /* its records, and the files "output" and "errors" */
    pid_t pid;        /* of the launcher while it runs; 0: over */
    struct timespec start, deadline;
    enum { TRIAL_RUNS, TRIAL_ASKED, TRIAL_ENDED_FOR } state; /* asked where it hangs; told to end */
    bool hung;
    int code;       /* exit code of the launcher, 128 + n for a signal */
    double seconds; /* how long it took */
};

/* Starts it; `number` makes its directory in `scratch`. */
void trial_start(struct trial *trial, const struct launcher *launcher, const char *library,
                 char **argv, const char *scratch, int number, double limit);
/* Looks after it; true when it is over. */
bool trial_poll(struct trial *trial);
/* Ends it at once, with all its processes. */
void trial_kill(struct trial *trial);

/* What it wrote to standard output, or standard error: to be freed. */
char *trial_output(const struct trial *trial);
char *trial_errors(const struct trial *trial);

#endif
