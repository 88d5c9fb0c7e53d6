/* expect-sources: local-race A B */
/* expect-sources: local-race A C */
/* A configuration of lines of text is parsed, and tells how many buffers there are; one too few for the sends under way. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *settings = "buffers = 3\n"
                              "length = 24\n"
                              "rounds = 7\n";

struct config {
    int buffers, length, rounds;
};

static int parse_line(const char *line, struct config *c)
{
    char key[32];
    int value, n = 0;
    while (line[n] && line[n] != ' ' && n < 31) {
        key[n] = line[n];
        n++;
    }
    key[n] = 0;
    const char *sign = strchr(line, '=');
    if (!sign)
        return -1;
    value = (int)strtol(sign + 1, NULL, 10);
    if (strcmp(key, "buffers") == 0)
        c->buffers = value;
    else if (strcmp(key, "length") == 0)
        c->length = value;
    else if (strcmp(key, "rounds") == 0)
        c->rounds = value;
    else
        return -1;
    return 0;
}

static int parse(const char *text, struct config *c)
{
    while (*text) {
        if (parse_line(text, c) != 0)
            return -1;
        const char *end = strchr(text, '\n');
        if (!end)
            break;
        text = end + 1;
    }
    return c->buffers > 0 && c->length > 0 ? 0 : -1;
}

static void ring(const struct config *c, int rank, int size)
{
    int to = (rank + 1) % size, from = (rank + size - 1) % size;
    float **buffers = malloc((size_t)c->buffers * sizeof *buffers);
    MPI_Request *sends = malloc((size_t)c->buffers * sizeof *sends);
    float *in = malloc((size_t)c->length * sizeof *in);
    if (!buffers || !sends || !in)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < c->buffers; i++) {
        buffers[i] = calloc((size_t)c->length, sizeof(float));
        sends[i] = MPI_REQUEST_NULL;
    }
    for (int round = 0; round < c->rounds; round++) {
        int slot = round % c->buffers;
        float *out = buffers[slot];
        MPI_Wait(&sends[0], MPI_STATUS_IGNORE);
        for (int i = 0; i < c->length; i++)
            out[i] = (float)(round + i); /* B */
        MPI_Isend(out, c->length, MPI_FLOAT, to, round, MPI_COMM_WORLD, &sends[slot]); /* A */
        MPI_Recv(in, c->length, MPI_FLOAT, from, round, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Waitall(c->buffers, sends, MPI_STATUSES_IGNORE);
    for (int i = 0; i < c->buffers; i++)
        free(buffers[i]); /* C */
    free(buffers);
    free(sends);
    free(in);
}

int main(int argc, char **argv)
{
    int rank, size;
    struct config c = {0, 0, 0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (parse(settings, &c) != 0) {
        fprintf(stderr, "bad settings\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    ring(&c, rank, size);
    MPI_Finalize();
    return 0;
}
