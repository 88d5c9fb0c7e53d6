/* What build systems look for beside the compiler, under the names regatta-gcc-ar and the like:
 * CMake takes the "regatta-" of regatta-cc for the prefix of a cross compiler. */
#ifndef REGATTA_CLI_BINUTILS_H
#define REGATTA_CLI_BINUTILS_H

#include <stdbool.h>

/* Whether it is the name of such a tool, without "regatta-": gcc-ar, gcc-ranlib, gcc-nm, llvm-ar,
 * llvm-ranlib, llvm-nm. */
bool binutils_has(const char *name);

/* Becomes the tool that belongs to the compiler of the MPI's wrapper. argv[0] is its name without
 * "regatta-". */
_Noreturn void binutils_become(char **argv);

#endif
