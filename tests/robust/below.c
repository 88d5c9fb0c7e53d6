/* Stands between Regatta and MPI: counts the updates that are handed to MPI as ones that fetch. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>

int below_fetched;

int PMPI_Get_accumulate(const void *origin, int count, MPI_Datatype type, void *result,
                        int result_count, MPI_Datatype result_type, int target, MPI_Aint disp,
                        int target_count, MPI_Datatype target_type, MPI_Op op, MPI_Win win)
{
    __typeof__(&PMPI_Get_accumulate) mpi = (__typeof__(mpi))dlsym(RTLD_NEXT, "PMPI_Get_accumulate");
    below_fetched++;
    return mpi(origin, count, type, result, result_count, result_type, target, disp, target_count,
               target_type, op, win);
}
