/* Loads have no name in the source that could be read in one way: the declarations of what the window was made of, and of the
 * buffer, tell which element they touch. Not where a pointer has moved, or where the same name is another variable. */
/* expect: remote-race 45 48 */
/* expect: remote-race 46 49 */
/* expect: remote-race 46 29 */
/* expect: remote-race 47 50 */
/* expect: local-race 57 58 */
/* says: "variable": "board[2][3].value[1]" */
/* says: "variable": "heat[4]" */
/* says: all of them the same: edge[1] */
/* says-not: "variable": "heat[1]" */
/* says-not: "variable": "heat[3]" */
/* says-not: "variable": "moved */
/* checks: compiled in */
/* flags: -O1 */
#include <mpi.h>

struct cell {
    int kind;
    double value[3];
};
static struct cell board[4][5];
static double *heat, *moved, edge[2];
static volatile double sum;

/* Not the window's pointer, but a parameter that is called the same. */
__attribute__((noinline)) static double second_of(const double *heat)
{
    return heat[1];
}

int main(int argc, char **argv)
{
    int rank;
    double v = 1;
    MPI_Win boards, heats, moves;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(board, sizeof board, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &boards);
    MPI_Win_allocate(80, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &heat, &heats);
    MPI_Win_allocate(80, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &moved, &moves); moved++;
    MPI_Win_fence(0, boards); MPI_Win_fence(0, heats); MPI_Win_fence(0, moves);

    if (rank == 0) {
        MPI_Put(&v, 1, MPI_DOUBLE, 1, 32 * 5 * 2 + 32 * 3 + 16, 1, MPI_DOUBLE, boards);
        MPI_Put(&v, 1, MPI_DOUBLE, 1, 4, 1, MPI_DOUBLE, heats);
        MPI_Put(&v, 1, MPI_DOUBLE, 1, 6, 1, MPI_DOUBLE, moves); } else {
        sum += board[2][3].value[1];
        sum += heat[4];
        sum += moved[5];
        sum += second_of(heat + 3);
    }
    MPI_Win_fence(0, boards); MPI_Win_fence(0, heats); MPI_Win_fence(0, moves);

    if (rank == 0) {
        MPI_Request request;
        MPI_Irecv(edge, 2, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, &request);
        sum += edge[1];
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        MPI_Send(edge, 2, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Win_free(&boards); MPI_Win_free(&heats); MPI_Win_free(&moves);
    MPI_Finalize();
    return 0;
}
