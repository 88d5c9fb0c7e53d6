/* expect: nothing */
/* Start and wait depend on the same member; what is called in between could change it, but that is not meant. */
#include <mpi.h>

struct swap {
    int npack, nunpack, from, to;
};
struct grid {
    int nswap;
    struct swap *swap;
    double *in, *out;
    void (*pack)(struct grid *grid, int swap);
};

void asked_again_ok(struct grid *grid)
{
    double *in = grid->in;
    for (int i = 0; i < grid->nswap; i++) {
        MPI_Request request;
        if (grid->swap[i].nunpack)
            MPI_Irecv(in, grid->swap[i].nunpack, MPI_DOUBLE, grid->swap[i].from, 0, MPI_COMM_WORLD, &request);
        if (grid->swap[i].npack) {
            grid->pack(grid, i);
            MPI_Send(grid->out, grid->swap[i].npack, MPI_DOUBLE, grid->swap[i].to, 0, MPI_COMM_WORLD);
        }
        if (grid->swap[i].nunpack) {
            MPI_Wait(&request, MPI_STATUS_IGNORE);
            in[0] += 1.0;
        }
    }
}
