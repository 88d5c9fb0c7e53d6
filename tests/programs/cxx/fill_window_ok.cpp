// ranks: 2
// needs: cc
// expect: none
// semantics §5: stores to window memory by code of a header; the place is the line that calls it.
//
// Four lines call the same std::fill; the one that touches what the put writes comes after the fence.
#include <algorithm>
#include <mpi.h>

alignas(64) static double mem[64];
static double halo[16];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    MPI_Put(halo, 16, MPI_DOUBLE, 1 - rank, 0, 16, MPI_DOUBLE, win);
    std::fill(mem + 16, mem + 32, 1.0);
    std::fill(mem + 50, mem + 54, 2.0);
    std::fill(mem + 32, mem + 48, 3.0);
    MPI_Win_fence(0, win);
    std::fill(mem, mem + 64, 4.0);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
