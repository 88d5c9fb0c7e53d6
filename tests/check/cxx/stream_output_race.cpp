// missed: local-race A B
// Messages on std::cerr change no pointer; that the functions behind it do not is not known to the analysis.
#include <iostream>
#include <mpi.h>

struct exchange {
    double *west;
    int n;
    MPI_Comm comm;
    MPI_Request request;
};

static int failed(const void *result, const char *what, int level)
{
    if (!result)
        std::cerr << "error in " << what << ": " << level << std::endl;
    if (level > 7)
        std::cerr << "odd level in " << what << std::endl;
    return !result;
}

extern double *entries(void *vector);

int stream_output_race(void *u, struct exchange *exchange)
{
    MPI_Irecv(exchange->west, exchange->n, MPI_DOUBLE, 1, 0, exchange->comm, &exchange->request); // A
    double *values = entries(u);
    if (failed(values, "entries", exchange->n))
        return -1;
    double *west = exchange->west;
    values[0] = west[0]; // B
    MPI_Wait(&exchange->request, MPI_STATUS_IGNORE);
    return 0;
}
