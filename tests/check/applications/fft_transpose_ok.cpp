// The transpose of a distributed transform; the twiddle factors are applied before the rows are sent.
#include <mpi.h>

#include <cmath>
#include <complex>
#include <cstdlib>
#include <iostream>
#include <stdexcept>
#include <vector>

using Complex = std::complex<double>;

template <class T> struct Slab {
    std::size_t rows, columns;
    std::vector<T> data;
    Slab(std::size_t r, std::size_t c) : rows(r), columns(c), data(r * c) {}
    T &operator()(std::size_t i, std::size_t j) { return data[i * columns + j]; }
};

class Transform {
public:
    Transform(MPI_Comm comm, int n) : comm_(comm), n_(n)
    {
        MPI_Comm_size(comm_, &size_);
        MPI_Comm_rank(comm_, &rank_);
        if (n % size_ != 0)
            throw std::runtime_error("size must divide n");
        local_ = n / size_;
    }
    void transpose(Slab<Complex> &in, Slab<Complex> &out)
    {
        int count = local_ * local_ * 2;
        Slab<Complex> packed(static_cast<std::size_t>(n_), static_cast<std::size_t>(local_));
        for (int i = 0; i < n_; i++)
            for (int j = 0; j < local_; j++)
                packed(i, j) = in(j, i);
        twiddle(packed);
        MPI_Request request;
        MPI_Ialltoall(packed.data.data(), count, MPI_DOUBLE, out.data.data(), count, MPI_DOUBLE, comm_, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    int local() const { return local_; }

private:
    void twiddle(Slab<Complex> &s)
    {
        for (std::size_t i = 0; i < s.rows; i++)
            for (std::size_t j = 0; j < s.columns; j++)
                s(i, j) *= std::polar(1.0, -2 * M_PI * double(i * j) / n_);
    }
    MPI_Comm comm_;
    int n_, size_, rank_, local_;
};

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int n = argc > 1 ? std::atoi(argv[1]) : 24;
    try {
        Transform transform(MPI_COMM_WORLD, n);
        Slab<Complex> a(transform.local(), n), b(n, transform.local());
        for (std::size_t i = 0; i < a.data.size(); i++)
            a.data[i] = Complex(double(i), 0);
        transform.transpose(a, b);
        std::cout << b(0, 0).real() << std::endl;
    } catch (const std::exception &e) {
        std::cerr << e.what() << std::endl;
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Finalize();
    return 0;
}
