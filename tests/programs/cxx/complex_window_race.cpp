// ranks: 2
// needs: cc
// expect: remote-race A B
// semantics §5: loads of window memory by code of a header; the place is the line that calls it.
//
// Several lines call the same functions of std::complex for cells side by side; one of them reads what the accumulate writes.
#include <complex>
#include <mpi.h>
#include <vector>

volatile double total;

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    std::vector<std::complex<double>> cells(16), mine(4, {1, 1});
    MPI_Win win;
    MPI_Win_create(cells.data(), 16 * sizeof cells[0], sizeof cells[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    double sum = 0;
    MPI_Win_fence(0, win);
    MPI_Accumulate(mine.data(), 4, MPI_CXX_DOUBLE_COMPLEX, 1 - rank, 4, 4, MPI_CXX_DOUBLE_COMPLEX, MPI_SUM, win); // A
    sum += std::norm(cells[2]);
    sum += std::norm(cells[3]);
    sum += std::norm(cells[4]); // B
    sum += std::norm(cells[8]);
    cells[9] += cells[10];
    MPI_Win_fence(0, win);
    for (std::complex<double> &cell : cells)
        cell += sum;
    total = sum;
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
