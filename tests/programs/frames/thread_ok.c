/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §1 and §8: the return from a function gives its frame back, which counts as a store to all of it.
 *
 * The thread waits for its send.
 */
#include <mpi.h>
#include <pthread.h>

static MPI_Request req = MPI_REQUEST_NULL;

static void *start(void *unused)
{
    int row[4] = {1, 2, 3, 4};
    MPI_Isend(row, 4, MPI_INT, 1, 0, MPI_COMM_WORLD, &req); /* A */
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    return unused; /* B */
}

int main(int argc, char **argv)
{
    int rank, provided, row[4];
    pthread_t thread;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        pthread_create(&thread, NULL, start, NULL);
        pthread_join(thread, NULL);
    } else {
        MPI_Recv(row, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
