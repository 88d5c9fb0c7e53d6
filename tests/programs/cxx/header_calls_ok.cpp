// ranks: 2
// needs: nothing
// expect: none
// semantics §1: MPI called by a library of headers; the places are the lines of the program that call the library.
//
// Each message has memory of its own.
#include <mpi.h>

#line 1 "/usr/include/messages.hpp"
template <typename T> MPI_Request send_to(int rank, const T *data, int count)
{
    MPI_Request request;
    MPI_Isend(data, count * sizeof(T), MPI_BYTE, rank, 0, MPI_COMM_WORLD, &request);
    return request;
}

template <typename T> MPI_Request receive_from(int rank, T *data, int count)
{
    MPI_Request request;
    MPI_Irecv(data, count * sizeof(T), MPI_BYTE, rank, 0, MPI_COMM_WORLD, &request);
    return request;
}
#line 24 "header_calls_ok.cpp"

int main(int argc, char **argv)
{
    int rank;
    double out[8] = {}, in[12] = {}, more[4] = {};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request requests[4];
    requests[0] = send_to(1 - rank, out, 8);
    requests[1] = send_to(1 - rank, more, 4);
    requests[2] = receive_from(1 - rank, in, 8);
    requests[3] = receive_from(1 - rank, in + 8, 4);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    MPI_Finalize();
    return 0;
}
