/* ranks: 2 */
/* Accumulates are ordered at one location only: counter and flag are two. */
#include "latent.h"

enum { FLAG, COUNTER };

int main(int argc, char **argv)
{
    begin_window(&argc, &argv);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        int five = 5, one = 1;
        MPI_Accumulate(&five, 1, MPI_INT, 1, COUNTER, 1, MPI_INT, MPI_SUM, win);
        REPAIR(MPI_Win_flush(1, win));
        MPI_Accumulate(&one, 1, MPI_INT, 1, FLAG, 1, MPI_INT, MPI_SUM, win);
        MPI_Win_flush(1, win);
    } else {
        int flag = 0, unused = 0, counter = 0;
        while (flag == 0) {
            MPI_Fetch_and_op(&unused, &flag, MPI_INT, 1, FLAG, MPI_NO_OP, win);
            MPI_Win_flush(1, win);
        }
        MPI_Fetch_and_op(&unused, &counter, MPI_INT, 1, COUNTER, MPI_NO_OP, win);
        MPI_Win_flush(1, win);
        EXPECT(counter == 5);
        printf("counter %d\n", counter);
    }
    MPI_Win_unlock_all(win);
    return end_window();
}
