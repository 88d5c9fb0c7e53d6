/* The events of OpenMP (OMPT): regions, tasks and barriers become actors and edges between them.
 * docs/threads.md says what orders what. libomp calls these functions; with programs of gcc it
 * stands in for libgomp, which has no such interface. */
#include "openmp.h"

#include <stdlib.h>

#include "actors.h"
#include "openmp_tasks.h"
#include "own_calls.h"

/* A program that makes tasks by the thousand and waits for all of them at the end would have as
 * many actors that do not know each other. The later ones then run as the actor of the thread that
 * executes them, which orders more and can only miss. */
enum { TASK_ACTORS = 1024 };

bool openmp_is_seen;

static struct task *task_of(union ompt_data *data)
{
    if (!data)
        return NULL;
    if (!data->ptr) { /* an initial task: a thread of the program that uses OpenMP */
        struct task *task = task_new(NULL);
        if (task) {
            task->actor = actor_current();
            task->started = true;
        }
        data->ptr = task;
    }
    return data->ptr;
}

/* ---- parallel regions ---- */

static void parallel_begin(union ompt_data *encountering, const void *frame,
                           union ompt_data *parallel, unsigned threads, int flags, const void *code)
{
    (void)frame, (void)flags, (void)code;
    struct task *task = task_of(encountering);
    parallel->ptr = task ? team_begin(task, threads) : NULL;
}

/* libomp tells a region of one thread inside of another of the same by the names of the outer one,
 * so the task that goes on counts, not the one that is named. */
static void parallel_end(union ompt_data *parallel, union ompt_data *encountering, int flags,
                         const void *code)
{
    (void)parallel, (void)flags, (void)code;
    struct task *task = runtime_here.task ? runtime_here.task : task_of(encountering);
    if (task && task->team)
        team_end(task->team);
}

static void implicit_begin(struct team *team, union ompt_data *data, unsigned index)
{
    struct task *task = data->ptr;
    if (task) {
        task->nested++;
        return;
    }
    task = data->ptr = task_new(NULL);
    if (!task)
        return;
    task->in = team;
    task->index = index;
    task->started = true;
    task->actor = index == 0 ? team->first : 0;
    task->has_actor = index > 0 && index <= team->nactors;
    if (index == 0) {
        task->parent = runtime_here.task; /* where it goes on; it lives longer */
        if (runtime_here.task)
            atomic_fetch_add(&runtime_here.task->references, 1);
    } else if (task->has_actor) {
        task->actor = team->actors[index - 1];
        actor_run(task->actor);
    }
    runtime_here.task = task;
}

static void implicit_end(union ompt_data *data)
{
    struct task *task = data->ptr;
    if (!task)
        return;
    if (task->nested > 0) {
        task->nested--;
        return;
    }
    if (task->index > 0)
        actor_rest();
    runtime_here.task = task->index == 0 ? task->parent : NULL;
    data->ptr = NULL;
    task_drop(task);
}

static void implicit_task(int endpoint, union ompt_data *parallel, union ompt_data *task,
                          unsigned threads, unsigned index, int flags)
{
    (void)threads, (void)flags;
    struct team *team = parallel ? parallel->ptr : NULL;
    if (endpoint == OMPT_BEGIN && team)
        implicit_begin(team, task, index);
    else if (endpoint == OMPT_BEGIN)
        runtime_here.task = task_of(task);
    else if (endpoint == OMPT_END)
        implicit_end(task);
}

/* ---- barriers, taskwait, taskgroup ---- */

static bool is_join(int kind)
{
    return kind == OMPT_BARRIER_PARALLEL || kind == OMPT_BARRIER_TEAMS;
}

/* A thread that is not the first one does nothing any more after it came to the last barrier, but
 * for tasks; that it left it, libomp tells when it has work for it again. */
static void barrier(struct task *task, int kind, bool begins)
{
    if (!task->in || task->is_explicit)
        return;
    struct sync *sync = task->in->barrier[task->phase & 1];
    bool leaves = is_join(kind) && task->index > 0;
    if (begins) {
        sync_release(sync);
        task->joined = leaves;
        if (leaves)
            actor_rest();
    } else if (!leaves) {
        sync_acquire(sync);
        task->phase++;
    }
}

static void sync_region(int kind, int endpoint, union ompt_data *parallel, union ompt_data *data,
                        const void *code)
{
    (void)parallel, (void)code;
    struct task *task = data ? data->ptr : NULL;
    if (!task)
        return;
    bool begins = endpoint == OMPT_BEGIN;
    switch (kind) {
    case OMPT_TASKWAIT:
        if (!begins && task->children)
            sync_acquire(task->children);
        break;
    case OMPT_TASKGROUP:
        (begins ? group_enter : group_leave)(task);
        break;
    case OMPT_SYNC_REDUCTION:
        break;
    default:
        barrier(task, kind, begins);
        break;
    }
}

/* ---- tasks ---- */

static void task_create(union ompt_data *encountering, const void *frame, union ompt_data *data,
                        int flags, int has_dependences, const void *code)
{
    (void)frame, (void)has_dependences, (void)code;
    struct task *parent = task_of(encountering);
    if (flags & OMPT_TASK_INITIAL || !parent) {
        data->ptr = NULL;
        return;
    }
    struct task *task = data->ptr = task_new(parent);
    if (!task)
        return;
    task->is_explicit = true;
    task->undeferred = (flags & OMPT_TASK_UNDEFERRED) != 0;
    if (flags & OMPT_TASK_TASKWAIT)
        return; /* taskwait with dependences: nothing is executed */
    if (!parent->children)
        parent->children = sync_new();
    task->has_actor = actors_alive() < TASK_ACTORS;
    if (task->has_actor) {
        task->actor = actor_fork();
    } else if ((task->creation = sync_new())) {
        sync_release(task->creation);
    }
}

static void dependences(union ompt_data *data, const struct ompt_dependence *list, int count)
{
    struct task *task = data ? data->ptr : NULL;
    if (!task || count <= 0)
        return;
    if (list[0].type == OMPT_DEPENDS_SOURCE || list[0].type == OMPT_DEPENDS_SINK)
        openmp_doacross(task, list, count);
    else
        task_depends(task, list, count);
}

static void run(struct task *task)
{
    runtime_here.task = task;
    if (task->joined) {
        actor_rest();
        return;
    }
    if (task->has_actor || !task->is_explicit)
        actor_run(task->actor);
    else if (!task->started && task->creation)
        sync_acquire(task->creation);
    if (!task->started)
        task_acquire_dependences(task);
    task->started = true;
}

/* Who made it and waits for it at once goes on with what it knew. */
static void ended(struct task *task, struct task *next)
{
    struct task *parent = task->parent;
    uint32_t actor = task->actor;
    bool is_awaited = task->undeferred && task->has_actor && parent == next;
    if (is_awaited && !next->joined)
        actor_learn(actor);
    if (task->has_actor)
        actor_end(actor);
    task->has_actor = false;
    task_drop(task);
}

static void task_schedule(union ompt_data *prior_data, int status, union ompt_data *next_data)
{
    struct task *prior = prior_data ? prior_data->ptr : NULL;
    struct task *next = next_data ? next_data->ptr : NULL;
    switch (status) {
    case OMPT_TASKWAIT_COMPLETE:
        if (prior) {
            task_acquire_dependences(prior);
            prior_data->ptr = NULL;
            task_drop(prior);
        }
        return;
    case OMPT_EARLY_FULFILL:
    case OMPT_LATE_FULFILL: /* by this thread, whatever it executes */
        if (prior) {
            task_release_ends(prior);
            if (status == OMPT_LATE_FULFILL)
                ended(prior, NULL);
        }
        return;
    default:
        break;
    }
    bool is_over = status == OMPT_COMPLETE || status == OMPT_CANCEL;
    if (prior && prior->is_explicit && (is_over || status == OMPT_DETACH) && prior->started)
        task_release_ends(prior);
    if (next)
        run(next);
    if (prior && prior->is_explicit && is_over)
        ended(prior, next);
}

static void work(int kind, int endpoint, union ompt_data *parallel, union ompt_data *data,
                 uint64_t count, const void *code)
{
    (void)parallel, (void)count, (void)code;
    struct task *task = data ? data->ptr : NULL;
    bool is_loop =
        kind == OMPT_WORK_LOOP || (kind >= OMPT_WORK_LOOP_STATIC && kind <= OMPT_WORK_LOOP_OTHER);
    if (task && is_loop && endpoint == OMPT_BEGIN)
        task->loops++;
}

const char *openmp_construct(void)
{
    const struct task *task = runtime_here.task;
    return !task ? NULL : task->is_explicit ? "task" : task->in ? "parallel" : NULL;
}

/* ---- the tool ---- */

struct callback {
    int number;
    ompt_function function;
};

#define CALLBACK(number, function) {number, (ompt_function)(function)}
static const struct callback callbacks[] = {
    CALLBACK(OMPT_PARALLEL_BEGIN, parallel_begin),
    CALLBACK(OMPT_PARALLEL_END, parallel_end),
    CALLBACK(OMPT_IMPLICIT_TASK, implicit_task),
    CALLBACK(OMPT_SYNC_REGION, sync_region),
    CALLBACK(OMPT_TASK_CREATE, task_create),
    CALLBACK(OMPT_TASK_SCHEDULE, task_schedule),
    CALLBACK(OMPT_DEPENDENCES, dependences),
    CALLBACK(OMPT_WORK, work),
    CALLBACK(OMPT_MUTEX_ACQUIRED, openmp_mutex_acquired),
    CALLBACK(OMPT_MUTEX_RELEASED, openmp_mutex_released),
    CALLBACK(OMPT_LOCK_INIT, openmp_lock_made),
};

static int initialize(ompt_function_lookup lookup, int device, union ompt_data *tool)
{
    (void)device, (void)tool;
    ompt_set_callback set = (ompt_set_callback)lookup("ompt_set_callback");
    if (!set)
        return 0;
    for (size_t i = 0; i < sizeof callbacks / sizeof callbacks[0]; i++)
        set(callbacks[i].number, callbacks[i].function);
    own_calls_renew(); /* before there are actors: what OpenMP and MPI lock is theirs */
    openmp_is_seen = true;
    return 1;
}

static void finalize(union ompt_data *tool)
{
    (void)tool;
}

static struct ompt_start_tool_result tool = {initialize, finalize, {0}};

__attribute__((visibility("default"))) struct ompt_start_tool_result *
ompt_start_tool(unsigned version, const char *runtime)
{
    (void)version, (void)runtime;
    return getenv("REGATTA_RECORDS") ? &tool : NULL;
}
