/* expect: none */
/* Two buffers by turns, chosen by a flag that flips; the old one is cleared before its send is over. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 512

struct sender {
    double buffers[2][N];
    int active;
    MPI_Request request;
};

static void fill(struct sender *s, int step)
{
    for (int i = 0; i < N; i++)
        s->buffers[s->active][i] = step + i;
}

static void send(struct sender *s, int dest)
{
    MPI_Isend(s->buffers[s->active], N, MPI_DOUBLE, dest, 0, MPI_COMM_WORLD, &s->request);
    s->active = 1 - s->active;
}

static void finish(struct sender *s)
{
    MPI_Wait(&s->request, MPI_STATUS_IGNORE);
}

static void receive(int source, int steps)
{
    double in[N];
    for (int i = 0; i < steps; i++)
        MPI_Recv(in, N, MPI_DOUBLE, source, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank, steps = 10;
    static struct sender s;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    s.active = 0;
    s.request = MPI_REQUEST_NULL;
    if (rank == 0) {
        for (int step = 0; step < steps; step++) {
            fill(&s, step);
            finish(&s);
            send(&s, 1);
        }
        finish(&s);
    } else if (rank == 1) {
        receive(0, steps);
    }
    MPI_Finalize();
    return 0;
}
