/* ranks: 2 */
/* needs: run */
/* mpi: mpich */
/* expect: none */
/*
 * semantics §3: a persistent collective orders from its start, also if its datatype was freed
 * before.
 *
 * The put precedes the broadcast.
 */
#include <mpi.h>

static _Alignas(64) int mem[1];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request req;
    MPI_Datatype type;
    int one = 1, seen = 0, token = 0;
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    MPI_Type_contiguous(1, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Bcast_init(&token, 1, type, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &req);
    MPI_Type_free(&type);
    if (rank == 0) {
        MPI_Put(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* A */
        MPI_Win_flush(1, win);
    }
    MPI_Start(&req);
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    if (rank == 0) {
        token = 1;
    } else {
        MPI_Get(&seen, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* B */
    }
    MPI_Request_free(&req);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
