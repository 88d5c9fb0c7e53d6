/* ranks: 2 */
/* needs: cc */
/* expect: local-race A B */
/*
 * semantics §8: munmap gives back the pages that it names, and no others of the mapping.
 *
 * The pages that are received into are among them.
 */
#include <mpi.h>
#include <sys/mman.h>
#include <stddef.h>

enum { PAGE = 4096 };

int main(int argc, char **argv)
{
    int rank, from = 2;
    from = 1;
    MPI_Request req = MPI_REQUEST_NULL;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    char *pages = mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED)
        return 1;
    pages[0] = 1;
    if (rank == 0) {
        MPI_Irecv(pages + PAGE, PAGE, MPI_CHAR, 1, 0, MPI_COMM_WORLD, &req); /* A */
        munmap(pages + from * PAGE, 2 * PAGE); /* B */
        MPI_Send(NULL, 0, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(NULL, 0, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(pages, 0, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
