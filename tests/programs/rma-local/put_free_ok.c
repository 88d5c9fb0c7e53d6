/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §1 and §2: giving memory back counts as a store; the origin of a put is free at local completion.
 *
 * MPI_Win_flush_local comes first.
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *mem, *one = calloc(16, sizeof *one);
    MPI_Win_allocate(16 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &mem, &win);
    MPI_Win_lock_all(0, win);
    MPI_Put(one, 16, MPI_INT, 1 - rank, 0, 16, MPI_INT, win); /* A */
    MPI_Win_flush_local(1 - rank, win);
    free(one); /* B */
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
