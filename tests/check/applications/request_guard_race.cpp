/* expect: local-race A B */
/* An object waits for its request when it goes; the buffer is read before that. */
#include <mpi.h>

#include <cstdio>
#include <memory>
#include <vector>

class Request {
public:
    Request() : request_(MPI_REQUEST_NULL) {}
    Request(const Request &) = delete;
    ~Request()
    {
        wait();
    }
    MPI_Request *get()
    {
        return &request_;
    }
    void wait()
    {
        MPI_Wait(&request_, MPI_STATUS_IGNORE);
    }

private:
    MPI_Request request_;
};

static double total(const std::vector<double> &values)
{
    double sum = 0;
    for (double v : values) /* B */
        sum += v;
    return sum;
}

static double receive_total(int source, int n)
{
    std::vector<double> values(n);
    Request request;
    MPI_Irecv(values.data(), n, MPI_DOUBLE, source, 4, MPI_COMM_WORLD, request.get()); /* A */
    return total(values);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        std::printf("%g\n", receive_total(1, 50));
    } else if (rank == 1) {
        std::vector<double> values(50, 1.5);
        MPI_Send(values.data(), 50, MPI_DOUBLE, 0, 4, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
