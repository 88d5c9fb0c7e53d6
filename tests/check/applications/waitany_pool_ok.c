/* expect: none */
/* Results arrive in any order; the buffer of another one than that which has come is read. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define SLOTS 4
#define LENGTH 100

struct pool {
    double results[SLOTS][LENGTH];
    MPI_Request requests[SLOTS];
};

static void pool_post(struct pool *p, int slot)
{
    MPI_Irecv(p->results[slot], LENGTH, MPI_DOUBLE, MPI_ANY_SOURCE, slot, MPI_COMM_WORLD, &p->requests[slot]);
}

static double pool_value(const struct pool *p, int slot)
{
    return p->results[slot][0];
}

static double collect(struct pool *p)
{
    int slot;
    double value = 0;
    for (int i = 0; i < SLOTS; i++)
        pool_post(p, i);
    for (int i = 0; i < SLOTS; i++) {
        MPI_Waitany(SLOTS, p->requests, &slot, MPI_STATUS_IGNORE);
        if (slot == MPI_UNDEFINED)
            break;
        value += p->results[slot][1];
    }
    value += pool_value(p, 2);
    return value;
}

static void serve(int rank)
{
    double result[LENGTH];
    for (int i = 0; i < LENGTH; i++)
        result[i] = rank * i;
    MPI_Send(result, LENGTH, MPI_DOUBLE, 0, (rank - 1) % SLOTS, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int rank, size;
    static struct pool p;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size != SLOTS + 1) {
        fprintf(stderr, "%d processes, please\n", SLOTS + 1);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    if (rank == 0)
        printf("%g\n", collect(&p));
    else
        serve(rank);
    MPI_Finalize();
    return 0;
}
