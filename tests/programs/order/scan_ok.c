/* ranks: 2 */
/* needs: run */
/* expect: none */
/*
 * semantics §3: Scan orders lower ranks before higher ones only.
 *
 * In MPI_COMM_WORLD the writer has the lower rank.
 */
#include <mpi.h>

static _Alignas(64) int mem[1];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int one = 1, seen = 0;
    MPI_Comm line;
    int mine = 1, sum = 0;
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &line);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Put(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* A */
        MPI_Win_flush(1, win);
    }
    MPI_Scan(&mine, &sum, 1, MPI_INT, MPI_SUM, line);
    if (rank == 1)
        MPI_Get(&seen, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* B */
    MPI_Win_unlock_all(win);
    MPI_Comm_free(&line);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
