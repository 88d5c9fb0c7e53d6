/* Hand-written programs with the races they must show (examples.txt). */
#ifndef REGATTA_SIM_EXAMPLES_H
#define REGATTA_SIM_EXAMPLES_H

#include "oracle.h"

struct example {
    char title[160];
    struct oracle_result expected; /* rule, kinds, ranks and sites only */
    struct oracle_result possible; /* the same, and those that need another order */
    struct program program;
};

/* The whole file; free with free. NULL, with a line on standard error, if it cannot be read. */
char *examples_load(const char *path);

/* The next one; false at the end. Gives up with a message if the text is malformed. */
bool examples_next(const char **text, struct example *example);
void example_clear(struct example *example);

void races_print_side(FILE *file, const struct access_side *side);
void examples_print_races(const struct oracle_result *result);

extern const char *const access_names[ACCESS_KINDS];
extern const char *const race_rule_names[RACE_RULES];

#endif
