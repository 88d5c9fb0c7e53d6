/* expect: none */
/* What an expression takes only if a Test has succeeded is loaded only then, whatever optimisers make of it. */
#include <mpi.h>

static double sums[8];
static MPI_Request pending;
volatile double seen;

static void begin(const double *mine)
{
    MPI_Iallreduce(mine, sums, 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &pending);
}

static double peek(void)
{
    int flag = 0;
    MPI_Test(&pending, &flag, MPI_STATUS_IGNORE);
    return flag ? sums[0] : -1;
}

static double twice(void)
{
    int flag = 0;
    MPI_Test(&pending, &flag, MPI_STATUS_IGNORE);
    return flag ? 2 * sums[1] : 0;
}

int main(int argc, char **argv)
{
    double mine[8] = {1};
    MPI_Init(&argc, &argv);
    begin(mine);
    seen = peek();
    seen = twice();
    MPI_Wait(&pending, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
