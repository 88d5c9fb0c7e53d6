// expect: local-race A B
// The method that writes is virtual.
#include <mpi.h>

struct step {
    virtual void run(int *p) = 0;
};

struct writer : step {
    void run(int *p) override
    {
        p[0] = 4; // B
    }
};

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    writer w;
    step *s = &w;
    int buf[4] = {0};
    MPI_Request req;
    MPI_Isend(buf, 4, MPI_INT, 1, 0, MPI_COMM_WORLD, &req); // A
    s->run(buf);
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
