/* ranks: 2 */
/* needs: cc */
/* expect: usage A B */
/*
 * semantics §8 (Promises of fences): MPI_Win_wait is a synchronisation, too.
 *
 * It stores between wait and post.
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    long memory[4] = {0}, other[4] = {0}, value = 1;
    MPI_Win win;
    MPI_Win_create(memory, sizeof memory, sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Group world, partner;
    int peer = 1 - rank;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &peer, &partner);
    for (int round = 0; round < 2; round++)
        if (rank == 1) {
            MPI_Win_post(partner, 0, win);
            MPI_Win_wait(win);
            memory[2] = round; /* A */
            MPI_Win_post(partner, MPI_MODE_NOSTORE, win); /* B */
            MPI_Win_wait(win);
        } else {
            MPI_Win_start(partner, 0, win);
            MPI_Win_complete(win);
            MPI_Win_start(partner, 0, win);
            MPI_Put(&value, 1, MPI_LONG, 1, 0, 1, MPI_LONG, win);
            MPI_Win_complete(win);
        }
    MPI_Group_free(&partner);
    MPI_Group_free(&world);
    value += memory[2] + other[2];
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
