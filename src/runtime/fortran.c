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

int fortran_first_index(void)
{
#ifdef OPEN_MPI
    return 1;
#else
    /* Only the entry points of mpi_f08 are wrapped. Those of MPICH 4.0.2 return the index of C. Asked
     * once, with a request at the second place that is complete. */
    static int first = -1;
    if (first < 0) {
        void (*waitany)(const MPI_Fint *, MPI_Request *, MPI_Fint *, MPI_Status *, MPI_Fint *) =
            fortran_original("mpi_waitany_f08_");
        MPI_Fint two = 2, index = 2, error = 0;
        MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
        MPI_Status status;
        pmpi.Isend(NULL, 0, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_SELF, &requests[1]);
        waitany(&two, requests, &index, &status, &error);
        first = index - 1;
    }
    return first;
#endif
}
