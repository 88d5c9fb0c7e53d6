/* expect: none */
/* Many assertions in front must not push out what matters: the same ranks wait that have posted. */
#undef NDEBUG
#include <assert.h>
#include <mpi.h>

void read_input(int *numbers);

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, buffer[4] = {0}, n[32];
    MPI_Request request;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    read_input(n);
    assert(n[0] > 0);
    assert(n[1] > 1);
    assert(n[2] > 2);
    assert(n[3] > 3);
    assert(n[4] > 4);
    assert(n[5] > 5);
    assert(n[6] > 6);
    assert(n[7] > 7);
    assert(n[8] > 8);
    assert(n[9] > 9);
    assert(n[10] > 10);
    assert(n[11] > 11);
    assert(n[12] > 12);
    assert(n[13] > 13);
    assert(n[14] > 14);
    assert(n[15] > 15);
    assert(n[16] > 16);
    assert(n[17] > 17);
    assert(n[18] > 18);
    assert(n[19] > 19);
    assert(n[20] > 20);
    assert(n[21] > 21);
    assert(n[22] > 22);
    assert(n[23] > 23);
    assert(n[24] > 24);
    assert(n[25] > 25);
    assert(n[26] > 26);
    assert(n[27] > 27);
    assert(n[28] > 28);
    assert(n[29] > 29);
    assert(n[30] > 30);
    assert(n[31] > 31);
    if (rank == 0)
        MPI_Irecv(buffer, 4, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    if (n[0] == 77)
        MPI_Barrier(MPI_COMM_WORLD);
    read_input(n);
    if (rank < 1)
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    buffer[0]++;
    MPI_Finalize();
    return 0;
}
