/* expect: local-race A B */
/* Work items are numbered by fetch-and-op, and fetched by get; an item is used before the get is flushed. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { ITEMS = 24, ITEM = 10 };

static MPI_Win counter_win, item_win;
static int *counter, *items;

static void windows_open(int rank)
{
    MPI_Aint counter_size = rank == 0 ? sizeof(int) : 0, items_size = rank == 0 ? ITEMS * ITEM * sizeof(int) : 0;
    MPI_Win_allocate(counter_size, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &counter, &counter_win);
    MPI_Win_allocate(items_size, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &items, &item_win);
    MPI_Win_lock_all(0, counter_win);
    MPI_Win_lock_all(0, item_win);
    if (rank == 0) {
        *counter = 0;
        for (int i = 0; i < ITEMS * ITEM; i++)
            items[i] = i;
        MPI_Win_sync(counter_win);
        MPI_Win_sync(item_win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static int next_item(void)
{
    int one = 1, number;
    MPI_Fetch_and_op(&one, &number, MPI_INT, 0, 0, MPI_SUM, counter_win);
    MPI_Win_flush(0, counter_win);
    return number;
}

static void fetch_item(int number, int *into)
{
    MPI_Get(into, ITEM, MPI_INT, 0, (MPI_Aint)number * ITEM, ITEM, MPI_INT, item_win); /* A */
}

static long process(const int *item)
{
    long sum = 0;
    for (int i = 0; i < ITEM; i++)
        sum += (long)item[i] * item[i]; /* B */
    return sum;
}

int main(int argc, char **argv)
{
    int rank, number, mine = 0, item[ITEM];
    long sum = 0, all;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    windows_open(rank);
    while ((number = next_item()) < ITEMS) {
        fetch_item(number, item);
        sum += process(item);
        MPI_Win_flush(0, item_win);
        mine++;
    }
    MPI_Win_unlock_all(item_win);
    MPI_Win_unlock_all(counter_win);
    MPI_Reduce(&sum, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%ld, %d here\n", all, mine);
    MPI_Win_free(&item_win);
    MPI_Win_free(&counter_win);
    MPI_Finalize();
    return 0;
}
