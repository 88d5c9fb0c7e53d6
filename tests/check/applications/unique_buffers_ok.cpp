/* expect: none */
/* Buffers in unique pointers, in an array of channels. */
#include <mpi.h>

#include <array>
#include <cstdio>
#include <memory>

struct Channel {
    std::unique_ptr<double[]> data;
    int peer = -1, count = 0;
    MPI_Request request = MPI_REQUEST_NULL;
};

static std::array<Channel, 2> channels;

static void open(int rank, int size)
{
    for (int i = 0; i < 2; i++) {
        channels[i].count = 128;
        channels[i].peer = (rank + (i ? 1 : size - 1)) % size;
        channels[i].data = std::make_unique<double[]>(128);
    }
}

static void listen()
{
    for (auto &c : channels)
        MPI_Irecv(c.data.get(), c.count, MPI_DOUBLE, c.peer, 6, MPI_COMM_WORLD, &c.request);
}

static void wait()
{
    for (auto &c : channels)
        MPI_Wait(&c.request, MPI_STATUS_IGNORE);
}

static double first()
{
    return channels[0].data[0] + channels[1].data[0];
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    open(rank, size);
    listen();
    double mine[128] = {1.0 * rank};
    for (auto &c : channels)
        MPI_Send(mine, 128, MPI_DOUBLE, c.peer, 6, MPI_COMM_WORLD);
    wait();
    double sum = first();
    std::printf("%g\n", sum);
    MPI_Finalize();
    return 0;
}
