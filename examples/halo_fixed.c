/* The twin of halo_race.c without the race: what is sent and what is received have buffers of
 * their own. */
#include <mpi.h>
#include <stdio.h>

enum { ROWS = 200, COLUMNS = 50, STEPS = 100 };

static double now[ROWS][COLUMNS + 2], next[ROWS][COLUMNS + 2];

/* Sends column `edge` to one neighbour and fills column `halo` with what the other one sends. */
static void exchange(int edge, int to, int halo, int from)
{
    double outgoing[ROWS], incoming[ROWS];
    MPI_Request requests[2];
    for (int i = 0; i < ROWS; i++)
        outgoing[i] = now[i][edge];
    MPI_Isend(outgoing, ROWS, MPI_DOUBLE, to, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(incoming, ROWS, MPI_DOUBLE, from, 0, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < ROWS; i++)
        now[i][halo] = incoming[i];
}

static void relax(void)
{
    for (int i = 1; i < ROWS - 1; i++)
        for (int j = 1; j <= COLUMNS; j++)
            next[i][j] = 0.25 * (now[i - 1][j] + now[i + 1][j] + now[i][j - 1] + now[i][j + 1]);
    for (int i = 1; i < ROWS - 1; i++)
        for (int j = 1; j <= COLUMNS; j++)
            now[i][j] = next[i][j];
}

int main(int argc, char **argv)
{
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int left = (rank + ranks - 1) % ranks;
    int right = (rank + 1) % ranks;

    for (int j = 0; j < COLUMNS + 2; j++)
        now[0][j] = 100.0 + rank; /* the hot upper border */
    for (int step = 0; step < STEPS; step++) {
        exchange(1, left, COLUMNS + 1, right);
        exchange(COLUMNS, right, 0, left);
        relax();
    }

    double heat = 0, total = 0;
    for (int i = 0; i < ROWS; i++)
        for (int j = 1; j <= COLUMNS; j++)
            heat += now[i][j];
    MPI_Reduce(&heat, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("heat after %d steps: %.3f\n", STEPS, total);
    MPI_Finalize();
    return 0;
}
