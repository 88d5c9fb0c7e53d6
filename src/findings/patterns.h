/* Patterns as the shell's (* ? [...]), as suppressions and filters have them, against names. */
#ifndef REGATTA_FINDINGS_PATTERNS_H
#define REGATTA_FINDINGS_PATTERNS_H

#include <stdbool.h>

/* The whole path, or what stands behind one of its slashes; a NULL path fits nothing. */
bool pattern_fits_path(const char *pattern, const char *path);

/* A source file by its whole name, relative to the working directory or absolute, or by its last
 * parts (halo.c for src/halo.c); a NULL file fits nothing. */
bool pattern_fits_file(const char *pattern, const char *file, const char *working_directory);

/* A function by its whole name, or by its last parts: exchange for solver::Grid::exchange. */
bool pattern_fits_function(const char *pattern, const char *function);

#endif
