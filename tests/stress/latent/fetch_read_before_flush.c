/* ranks: 2 */
/* A ticket is used before the operation that draws it is complete. The target is the process itself, where both MPIs transfer at once. */
#include "latent.h"

int main(int argc, char **argv)
{
    begin_window(&argc, &argv);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        int one = 1, ticket = 99, used;
        MPI_Fetch_and_op(&one, &ticket, MPI_INT, 0, 0, MPI_SUM, win);
        REPAIR(MPI_Win_flush(0, win));
        used = ticket;
        MPI_Win_flush(0, win);
        printf("ticket %d\n", used);
        EXPECT(used == 0);
    }
    MPI_Win_unlock_all(win);
    return end_window();
}
