/* ranks: 3 */
/* needs: run */
/* expect: remote-race A B */
/*
 * semantics §3: complete at the first origin, wait, post, access of the second origin: a chain
 * through the target.
 *
 * Both origins are in one exposure epoch.
 */
#include <mpi.h>

static _Alignas(64) int mem[2];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Group world, zero, one, two, both;
    int value = rank, other, ranks[3] = {0, 1, 2};
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &ranks[0], &zero);
    MPI_Group_incl(world, 1, &ranks[1], &one);
    MPI_Group_incl(world, 1, &ranks[2], &two);
    MPI_Group_incl(world, 2, &ranks[1], &both);
    if (rank == 0) {
        MPI_Win_post(both, 0, win);
        MPI_Win_wait(win);
    } else if (rank == 1) {
        MPI_Win_start(zero, 0, win);
        MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, win); /* A */
        MPI_Win_complete(win);
    } else {
        MPI_Win_start(zero, 0, win);
        MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, win); /* B */
        MPI_Get(&other, 1, MPI_INT, 0, 1, 1, MPI_INT, win); /* the branches must end differently (README.md) */
        MPI_Win_complete(win);
    }
    MPI_Group_free(&zero);
    MPI_Group_free(&one);
    MPI_Group_free(&two);
    MPI_Group_free(&both);
    MPI_Group_free(&world);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
