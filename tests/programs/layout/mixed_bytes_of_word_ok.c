/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §1: the owner stores some bytes of a word and loads others; each byte has its own
 * history.
 *
 * The get covers the byte that was loaded.
 */
#include <mpi.h>

static _Alignas(64) char mem[8];
volatile char seen;

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    char value = 1;
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Get(&value, 1, MPI_CHAR, 1, 2, 1, MPI_CHAR, win);
    } else {
        mem[1] = 7; /* B */
        seen = mem[2];
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
