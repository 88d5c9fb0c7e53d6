/* ranks: 2 */
/* needs: run */
/* expect: remote-race A B */
/*
 * semantics §2 and §3, in the delete function of an attribute of MPI_COMM_SELF, which MPI_Finalize calls first of all: libraries
 * complete their requests and free their windows there, and MPI is still whole.
 *
 * Both ranks put to the same place in one epoch.
 */
#include <mpi.h>
#include <stddef.h>

static MPI_Win win;
static MPI_Request request;
static int received;

static int clean_up(MPI_Comm self, int key, void *value, void *extra)
{
    int rank, mine;

    (void)self, (void)key, (void)value, (void)extra;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    mine = rank + 1;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Put(&mine, 1, MPI_INT, 1, 2, 1, MPI_INT, win); /* A */
    if (rank == 1)
        MPI_Put(&mine, 1, MPI_INT, 1, 2, 1, MPI_INT, win); /* B */
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    int rank, key;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, clean_up, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
    MPI_Comm_free_keyval(&key);
    int *mem;
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &mem, &win);
    MPI_Irecv(&received, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &request);
    MPI_Send(&rank, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
