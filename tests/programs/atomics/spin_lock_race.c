/* ranks: 3 */
/* needs: run */
/* expect: remote-race A B */
/* expect: remote-race B B */
/*
 * semantics §3: a spin lock by Compare_and_swap, released by an accumulate, orders its critical
 * sections.
 *
 * Every rank has a lock word of its own, so that nobody excludes anybody.
 */
#include <mpi.h>

static _Alignas(64) int mem[4];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int one = 1, zero = 0, old, count = 0;
    int word = 1 + rank;
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    do {
        MPI_Compare_and_swap(&one, &zero, &old, MPI_INT, 0, word, win);
        MPI_Win_flush(0, win);
    } while (old != 0);
    MPI_Get(&count, 1, MPI_INT, 0, 0, 1, MPI_INT, win); /* A */
    MPI_Win_flush(0, win);
    count++;
    MPI_Put(&count, 1, MPI_INT, 0, 0, 1, MPI_INT, win); /* B */
    MPI_Win_flush(0, win);
    MPI_Accumulate(&zero, 1, MPI_INT, 0, word, 1, MPI_INT, MPI_REPLACE, win);
    MPI_Win_flush(0, win);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
