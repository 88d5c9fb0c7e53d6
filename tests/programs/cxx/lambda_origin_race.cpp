// ranks: 2
// needs: cc
// expect: local-race A B
// semantics §1 and §2: a variable captured by reference is the origin of a put.
//
// The lambda changes it before the flush.
#include <mpi.h>

alignas(64) static int mem[2];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    int value = rank;
    auto send_next = [&](int slot) {
        value++; // B
        MPI_Put(&value, 1, MPI_INT, 1, slot, 1, MPI_INT, win); // A
    };
    if (rank == 0) {
        send_next(0);
        send_next(1);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
