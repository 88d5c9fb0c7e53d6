/* expect: local-race A B */
/* Twenty-four assertions about what was read. */
#undef NDEBUG
#include <assert.h>
#include <mpi.h>
#include <stdlib.h>

void read_input(int *numbers);

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, size, buffer[16];
    MPI_Request request;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int n[24];
    read_input(n);
    assert(n[0] > 100);
    assert(n[1] != 0);
    assert(n[2] == 77);
    assert(n[3] < n[0]);
    assert(n[4] > 3);
    assert(n[5] != 0);
    assert(n[6] == 77);
    assert(n[7] < n[0]);
    assert(n[8] > 3);
    assert(n[9] != 0);
    assert(n[10] == 77);
    assert(n[11] < n[0]);
    assert(n[12] > 3);
    assert(n[13] != 0);
    assert(n[14] == 77);
    assert(n[15] < n[0]);
    assert(n[16] > 3);
    assert(n[17] != 0);
    assert(n[18] == 77);
    assert(n[19] < n[0]);
    assert(n[20] > 3);
    assert(n[21] != 0);
    assert(n[22] == 77);
    assert(n[23] < n[0]);
    MPI_Irecv(buffer, 16, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request); /* A */
    buffer[3] = 1; /* B */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return buffer[0];
}
