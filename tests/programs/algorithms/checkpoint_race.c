/* ranks: 2 */
/* needs: run */
/* expect: remote-race A C */
/* expect: remote-race B C */
/*
 * semantics §1 and §5: a stencil with halo exchange by puts between fences, which writes its field to a file now and then without
 * waiting. A buffer that is being written out may be read meanwhile, and sent from, but nothing may be put into it.
 *
 * The write is waited for when the next exchange is under way.
 */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

enum { CELLS = 6, STEPS = 6, EVERY = 2 };
static _Alignas(64) double field[CELLS + 2];

int main(int argc, char **argv)
{
    int rank, ranks;
    char name[64];
    MPI_File file;
    MPI_Request writing = MPI_REQUEST_NULL;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int left = rank ? rank - 1 : MPI_PROC_NULL, right = rank < ranks - 1 ? rank + 1 : MPI_PROC_NULL;
    snprintf(name, sizeof name, "/tmp/regatta-checkpoint-%ld", (long)getpid());
    MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    for (int i = 0; i < CELLS + 2; i++)
        field[i] = rank;
    MPI_Win_create(field, sizeof field, sizeof field[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
    for (int step = 0; step < STEPS; step++) {
        MPI_Put(&field[1], 1, MPI_DOUBLE, left, CELLS + 1, 1, MPI_DOUBLE, win); /* A */
        MPI_Put(&field[CELLS], 1, MPI_DOUBLE, right, 0, 1, MPI_DOUBLE, win); /* B */
        MPI_Wait(&writing, MPI_STATUS_IGNORE);
        MPI_Win_fence(MPI_MODE_NOPUT, win);
        double behind = field[0];
        for (int i = 1; i <= CELLS; i++) {
            double here = field[i];
            field[i] = (behind + here + field[i + 1]) / 3;
            behind = here;
        }
        if (step % EVERY == 0)
            MPI_File_iwrite_at(file, step * (MPI_Offset)sizeof field, field, CELLS + 2, MPI_DOUBLE, &writing); /* C */
        MPI_Win_fence(0, win);
    }
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    MPI_File_close(&file);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
