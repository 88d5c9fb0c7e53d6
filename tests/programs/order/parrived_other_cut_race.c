/* ranks: 2 */
/* needs: run */
/* mpi: mpich */
/* expect: remote-race A B */
/*
 * semantics §3: a partition that MPI_Parrived tells of was made ready before; the ends may cut the data differently.
 *
 * The receiver's partition 1 of 4 is in the sender's partition 0 of 2, made ready before the put.
 */
#include <mpi.h>

static _Alignas(64) int mem[1];

int main(int argc, char **argv)
{
    int rank, one = 1, seen = 0, flag = 0, data[4] = {0};
    MPI_Request req;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Psend_init(data, 2, 2, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &req);
        MPI_Start(&req);
        MPI_Pready(0, req);
        MPI_Put(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* A */
        MPI_Win_flush(1, win);
        MPI_Pready(1, req);
        MPI_Wait(&req, MPI_STATUS_IGNORE);
    } else {
        MPI_Precv_init(data, 4, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &req);
        MPI_Start(&req);
        while (!flag)
            MPI_Parrived(req, 1, &flag);
        MPI_Get(&seen, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* B */
        MPI_Win_flush(1, win);
        MPI_Wait(&req, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&req);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
