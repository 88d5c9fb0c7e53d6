// expect: local-race A B
// A call that may throw stands between the start and the wait.
#include <mpi.h>
#include <string>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int buf[4] = {0};
    MPI_Request req;
    MPI_Isend(buf, 4, MPI_INT, 1, 0, MPI_COMM_WORLD, &req); // A
    try {
        std::string s(argv[0]);
        buf[1] = (int)s.size(); // B
        MPI_Wait(&req, MPI_STATUS_IGNORE);
    } catch (...) {
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Finalize();
    return 0;
}
