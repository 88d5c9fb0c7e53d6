/* ranks: 2 */
/* Whether a compare-and-swap succeeded is asked before it is complete. The target is the process itself, where both MPIs transfer at once. */
#include "latent.h"

int main(int argc, char **argv)
{
    begin_window(&argc, &argv);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        int mine = 1, unlocked = 0, before = -1, got_it;
        MPI_Compare_and_swap(&mine, &unlocked, &before, MPI_INT, 0, 0, win);
        BUG(got_it = before == unlocked);
        MPI_Win_flush(0, win);
        REPAIR(got_it = before == unlocked);
        printf("lock taken: %d\n", got_it);
        EXPECT(got_it);
    }
    MPI_Win_unlock_all(win);
    return end_window();
}
