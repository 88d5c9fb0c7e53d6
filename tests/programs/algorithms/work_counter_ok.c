/* ranks: 3 */
/* needs: run */
/* expect: none */
/*
 * semantics §2: tasks are handed out by a counter (Fetch_and_op), results are put to the owner of the task's slot and collected
 * after a barrier. A flush completes the operations of its own window only. Whoever gets which task: every result is a put.
 *
 * The results' window is flushed before the barrier.
 */
#include <mpi.h>

enum { TASKS = 12, RANKS = 3 };
static _Alignas(64) int next_task[1];
static _Alignas(64) long results[TASKS / RANKS];

static long work(int task)
{
    long value = task;

    for (int i = 0; i < 1000; i++)
        value = (value * 31 + 7) % 10007;
    return value;
}

int main(int argc, char **argv)
{
    static const int one = 1;
    long values[TASKS], sums[TASKS / RANKS];
    int task = 0;
    MPI_Win counter, table;

    MPI_Init(&argc, &argv);
    MPI_Win_create(next_task, sizeof next_task, sizeof next_task[0], MPI_INFO_NULL, MPI_COMM_WORLD, &counter);
    MPI_Win_create(results, sizeof results, sizeof results[0], MPI_INFO_NULL, MPI_COMM_WORLD, &table);
    MPI_Win_lock_all(0, counter);
    MPI_Win_lock_all(0, table);
    for (;;) {
        MPI_Fetch_and_op(&one, &task, MPI_INT, 0, 0, MPI_SUM, counter);
        MPI_Win_flush(0, counter);
        if (task >= TASKS)
            break;
        values[task] = work(task);
        MPI_Put(&values[task], 1, MPI_LONG, task % RANKS, task / RANKS, 1, MPI_LONG, table);
    }
    MPI_Win_flush_all(table);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Allreduce(results, sums, TASKS / RANKS, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    MPI_Win_unlock_all(table);
    MPI_Win_unlock_all(counter);
    MPI_Win_free(&table);
    MPI_Win_free(&counter);
    MPI_Finalize();
    return 0;
}
