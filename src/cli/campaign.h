/* A campaign: the program as it is, then under many schedules, and what differs. */
#ifndef REGATTA_CLI_CAMPAIGN_H
#define REGATTA_CLI_CAMPAIGN_H

#include "outcomes.h"
#include "reporting.h"

struct campaign {
    struct reporting reporting;
    struct launcher launcher;
    char **argv; /* the program and its arguments */
    int runs, seed, jobs;
    int timeout;         /* seconds; 0: from the baseline's time */
    int plain_runs;      /* how many baselines */
    bool first;          /* stop at the first failure */
    bool minimise;       /* look for the fewest places that must be perturbed */
    const char *confirm; /* findings JSON whose pairs are to be tried, or NULL */
    const char *table;   /* file for one line per run, or NULL */
    bool has_schedule;   /* one schedule for all runs, by --strategy or options */
    struct schedule schedule;
    struct words ignored_windows;
    struct words ignored_output;
};

/* Runs it and returns the exit code of regatta. */
int campaign_run(struct campaign *campaign);

#endif
