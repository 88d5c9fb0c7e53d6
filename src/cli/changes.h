/* `regatta check --changed-since`: what git says has changed, and which findings that is about. */
#ifndef REGATTA_CLI_CHANGES_H
#define REGATTA_CLI_CHANGES_H

#include "analyze/extents.h"
#include "findings/finding.h"

struct changes;

/* The working tree against a revision, files that git does not know yet included. Ends the program
 * with 2 where there is no git, no repository or no such revision. */
struct changes *changes_since(const char *revision);
void changes_free(struct changes *changes);

/* Keeps the findings one of whose places has changed, or a function on the way to one. Returns how
 * many were removed. */
size_t filter_unchanged(struct report *report, const struct changes *changes,
                        const extent_list *extents);

#endif
