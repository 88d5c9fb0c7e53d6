/* calls.def, parsed: what the generator works on. Build-time only. */
#ifndef REGATTA_MPI_CALLS_FILE_H
#define REGATTA_MPI_CALLS_FILE_H

#include "vocabulary.h"

struct call_argument {
    char name[64];
    char type[64]; /* C type as declared, e.g. "const int[]"; "..." for variable arguments */
    enum role role;
    enum blocks blocks;
    bool at_root;
};

struct call_row {
    char name[64];        /* "MPI_Isend" */
    char return_type[32]; /* "int" but for a few */
    bool large;
    char verb[32], object[32], order[32];
    bool attributes[ATTRIBUTE_KINDS];
    int narguments, nbuffers;
    struct call_argument arguments[ROUTINE_MAX_ARGUMENTS];
    struct routine_buffer buffers[ROUTINE_MAX_BUFFERS];
};

struct calls_file {
    struct call_row *rows; /* sorted by name */
    int nrows;
};

/* Reads and checks the file; a mistake ends the program with its line number. */
struct calls_file calls_file_read(const char *path);

/* How a role is handed to the runtime: "BUFFER", "SHAPE" … (column 2 of roles.def). */
const char *role_how(enum role role);
const char *role_name(enum role role);
const char *attribute_name(enum attribute attribute);

/* "MPI_Isend" → "Isend", "MPIX_Bcast_init" → "X_Bcast_init": the routine's name inside C
 * identifiers. */
const char *row_short_name(const struct call_row *row, char *room);

#endif
