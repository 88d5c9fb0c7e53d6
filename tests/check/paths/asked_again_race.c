/* expect: local-race A B */
/* Start and wait depend on the same member, but the first value is looked at without. */
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

void asked_again_race(struct grid *grid)
{
    double *in = grid->in;
    for (int i = 0; i < grid->nswap; i++) {
        MPI_Request request;
        if (grid->swap[i].nunpack)
            MPI_Irecv(in, grid->swap[i].nunpack, MPI_DOUBLE, grid->swap[i].from, 0, MPI_COMM_WORLD, &request); /* A */
        in[0] = 0.0; /* B */
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
