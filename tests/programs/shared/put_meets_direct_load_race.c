/* ranks: 3 */
/* needs: cc */
/* expect: remote-race A B */
/*
 * semantics §3 and §5: a direct load of another rank's segment against a put by a third one.
 *
 * Nothing orders rank 0's put with rank 2's load of rank 1's segment.
 */
#include <mpi.h>

volatile int seen;

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *mine, *other, unit, one = 1;
    MPI_Aint size;
    MPI_Win win;
    MPI_Win_allocate_shared(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win);
    MPI_Win_shared_query(win, 1, &size, &unit, &other);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Put(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* A */
        MPI_Win_flush(1, win);
    }
    MPI_Win_sync(win);
    if (rank == 2)
        seen = other[0]; /* B */
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
