/* expect: local-race A B */
/* A table of callbacks, one of which writes the buffer. */
#include <mpi.h>

static int buf[4];
volatile int seen;

static void look(int *p)
{
    seen = p[1];
}

static void change(int *p)
{
    p[1] = 0; /* B */
}

static const struct {
    const char *name;
    void (*run)(int *);
} handlers[] = {{"look", look}, {"change", change}};

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Request req;
    MPI_Isend(buf, 4, MPI_INT, 1, 0, MPI_COMM_WORLD, &req); /* A */
    for (int i = 0; i < 2; i++)
        handlers[i].run(buf);
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
