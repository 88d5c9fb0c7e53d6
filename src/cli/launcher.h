/* How the processes of a program are started: by the MPI's own launcher or another, with variables
 * that the processes, and only they, see. */
#ifndef REGATTA_CLI_LAUNCHER_H
#define REGATTA_CLI_LAUNCHER_H

#include "program.h"
#include "words.h"

struct launcher {
    const char *asked_mpi; /* --mpi, or NULL */
    const char *command;   /* --launcher, or NULL */
    struct words options;  /* that the MPI's own launcher gets besides ours */
    int ranks;             /* 0: not given */
    bool verbose;
    bool follows_threads; /* OpenMP's runtime must be one that tells what it does */
    struct program program;
    const struct mpi *mpi; /* set by launcher_choose_mpi */
    struct words settings; /* NAME, value, NAME, value … for the processes alone */
};

/* From what was asked for and what the program is. Ends the command if they do not agree. */
void launcher_choose_mpi(struct launcher *launcher);

void launcher_set(struct launcher *launcher, const char *name, const char *value);
/* What every library of ours needs: the library itself, behind what the user preloads and what the
 * program must have first, what stands in for libgomp, the directory for its records, and
 * REGATTA_OPTIONS. */
void launcher_preload(struct launcher *launcher, const char *library, const char *records);

/* The command line that runs argv[0…] (argv[0] by the program's path). */
struct words launcher_line(const struct launcher *launcher, char *const *argv);
/* Tells it, for --verbose. */
void launcher_say(const struct words *line);

#endif
