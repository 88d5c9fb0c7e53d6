/* ranks: 3 */
/* needs: run */
/* expect: none */
/*
 * semantics §3: Waitall brings in the past of every receive it completes.
 *
 * It is.
 */
#include <mpi.h>

static _Alignas(64) int mem[1];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request req[2];
    int one = 1, seen = 0, token[2] = {0};
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 2) {
        MPI_Irecv(&token[0], 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &req[0]);
        MPI_Irecv(&token[1], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &req[1]);
        MPI_Waitall(2, req, MPI_STATUSES_IGNORE);
        MPI_Get(&seen, 1, MPI_INT, 2, 0, 1, MPI_INT, win); /* B */
        MPI_Waitall(2, req, MPI_STATUSES_IGNORE);
    } else {
        if (rank == 0)
            MPI_Put(&one, 1, MPI_INT, 2, 0, 1, MPI_INT, win); /* A */
        MPI_Win_flush(2, win);
        MPI_Send(token, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
