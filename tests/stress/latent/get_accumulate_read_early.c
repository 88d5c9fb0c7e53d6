/* ranks: 2 */
/* The results of MPI_Get_accumulate are used before it is complete. The target is the process itself, where both MPIs transfer at once. */
#include "latent.h"

int main(int argc, char **argv)
{
    begin_window(&argc, &argv);
    for (int i = 0; i < 4; i++)
        window[i] = 10 * i;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        int add[4] = {1, 1, 1, 1}, before[4] = {0}, sum = 0;
        MPI_Get_accumulate(add, 4, MPI_INT, before, 4, MPI_INT, 0, 0, 4, MPI_INT, MPI_SUM, win);
        REPAIR(MPI_Win_flush_local(0, win));
        for (int i = 0; i < 4; i++)
            sum += before[i];
        MPI_Win_flush(0, win);
        printf("sum %d\n", sum);
        EXPECT(sum == 60);
    }
    MPI_Win_unlock_all(win);
    return end_window();
}
