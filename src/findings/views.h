/* What a finding is shown by beside its two sides: the way through the source that `check` found,
 * and the two outcomes that `stress` saw. */
#ifndef REGATTA_FINDINGS_VIEWS_H
#define REGATTA_FINDINGS_VIEWS_H

#include "finding.h"

#include <jansson.h>

/* A step of the way, in the order in which the program goes it. */
struct step {
    const char *kind;   /* "example", "call", "branch", "round", "first", "second" */
    const char *text;   /* in words */
    struct frame place; /* all unknown: nowhere */
};

struct path {
    struct step *steps;
    size_t count;
};

/* Something that came out otherwise. */
struct outcome_row {
    const char *what, *usual, *here;
};

struct outcomes {
    struct outcome_row *rows;
    size_t row_count;
    const char **how; /* what the schedule did, in words */
    size_t how_count;
    struct access *moved; /* the operations that it did it to */
    size_t moved_count;
};

/* Adds a step, row, … in the report's memory. */
void path_add(struct report *report, struct path *path, struct step step);
void outcomes_add_row(struct report *report, struct outcomes *outcomes, struct outcome_row row);
void outcomes_add_how(struct report *report, struct outcomes *outcomes, const char *how);
void outcomes_add_moved(struct report *report, struct outcomes *outcomes, struct access access);

/* Members "path" and "outcomes" of a finding. */
void views_put_json(json_t *object, const struct finding *finding);
void views_read_json(struct report *report, struct finding *finding, const json_t *object);

#endif
