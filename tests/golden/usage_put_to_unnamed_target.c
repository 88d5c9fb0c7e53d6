/* The access epoch of MPI_Win_start is for the targets of its group only. */
/* ranks: 2 */
/* expect: usage 19 21 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, other, value = 1, *memory;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    MPI_Win_allocate(64, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Group world, group;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &other, &group);
    MPI_Win_post(group, 0, win);
    MPI_Win_start(group, 0, win);
    MPI_Put(&value, 1, MPI_INT, other, 0, 1, MPI_INT, win);
    MPI_Put(&value, 1, MPI_INT, rank, 4, 1, MPI_INT, win);
    MPI_Win_complete(win);
    MPI_Win_wait(win);
    MPI_Group_free(&group);
    MPI_Group_free(&world);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
