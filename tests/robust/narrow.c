/* Finds no room for files any more once it is in MPI, and goes on.
 *     narrow limit     lowers its own limit on the size of files
 *     narrow DIRECTORY fills the disk
 * Then each rank makes more mistakes than there is room to write down, all of them on one line. */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define FOUR(x) x x x x

static void fill(const char *directory, int rank)
{
    static const char block[4096];
    char path[4096];
    snprintf(path, sizeof path, "%s/filler-%d", directory, rank);
    int file = open(path, O_WRONLY | O_CREAT, 0600);
    for (size_t length = sizeof block; length; length /= 2)
        while (write(file, block, length) == (ssize_t)length)
            continue;
    close(file);
}

int main(int argc, char **argv)
{
    int rank, here[4] = {1, 2, 3, 4};
    MPI_Request requests[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc != 2)
        MPI_Abort(MPI_COMM_WORLD, 8);
    if (strcmp(argv[1], "limit"))
        fill(argv[1], rank);
    else
        setrlimit(RLIMIT_FSIZE, &(struct rlimit){16 << 10, RLIM_INFINITY});
    MPI_Barrier(MPI_COMM_WORLD);
#define WRONG                                                                                                          \
    MPI_Irecv(here, 4, MPI_INT, rank, 7, MPI_COMM_WORLD, &requests[0]);                                                \
    MPI_Isend(here, 4, MPI_INT, rank, 7, MPI_COMM_WORLD, &requests[1]);                                                \
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    FOUR(FOUR(FOUR(WRONG))) /* RACE */
    MPI_Barrier(MPI_COMM_WORLD);
    printf("rank %d is done\n", rank);
    MPI_Finalize();
    return 0;
}
