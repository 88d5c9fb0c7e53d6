/* expect: local-race A B */
/* A vector grows while its elements are being sent. */
#include <mpi.h>

#include <cstdio>
#include <vector>

struct Outbox {
    std::vector<int> items;
    MPI_Request request = MPI_REQUEST_NULL;
    int peer;
};

static void send(Outbox &box)
{
    MPI_Isend(box.items.data(), (int)box.items.size(), MPI_INT, box.peer, 2, MPI_COMM_WORLD, &box.request); /* A */
}

static void clear(Outbox &box)
{
    for (std::size_t i = 0; i < box.items.size(); i++)
        box.items[i] = 0; /* B */
}

static void finish(Outbox &box)
{
    MPI_Wait(&box.request, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    Outbox box;
    box.peer = (rank + 1) % size;
    for (int i = 0; i < 100; i++)
        box.items.push_back(i);
    send(box);
    std::vector<int> in(100);
    MPI_Recv(in.data(), 100, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    clear(box);
    finish(box);
    std::printf("%d\n", in[5]);
    MPI_Finalize();
    return 0;
}
