/* What the modules of this process (the program and its shared libraries) import: which of them
 * call MPI, and by which names. MPI's own libraries and Regatta's are left out. */
#ifndef REGATTA_INTERPOSE_IMPORTS_H
#define REGATTA_INTERPOSE_IMPORTS_H

#include <stdbool.h>
#include <stdint.h>

struct imports {
    const char *name;     /* of the file; "" is the program */
    uintptr_t bias;       /* by which it is known to dladdr1: link_map.l_addr */
    bool mpi;             /* calls of MPI, by whatever names */
    bool fetches;         /* atomics of MPI that return what they found */
    bool flushes_locally; /* MPI_Win_flush_local(_all) */
    bool shares_memory;   /* asks where window memory of others is: MPI_Win_shared_query */
    const char *pmpi;     /* the name of a routine that passes us by; NULL: none */
};

typedef void imports_reader(void *context, const struct imports *imports);
void imports_visit(imports_reader *read, void *context);
/* How many modules have been loaded in the life of the process. */
unsigned imports_loads(void);

#endif
