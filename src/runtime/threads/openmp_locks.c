/* Mutual exclusion and order within loops: critical, atomic by locks, omp_set_lock and its kin,
 * ordered, doacross. */
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>

#include "actors.h"
#include "engine/table.h"
#include "openmp_tasks.h"

/* OpenMP tells that a lock was released when it is: the next one may have it by then, and would not
 * learn what the first one has to leave there yet. So it waits at a gate until the first has said
 * so, which is a matter of instructions, unless that thread was stopped in between. */
struct gate {
    uint64_t id;
    atomic_bool is_held;
    struct sync *sync;
    UT_hash_handle hh;
};

static struct gate *gates;
static atomic_flag gates_lock = ATOMIC_FLAG_INIT; /* a hash look-up long */

enum { GATE_PATIENCE = 10 /* seconds: rather miss an edge than hold up the program for good */ };

static struct gate *gate_of(uint64_t id)
{
    struct gate *gate;
    while (atomic_flag_test_and_set_explicit(&gates_lock, memory_order_acquire))
        sched_yield();
    HASH_FIND(hh, gates, &id, sizeof id, gate);
    if (!gate && (gate = calloc(1, sizeof *gate))) {
        gate->id = id;
        gate->sync = sync_new();
        HASH_ADD(hh, gates, id, sizeof id, gate);
    }
    atomic_flag_clear_explicit(&gates_lock, memory_order_release);
    return gate;
}

static void gate_pass(struct gate *gate)
{
    struct timespec start, now;
    clock_gettime(CLOCK_MONOTONIC, &start);
    while (atomic_load_explicit(&gate->is_held, memory_order_acquire)) {
        sched_yield();
        clock_gettime(CLOCK_MONOTONIC, &now);
        if (now.tv_sec - start.tv_sec > GATE_PATIENCE)
            break;
    }
    atomic_store_explicit(&gate->is_held, true, memory_order_relaxed);
}

void openmp_mutex_acquired(int kind, uint64_t wait_id, const void *code)
{
    (void)code;
    struct gate *gate = gate_of(wait_id);
    if (!gate)
        return;
    gate_pass(gate);
    if (kind == OMPT_MUTEX_ORDERED)
        sync_acquire(gate->sync); /* one iteration after the other: no luck in it */
    else
        lock_acquired(gate->sync);
}

void openmp_mutex_released(int kind, uint64_t wait_id, const void *code)
{
    (void)code;
    struct gate *gate = gate_of(wait_id);
    if (!gate)
        return;
    if (kind == OMPT_MUTEX_ORDERED)
        sync_release(gate->sync);
    else
        lock_released(gate->sync);
    atomic_store_explicit(&gate->is_held, false, memory_order_release);
}

/* Another lock may have been there before, and destroyed while it was held. */
void openmp_lock_made(int kind, unsigned hint, unsigned implementation, uint64_t wait_id,
                      const void *code)
{
    (void)kind, (void)hint, (void)implementation, (void)code;
    struct gate *gate = gate_of(wait_id);
    if (gate)
        atomic_store_explicit(&gate->is_held, false, memory_order_release);
}

/* ---- doacross ---- */

static struct sync *doacross_sync(struct task *task, const struct ompt_dependence *vector,
                                  int count)
{
    uint64_t hash = task->loops;
    for (int i = 0; i < count; i++)
        hash = (hash ^ vector[i].variable.value) * UINT64_C(0x9e3779b97f4a7c15);
    struct sync *_Atomic *slot = &task->in->doacross[hash >> 32 & (DOACROSS_SYNCS - 1)];
    struct sync *sync = atomic_load(slot), *fresh = NULL;
    if (!sync && (fresh = sync_new()) && !atomic_compare_exchange_strong(slot, &sync, fresh))
        sync_free(fresh);
    return sync ? sync : fresh;
}

/* A source is told before it can be seen, a sink when it was. */
void openmp_doacross(struct task *task, const struct ompt_dependence *vector, int count)
{
    if (!task->in)
        return;
    struct sync *sync = doacross_sync(task, vector, count);
    if (!sync)
        return;
    if (vector[0].type == OMPT_DEPENDS_SOURCE)
        sync_release(sync);
    else
        sync_acquire(sync);
}
