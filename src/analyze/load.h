/* Input of `regatta check`: whatever the user has, turned into bitcode files ("units"). */
#ifndef REGATTA_ANALYZE_LOAD_H
#define REGATTA_ANALYZE_LOAD_H

#include "cache.h"
#include "grow.h"

#include <llvm-c/Core.h>

#include <stdbool.h>

/* One thing to analyse. Sources are compiled first; `flags` are the compiler flags that matter to
 * meaning (-I, -D, -std …); others have been left out. */
struct unit {
    char *file;      /* as given, or as the compilation database says */
    char *directory; /* where the compiler runs; NULL: here */
    LIST(char *) flags;
    LIST(char *) left_out; /* flags of its build that are not among them */
    bool is_bitcode, is_cxx, is_fortran;
    char *bitcode; /* path of the bitcode file; NULL until compiled, or if that failed */
};

struct units {
    LIST(struct unit) list;
    const char *mpi; /* "mpich", "openmpi": whose headers; NULL: what mpicc is */
    char *scratch;   /* temporary directory, removed by units_free */
    size_t failed;   /* sources that did not compile, inputs that could not be read */
    size_t missing;  /* … of these, inputs that are not in the list */
    bool quiet;
    LIST(char *) libraries; /* -l and -L of the flags and of recorded links, in their order */
    struct cache cache;
    size_t from_cache; /* sources that needed no compiler */
};

void units_init(struct units *units, const char *mpi);
void units_free(struct units *units);

/* A source, a bitcode file, a directory that is searched for bitcode and sources, or @FILE with
 * such names in it. Flags may have response files, too. */
bool units_add(struct units *units, const char *path, char *const *flags, size_t nflags);
/* A compile_commands.json, or the directory it stands in. */
bool units_add_database(struct units *units, const char *path);
/* Runs a build and notes its compiler calls. Returns the build's exit code, -1 if it did not start.
 */
int units_record(struct units *units, char *const *command);

/* Compiles all sources, `jobs` at a time. */
void units_compile(struct units *units, int jobs);
/* Its part for Fortran. */
void units_compile_fortran(struct units *units, int jobs);

/* Reads one bitcode file. On failure NULL, and a message (freed by the caller with free) why. */
LLVMModuleRef unit_read(LLVMContextRef context, const struct unit *unit, char **message);

/* For load.c and record.c: keeps those compiler arguments that matter to meaning. */
void unit_take_arguments(struct unit *unit, char *const *arguments, size_t count);
/* By its name; false if it is none. Says the language. */
bool path_is_source(const char *path, struct unit *unit);
/* -l and -L among them. */
void units_take_libraries(struct units *units, char *const *flags, size_t count);
void units_take_command(struct units *units, const char *directory, char *const *words,
                        size_t count);

#endif
