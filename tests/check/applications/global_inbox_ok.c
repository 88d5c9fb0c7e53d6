/* expect: none */
/* Receives are posted when the program starts, into a global array, and looked at from another function. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define PEERS 3
#define WORDS 32

static int inbox[PEERS][WORDS];
static MPI_Request posted[PEERS];
static int my_rank, my_size;

static void start_receiving(void)
{
    for (int p = 0; p < PEERS; p++)
        MPI_Irecv(inbox[p], WORDS, MPI_INT, (my_rank + p + 1) % my_size, 20 + p, MPI_COMM_WORLD, &posted[p]);
}

static int checksum(int p)
{
    int sum = 0;
    for (int i = 0; i < WORDS; i++)
        sum ^= inbox[p][i];
    return sum;
}

static void tell_others(void)
{
    int message[WORDS];
    for (int i = 0; i < WORDS; i++)
        message[i] = my_rank * WORDS + i;
    for (int p = 0; p < PEERS; p++)
        MPI_Send(message, WORDS, MPI_INT, (my_rank + my_size - p - 1) % my_size, 20 + p, MPI_COMM_WORLD);
}

static void report(void)
{
    for (int p = 0; p < PEERS; p++)
        printf("%d: %d\n", p, checksum(p));
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &my_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &my_size);
    if (my_size < PEERS + 1) {
        if (my_rank == 0)
            fprintf(stderr, "at least %d processes, please\n", PEERS + 1);
        MPI_Finalize();
        return 1;
    }
    start_receiving();
    tell_others();
    MPI_Waitall(PEERS, posted, MPI_STATUSES_IGNORE);
    report();
    MPI_Finalize();
    return 0;
}
