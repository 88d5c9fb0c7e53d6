// ranks: 2
// needs: cc
// expect: none
// semantics §5, cell store/put, through a virtual function on memory from new.
//
// The object is updated after it.
#include <mpi.h>
#include <memory>

struct Cell {
    virtual ~Cell() = default;
    virtual void step(double *value) const = 0;
};
struct Doubling : Cell {
    void step(double *value) const override
    {
        value[1] = 2.0; // B
    }
};

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    std::unique_ptr<double[]> mem(new double[8]());
    std::unique_ptr<Cell> cell(new Doubling);
    MPI_Win win;
    MPI_Win_create(mem.get(), 8 * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    double value = 1.0;
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win);
        MPI_Put(&value, 1, MPI_DOUBLE, 1, 1, 1, MPI_DOUBLE, win); // A
        MPI_Win_unlock(1, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        cell->step(mem.get());
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
