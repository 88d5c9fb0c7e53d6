/* Functions of classes are named with their class, lambdas by where they stand. */
/* expect: local-race 19 20 */
/* expect: local-race 37 38 */
/* says: "function": "solver::Grid<double>::exchange" */
/* says: "function": "lambda in main" */
/* says-not: "function": "operator()" */
#include <mpi.h>
#include <vector>
namespace solver {
template <class T> struct Grid {
    std::vector<T> row = std::vector<T>(10);
    void exchange(int rank);
};
template <class T> void Grid<T>::exchange(int rank)
{
    MPI_Request requests[2];
    double *data = row.data();
    int other = 1 - rank;
    MPI_Isend(data, 10, MPI_DOUBLE, other, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(data, 10, MPI_DOUBLE, other, 0, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}
} // namespace solver
static double row[10];

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int other = 1 - rank;
    solver::Grid<double> grid;
    grid.exchange(rank);
    auto twice = [other] {
        MPI_Request requests[2];

        MPI_Isend(row, 10, MPI_DOUBLE, other, 1, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(row, 10, MPI_DOUBLE, other, 1, MPI_COMM_WORLD, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    };
    twice();
    MPI_Finalize();
    return 0;
}
