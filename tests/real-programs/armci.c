/* ARMCI-MPI, the layer under Global Arrays, does everything by passive target RMA: this program uses its usual operations.
 * Compiled by `regatta cc`, the library is Debian's own. There is no race in it; each rank prints what its memory holds at the end. */
#include <armci.h>
#include <mpi.h>
#include <stdio.h>

enum { RANKS_MAX = 8, DOUBLES = 512, PART = 64, LOOPS = 5 };

static void fill(double *mine, int rank)
{
    ARMCI_Access_begin(mine);
    for (int i = 0; i < DOUBLES; i++)
        mine[i] = rank;
    ARMCI_Access_end(mine);
}

static double sum(double *mine)
{
    double all = 0;
    ARMCI_Access_begin(mine);
    for (int i = 0; i < DOUBLES; i++)
        all += mine[i];
    ARMCI_Access_end(mine);
    return all;
}

int main(int argc, char **argv)
{
    int rank, ranks;
    MPI_Init(&argc, &argv);
    ARMCI_Init();
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (ranks > RANKS_MAX)
        MPI_Abort(MPI_COMM_WORLD, 2);
    int next = (rank + 1) % ranks, after_next = (rank + 2) % ranks;
    void *memory[RANKS_MAX], *counters[RANKS_MAX];
    ARMCI_Malloc(memory, DOUBLES * sizeof(double));
    ARMCI_Malloc(counters, sizeof(long));
    double *mine = memory[rank];
    fill(mine, rank);
    *(long *)counters[rank] = 0;
    ARMCI_Barrier();

    double local[PART], got[PART], scale = 1.5;
    for (int i = 0; i < PART; i++)
        local[i] = 100 + rank;
    ARMCI_Put(local, (double *)memory[next] + PART, sizeof local, next);
    ARMCI_Barrier(); /* with a fence to all */
    ARMCI_Get((double *)memory[after_next] + PART, got, sizeof got, after_next);
    for (int target = 0; target < ranks; target++)
        ARMCI_Acc(ARMCI_ACC_DBL, &scale, local, (double *)memory[target] + 4 * PART, sizeof local,
                  target);
    int local_stride = 64, remote_stride = 128, counts[] = {32, 4};
    ARMCI_PutS(local, &local_stride, (double *)memory[next] + 6 * PART, &remote_stride, counts, 1,
               next);
    armci_hdl_t handle;
    ARMCI_INIT_HANDLE(&handle);
    ARMCI_NbGet(memory[next], got, sizeof got, next, &handle);
    ARMCI_Wait(&handle);
    double first = got[0];
    ARMCI_Barrier();

    long before;
    for (int i = 0; i < LOOPS; i++)
        ARMCI_Rmw(ARMCI_FETCH_AND_ADD_LONG, &before, counters[0], 1, 0);
    ARMCI_Create_mutexes(1);
    ARMCI_Lock(0, 0);
    ARMCI_Get(memory[0], got, sizeof *got, 0);
    got[0]++;
    ARMCI_Put(got, memory[0], sizeof *got, 0);
    ARMCI_Fence(0);
    ARMCI_Unlock(0, 0);
    ARMCI_Barrier();
    printf("rank %d of %d: %g, %g, %ld\n", rank, ranks, sum(mine), first,
           rank == 0 ? *(long *)counters[0] : 0);

    ARMCI_Barrier();
    ARMCI_Destroy_mutexes();
    ARMCI_Free(counters[rank]);
    ARMCI_Free(memory[rank]);
    ARMCI_Finalize();
    MPI_Finalize();
    return 0;
}
