/* ranks: 2 */
/* needs: run */
/* expect: none */
/*
 * semantics §3: opening a file orders all members of its communicator.
 *
 * Both open it together.
 */
#include <mpi.h>
#include <stdio.h>

static _Alignas(64) int mem[1];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int one = 1, seen = 0;
    MPI_File file;
    char name[64];
    double now = MPI_Wtime();
    MPI_Comm who = MPI_COMM_WORLD;
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Bcast(&now, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    snprintf(name, sizeof name, "/tmp/regatta-order-%.6f", now);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Put(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* A */
        MPI_Win_flush(1, win);
    }
    MPI_File_open(who, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    if (rank == 1)
        MPI_Get(&seen, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* B */
    MPI_Win_unlock_all(win);
    MPI_File_close(&file);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
