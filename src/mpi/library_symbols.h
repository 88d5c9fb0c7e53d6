/* The symbols that an MPI library exports. Build-time only. */
#ifndef REGATTA_MPI_LIBRARY_SYMBOLS_H
#define REGATTA_MPI_LIBRARY_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>

struct symbols {
    char **names; /* sorted */
    size_t n;
};

/* A list of them, one per line; without it the program ends. */
struct symbols symbols_read(const char *path);
bool symbols_have(const struct symbols *symbols, const char *name);

#endif
