// ranks: 2
// needs: cc
// expect: none
// semantics §1: a put to one member of an object leaves the others alone.
//
// The owner changes the member beside it.
#include <mpi.h>
#include <cstddef>

struct Particle {
    double x;
    int id;
    int cell;
};
alignas(64) static Particle mem[4];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    if (rank == 0) {
        static int cell = 7;
        MPI_Put(&cell, 1, MPI_INT, 1, 2 * sizeof(Particle) + offsetof(Particle, cell), 1, MPI_INT, win); // A
    } else {
        mem[2].id = 3;
    }
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
