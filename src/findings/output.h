/* Files that are written whole or not at all; "-" is standard output. */
#ifndef REGATTA_FINDINGS_OUTPUT_H
#define REGATTA_FINDINGS_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

/* Whether a file could be written there, tried out without changing anything that stays. False
 * with errno set if not. Meant for before a long run. */
bool output_possible(const char *path);

/* Writes the file by calling `write` on a temporary one beside it, which then takes the place of
 * `path`; devices and pipes are written directly. False with errno set if any step failed, and
 * then `path` is as it was. */
bool output_write(const char *path, bool (*write)(FILE *out, const void *what), const void *what);

#endif
