#include "fortran.h"

#include <stdio.h>
#include <stdlib.h>

void *fortran_original(const char *symbol)
{
    void *original = pmpi_symbol(symbol);
    if (!original) {
        /* The program found our wrapper but has no MPI Fortran library behind it: it could not
         * have run without us either. */
        fprintf(stderr, "regatta: this process has no MPI library that defines %s\n", symbol);
        abort();
    }
    return original;
}

void *fortran_address(void *address)
{
#ifdef OPEN_MPI
    static void *bottom, *in_place;
    if (!bottom) {
        in_place = pmpi_variable("mpi_fortran_in_place_");
        bottom = pmpi_variable("mpi_fortran_bottom_");
    }
    if (address == bottom)
        return MPI_BOTTOM;
    if (address == in_place)
        return MPI_IN_PLACE;
#endif
    /* MPICH: only entry points without buffers are wrapped, the others arrive as C calls. */
    return address;
}
