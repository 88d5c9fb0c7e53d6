/* Compiling with checks: the command line that regatta cc, c++, fc and try hand to the MPI's wrapper. */
#ifndef REGATTA_CLI_COMPILATION_H
#define REGATTA_CLI_COMPILATION_H

#include "mpis.h"
#include "words.h"

/* The wrapper, the user's arguments and what Regatta adds. Ends the program if the wrapper or Regatta's own files are
 * missing. */
struct words compilation_line(const struct mpi *mpi, enum language language, char *const *arguments);

#endif
