/* A campaign while it runs. */
#ifndef REGATTA_CLI_COURSE_H
#define REGATTA_CLI_COURSE_H

#include "campaign.h"

struct course {
    struct campaign *campaign;
    char *library, *scratch;
    char *words, *conditions; /* the program and its arguments, and options that matter for the
                                 outcome, as one would type them */
    struct symbols *symbols;
    struct reference reference;
    regex_t *patterns;
    double limit;
    int started; /* runs, for the names of their directories */
    struct report *report;
    FILE *table;
    bool bad_end_came_back; /* an exit code or a hang that was there again when its schedule was
                               repeated */
    int failed, done;
    struct schedule first_failure; /* if any failed */
};

/* Runs a trial from beginning to end; its directory stays. */
void course_run(struct course *course, struct trial *trial);

/* The fewest places whose operations must be perturbed for the first failure, as a note in the
 * report. */
void course_minimise(struct course *course);
/* Takes the findings of the file into the report, each tried: confirmed or not. */
void course_confirm(struct course *course, const char *path);

#endif
