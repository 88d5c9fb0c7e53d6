/* What interception costs where it hurts most: calls that do almost nothing.
 *
 * Each operation is made in short batches through the MPI_ names, which Regatta intercepts, and through the
 * PMPI_ names, which it does not, in turns in the same process. Machines are shared and ranks get preempted,
 * so the figure is a low percentile over many batches: the time when nothing came in between.
 * Prints for each operation: name, nanoseconds through PMPI_, through MPI_, ratio.
 * Without Regatta the ratio is 1: the control. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { BATCH = 50, BATCHES = 2000 };

static int rank;
static MPI_Win window;
static char buffer[8];

#define PING_PONG(MPI)                                                                             \
    static void MPI##_ping_pong(void)                                                              \
    {                                                                                              \
        if (rank == 0) {                                                                           \
            MPI##_Send(buffer, 8, MPI_BYTE, 1, 0, MPI_COMM_WORLD);                                 \
            MPI##_Recv(buffer, 8, MPI_BYTE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);              \
        } else {                                                                                   \
            MPI##_Recv(buffer, 8, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);              \
            MPI##_Send(buffer, 8, MPI_BYTE, 0, 0, MPI_COMM_WORLD);                                 \
        }                                                                                          \
    }
/* Both ranks put, so that both make progress: MPICH completes a put only when the target is in MPI. */
#define PUT_FLUSH(MPI)                                                                             \
    static void MPI##_put_flush(void)                                                              \
    {                                                                                              \
        MPI##_Put(buffer, 8, MPI_BYTE, 1 - rank, 0, 8, MPI_BYTE, window);                          \
        MPI##_Win_flush(1 - rank, window);                                                         \
    }
#define BARRIER(MPI)                                                                               \
    static void MPI##_barrier(void)                                                                \
    {                                                                                              \
        MPI##_Barrier(MPI_COMM_WORLD);                                                             \
    }
PING_PONG(MPI) PING_PONG(PMPI)
PUT_FLUSH(MPI) PUT_FLUSH(PMPI)
BARRIER(MPI) BARRIER(PMPI)

static double batch(void (*operation)(void))
{
    double start = PMPI_Wtime();
    for (int i = 0; i < BATCH; i++)
        operation();
    return (PMPI_Wtime() - start) / BATCH * 1e9;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double undisturbed(double *times)
{
    qsort(times, BATCHES, sizeof *times, ascending);
    return times[BATCHES / 20];
}

static void compare(const char *name, void (*plain)(void), void (*intercepted)(void))
{
    static double without[BATCHES], with[BATCHES];
    batch(plain);
    batch(intercepted);
    for (int i = 0; i < BATCHES; i++) {
        without[i] = batch(plain);
        with[i] = batch(intercepted);
    }
    double a = undisturbed(without), b = undisturbed(with);
    if (rank == 0)
        printf("%s %.1f %.1f %.2f\n", name, a, b, b / a);
}

int main(int argc, char **argv)
{
    void *memory;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    compare("ping-pong", PMPI_ping_pong, MPI_ping_pong);
    compare("barrier", PMPI_barrier, MPI_barrier);
    MPI_Win_allocate(64, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    MPI_Win_lock_all(0, window);
    compare("put+flush", PMPI_put_flush, MPI_put_flush);
    /* With a window there is memory that can be raced for, and each message has to carry what its sender knows. */
    compare("ping-pong-beside-window", PMPI_ping_pong, MPI_ping_pong);
    compare("barrier-beside-window", PMPI_barrier, MPI_barrier);
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
