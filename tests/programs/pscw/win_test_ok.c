/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §2: only a successful Win_test is a remote completion.
 *
 * The load follows the successful Win_test.
 */
#include <mpi.h>
#include <stddef.h>

static _Alignas(64) int mem[1];
volatile int seen;

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Group world, peer;
    int one = 1, other = 1 - rank, flag = 0;
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &other, &peer);
    if (rank == 0) {
        MPI_Win_start(peer, 0, win);
        MPI_Put(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* A */
        MPI_Recv(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Win_complete(win);
    } else {
        MPI_Win_post(peer, 0, win);
        MPI_Win_test(win, &flag);
        MPI_Send(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD);
        while (!flag)
            MPI_Win_test(win, &flag);
        seen = mem[0];
    }
    MPI_Group_free(&peer);
    MPI_Group_free(&world);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
