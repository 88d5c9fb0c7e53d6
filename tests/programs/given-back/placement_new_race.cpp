// ranks: 2
// needs: cc
// expect: local-race A B
//
// semantics §1 and §8: a destructor alone gives no memory back; an object that is made in the same place is stored there.
//
// The new object begins with zeros.
#include <mpi.h>
#include <new>

struct row {
    int values[32];
    row()
    {
        for (int i = 0; i < 32; i++)
            values[i] = 0; // B
    }
    ~row()
    {
    }
};

alignas(row) static unsigned char memory[sizeof(row)];

int main(int argc, char **argv)
{
    int rank;
    MPI_Request req = MPI_REQUEST_NULL;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    row *first = new (memory) row;
    if (rank == 0) {
        MPI_Isend(first->values, 32, MPI_INT, 1, 0, MPI_COMM_WORLD, &req); // A
        first->~row();
        first = new (memory) row;
    } else {
        MPI_Recv(first->values, 32, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
