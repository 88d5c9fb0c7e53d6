/* ranks: 4 */
/* needs: cc */
/* expect: remote-race A B */
/*
 * semantics §3, PSCW: halo exchange on a grid of 2 x 2 processes. Rows and columns are subarrays, each process posts to and starts
 * towards its neighbours only, and computes what needs no halo while it is under way.
 *
 * The range of rows is one too long: the last row is computed before Win_wait, and reads the halo below it.
 */
#include <mpi.h>

enum { N = 6, ROUNDS = 3 };
static _Alignas(64) int grid[N + 2][N + 2];
static int next[N + 2][N + 2];

static void relax(int from_row, int to_row, int from_column, int to_column)
{
    for (int i = from_row; i <= to_row; i++)
        for (int j = from_column; j <= to_column; j++)
            next[i][j] = grid[i][j] + grid[i - 1][j] + grid[i + 1][j] + grid[i][j - 1] + grid[i][j + 1]; /* B */
}

static MPI_Datatype piece(int row, int column, int rows, int columns)
{
    MPI_Datatype type;

    MPI_Type_create_subarray(2, (int[]){N + 2, N + 2}, (int[]){rows, columns}, (int[]){row, column}, MPI_ORDER_C, MPI_INT, &type);
    MPI_Type_commit(&type);
    return type;
}

int main(int argc, char **argv)
{
    int sides[4], members[4], count = 0; /* up, down, left, right */
    MPI_Comm cart;
    MPI_Group all, neighbours;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Cart_create(MPI_COMM_WORLD, 2, (int[]){2, 2}, (int[]){0, 0}, 0, &cart);
    MPI_Cart_shift(cart, 0, 1, &sides[0], &sides[1]);
    MPI_Cart_shift(cart, 1, 1, &sides[2], &sides[3]);
    for (int i = 0; i < 4; i++)
        if (sides[i] != MPI_PROC_NULL)
            members[count++] = sides[i];
    MPI_Comm_group(cart, &all);
    MPI_Group_incl(all, count, members, &neighbours);
    MPI_Datatype inner[4] = {piece(1, 1, 1, N), piece(N, 1, 1, N), piece(1, 1, N, 1), piece(1, N, N, 1)};
    MPI_Datatype outer[4] = {piece(N + 1, 1, 1, N), piece(0, 1, 1, N), piece(1, N + 1, N, 1), piece(1, 0, N, 1)};
    MPI_Win_create(grid, sizeof grid, sizeof(int), MPI_INFO_NULL, cart, &win);

    for (int round = 0; round < ROUNDS; round++) {
        MPI_Win_post(neighbours, 0, win);
        MPI_Win_start(neighbours, 0, win);
        for (int i = 0; i < 4; i++)
            MPI_Put(grid, 1, inner[i], sides[i], 0, 1, outer[i], win); /* A */
        relax(2, N, 2, N - 1);
        MPI_Win_complete(win);
        MPI_Win_wait(win);
        relax(1, 1, 1, N);
        relax(N, N, 1, N);
        relax(2, N - 1, 1, 1);
        relax(2, N - 1, N, N);
        for (int i = 1; i <= N; i++)
            for (int j = 1; j <= N; j++)
                grid[i][j] = next[i][j] % 1000;
    }
    MPI_Win_free(&win);
    for (int i = 0; i < 4; i++) {
        MPI_Type_free(&inner[i]);
        MPI_Type_free(&outer[i]);
    }
    MPI_Group_free(&neighbours);
    MPI_Group_free(&all);
    MPI_Comm_free(&cart);
    MPI_Finalize();
    return 0;
}
