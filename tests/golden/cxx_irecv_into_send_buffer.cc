// The two calls stand in a template's member function, and one of its two uses is harmless.
// expect: local-race 17 18
// ranks: 3
#include <mpi.h>
#include <vector>

template <class T> class Halo
{
  public:
    Halo(int left, int right) : left(left), right(right), row(64), incoming(64)
    {
    }

    void exchange(T *into)
    {
        MPI_Request requests[2];
        MPI_Isend(row.data(), 64 * sizeof(T), MPI_BYTE, right, 0, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(into, 64 * sizeof(T), MPI_BYTE, left, 0, MPI_COMM_WORLD, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }

    int left, right;
    std::vector<T> row, incoming;
};

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    Halo<double> halo((rank + size - 1) % size, (rank + 1) % size);
    halo.exchange(halo.incoming.data());
    halo.exchange(halo.row.data());
    MPI_Finalize();
    return 0;
}
