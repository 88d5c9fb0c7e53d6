/* ranks: 3 */
/* needs: cc */
/* expect: none */
/*
 * semantics §3: in a ring every rank is target of one neighbour and origin to the other.
 *
 * The halo is read after wait.
 */
#include <mpi.h>

static _Alignas(64) double mem[1];
volatile double seen;

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Group world, from, to;
    int left = (rank + 2) % 3, right = (rank + 1) % 3;
    double value = rank;
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &left, &from);
    MPI_Group_incl(world, 1, &right, &to);
    MPI_Win_post(from, 0, win);
    MPI_Win_start(to, 0, win);
    MPI_Put(&value, 1, MPI_DOUBLE, right, 0, 1, MPI_DOUBLE, win); /* A */
    MPI_Win_complete(win);
    MPI_Win_wait(win);
    seen = mem[0];
    MPI_Group_free(&from);
    MPI_Group_free(&to);
    MPI_Group_free(&world);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
