/* Compiling with checks: the command line that regatta cc, c++, fc and try hand to the MPI's
 * wrapper. */
#ifndef REGATTA_CLI_COMPILATION_H
#define REGATTA_CLI_COMPILATION_H

#include "mpis.h"
#include "words.h"

/* The wrapper, the user's arguments and what Regatta adds. Ends the program if the wrapper or
 * Regatta's own files are missing. */
struct words compilation_line(const struct mpi *mpi, enum language language,
                              char *const *arguments);

/* The major version of the compiler behind the MPI's wrapper for C; 0 if it is not of that kind, or
 * not known. */
int compilation_version(const struct mpi *mpi, bool clang);

/* The compiler behind the MPI's wrapper for C, by name and version, if there is no plug-in for it;
 * else NULL. */
char *compilation_missing_plugin(const struct mpi *mpi);

#endif
