/* expect: none */
/* The size of messages may be set in the environment; the reply is written over the message that is still sent. */
#include <errno.h>
#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static int setting(const char *name, int otherwise)
{
    char *end;
    const char *text = getenv(name);
    if (!text || !*text)
        return otherwise;
    errno = 0;
    long value = strtol(text, &end, 10);
    if (errno || *end || value < 1 || value > INT_MAX) {
        fprintf(stderr, "%s=%s makes no sense\n", name, text);
        exit(2);
    }
    return (int)value;
}

struct buffers {
    int n;
    short *question, *reply;
};

static void allocate(struct buffers *b)
{
    b->n = setting("PING_SIZE", 128);
    if (posix_memalign((void **)&b->question, 64, (size_t)b->n * sizeof(short)) ||
        posix_memalign((void **)&b->reply, 64, (size_t)b->n * sizeof(short))) {
        fprintf(stderr, "no memory\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    for (int i = 0; i < b->n; i++)
        b->question[i] = b->reply[i] = (short)i;
}

static void bounce(struct buffers *b, int partner)
{
    MPI_Request request;
    MPI_Isend(b->question, b->n, MPI_SHORT, partner, 0, MPI_COMM_WORLD, &request);
    MPI_Recv(b->reply, b->n, MPI_SHORT, partner, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int main(int argc, char **argv)
{
    int rank, size, rounds = 0, enough = 0, limit;
    struct buffers b;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size % 2) {
        fprintf(stderr, "an even number of processes\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    allocate(&b);
    limit = setting("PING_ROUNDS", 50);
    double start = seconds();
    while (!enough) {
        bounce(&b, rank ^ 1);
        rounds++;
        enough = seconds() - start > 0.5 || rounds >= limit;
        MPI_Bcast(&enough, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("%g microseconds\n", 1e6 * (seconds() - start) / rounds);
    free(b.question);
    free(b.reply);
    MPI_Finalize();
    return 0;
}
