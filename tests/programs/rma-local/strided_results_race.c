/* ranks: 2 */
/* needs: nothing */
/* expect: local-race A B */
/*
 * semantics §1: origin datatypes are exact as well.
 *
 * The two interleaved results share element 4.
 */
#include <mpi.h>

static _Alignas(64) int mem[8];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int result[8] = {0};
    MPI_Datatype every_other;
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Type_vector(4, 1, 2, MPI_INT, &every_other);
    MPI_Type_commit(&every_other);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Get(result, 1, every_other, 1, 0, 4, MPI_INT, win); /* A */
        MPI_Get(result + 4, 1, MPI_INT, 1, 4, 1, MPI_INT, win); /* B */
    }
    MPI_Win_unlock_all(win);
    MPI_Type_free(&every_other);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
