/* ranks: 2 */
/* Data by put, then a flag by accumulate, and the flush only behind both: the flag may come first. */
#include "latent.h"

enum { FLAG, DATA };

int main(int argc, char **argv)
{
    begin_window(&argc, &argv);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        int data = 77, one = 1;
        MPI_Put(&data, 1, MPI_INT, 1, DATA, 1, MPI_INT, win);
        REPAIR(MPI_Win_flush(1, win));
        MPI_Accumulate(&one, 1, MPI_INT, 1, FLAG, 1, MPI_INT, MPI_REPLACE, win);
        MPI_Win_flush(1, win);
    } else {
        int flag = 0, unused = 0, data = 0;
        while (flag == 0) {
            MPI_Fetch_and_op(&unused, &flag, MPI_INT, 1, FLAG, MPI_NO_OP, win);
            MPI_Win_flush(1, win);
        }
        MPI_Get(&data, 1, MPI_INT, 1, DATA, 1, MPI_INT, win);
        MPI_Win_flush(1, win);
        EXPECT(data == 77);
        printf("data %d\n", data);
    }
    MPI_Win_unlock_all(win);
    return end_window();
}
