/* expect: none */
/* semantics §2: the buffers lie in a pool; the slot that is written is the one of a pending send, or another. */
#include <mpi.h>
#include <stdlib.h>

enum { SLOTS = 4, LENGTH = 16 };

struct pool {
    double *slot[SLOTS];
    MPI_Request request[SLOTS];
    int next;
};

static int take(struct pool *pool)
{
    return pool->next++ % SLOTS;
}

int main(int argc, char **argv)
{
    int rank, size;
    struct pool pool = {.next = 0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < SLOTS; i++) {
        pool.slot[i] = calloc(LENGTH, sizeof(double));
        pool.request[i] = MPI_REQUEST_NULL;
    }
    for (int step = 0; step < 6; step++) {
        int at = take(&pool);
        if (rank == 0) {
            MPI_Wait(&pool.request[at], MPI_STATUS_IGNORE);
            pool.slot[at][0] = step;
            MPI_Issend(pool.slot[at], LENGTH, MPI_DOUBLE, size - 1, step, MPI_COMM_WORLD, &pool.request[at]);
        } else if (rank == size - 1) {
            MPI_Recv(pool.slot[at], LENGTH, MPI_DOUBLE, 0, step, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    }
    MPI_Waitall(SLOTS, pool.request, MPI_STATUSES_IGNORE);
    for (int i = 0; i < SLOTS; i++)
        free(pool.slot[i]);
    MPI_Finalize();
    return 0;
}
