/* expect: none */
/* Many early returns in front must not push out what matters: the same ranks wait that have posted. */
#undef NDEBUG
#include <assert.h>
#include <mpi.h>

int get(void);
void read_input(int *numbers);

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, buffer[4] = {0}, n[32];
    MPI_Request request;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    read_input(n);
    if (get() < 0) return 3;
    if (get() < 1) return 3;
    if (get() < 2) return 3;
    if (get() < 3) return 3;
    if (get() < 4) return 3;
    if (get() < 5) return 3;
    if (get() < 6) return 3;
    if (get() < 7) return 3;
    if (get() < 8) return 3;
    if (get() < 9) return 3;
    if (get() < 10) return 3;
    if (get() < 11) return 3;
    if (get() < 12) return 3;
    if (get() < 13) return 3;
    if (get() < 14) return 3;
    if (get() < 15) return 3;
    if (get() < 16) return 3;
    if (get() < 17) return 3;
    if (get() < 18) return 3;
    if (get() < 19) return 3;
    if (get() < 20) return 3;
    if (get() < 21) return 3;
    if (get() < 22) return 3;
    if (get() < 23) return 3;
    if (get() < 24) return 3;
    if (get() < 25) return 3;
    if (get() < 26) return 3;
    if (get() < 27) return 3;
    if (get() < 28) return 3;
    if (get() < 29) return 3;
    if (get() < 30) return 3;
    if (get() < 31) return 3;
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
