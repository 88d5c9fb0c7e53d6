// A field with two time levels in templates; the border is computed when its halo has come.
#include <mpi.h>

#include <algorithm>
#include <cassert>
#include <cstdio>
#include <type_traits>
#include <utility>
#include <vector>

template <class T> constexpr MPI_Datatype mpi_type()
{
    static_assert(std::is_arithmetic<T>::value, "arithmetic");
    return std::is_same<T, float>::value ? MPI_FLOAT : std::is_same<T, double>::value ? MPI_DOUBLE : MPI_INT;
}

template <class T> class Field {
public:
    Field(int n, int halo) : n_(n), halo_(halo), now_(n + 2 * halo, T(1)), next_(n + 2 * halo, T(0)) { assert(n > 2 * halo); }
    void start(MPI_Comm comm)
    {
        int rank, size;
        MPI_Comm_rank(comm, &rank);
        MPI_Comm_size(comm, &size);
        int left = rank ? rank - 1 : MPI_PROC_NULL, right = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
        MPI_Irecv(&now_[0], halo_, mpi_type<T>(), left, 0, comm, &requests_[0]);
        MPI_Irecv(&now_[n_ + halo_], halo_, mpi_type<T>(), right, 1, comm, &requests_[1]);
        MPI_Isend(&now_[n_], halo_, mpi_type<T>(), right, 0, comm, &requests_[2]);
        MPI_Isend(&now_[halo_], halo_, mpi_type<T>(), left, 1, comm, &requests_[3]);
    }
    void finish() { MPI_Waitall(4, requests_, MPI_STATUSES_IGNORE); }
    void inner()
    {
        for (int i = 2 * halo_; i < n_; ++i)
            relax(i);
    }
    void border()
    {
        for (int i = halo_; i < 2 * halo_; ++i)
            relax(i);
        for (int i = n_; i < n_ + halo_; ++i)
            relax(i);
    }
    void swap() { std::swap(now_, next_); }
    T sum() const
    {
        T s = 0;
        for (int i = halo_; i < n_ + halo_; ++i)
            s += now_[i];
        return s;
    }

private:
    void relax(int i)
    {
        T s = 0;
        for (int k = -halo_; k <= halo_; ++k)
            s += now_[i + k];
        next_[i] = s / T(2 * halo_ + 1);
    }
    int n_, halo_;
    std::vector<T> now_, next_;
    MPI_Request requests_[4];
};

template <class T> void simulate(int n, int steps)
{
    Field<T> field(n, 2);
    for (int s = 0; s < steps; ++s) {
        field.start(MPI_COMM_WORLD);
        field.inner();
        field.finish();
        field.border();
        field.swap();
    }
    std::printf("%g\n", static_cast<double>(field.sum()));
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    if (argc > 1 && argv[1][0] == 'f')
        simulate<float>(60, 4);
    else
        simulate<double>(60, 4);
    MPI_Finalize();
    return 0;
}
