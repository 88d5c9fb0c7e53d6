/* The MPI library's own entry points and handles.
 *
 * The runtime library is not linked to MPI: it would drag a second libmpi into programs that were
 * built against another one, and into every shell script that a run starts. Instead, entry points
 * are looked up in whatever MPI the process has loaded, also when that happened late and privately
 * (a Python module that was dlopened). For the same reason no predefined handle may be named
 * directly: in Open MPI they are addresses of data symbols, i.e. load-time relocations. */
#ifndef REGATTA_INTERPOSE_PMPI_H
#define REGATTA_INTERPOSE_PMPI_H

#include <stdbool.h>

#include "pmpi_entries.h" /* struct pmpi: pmpi.Send is PMPI_Send; NULL if this MPI lacks it */

extern struct pmpi pmpi;

/* The predefined handles that the runtime needs. */
struct handles {
    MPI_Comm comm_world, comm_self, comm_null;
    MPI_Request request_null;
    MPI_Datatype datatype_null;
    MPI_Group group_null;
    MPI_Win win_null;
    MPI_Op no_op, replace, min, sum, max, band, bor, bxor;
    MPI_Info info_null;
    MPI_Datatype byte, packed, integer; /* MPI_BYTE, MPI_PACKED, MPI_INT */
    MPI_Datatype signed_integers[8];    /* sums of them wrap around */
    MPI_Datatype unsigned_integers[5];
};
extern struct handles handles;

/* Fills both. Cheap when it has been done; false if the process has no MPI library. Thread-safe. */
bool pmpi_resolve(void);

/* The next definition of a function after the runtime's own, in any loaded MPI library. */
void *pmpi_symbol(const char *name);
/* A variable of the MPI library, or the executable's copy of it, which takes its place. */
void *pmpi_variable(const char *name);

#endif
