/* ranks: 3 */
/* The root gathers columns of a matrix and adds up what it has before the gather is complete. */
#include "latent.h"

int main(int argc, char **argv)
{
    int matrix[4][3] = {{0}}, mine[4], counts[3] = {1, 1, 1}, displs[3] = {0, 1, 2}, total = 0, i, k;
    MPI_Datatype column, narrow;
    MPI_Request request;
    begin(&argc, &argv);
    for (i = 0; i < 4; i++)
        mine[i] = 1 + rank;
    MPI_Type_vector(4, 1, 3, MPI_INT, &column);
    MPI_Type_create_resized(column, 0, sizeof(int), &narrow);
    MPI_Type_commit(&narrow);
    MPI_Igatherv(mine, 4, MPI_INT, matrix, counts, displs, narrow, 0, MPI_COMM_WORLD, &request);
    for (i = 0; i < 10; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    REPAIR(MPI_Wait(&request, MPI_STATUS_IGNORE));
    for (i = 0; rank == 0 && i < 4; i++)
        for (k = 0; k < 3; k++)
            total += matrix[i][k];
    BUG(MPI_Wait(&request, MPI_STATUS_IGNORE));
    printf("rank %d: %d\n", rank, total);
    EXPECT(rank != 0 || total == 24);
    MPI_Type_free(&column);
    MPI_Type_free(&narrow);
    return end();
}
