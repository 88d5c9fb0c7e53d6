/* expect: none */
/* A bandwidth test with options: many sends at once, and the buffer is filled for the next round too early. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct options {
    int bytes, rounds, window, verbose;
};

static void parse(int argc, char **argv, struct options *o)
{
    int c;
    *o = (struct options){4096, 5, 8, 0};
    while ((c = getopt(argc, argv, "b:r:w:v")) != -1) {
        switch (c) {
        case 'b':
            o->bytes = atoi(optarg);
            break;
        case 'r':
            o->rounds = atoi(optarg);
            break;
        case 'w':
            o->window = atoi(optarg);
            break;
        case 'v':
            o->verbose++;
            break;
        default:
            fprintf(stderr, "usage: %s [-b BYTES] [-r ROUNDS] [-w WINDOW] [-v]\n", argv[0]);
            exit(1);
        }
    }
    if (o->window < 1 || o->bytes < 1)
        exit(1);
}

static void sender(const struct options *o, char *data, MPI_Request *requests)
{
    char ready;
    for (int round = 0; round < o->rounds; round++) {
        MPI_Recv(&ready, 1, MPI_CHAR, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Waitall(o->window, requests, MPI_STATUSES_IGNORE);
        memset(data, 'a' + round, (size_t)o->bytes);
        for (int i = 0; i < o->window; i++)
            MPI_Isend(data, o->bytes, MPI_CHAR, 1, 2, MPI_COMM_WORLD, &requests[i]);
    }
    MPI_Waitall(o->window, requests, MPI_STATUSES_IGNORE);
}

static void receiver(const struct options *o, char *data, MPI_Request *requests)
{
    char ready = 1;
    for (int round = 0; round < o->rounds; round++) {
        for (int i = 0; i < o->window; i++)
            MPI_Irecv(data + (size_t)i * (size_t)o->bytes, o->bytes, MPI_CHAR, 0, 2, MPI_COMM_WORLD, &requests[i]);
        MPI_Send(&ready, 1, MPI_CHAR, 0, 1, MPI_COMM_WORLD);
        MPI_Waitall(o->window, requests, MPI_STATUSES_IGNORE);
    }
}

int main(int argc, char **argv)
{
    struct options o;
    int rank, size;
    double start;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    parse(argc, argv, &o);
    if (size < 2) {
        fprintf(stderr, "two processes, please\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    char *data = malloc((size_t)o.bytes * (size_t)o.window);
    MPI_Request *requests = malloc((size_t)o.window * sizeof *requests);
    if (!data || !requests)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < o.window; i++)
        requests[i] = MPI_REQUEST_NULL;
    MPI_Barrier(MPI_COMM_WORLD);
    start = MPI_Wtime();
    if (rank == 0)
        sender(&o, data, requests);
    else if (rank == 1)
        receiver(&o, data, requests);
    if (rank == 0)
        printf("%g MB/s\n", (double)o.bytes * o.window * o.rounds / (MPI_Wtime() - start) * 1e-6);
    free(data);
    free(requests);
    MPI_Finalize();
    return 0;
}
