/* Starting compilers: for compile.c and compile_fortran.c. */
#ifndef REGATTA_ANALYZE_COMPILE_H
#define REGATTA_ANALYZE_COMPILE_H

#include "load.h"

#include <sys/types.h>

/* Starts it with both streams into the log; -1, and says so, if that fails. */
pid_t compiler_start(char *const *words, const char *directory, const char *log);
/* Names a source that is left out, with the first error that the compiler wrote. */
void compiler_explain(const struct units *units, const struct unit *unit, const char *log);

#endif
