/* sources-only: vectorised, the right twin gets a warning where it is not executed */
// An exchange takes a callable to be run meanwhile; the one given changes other cells.
#include <mpi.h>

#include <array>
#include <functional>
#include <iostream>
#include <memory>
#include <numeric>
#include <vector>

namespace grid {

class Exchange {
public:
    Exchange(MPI_Comm comm, std::size_t n) : comm_(comm), ghosts_{std::vector<double>(n), std::vector<double>(n)}
    {
        int rank, size;
        MPI_Comm_rank(comm, &rank);
        MPI_Comm_size(comm, &size);
        peers_ = {(rank + size - 1) % size, (rank + 1) % size};
    }
    template <class Meanwhile> void run(std::vector<double> &cells, Meanwhile &&meanwhile)
    {
        std::array<MPI_Request, 4> requests;
        std::size_t n = ghosts_[0].size();
        MPI_Irecv(ghosts_[0].data(), static_cast<int>(n), MPI_DOUBLE, peers_[0], 0, comm_, &requests[0]);
        MPI_Irecv(ghosts_[1].data(), static_cast<int>(n), MPI_DOUBLE, peers_[1], 1, comm_, &requests[1]);
        MPI_Isend(cells.data() + cells.size() - n, static_cast<int>(n), MPI_DOUBLE, peers_[1], 0, comm_, &requests[2]);
        MPI_Isend(cells.data(), static_cast<int>(n), MPI_DOUBLE, peers_[0], 1, comm_, &requests[3]);
        meanwhile();
        MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
    }
    double ghost(int side) const { return ghosts_[static_cast<std::size_t>(side)].back(); }

private:
    MPI_Comm comm_;
    std::array<std::vector<double>, 2> ghosts_;
    std::array<int, 2> peers_;
};

} // namespace grid

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    {
        const std::size_t width = 2;
        std::vector<double> cells(64);
        std::iota(cells.begin(), cells.end(), 0.0);
        auto exchange = std::make_unique<grid::Exchange>(MPI_COMM_WORLD, width);
        for (int step = 0; step < 3; ++step) {
            exchange->run(cells, [&] {
                for (std::size_t i = width; i < cells.size() - width; ++i)
                    cells[i] *= 0.9;
            });
            cells.front() += exchange->ghost(0);
            cells.back() += exchange->ghost(1);
        }
        std::cout << std::accumulate(cells.begin(), cells.end(), 0.0) << '\n';
    }
    MPI_Finalize();
    return 0;
}
