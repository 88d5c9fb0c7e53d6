/* expect-sources: remote-race A A */
/* Tasks are drawn from a counter, results put into a table of process 0; two tasks share a place. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { TASKS = 12, PLACES = 4 };

struct pool {
    MPI_Win counter, results;
    int *next, rank;
    double *table;
};

static void pool_open(struct pool *p)
{
    MPI_Comm_rank(MPI_COMM_WORLD, &p->rank);
    MPI_Win_allocate(p->rank == 0 ? sizeof(int) : 0, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &p->next, &p->counter);
    MPI_Win_allocate(p->rank == 0 ? TASKS * sizeof(double) : 0, sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &p->table, &p->results);
    if (p->rank == 0) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, p->counter);
        *p->next = 0;
        MPI_Win_unlock(0, p->counter);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, p->counter);
    MPI_Win_lock_all(0, p->results);
}

static int draw(struct pool *p)
{
    const int one = 1;
    int task;
    MPI_Fetch_and_op(&one, &task, MPI_INT, 0, 0, MPI_SUM, p->counter);
    MPI_Win_flush(0, p->counter);
    return task;
}

static double solve(int task)
{
    double x = 1;
    for (int i = 0; i < 20; i++)
        x = 0.5 * (x + task / x);
    return x;
}

static void deliver(struct pool *p, int task, const double *result)
{
    MPI_Put(result, 1, MPI_DOUBLE, 0, task % PLACES, 1, MPI_DOUBLE, p->results); /* A */
    MPI_Win_flush(0, p->results);
}

static void pool_close(struct pool *p)
{
    MPI_Win_unlock_all(p->results);
    MPI_Win_unlock_all(p->counter);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_free(&p->results);
    MPI_Win_free(&p->counter);
}

int main(int argc, char **argv)
{
    struct pool p;
    int task, done = 0;
    MPI_Init(&argc, &argv);
    pool_open(&p);
    while ((task = draw(&p)) < TASKS) {
        double result = solve(task);
        deliver(&p, task, &result);
        done++;
    }
    printf("%d did %d tasks\n", p.rank, done);
    pool_close(&p);
    MPI_Finalize();
    return 0;
}
