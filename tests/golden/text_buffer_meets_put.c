/* A send out of window memory is told of before it is complete, and a put comes: either may have been the mistake. */
/* expect: remote-race 22 28 */
/* says: "kind": "send" */
/* says: the buffer of MPI_Isend by rank 0 */
/* says: MPI reads the buffer of rank 0's MPI_Isend until MPI_Wait or MPI_Test on its request, and the put completes at rank 1's MPI_Win_unlock_all (text_buffer_meets_put.c:33) */
/* says: complete the MPI_Isend (MPI_Wait) and let rank 1 know */
/* says: or complete the put (MPI_Win_flush or MPI_Win_unlock) and let rank 0 know before it calls MPI_Isend */
/* says-not: "load" */
/* ranks: 3 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, *memory, value = 1, token = 0;
    MPI_Win win;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(64, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Isend(memory, 4, MPI_INT, 2, 0, MPI_COMM_WORLD, &request);
        MPI_Send(&token, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
        MPI_Recv(&token, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        value = 2;
        MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
    } else {
        int got[4];
        MPI_Recv(got, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
