/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §1 and §2: Put reads its origin buffer until local completion.
 *
 * An array is filled and put word by word, upwards and downwards: each store is next to words that are in use, which is right.
 * One word of each is changed after all so far are locally complete.
 */
#include <mpi.h>

enum { WORDS = 64 };

static _Alignas(64) long mem[2 * WORDS];
static long up[WORDS], down[WORDS];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        for (int i = 0; i < WORDS; i++) {
            up[i] = i;
            MPI_Put(&up[i], 1, MPI_LONG, 1, i, 1, MPI_LONG, win);
            if (i == 40) {
                MPI_Win_flush_local(1, win);
                up[17] = 1;
            }
        }
        for (int i = WORDS - 1; i >= 0; i--) {
            down[i] = i;
            MPI_Put(&down[i], 1, MPI_LONG, 1, WORDS + i, 1, MPI_LONG, win);
            if (i == 9) {
                MPI_Win_flush_local(1, win);
                down[50] = 1;
            }
        }
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
