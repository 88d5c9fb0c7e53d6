/* ranks: 3 */
/* needs: cc */
/* expect: remote-race A B */
/*
 * semantics §3: post, start, complete and wait around sums. The owner may look when its wait is over.
 *
 * The owner resets the counter while it is exposed.
 */
#include <mpi.h>

static _Alignas(64) long counter[2];

int main(int argc, char **argv)
{
    int rank, owner = 1, others[2] = {0, 2};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Group world, to, from;
    MPI_Win win;
    MPI_Win_create(counter, sizeof counter, sizeof counter[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_get_group(win, &world);
    MPI_Group_incl(world, 1, &owner, &to);
    MPI_Group_incl(world, 2, others, &from);
    for (int round = 0; round < 2; round++) {
        if (rank == owner) {
            MPI_Win_post(from, 0, win);
            counter[0] = 0; /* A */
            MPI_Win_wait(win);
        } else {
            long one = 1, before;
            MPI_Win_start(to, 0, win);
            MPI_Fetch_and_op(&one, &before, MPI_LONG, owner, 0, MPI_SUM, win); /* B */
            MPI_Win_complete(win);
        }
    }
    MPI_Group_free(&world);
    MPI_Group_free(&to);
    MPI_Group_free(&from);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
