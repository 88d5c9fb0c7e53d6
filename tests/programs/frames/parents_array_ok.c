/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §1 and §8: in a recursion each level has a frame of its own. A level may leave while an outer one's array is in use.
 *
 * All levels send parts of the outermost one's array, which waits.
 */
#include <mpi.h>

static void send_part(int level, int *outer, MPI_Request *reqs)
{
    int own[4] = {level, level, level, level}, *part;
    part = outer + 4 * level;
    outer[4 * level] = own[level % 4];
    MPI_Isend(part, 4, MPI_INT, 1, level, MPI_COMM_WORLD, &reqs[level]);
    if (level < 3)
        send_part(level + 1, outer, reqs);
}

int main(int argc, char **argv)
{
    int rank, rows[16] = {0};
    MPI_Request reqs[4];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        send_part(0, rows, reqs);
        MPI_Waitall(4, reqs, MPI_STATUSES_IGNORE);
    } else {
        for (int i = 0; i < 4; i++)
            MPI_Recv(rows + 4 * i, 4, MPI_INT, 0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
