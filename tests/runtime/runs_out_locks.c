/* Two races; between them one rank stores under more combinations of locks than can be told apart,
 * each to bytes of its own, so that none can be forgotten (runs_out.sh). The argument: how many
 * windows it locks, 2^WINDOWS - 1 combinations. */
#include <mpi.h>
#include <stdlib.h>

enum { MOST = 17 };

int main(int argc, char **argv)
{
    char value = 1, *memory, *own[MOST];
    MPI_Win win, locks[MOST];
    int rank, windows = atoi(argv[1]), held[MOST] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate((MPI_Aint)8 << windows, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    for (int i = 0; i < windows; i++)
        MPI_Win_allocate(8, 1, MPI_INFO_NULL, MPI_COMM_SELF, &own[i], &locks[i]);
    MPI_Win_fence(0, win);
    MPI_Put(&value, 1, MPI_CHAR, 0, 0, 1, MPI_CHAR, win); /* early */
    MPI_Win_fence(0, win);
    /* Gray's order: one lock is taken or given back between two combinations. */
    for (int i = 1; rank == 0 && i < 1 << windows; i++) {
        int which = __builtin_ctz((unsigned)i);
        if (held[which])
            MPI_Win_unlock(0, locks[which]);
        else
            MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, locks[which]);
        held[which] = !held[which];
        memory[8 * i] = 1;
    }
    for (int i = 0; i < windows; i++)
        if (held[i])
            MPI_Win_unlock(0, locks[i]);
    MPI_Win_fence(0, win);
    MPI_Put(&value, 1, MPI_CHAR, 0, 0, 1, MPI_CHAR, win); /* late */
    MPI_Win_fence(0, win);
    for (int i = 0; i < windows; i++)
        MPI_Win_free(&locks[i]);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
