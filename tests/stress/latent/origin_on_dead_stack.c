/* ranks: 2 */
/* The origin of a put lives in a function that has returned when the put is completed (the bug that Nasty-MPI found in
 * DASH). */
#include "latent.h"

static __attribute__((noinline)) void publish(int value)
{
    volatile int local[4] = {value, value + 1, value + 2, value + 3};
    MPI_Put((const void *)local, 4, MPI_INT, 1, 0, 4, MPI_INT, win);
    REPAIR(MPI_Win_flush_local(1, win));
}

static __attribute__((noinline)) int other_work(int n)
{
    volatile int scratch[64];
    int sum = 0;
    for (int i = 0; i < 64; i++)
        scratch[i] = -n;
    for (int i = 0; i < 64; i++)
        sum += scratch[i];
    return sum;
}

int main(int argc, char **argv)
{
    begin_window(&argc, &argv);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        publish(30);
        EXPECT(other_work(1) == -64);
        other_work(2);
    }
    MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    EXPECT(rank != 1 || window[2] == 32);
    return end_window();
}
