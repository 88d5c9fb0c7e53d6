/* The memory as the program calls it: the buffer of a call, what an assignment stores to. The variable of an operation is at its origin, and is
 * no name of the window's bytes. */
/* expect: remote-race 24 27 */
/* expect: local-race 29 30 */
/* says: "variable": "memory[2]" */
/* says: "variable": "value" */
/* says: "detail": "reads 16 bytes of row.cells" */
/* says: "detail": "writes 4 bytes, all of them the same: row.cells[3]" */
/* says-not: the same bytes: value */
/* says-not: of value */
/* checks: compiled in */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, *memory, value = 1;
    struct { int cells[4]; } row = {{0}};
    MPI_Win win;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(64, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_fence(0, win);
    if (rank == 0) MPI_Put(&value, 1, MPI_INT, 1, 2,
                1, MPI_INT, win);
    if (rank == 1)
        memory[2] = 2;
    MPI_Win_fence(0, win);
    MPI_Isend(row.cells, 4, MPI_INT, rank, 0, MPI_COMM_WORLD, &request);
    row.cells[3] = 1;
    MPI_Recv(&memory[8], 4, MPI_INT, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Win_free(&win);
    MPI_Finalize();
    return row.cells[1];
}
