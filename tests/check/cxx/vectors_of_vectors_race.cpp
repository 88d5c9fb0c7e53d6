// expect: local-race A B
// One buffer per neighbour, all requests in a vector.
#include <mpi.h>
#include <vector>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    std::vector<int> peers = {0, 1, 2};
    std::vector<std::vector<double>> out(peers.size(), std::vector<double>(10)), in(peers.size(), std::vector<double>(10));
    std::vector<MPI_Request> reqs(2 * peers.size());
    std::vector<double> scratch(10);
    MPI_Request extra;
    for (std::size_t i = 0; i < peers.size(); i++) {
        MPI_Irecv(in[i].data(), 10, MPI_DOUBLE, peers[i], 0, MPI_COMM_WORLD, &reqs[2 * i]);
        MPI_Isend(out[i].data(), 10, MPI_DOUBLE, peers[i], 0, MPI_COMM_WORLD, &reqs[2 * i + 1]);
    }
    MPI_Irecv(scratch.data(), 10, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, &extra); // A
    MPI_Waitall(static_cast<int>(reqs.size()), reqs.data(), MPI_STATUSES_IGNORE);
    scratch[3] = in[0][0]; // B
    MPI_Wait(&extra, MPI_STATUS_IGNORE);
    for (auto &buffer : in)
        for (double &x : buffer)
            x += 1;
    MPI_Finalize();
    return 0;
}
