/* What kind of program the user wants to run, found out by looking, not by running it. */
#ifndef REGATTA_CLI_PROGRAM_H
#define REGATTA_CLI_PROGRAM_H

#include "gomp.h"
#include "mpis.h"

enum program_kind {
    PROGRAM_LINKED,     /* an executable linked against a shared MPI library */
    PROGRAM_STATIC_MPI, /* MPI is inside the executable: calls cannot be intercepted */
    PROGRAM_MAY_LOAD,   /* script, interpreter or wrapper: may load MPI or start one that does */
    PROGRAM_STATIC,     /* a static executable without MPI: preloading does not even reach it */
};

struct program {
    enum program_kind kind;
    char *path;            /* the file */
    const char *command;   /* what to hand to the launcher: becomes the program's argv[0] */
    const struct mpi *mpi; /* for LINKED; for MAY_LOAD that of an argument, or NULL */
    const char *evidence;  /* the library or file that told, for messages */
    /* A library that stands no other before it, AddressSanitizer's; NULL: none. */
    char *comes_first;
    /* A call by its PMPI_ name, which nothing intercepts, or NULL; the program's own, not its
     * libraries'. */
    char *unseen;
    struct gomp gomp;
};

/* Looks at argv[0], searched on PATH and then in the working directory as mpiexec does, and for
 * wrappers and interpreters at the files among its arguments. Ends the program with 2 if it cannot
 * be run. */
struct program program_inspect(char *const *argv);

#endif
