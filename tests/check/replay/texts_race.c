/* expect: local-race A B */
/* Messages whose lengths come from texts: printed, parsed, and of an argument that is not checked. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int send_text(const char *name, int number, double value, char *buffer, size_t room, MPI_Request *request)
{
    int n = snprintf(buffer, room, "%-8s|%+05d|%.3g|%c%%|%lx", name, number, value, 'c', 255ul);
    if (n < 0 || (size_t)n >= room || n != (int)strlen(buffer))
        return -1;
    return MPI_Isend(buffer, n + 1, MPI_CHAR, 1, 0, MPI_COMM_WORLD, request); /* A */
}

int main(int argc, char **argv)
{
    char buffer[64], tail[8];
    int rank, number = 0, parsed;
    long wide = 0;
    double value = 0;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    int repeat = atoi(argv[1]);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < repeat; i++) {
        if (rank == 0) {
            if (send_text("rank", 7, 0.5, buffer, sizeof buffer, &request) != MPI_SUCCESS)
                MPI_Abort(MPI_COMM_WORLD, 1);
            buffer[strlen("rank")] = '_'; /* B */
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        } else if (rank == 1) {
            MPI_Recv(buffer, sizeof buffer, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            parsed = sscanf(strchr(buffer, '|'), "|%d|%lf", &number, &value);
            if (parsed != 2 || number != 7 || value != 0.5)
                MPI_Abort(MPI_COMM_WORLD, 1);
            sprintf(tail, "%.2s%3d", buffer, number);
            if (strcmp(tail, "ra  7") != 0 || sscanf("12 0x10", "%ld %i", &wide, &number) != 2 || wide + number != 28)
                MPI_Abort(MPI_COMM_WORLD, 1);
        }
    }
    MPI_Finalize();
    return 0;
}
