/* Which findings to show: filters by what a finding is about. */
#ifndef REGATTA_FINDINGS_SELECTION_H
#define REGATTA_FINDINGS_SELECTION_H

#include "finding.h"

/* Each is a list of patterns with commas between them, of which one must fit, or NULL: any. */
struct selection {
    const char *rule;
    const char *severity;
    const char *file, *function; /* of any frame of the two stacks */
    const char *rank;            /* of any of the pairs that met */
    const char *thread;
    const char *window; /* its name, or the place that made it: halo.c:12 or halo.c */
};

/* NULL, or what is wrong with it (to be freed): a rule, severity or number that is none. */
char *selection_doubt(const struct selection *selection);

/* File names in findings are relative to `directory`. */
bool selection_fits(const struct selection *selection, const struct finding *finding,
                    const char *directory);

/* Removes what does not fit, and returns how many findings that were. */
size_t filter_unselected(struct report *report, const struct selection *selection,
                         const char *directory);

#endif
