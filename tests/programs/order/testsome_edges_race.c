/* ranks: 3 */
/* needs: run */
/* expect: remote-race A B */
/*
 * semantics §3: Testsome completes the receives that it names, and only those.
 *
 * The get follows the message of a bystander.
 */
#include <mpi.h>

static _Alignas(64) int mem[1];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request reqs[2];
    int one = 1, seen = 0, token = 0, tokens[2], indices[2], done = 0;
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Send(&token, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    } else if (rank == 1) {
        MPI_Put(&one, 1, MPI_INT, 2, 0, 1, MPI_INT, win); /* A */
        MPI_Win_flush(2, win);
        MPI_Recv(&token, 1, MPI_INT, 2, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&token, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    } else {
        MPI_Irecv(&tokens[0], 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &reqs[0]);
        MPI_Irecv(&tokens[1], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &reqs[1]);
        for (done = 0; done == 0;)
            MPI_Testsome(2, reqs, &done, indices, MPI_STATUSES_IGNORE);
        MPI_Send(&token, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
        MPI_Get(&seen, 1, MPI_INT, 2, 0, 1, MPI_INT, win); /* B */
        for (done = 0; done == 0;)
            MPI_Testsome(2, reqs, &done, indices, MPI_STATUSES_IGNORE);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
