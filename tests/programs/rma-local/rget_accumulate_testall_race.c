/* ranks: 2 */
/* needs: cc */
/* expect: local-race A B */
/*
 * semantics §1 and §2: Rget_accumulate writes its result until its request completes, here by a
 * successful Testall.
 *
 * The result is loaded before.
 */
#include <mpi.h>

static _Alignas(64) int mem[1];
volatile int seen;

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request req;
    int add = 1, old = 0, flag = 0;
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Rget_accumulate(&add, 1, MPI_INT, &old, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_SUM, win, &req); /* A */
        seen = old; /* B */
        while (!flag)
            MPI_Testall(1, &req, &flag, MPI_STATUSES_IGNORE);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
