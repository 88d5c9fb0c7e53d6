/* The findings of the last run, kept in the user's cache directory for `regatta report` without
 * arguments. */
#ifndef REGATTA_CLI_LAST_RUN_H
#define REGATTA_CLI_LAST_RUN_H

#include "findings/finding.h"

/* $XDG_CACHE_HOME/regatta/last.json or ~/.cache/regatta/last.json, to be freed; NULL if there is no
 * such directory. */
char *last_run_path(void);

/* False if it could not be kept, which is no error: a home directory may be full, or none. */
bool last_run_keep(struct report *report);

#endif
