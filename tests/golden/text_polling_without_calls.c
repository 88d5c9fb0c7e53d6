/* A loop that only looks, without any call of MPI, is polling; not only after many looks. */
/* expect: remote-race 24 28 */
/* checks: compiled in */
/* says: The load looks like polling: MPI promises neither that it ever sees the new value nor that it sees all of it. */
/* says: poll with an atomic read (MPI_Fetch_and_op with MPI_NO_OP */
#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank, one = 1, came = 0;
    int *memory;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(64, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win);
    memory[1] = 0;
    MPI_Win_unlock(rank, win);
    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        /* some MPIs bring it at once, others when the target calls them: here in the barrier */
        MPI_Put(&one, 1, MPI_INT, 1, 1, 1, MPI_INT, win);
        MPI_Win_flush(1, win);
    } else {
        for (int looks = 0; looks < 2 || (looks < 200 && !came); looks++) {
            came = memory[1];
            usleep(1000);
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
