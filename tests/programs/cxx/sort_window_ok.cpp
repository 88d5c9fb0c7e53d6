// ranks: 2
// needs: cc
// expect: none
// semantics §5: window memory under code of a header that calls itself; the place is the line that calls it first.
//
// None of the four lines that call the same std::sort touches what the put writes.
#include <algorithm>
#include <mpi.h>

static double mem[8000];
static double halo[16];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 8000; i++)
        mem[i] = i * 7919 % 8000;
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    std::sort(mem, mem + 4000);
    MPI_Win_fence(0, win);
    MPI_Put(halo, 16, MPI_DOUBLE, 1 - rank, 7000, 16, MPI_DOUBLE, win);
    std::sort(mem + 4000, mem + 6000);
    std::sort(mem, mem + 2000);
    std::sort(mem + 2000, mem + 4000);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
