/* expect: none */
/* A master gives tasks to workers; the task's buffer is filled again before its send is over. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TAG_WORK = 1, TAG_RESULT, TAG_STOP };

struct task {
    int id;
    double parameters[16];
};

struct farm {
    int nworkers, ntasks;
    struct task *slots;
    MPI_Request *sends;
};

static void *checked(void *p)
{
    if (!p) {
        perror("farm");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return p;
}

static void farm_open(struct farm *f, int nworkers, int ntasks)
{
    f->nworkers = nworkers;
    f->ntasks = ntasks;
    f->slots = checked(malloc(sizeof(struct task)));
    f->sends = checked(malloc(sizeof(MPI_Request)));
    f->sends[0] = MPI_REQUEST_NULL;
}

static void fill(struct task *t, int id)
{
    t->id = id;
    for (int i = 0; i < 16; i++)
        t->parameters[i] = id * 0.5 + i;
}

static void send_task(struct farm *f, int worker, int id)
{
    MPI_Wait(&f->sends[0], MPI_STATUS_IGNORE);
    fill(&f->slots[0], id);
    MPI_Isend(&f->slots[0], sizeof(struct task), MPI_BYTE, worker, TAG_WORK, MPI_COMM_WORLD, &f->sends[0]);
}

static void master(struct farm *f)
{
    double result;
    MPI_Status status;
    int next = 0, running = 0;
    for (int w = 1; w <= f->nworkers && next < f->ntasks; w++, running++)
        send_task(f, w, next++);
    while (running > 0) {
        MPI_Recv(&result, 1, MPI_DOUBLE, MPI_ANY_SOURCE, TAG_RESULT, MPI_COMM_WORLD, &status);
        running--;
        if (next < f->ntasks) {
            send_task(f, status.MPI_SOURCE, next++);
            running++;
        }
    }
    MPI_Wait(&f->sends[0], MPI_STATUS_IGNORE);
    for (int w = 1; w <= f->nworkers; w++)
        MPI_Send(NULL, 0, MPI_BYTE, w, TAG_STOP, MPI_COMM_WORLD);
}

static void worker(void)
{
    struct task t;
    MPI_Status status;
    for (;;) {
        MPI_Recv(&t, sizeof t, MPI_BYTE, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        if (status.MPI_TAG == TAG_STOP)
            return;
        double sum = 0;
        for (int i = 0; i < 16; i++)
            sum += t.parameters[i];
        MPI_Send(&sum, 1, MPI_DOUBLE, 0, TAG_RESULT, MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv)
{
    int rank, size;
    struct farm f;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        farm_open(&f, size - 1, 64);
        master(&f);
        free(f.slots);
        free(f.sends);
    } else {
        worker();
    }
    MPI_Finalize();
    return 0;
}
