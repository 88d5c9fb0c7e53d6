/* ranks: 3 */
/* needs: cc */
/* expect: remote-race A B */
/*
 * semantics §3: what makes communicators orders all of their processes: MPI_Intercomm_merge both groups.
 *
 * The load comes before the merge.
 */
#include <mpi.h>

static _Alignas(64) int memory[1];

int main(int argc, char **argv)
{
    int rank, value = 3, sum = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win win;
    MPI_Comm group, both, merged;
    MPI_Comm_split(MPI_COMM_WORLD, rank == 1, 0, &group);
    MPI_Intercomm_create(group, 0, MPI_COMM_WORLD, rank == 1 ? 0 : 1, 5, &both);
    MPI_Win_create(memory, sizeof memory, sizeof memory[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 2) {
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* A */
        MPI_Win_flush(1, win);
    }
    if (rank == 1)
        sum = memory[0]; /* B */
    MPI_Intercomm_merge(both, rank == 1, &merged);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Comm_free(&merged);
    MPI_Comm_free(&both);
    MPI_Comm_free(&group);
    MPI_Finalize();
    return sum < 0;
}
