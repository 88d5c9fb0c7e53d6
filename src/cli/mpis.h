/* The MPI implementations that Regatta was built for, side by side. */
#ifndef REGATTA_CLI_MPIS_H
#define REGATTA_CLI_MPIS_H

#include <stdbool.h>

enum language { LANGUAGE_C, LANGUAGE_CXX, LANGUAGE_FORTRAN, LANGUAGE_COUNT };

struct mpi {
    const char *name;    /* as in --mpi */
    const char *title;   /* as people say it */
    const char *package; /* Debian packages that bring launcher and compilers */
    const char *runtime; /* file name of its runtime library */
    const char *launcher_names[3];
    const char *launcher_built_with; /* path found when Regatta was built, "" if none */
    const char *compiler_names[LANGUAGE_COUNT][3];
    const char *plain_compiler[LANGUAGE_COUNT]; /* name without suffix, for other systems */
};

extern const struct mpi mpis[];
extern const int mpi_count;

/* NULL if there is none of that name. */
const struct mpi *mpi_named(const char *name);

/* The MPI that the `mpicc` on PATH compiles for; NULL if there is no mpicc or it is another. */
const struct mpi *mpi_of_mpicc(void);

/* What to use when nothing else decides: `asked` (--mpi), REGATTA_MPI, mpicc, the first that has a
 * launcher. `how` is set to a phrase for --verbose. Ends the program if a name is unknown. */
const struct mpi *mpi_default(const char *asked, const char **how);

/* The MPI that the user asked for by --mpi or REGATTA_MPI; NULL if none. */
const struct mpi *mpi_asked_for(const char *asked, const char **how);

/* Paths, to be freed; NULL if missing. */
char *mpi_launcher(const struct mpi *mpi);
char *mpi_compiler(const struct mpi *mpi, enum language language);
char *mpi_runtime(const struct mpi *mpi);

/* The runtime library, or the end with 70 if it is not there. */
char *mpi_runtime_or_fail(const struct mpi *mpi);
/* The library that `regatta stress` preloads, or the end with 70. */
char *mpi_scheduler_or_fail(const struct mpi *mpi);

#endif
