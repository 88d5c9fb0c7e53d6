// ranks: 3
// needs: run
// expect: none
// semantics §5, cell put/put, through a template that picks the datatype.
//
// The float goes behind the double.
#include <mpi.h>

alignas(64) static char mem[16];

template <class T> struct type_of;
template <> struct type_of<double> { static MPI_Datatype get() { return MPI_DOUBLE; } };
template <> struct type_of<float> { static MPI_Datatype get() { return MPI_FLOAT; } };

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        double value = 1.0;
        MPI_Put(&value, 1, type_of<double>::get(), 2, 0, 1, type_of<double>::get(), win); // A
        MPI_Win_flush(2, win);
    }
    if (rank == 1) {
        float value = 2.0f;
        MPI_Put(&value, 1, type_of<float>::get(), 2, 8, 1, type_of<float>::get(), win);
        MPI_Win_flush(2, win);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
