#include "openmp_tasks.h"

#include <stdlib.h>

#include "actors.h"
#include "engine/table.h"

/* ---- lives ---- */

struct variable {
    const void *address;
    struct sync *ends[DEPENDENCE_KINDS];
    UT_hash_handle hh;
};

static void variable_free(struct variable *variable)
{
    for (int kind = 0; kind < DEPENDENCE_KINDS; kind++)
        if (variable->ends[kind])
            sync_free(variable->ends[kind]);
    free(variable);
}

static void group_drop(struct group *group)
{
    while (group && atomic_fetch_sub(&group->references, 1) == 1) {
        struct group *outer = group->outer;
        sync_free(group->ends);
        free(group);
        group = outer;
    }
}

static struct group *group_keep(struct group *group)
{
    if (group)
        atomic_fetch_add(&group->references, 1);
    return group;
}

struct task *task_new(struct task *parent)
{
    struct task *task = calloc(1, sizeof *task);
    if (!task)
        return NULL;
    atomic_init(&task->references, 1);
    if (parent) {
        atomic_fetch_add(&parent->references, 1);
        task->parent = parent;
        task->in = parent->in;
        task->phase = parent->phase;
        task->group = group_keep(parent->group);
    }
    return task;
}

static void task_free(struct task *task)
{
    struct variable *variable, *next;
    HASH_ITER(hh, task->variables, variable, next)
    {
        HASH_DEL(task->variables, variable);
        variable_free(variable);
    }
    if (task->memory)
        variable_free(task->memory);
    if (task->team)
        team_free(task->team);
    if (task->children)
        sync_free(task->children);
    if (task->creation)
        sync_free(task->creation);
    group_drop(task->group);
    free(task->dependences);
    free(task);
}

void task_drop(struct task *task)
{
    while (task && atomic_fetch_sub(&task->references, 1) == 1) {
        struct task *parent = task->parent;
        task_free(task);
        task = parent;
    }
}

/* ---- taskgroups ---- */

void group_enter(struct task *task)
{
    struct group *group = calloc(1, sizeof *group);
    if (!group)
        return;
    atomic_init(&group->references, 1);
    group->ends = sync_new();
    group->outer = task->group; /* its reference */
    task->group = group;
}

void group_leave(struct task *task)
{
    struct group *group = task->group;
    if (!group)
        return;
    sync_acquire(group->ends);
    task->group = group_keep(group->outer);
    group_drop(group);
}

/* ---- dependences between the children of one task (OpenMP 5.2, section 15.9.5) ---- */

static struct variable *variable_of(struct task *parent, const void *address)
{
    struct variable *variable;
    HASH_FIND(hh, parent->variables, &address, sizeof address, variable);
    if (!variable && (variable = calloc(1, sizeof *variable))) {
        variable->address = address;
        HASH_ADD(hh, parent->variables, address, sizeof address, variable);
    }
    return variable;
}

static enum dependence_kind kind_of(int type)
{
    switch (type) {
    case OMPT_DEPENDS_IN:
        return DEPENDENCE_IN;
    case OMPT_DEPENDS_MUTEXINOUTSET:
        return DEPENDENCE_MUTEX;
    case OMPT_DEPENDS_INOUTSET:
        return DEPENDENCE_SET;
    default:
        return DEPENDENCE_OUT;
    }
}

/* Called by the parent's thread, which alone touches its table; the task keeps the parent. Syncs
 * are made here, so that ends only have to leave something in them. */
void task_depends(struct task *task, const struct ompt_dependence *dependences, int count)
{
    struct task *parent = task->parent;
    if (!parent || count <= 0 || task->dependences)
        return;
    if (!parent->memory && !(parent->memory = calloc(1, sizeof *parent->memory)))
        return;
    task->dependences = calloc((size_t)count + 1, sizeof *task->dependences);
    if (!task->dependences)
        return;
    /* With omp_all_memory every sibling that depends on anything has to do. */
    struct dependence *own = task->dependences;
    *own++ = (struct dependence){parent->memory, DEPENDENCE_IN};
    for (int i = 0; i < count; i++) {
        int type = dependences[i].type;
        if (type == OMPT_DEPENDS_OUT_ALL_MEMORY || type == OMPT_DEPENDS_INOUT_ALL_MEMORY) {
            task->dependences->kind = DEPENDENCE_OUT;
            continue;
        }
        *own = (struct dependence){variable_of(parent, dependences[i].variable.ptr), kind_of(type)};
        own += own->variable != NULL;
    }
    task->ndependences = (unsigned)(own - task->dependences);
    for (unsigned i = 0; i < task->ndependences; i++) {
        struct dependence *dependence = &task->dependences[i];
        struct sync **ends = &dependence->variable->ends[dependence->kind];
        if (!*ends)
            *ends = sync_new();
    }
}

/* Tasks that must have ended before one of this kind begins. Those of mutexinoutset exclude each
 * other, which is order by luck, like that of a lock; those of inoutset do not even that. */
static bool waits_for(enum dependence_kind kind, enum dependence_kind earlier)
{
    return kind != earlier || kind == DEPENDENCE_OUT;
}

void task_acquire_dependences(struct task *task)
{
    for (unsigned i = 0; i < task->ndependences; i++) {
        const struct dependence *dependence = &task->dependences[i];
        for (int earlier = 0; earlier < DEPENDENCE_KINDS; earlier++) {
            struct sync *ends = dependence->variable->ends[earlier];
            if (!ends)
                continue;
            if (waits_for(dependence->kind, earlier))
                sync_acquire(ends);
            else if (earlier == DEPENDENCE_MUTEX)
                lock_acquired(ends);
        }
    }
}

static void release_dependences(struct task *task)
{
    for (unsigned i = 0; i < task->ndependences; i++) {
        const struct dependence *dependence = &task->dependences[i];
        struct sync *ends = dependence->variable->ends[dependence->kind];
        if (ends && dependence->kind == DEPENDENCE_MUTEX)
            lock_released(ends);
        if (ends)
            sync_release(ends);
    }
}

void task_release_ends(struct task *task)
{
    if (task->parent && task->parent->children)
        sync_release(task->parent->children);
    if (task->in)
        sync_release(task->in->barrier[task->phase & 1]);
    if (task->group)
        sync_release(task->group->ends);
    release_dependences(task);
}

/* ---- teams ---- */

static struct team *team_new(void)
{
    struct team *team = calloc(1, sizeof *team);
    if (!team)
        return NULL;
    team->barrier[0] = sync_new();
    team->barrier[1] = sync_new();
    return team;
}

void team_end(struct team *team)
{
    while (team->nactors)
        actor_end(team->actors[--team->nactors]);
}

void team_free(struct team *team)
{
    team_end(team);
    sync_free(team->barrier[0]);
    sync_free(team->barrier[1]);
    for (int i = 0; i < DOACROSS_SYNCS; i++)
        if (team->doacross[i])
            sync_free(team->doacross[i]);
    free(team->actors);
    free(team);
}

struct team *team_begin(struct task *task, unsigned threads)
{
    if (!task->team && !(task->team = team_new()))
        return NULL;
    struct team *team = task->team;
    team_end(team); /* of a region whose end was not told */
    team->first = actor_current();
    if (threads > team->room) {
        uint32_t *larger = realloc(team->actors, threads * sizeof *larger);
        if (!larger)
            return NULL;
        team->actors = larger;
        team->room = threads;
    }
    while (team->nactors + 1 < threads)
        team->actors[team->nactors++] = actor_fork();
    return team;
}
