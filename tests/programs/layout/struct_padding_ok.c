/* ranks: 3 */
/* needs: run */
/* expect: none */
/*
 * semantics §1: a struct type covers its members, not the padding between them.
 *
 * Rank 1 puts bytes 4 to 7, the padding between the int and the double.
 */
#include <mpi.h>

static _Alignas(64) char mem[16];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    struct pair { int i; double d; } value = {1, 2.0};
    MPI_Datatype pair, types[2] = {MPI_INT, MPI_DOUBLE};
    MPI_Aint at[2] = {0, 8};
    int lengths[2] = {1, 1};
    char bytes[4] = {1, 2, 3, 4};
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Type_create_struct(2, lengths, at, types, &pair);
    MPI_Type_commit(&pair);
    MPI_Win_lock_all(0, win);
    if (rank == 0)
        MPI_Put(&value, 1, pair, 2, 0, 1, pair, win); /* A */
    if (rank == 1)
        MPI_Put(bytes, 4, MPI_CHAR, 2, 4, 4, MPI_CHAR, win);
    MPI_Win_unlock_all(win);
    MPI_Type_free(&pair);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
