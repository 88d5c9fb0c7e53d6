#include "fortran.h"

#include <stdio.h>
#include <stdlib.h>

#include "call.h"

__thread struct interpose_thread interpose_here;

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

/* What is found out once; a second thread finds the same. */
#ifdef OPEN_MPI
static void *bottom, *in_place; /* addresses of Fortran's constants */
#else
static int first_index = -1; /* not asked yet */
#endif

void *fortran_address(void *address)
{
#ifdef OPEN_MPI
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
    /* Only the entry points of mpi_f08 are wrapped. Those of MPICH 4.0.2 return the index of C.
     * Asked once, with a request at the second place that is complete. */
    if (first_index < 0) {
        void (*waitany)(const MPI_Fint *, MPI_Request *, MPI_Fint *, MPI_Status *, MPI_Fint *) =
            fortran_original("mpi_waitany_f08_");
        MPI_Fint two = 2, index = 2, error = 0;
        MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
        MPI_Status status;
        pmpi.Isend(NULL, 0, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_SELF, &requests[1]);
        waitany(&two, requests, &index, &status, &error);
        first_index = index - 1;
    }
    return first_index;
#endif
}

bool fortran_is_ignored(const void *status, bool array)
{
    /* Open MPI: variables of the Fortran library. MPICH: the f08 module's constants, pointers to
     * which the library keeps for its own comparisons; mpif.h arrives as C. */
    static const void *one, *many;
    if (!one) {
#ifdef OPEN_MPI
        one = pmpi_variable("mpi_fortran_status_ignore_");
        many = pmpi_variable("mpi_fortran_statuses_ignore_");
#else
        one = pmpi_variable("MPIR_F08_MPI_STATUS_IGNORE_OBJ");
        many = pmpi_variable("MPIR_F08_MPI_STATUSES_IGNORE_OBJ");
#endif
    }
    return status == (array ? many : one);
}

void fortran_status(const void *from, MPI_Status *to)
{
#ifdef OPEN_MPI
    pmpi.Status_f2c(from, to);
#else
    *to = *(const MPI_Status *)from;
#endif
}
