/* usage: forgets PUTS FILE
 * Rank 0 puts to ever other bytes of rank 1. Rank 2 hears of it by the file alone, so nothing of it may be forgotten; then it puts
 * to the first of these bytes and to the last: two races, whose lines are marked. With little memory the first is forgotten. */
#include <fcntl.h>
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>

enum { BETWEEN = 1000 };

int main(int argc, char **argv)
{
    int rank, puts = atoi(argv[1]), token = 0;
    char value = 1, *memory;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(rank == 1 ? 16 * (MPI_Aint)puts : 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD); /* MPICH grants a lock only while its target is in MPI, and rank 2 leaves it for long */
    for (int i = 0; rank == 0 && i < puts; i++) {
        MPI_Put(&value, 1, MPI_CHAR, 1, 16 * (MPI_Aint)i, 1, MPI_CHAR, win);
        MPI_Win_flush(1, win);
        if (i % BETWEEN == BETWEEN - 1)
            MPI_Ssend(&token, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    }
    for (int i = 0; rank == 1 && i < puts / BETWEEN; i++)
        MPI_Recv(&token, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1)
        close(open(argv[2], O_CREAT | O_WRONLY, 0600));
    while (rank == 2 && access(argv[2], F_OK) != 0)
        usleep(1000);
    if (rank == 2) {
        MPI_Put(&value, 1, MPI_CHAR, 1, 0, 1, MPI_CHAR, win); /* first */
        MPI_Put(&value, 1, MPI_CHAR, 1, 16 * (MPI_Aint)(puts - 1), 1, MPI_CHAR, win); /* last */
        MPI_Win_flush(1, win);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
