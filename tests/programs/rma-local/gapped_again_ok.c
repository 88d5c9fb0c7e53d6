/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §1, §2: the origin buffer of an accumulate must not be changed before the operation is complete.
 *
 * The same two of three words go out five times; the word between them is free all the time, the last one
 * from the flush on.
 */
#include <mpi.h>

static int words[3], mem[3];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Datatype ends; /* blocks of different length: no regular pattern */
    int lengths[] = {2, 1}, starts[] = {0, 5};
    MPI_Type_indexed(2, lengths, starts, MPI_SHORT, &ends);
    MPI_Type_commit(&ends);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        for (int i = 0; i < 5; i++)
            MPI_Accumulate(words, 1, ends, 1, 0, 1, ends, MPI_SUM, win);
        words[1] = 1;
        MPI_Win_flush(1, win);
        words[2] = 2;
    }
    MPI_Win_unlock_all(win);
    MPI_Type_free(&ends);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
