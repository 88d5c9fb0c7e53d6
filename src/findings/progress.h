/* One line on a terminal that says how far a long run is. Nothing anywhere else. */
#ifndef REGATTA_FINDINGS_PROGRESS_H
#define REGATTA_FINDINGS_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

/* Off until switched on, by the command of that name. */
void progress_switch(const char *command, bool on);
/* "compiling 12 of 600"; cheap enough to be called for each. */
void progress_show(const char *what, size_t done, size_t total);
/* Takes the line away: before anything else is printed. */
void progress_clear(void);

#endif
