/* usage: scale halo|alltoall ROUNDS SIZE
 * Two patterns that grow with the number of ranks, for many more ranks than cores.
 *   halo      a two-dimensional process grid; each rank puts its four edges (rows, and columns by a vector type) into the halos of
 *             its neighbours between two fences, and computes a five-point stencil; SIZE x SIZE cells per rank
 *   alltoall  each rank puts SIZE words to every other under lock_all, flushes, and adds up what has come after a barrier
 * Rank 0 prints `ok|wrong WALL_SECONDS CPU_SECONDS_OF_ALL PEAK_KIB_OF_THE_LARGEST WINDOW_KIB`. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int rank, ranks, rounds, n;
static size_t window_bytes;

/* ---- halo ---- */

enum { UP, DOWN, LEFT, RIGHT, SIDES };

struct grid {
    double *cells; /* (n + 2) x (n + 2) */
    MPI_Win window;
};

static MPI_Comm board;
static int sides[SIDES], place[2];
static MPI_Datatype column;

#define AT(row, col) ((size_t)(row) * (size_t)(n + 2) + (size_t)(col))

static double linear(int row, int col)
{
    return 2.0 * (place[0] * n + row) + (place[1] * n + col);
}

static void halo_start(struct grid *grid)
{
    size_t bytes = (size_t)(n + 2) * (size_t)(n + 2) * sizeof(double);
    MPI_Win_allocate((MPI_Aint)bytes, sizeof(double), MPI_INFO_NULL, board, &grid->cells, &grid->window);
    window_bytes += bytes;
    for (int row = 0; row < n + 2; row++)
        for (int col = 0; col < n + 2; col++)
            grid->cells[AT(row, col)] = linear(row, col);
}

static void put_edges(struct grid *grid)
{
    double *cells = grid->cells;
    MPI_Win_fence(0, grid->window);
    if (sides[UP] != MPI_PROC_NULL)
        MPI_Put(&cells[AT(1, 1)], n, MPI_DOUBLE, sides[UP], (MPI_Aint)AT(n + 1, 1), n, MPI_DOUBLE, grid->window);
    if (sides[DOWN] != MPI_PROC_NULL)
        MPI_Put(&cells[AT(n, 1)], n, MPI_DOUBLE, sides[DOWN], (MPI_Aint)AT(0, 1), n, MPI_DOUBLE, grid->window);
    if (sides[LEFT] != MPI_PROC_NULL)
        MPI_Put(&cells[AT(1, 1)], 1, column, sides[LEFT], (MPI_Aint)AT(1, n + 1), 1, column, grid->window);
    if (sides[RIGHT] != MPI_PROC_NULL)
        MPI_Put(&cells[AT(1, n)], 1, column, sides[RIGHT], (MPI_Aint)AT(1, 0), 1, column, grid->window);
    MPI_Win_fence(0, grid->window);
}

/* A linear field stays as it is, with fixed cells around the whole. */
static void sweep(struct grid *to, const struct grid *from)
{
    const double *f = from->cells;
    for (int row = 1; row <= n; row++)
        for (int col = 1; col <= n; col++)
            to->cells[AT(row, col)] = 0.25 * (f[AT(row - 1, col)] + f[AT(row + 1, col)] +
                                              f[AT(row, col - 1)] + f[AT(row, col + 1)]);
}

static int halo(void)
{
    int dims[2] = {0, 0}, periods[2] = {0, 0};
    struct grid grids[2];
    MPI_Dims_create(ranks, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &board);
    MPI_Cart_coords(board, rank, 2, place);
    MPI_Cart_shift(board, 0, 1, &sides[UP], &sides[DOWN]);
    MPI_Cart_shift(board, 1, 1, &sides[LEFT], &sides[RIGHT]);
    MPI_Type_vector(n, 1, n + 2, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);
    halo_start(&grids[0]);
    halo_start(&grids[1]);
    for (int i = 0; i < rounds; i++) {
        put_edges(&grids[i % 2]);
        sweep(&grids[(i + 1) % 2], &grids[i % 2]);
    }
    int right = 1;
    for (int row = 1; row <= n; row++)
        for (int col = 1; col <= n; col++)
            right &= fabs(grids[rounds % 2].cells[AT(row, col)] - linear(row, col)) < 1e-6;
    MPI_Win_free(&grids[0].window);
    MPI_Win_free(&grids[1].window);
    MPI_Type_free(&column);
    MPI_Comm_free(&board);
    return right;
}

/* ---- all to all ---- */

static int alltoall(void)
{
    long *arrived, *words = malloc((size_t)n * (size_t)ranks * sizeof *words), sum = 0, expected = 0;
    MPI_Win window;
    window_bytes = (size_t)n * (size_t)ranks * sizeof *arrived;
    MPI_Win_allocate((MPI_Aint)window_bytes, sizeof *arrived, MPI_INFO_NULL, MPI_COMM_WORLD, &arrived, &window);
    MPI_Win_lock_all(0, window);
    for (int i = 0; i < rounds; i++) {
        for (int peer = 0; peer < ranks; peer++)
            for (int j = 0; j < n; j++)
                words[(size_t)peer * (size_t)n + (size_t)j] = rank + peer + i + j;
        for (int peer = 0; peer < ranks; peer++)
            MPI_Put(&words[(size_t)peer * (size_t)n], n, MPI_LONG, peer, (MPI_Aint)rank * n, n, MPI_LONG, window);
        MPI_Win_flush_all(window);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Win_sync(window);
        for (int peer = 0; peer < ranks; peer++)
            for (int j = 0; j < n; j++) {
                sum += arrived[(size_t)peer * (size_t)n + (size_t)j];
                expected += rank + peer + i + j;
            }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
    free(words);
    return sum == expected;
}

static double peak_kib(void)
{
    char line[256];
    double peak = 0;
    FILE *status = fopen("/proc/self/status", "r");
    while (status && fgets(line, sizeof line, status))
        if (sscanf(line, "VmHWM: %lf", &peak) == 1)
            break;
    if (status)
        fclose(status);
    return peak;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc != 4 || (rounds = atoi(argv[2])) <= 0 || (n = atoi(argv[3])) <= 0)
        MPI_Abort(MPI_COMM_WORLD, 2);
    double start = MPI_Wtime();
    int right = strcmp(argv[1], "halo") == 0 ? halo() : alltoall(), all_right;
    double wall = MPI_Wtime() - start, cpu = (double)clock() / CLOCKS_PER_SEC, all_cpu;
    double mine[3] = {wall, peak_kib(), (double)window_bytes / 1024}, largest[3];
    MPI_Reduce(&cpu, &all_cpu, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(mine, largest, 3, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    MPI_Allreduce(&right, &all_right, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%s %.2f %.2f %.0f %.0f\n", all_right ? "ok" : "wrong", largest[0], all_cpu, largest[1],
               largest[2]);
    MPI_Finalize();
    return all_right ? 0 : 1;
}
