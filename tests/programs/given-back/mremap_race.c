/* ranks: 2 */
/* needs: cc */
/* expect: local-race A B */
/*
 * semantics §1 and §8: memory that is given back counts as stored to.
 *
 * The pages may move before the wait.
 */
#define _GNU_SOURCE
#include <mpi.h>
#include <stddef.h>
#include <sys/mman.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Request req = MPI_REQUEST_NULL;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *row = mmap(NULL, 30000 * sizeof *row, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (rank == 0)
        MPI_Isend(row + 20000, 4, MPI_INT, 1, 0, MPI_COMM_WORLD, &req); /* A */
    else
        MPI_Recv(row, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    row = mremap(row, 30000 * sizeof *row, 60000 * sizeof *row, MREMAP_MAYMOVE); /* B */
    munmap(row, 60000 * sizeof *row);
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
