/* gcc's OpenMP runtime, libgomp, tells nobody what it does. LLVM's libomp does (OMPT), and offers
 * libgomp's functions as well, so it takes the place of libgomp in programs that gcc compiled. */
#ifndef REGATTA_CLI_GOMP_H
#define REGATTA_CLI_GOMP_H

#include <stdbool.h>

struct gomp {
    bool is_used;   /* by the program or a library that it is linked with */
    char *stand_in; /* the library to preload; NULL: none can be used, */
    char *why;      /* for this reason */
};

/* `libraries` as ld.so lists them, one per line: "\tname => path (address)". */
struct gomp gomp_inspect(const char *program, const char *libraries);

/* LLVM's OpenMP runtime on this machine, the newest; NULL if there is none. */
char *gomp_find_libomp(void);

#endif
