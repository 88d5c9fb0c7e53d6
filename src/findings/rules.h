/* The rules that findings are named after, from the one table rules.def. */
#ifndef REGATTA_FINDINGS_RULES_H
#define REGATTA_FINDINGS_RULES_H

#include <stdbool.h>
#include <stddef.h>

struct rule {
    const char *id;
    const char *severity; /* the usual one; a finding carries its own */
    const char *title;
    const char *explanation;
    const char *example;
    const char *fix;
};

extern const struct rule rules[];
extern const size_t rule_count;

/* A drawing of the example: processes or threads as columns, time downwards, what is missing
 * between them as "?". NULL if there is none. */
const char *rule_picture(const char *id);

/* NULL if there is no such rule. */
const struct rule *rule_find(const char *id);

/* Whether a pattern as the shell's fits the id of any rule. */
bool rule_fits_some(const char *pattern);

/* The rule's position in the table, which is the order of reports; unknown ones come last. */
size_t rule_rank(const char *id);

#endif
