/* expect-sources: remote-race A B */
/* expect-sources: remote-race A C */
/* expect-sources: remote-race A D */
/* expect-sources: remote-race E B */
/* Each process has tasks in a window; whoever runs out takes some of another's. The owner takes its own
   tasks with loads and stores, without the lock. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { CAPACITY = 32 };

struct deque {
    int top;
    int tasks[CAPACITY];
};

struct pool {
    struct deque *mine;
    MPI_Win window;
    int rank, size;
    long done;
};

static void work(struct pool *p, int task)
{
    p->done += task % 7;
}

static void pool_make(struct pool *p)
{
    MPI_Comm_rank(MPI_COMM_WORLD, &p->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p->size);
    MPI_Win_allocate(sizeof(struct deque), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &p->mine, &p->window);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, p->rank, 0, p->window);
    p->mine->top = p->rank == 0 ? CAPACITY : 2;
    for (int i = 0; i < CAPACITY; i++)
        p->mine->tasks[i] = p->rank * 100 + i;
    MPI_Win_unlock(p->rank, p->window);
    p->done = 0;
    MPI_Barrier(MPI_COMM_WORLD);
}

static int take_own(struct pool *p)
{
    int task = -1;
    if (p->mine->top > 0) { /* C */
        p->mine->top--; /* B */
        task = p->mine->tasks[p->mine->top]; /* D */
    }
    return task;
}

static int steal(struct pool *p, int victim)
{
    struct deque theirs;
    int task = -1;
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, victim, 0, p->window);
    MPI_Get(&theirs, sizeof theirs, MPI_BYTE, victim, 0, sizeof theirs, MPI_BYTE, p->window); /* E */
    MPI_Win_flush(victim, p->window);
    if (theirs.top > 0) {
        task = theirs.tasks[--theirs.top];
        MPI_Put(&theirs.top, 1, MPI_INT, victim, 0, 1, MPI_INT, p->window); /* A */
    }
    MPI_Win_unlock(victim, p->window);
    return task;
}

static void run(struct pool *p)
{
    int task;
    while ((task = take_own(p)) >= 0)
        work(p, task);
    for (int k = 1; k < p->size; k++) {
        int victim = (p->rank + k) % p->size;
        while ((task = steal(p, victim)) >= 0)
            work(p, task);
    }
}

int main(int argc, char **argv)
{
    struct pool p;
    long all;
    MPI_Init(&argc, &argv);
    pool_make(&p);
    run(&p);
    MPI_Reduce(&p.done, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (p.rank == 0)
        printf("%ld\n", all);
    MPI_Win_free(&p.window);
    MPI_Finalize();
    return 0;
}
