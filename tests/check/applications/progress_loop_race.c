/* expect: local-race A B */
/* missed-at: -O2 the load is in vectors there */
/* While a receive is tested other work is done; the work includes the buffer of the receive. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define N 128

struct job {
    double *input, *state;
    MPI_Request request;
    int finished;
};

static int job_create(struct job *j)
{
    j->input = malloc(N * sizeof *j->input);
    j->state = malloc(N * sizeof *j->state);
    if (j->input == NULL || j->state == NULL)
        return 1;
    for (int i = 0; i < N; i++)
        j->input[i] = j->state[i] = i;
    j->finished = 0;
    j->request = MPI_REQUEST_NULL;
    return 0;
}

static void job_post(struct job *j, int from)
{
    MPI_Irecv(j->input, N, MPI_DOUBLE, from, 0, MPI_COMM_WORLD, &j->request); /* A */
}

static void other_work(struct job *j)
{
    for (int i = 0; i < N; i++)
        j->state[i] = 0.5 * (j->state[i] + j->input[i]); /* B */
}

static int job_poll(struct job *j)
{
    MPI_Test(&j->request, &j->finished, MPI_STATUS_IGNORE);
    return j->finished;
}

static void run(struct job *j, int left, int right)
{
    double out[N];
    MPI_Request sent;
    for (int i = 0; i < N; i++)
        out[i] = j->state[i];
    job_post(j, left);
    MPI_Isend(out, N, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, &sent);
    other_work(j);
    while (!job_poll(j))
        other_work(j);
    MPI_Wait(&sent, MPI_STATUS_IGNORE);
    for (int i = 0; i < N; i++)
        j->state[i] += j->input[i];
}

int main(int argc, char **argv)
{
    struct job j;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (job_create(&j) != 0) {
        fprintf(stderr, "no memory\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    for (int round = 0; round < 3; round++)
        run(&j, (rank + size - 1) % size, (rank + 1) % size);
    printf("%g\n", j.state[N - 1]);
    free(j.input);
    free(j.state);
    MPI_Finalize();
    return 0;
}
