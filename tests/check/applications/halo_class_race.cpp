/* expect: local-race A B */
/* A class with vectors for the halo; the caller fills the outgoing one between begin and end. */
#include <mpi.h>

#include <cstdio>
#include <stdexcept>
#include <vector>

class Halo {
public:
    Halo(int n, int left, int right) : out_(n), in_(n), left_(left), right_(right), requests_(2, MPI_REQUEST_NULL)
    {
        if (n <= 0)
            throw std::invalid_argument("n");
    }
    void begin()
    {
        check(MPI_Irecv(in_.data(), (int)in_.size(), MPI_DOUBLE, left_, 0, MPI_COMM_WORLD, &requests_[0]));
        check(MPI_Isend(out_.data(), (int)out_.size(), MPI_DOUBLE, right_, 0, MPI_COMM_WORLD, &requests_[1])); /* A */
    }
    void end()
    {
        check(MPI_Waitall((int)requests_.size(), requests_.data(), MPI_STATUSES_IGNORE));
    }
    void set(int i, double value)
    {
        out_[i] = value; /* B */
    }
    double get(int i) const
    {
        return in_[i];
    }

private:
    static void check(int code)
    {
        if (code != MPI_SUCCESS)
            throw std::runtime_error("MPI");
    }
    std::vector<double> out_, in_;
    int left_, right_;
    std::vector<MPI_Request> requests_;
};

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    {
        Halo halo(100, (rank + size - 1) % size, (rank + 1) % size);
        double sum = 0;
        for (int step = 0; step < 10; step++) {
            halo.begin();
            halo.set(0, step);
            halo.end();
            sum += halo.get(1);
        }
        std::printf("%g\n", sum);
    }
    MPI_Finalize();
    return 0;
}
