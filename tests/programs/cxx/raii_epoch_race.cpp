// ranks: 2
// needs: cc
// expect: local-race A B
// semantics §2: an epoch closed by a destructor completes at the end of the scope.
//
// The result is used inside the scope.
#include <mpi.h>

alignas(64) static double mem[4];
volatile double seen;

class Epoch {
public:
    Epoch(int target, MPI_Win win) : target_(target), win_(win) { MPI_Win_lock(MPI_LOCK_SHARED, target, 0, win); }
    ~Epoch() { MPI_Win_unlock(target_, win_); }
    Epoch(const Epoch &) = delete;
    Epoch &operator=(const Epoch &) = delete;

private:
    int target_;
    MPI_Win win_;
};

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    if (rank == 0) {
        double result[4] = {};
        {
            Epoch epoch(1, win);
            MPI_Get(result, 4, MPI_DOUBLE, 1, 0, 4, MPI_DOUBLE, win); // A
            seen = result[3]; // B
        }
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
