// ranks: 2
// needs: cc
// expect: local-race A B
// semantics §1 and §2: reading a halo in a range-based loop.
//
// The loop runs before the fence that completes the get.
#include <mpi.h>
#include <vector>

alignas(64) static double mem[4];
volatile double total;

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    std::vector<double> halo(4, 0.0);
    double sum = 0.0;
    MPI_Win_fence(0, win);
    MPI_Get(halo.data(), 4, MPI_DOUBLE, 1 - rank, 0, 4, MPI_DOUBLE, win); // A
    for (double v : halo) sum += v; // B
    MPI_Win_fence(0, win);
    total = sum;
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
