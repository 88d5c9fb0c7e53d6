/* expect: local-race A B */
/* A store into a member that the datatype covers. */
#include <mpi.h>
#include <stddef.h>

struct particle {
    int kind;
    double mass;
    char name[8];
};

int main(int argc, char **argv)
{
    struct particle particle = {0};
    int lengths[2] = {1, 8};
    MPI_Aint places[2] = {offsetof(struct particle, kind), offsetof(struct particle, name)};
    MPI_Datatype types[2] = {MPI_INT, MPI_CHAR}, type;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Type_create_struct(2, lengths, places, types, &type);
    MPI_Type_commit(&type);
    MPI_Irecv(&particle, 1, type, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request); /* A */
    particle.name[1] = 0; /* B */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Type_free(&type);
    MPI_Finalize();
    return particle.kind;
}
