/* expect: local-race A B */
/* A function returns the handle; the struct that keeps it lies before the buffer, and one message is looked at too early. */
#include <mpi.h>

struct exchange {
    int posted;
    MPI_Request pending[8];
    double halo[80];
};

static MPI_Request post(double *halo, int from)
{
    MPI_Request request;
    MPI_Irecv(halo, 10, MPI_DOUBLE, from, 0, MPI_COMM_WORLD, &request); /* A */
    return request;
}

static void run(struct exchange *x)
{
    x->posted = 0;
    for (int i = 0; i < 8; i++)
        x->pending[x->posted++] = post(x->halo + 10 * i, i);
    x->halo[3] = 1.0; /* B */
    for (int i = 0; i < x->posted; i++) {
        MPI_Request request = x->pending[i];
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
}

int main(int argc, char **argv)
{
    static struct exchange x;
    MPI_Init(&argc, &argv);
    run(&x);
    MPI_Finalize();
    return 0;
}
