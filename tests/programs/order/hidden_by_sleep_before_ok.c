/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §4: concurrency is a matter of happens-before, not of the clock on the wall.
 *
 * A message orders them.
 */
#include <mpi.h>
#include <unistd.h>

static _Alignas(64) int mem[1];
volatile int seen;

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int one = 1, token = 0;
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Put(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* A */
        MPI_Win_flush(1, win);
        MPI_Send(&token, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Iprobe(0, 1, MPI_COMM_WORLD, &token, MPI_STATUS_IGNORE);
        usleep(250000);
        MPI_Iprobe(0, 1, MPI_COMM_WORLD, &token, MPI_STATUS_IGNORE);
        MPI_Recv(&token, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        seen = mem[0]; /* B */
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
