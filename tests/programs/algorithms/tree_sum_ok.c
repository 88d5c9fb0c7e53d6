/* ranks: 5 */
/* needs: run */
/* expect: none */
/*
 * semantics §2 and §3: a sum up a binary tree by gets, and down again by puts. Empty messages tell the parent that a part is
 * there to be fetched, and the child that the total has arrived; order is transitive along the tree.
 * A process passes the total on out of its own window: the put into it must be over by then.
 *
 * The put down is flushed before the message.
 */
#include <mpi.h>
#include <stddef.h>

enum { PART = 0, TOTAL = 2, WIDTH = 2 };
static _Alignas(64) double mem[2 * WIDTH];

int main(int argc, char **argv)
{
    int rank, ranks;
    double part[WIDTH], result[WIDTH] = {0};
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    mem[PART] = rank;
    mem[PART + 1] = 1;
    for (int child = 2 * rank + 1; child <= 2 * rank + 2 && child < ranks; child++) {
        MPI_Recv(NULL, 0, MPI_INT, child, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Get(part, WIDTH, MPI_DOUBLE, child, PART, WIDTH, MPI_DOUBLE, win);
        MPI_Win_flush_local(child, win);
        for (int i = 0; i < WIDTH; i++)
            mem[PART + i] += part[i];
    }
    if (rank == 0) {
        for (int i = 0; i < WIDTH; i++)
            mem[TOTAL + i] = mem[PART + i];
    } else {
        MPI_Send(NULL, 0, MPI_INT, (rank - 1) / 2, 0, MPI_COMM_WORLD);
        MPI_Recv(NULL, 0, MPI_INT, (rank - 1) / 2, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    for (int child = 2 * rank + 1; child <= 2 * rank + 2 && child < ranks; child++) {
        MPI_Put(&mem[TOTAL], WIDTH, MPI_DOUBLE, child, TOTAL, WIDTH, MPI_DOUBLE, win);
        MPI_Win_flush(child, win);
        MPI_Send(NULL, 0, MPI_INT, child, 1, MPI_COMM_WORLD);
    }
    MPI_Reduce_local(&mem[TOTAL], result, WIDTH, MPI_DOUBLE, MPI_SUM);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
