/* ranks: 3 */
/* needs: run */
/* expect: none */
/*
 * semantics §3: Comm_create_group orders the members of the group.
 *
 * The group is ranks 0 and 1.
 */
#include <mpi.h>

static _Alignas(64) int mem[1];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int one = 1, seen = 0;
    MPI_Comm pair = MPI_COMM_NULL;
    MPI_Group world, members;
    int list[2] = {0, 1};
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 2, list, &members);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Put(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* A */
        MPI_Win_flush(1, win);
    }
    if (rank == list[0] || rank == list[1])
        MPI_Comm_create_group(MPI_COMM_WORLD, members, 0, &pair);
    if (rank == 1)
        MPI_Get(&seen, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* B */
    MPI_Win_unlock_all(win);
    if (pair != MPI_COMM_NULL)
        MPI_Comm_free(&pair);
    MPI_Group_free(&members);
    MPI_Group_free(&world);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
