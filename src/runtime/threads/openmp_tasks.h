/* OpenMP's teams and tasks as actors: what openmp.c (events), openmp_tasks.c (who waits for whom)
 * and openmp_locks.c (critical, locks, ordered, doacross) share.
 *
 * A task is an actor. The implicit task of a team's first thread is the actor of the task that met
 * the parallel construct: the one goes on where the other left off. Each task is touched by the
 * thread that runs it, or, before it runs, by the one that makes it; what others leave for it
 * stands in syncs, which have a lock each. */
#ifndef REGATTA_RUNTIME_OPENMP_TASKS_H
#define REGATTA_RUNTIME_OPENMP_TASKS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "ompt.h"
#include "runtime_thread.h"

struct sync;

enum { DOACROSS_SYNCS = 256 }; /* iterations that share one are ordered by it: can only miss */

/* The team of a parallel region. A task has at most one that is at work, and keeps it for the next
 * region: the first one's members are all known to it by then. */
struct team {
    /* What came to the barrier. A thread may be in the next one before all have left this one, but
     * not in the one after that: two are enough. */
    struct sync *barrier[2];
    struct sync *_Atomic doacross[DOACROSS_SYNCS];
    uint32_t first;   /* the actor of thread 0 */
    uint32_t *actors; /* of the other threads, from thread 1 on */
    unsigned nactors, room;
};

struct group { /* a taskgroup */
    struct group *outer;
    struct sync *ends;
    atomic_uint references;
};

enum dependence_kind { /* of a task that was, as the next one has to know it */
                       DEPENDENCE_IN,
                       DEPENDENCE_OUT,
                       DEPENDENCE_MUTEX,
                       DEPENDENCE_SET,
                       DEPENDENCE_KINDS
};

/* A variable that tasks with the same parent depend on: the ends of those that did. */
struct variable;

struct dependence {
    struct variable *variable;
    enum dependence_kind kind;
};

struct task {
    struct task *parent;
    struct team *in;   /* the team that it belongs to; NULL outside of parallel regions */
    struct team *team; /* that it makes */
    unsigned index;    /* of an implicit task: its thread's number in the team */
    unsigned phase;    /* barriers of the team that it is past, or was when it was made */
    unsigned loops;    /* worksharing loops that it has met, which tells doacross loops apart */
    unsigned nested;   /* regions of one thread that libomp tells as the same task */
    uint32_t actor;
    atomic_uint references; /* its own, and one per child */
    bool has_actor;         /* of its own, which ends with it */
    bool is_explicit, started, joined, undeferred;
    struct sync *creation;      /* of a task without an actor: what its maker knew */
    struct sync *children;      /* ends of its children */
    struct group *group;        /* the innermost taskgroup */
    struct variable *variables; /* that its children depend on */
    struct variable *memory;    /* omp_all_memory of its children */
    struct dependence *dependences;
    unsigned ndependences;
};

/* What this thread executes; NULL if that is no OpenMP task, or not yet known to be one. */

struct task *task_new(struct task *parent);
void task_drop(struct task *task);

/* Its end, told by the current actor: everybody who waits for it will know. */
void task_release_ends(struct task *task);
/* The current actor learns of the tasks that this one depends on. */
void task_acquire_dependences(struct task *task);
void task_depends(struct task *task, const struct ompt_dependence *dependences, int count);

void group_enter(struct task *task);
void group_leave(struct task *task);

struct team *team_begin(struct task *task, unsigned threads);
void team_end(struct team *team);
void team_free(struct team *team);

/* openmp_locks.c: the callbacks for mutual exclusion, and doacross loops. */
void openmp_mutex_acquired(int kind, uint64_t wait_id, const void *code);
void openmp_mutex_released(int kind, uint64_t wait_id, const void *code);
void openmp_lock_made(int kind, unsigned hint, unsigned implementation, uint64_t wait_id,
                      const void *code);
void openmp_doacross(struct task *task, const struct ompt_dependence *vector, int count);

#endif
