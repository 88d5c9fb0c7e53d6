/* The arguments of a call as they are written in a statement (sources.h). */
#ifndef REGATTA_FINDINGS_ARGUMENTS_H
#define REGATTA_FINDINGS_ARGUMENTS_H

#include <stdbool.h>

enum { MOST_ARGUMENTS = 16 };

struct arguments {
    char *texts[MOST_ARGUMENTS];
    int count;
};

/* False if the statement does not have exactly one call of the routine, or more arguments. What was
 * read is to be freed. */
bool arguments_read(struct arguments *arguments, const char *statement, const char *routine);
void arguments_free(struct arguments *arguments);

#endif
