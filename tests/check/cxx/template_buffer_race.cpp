// expect: local-race A B
// A template over the element type.
#include <mpi.h>

template <typename T> struct type_of;
template <> struct type_of<double> {
    static MPI_Datatype get()
    {
        return MPI_DOUBLE;
    }
};

template <typename T> static void exchange(bool early)
{
    static T buf[10];
    MPI_Request req;
    MPI_Isend(buf, 10, type_of<T>::get(), 1, 0, MPI_COMM_WORLD, &req); // A
    if (early)
        buf[9] = 1; // B
    MPI_Wait(&req, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    exchange<double>(true);
    MPI_Finalize();
    return 0;
}
