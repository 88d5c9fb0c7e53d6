#include "windows.h"

#include <stdlib.h>
#include <string.h>

#include "operations.h"
#include "pending.h"
#include "session.h"
#include "interpose/stacks.h"
#include "engine/table.h"
#include "usage.h"

/* An epoch that is open, and where it was opened. */
struct epoch {
    bool open;
    const char *call;
    const struct stack *stack;
};

/* What this process does with one target of a window. */
struct target {
    int rank; /* in the window's group */
    struct epoch lock;
    struct operation *operations, *latest; /* oldest first */
    UT_hash_handle hh;
};

struct window {
    MPI_Win handle;
    const char *constructor;
    const struct stack *created;
    int thread;

    /* A fence opens an epoch only if RMA follows before the next fence (MPI-4.0 §12.5.1): until
     * then any other epoch may be opened instead. */
    struct epoch fence;
    bool fence_used;

    struct epoch access, exposure, lock_all; /* start … complete, post … wait, lock_all */
    int *access_targets, naccess_targets;    /* ranks in the window's group, ascending */
    int nlocks;
    int noperations; /* in the targets' lists */

    struct target *targets, *recent_target;
    UT_hash_handle hh;
};

static struct window *windows, *recent_window;

static struct window *window_find(MPI_Win win)
{
    if (recent_window && recent_window->handle == win)
        return recent_window;
    struct window *window;
    HASH_FIND(hh, windows, &win, sizeof win, window);
    if (window)
        recent_window = window;
    return window;
}

static struct target *target_find(struct window *window, int rank)
{
    if (window->recent_target && window->recent_target->rank == rank)
        return window->recent_target;
    struct target *target;
    HASH_FIND_INT(window->targets, &rank, target);
    if (target)
        window->recent_target = target;
    return target;
}

static struct target *target_get(struct window *window, int rank)
{
    struct target *target = target_find(window, rank);
    if (target)
        return target;
    target = calloc(1, sizeof *target);
    if (!target)
        return NULL;
    target->rank = rank;
    HASH_ADD_INT(window->targets, rank, target);
    return target;
}

MPI_Win window_quick;

static void quick_update(const struct window *window)
{
    if (window->lock_all.open && window->noperations == 0)
        window_quick = window->handle;
    else if (window_quick == window->handle)
        window_quick = handles.win_null;
}

/* ---- life ---- */

void window_created(struct call *call, MPI_Win win)
{
    struct window *window = calloc(1, sizeof *window);
    if (!window)
        return;
    window->handle = win;
    window->constructor = call->routine->name;
    window->created = stack_take(call->caller, call->frame);
    window->thread = session_thread();
    HASH_ADD(hh, windows, handle, sizeof window->handle, window);
}

static void epoch_open(struct epoch *epoch, const struct call *call)
{
    *epoch = (struct epoch){true, call->routine->name, stack_take(call->caller, call->frame)};
}

static void complete_operations(struct target *target)
{
    while (target->operations)
        operation_destroy(target->operations);
}

static void complete_target(struct window *window, int rank)
{
    if (pending_count > 0)
        pending_complete(window->handle, rank);
    struct target *target = target_find(window, rank);
    if (target)
        complete_operations(target);
}

static void complete_all(struct window *window)
{
    if (pending_count > 0)
        pending_complete(window->handle, -1);
    for (struct target *target = window->targets; target; target = target->hh.next)
        complete_operations(target);
}

/* ---- completion, at the entry of the call that brings it ---- */

static void end_buffers(const struct target *target)
{
    for (struct operation *o = target ? target->operations : NULL; o; o = o->window_next)
        operation_end_buffers(o);
}

static void end_all_buffers(const struct window *window)
{
    for (const struct target *target = window->targets; target; target = target->hh.next)
        end_buffers(target);
}

void window_completing(const struct call *call)
{
    enum object object = call->routine->object;
    struct window *window = window_find(call->win);
    if (!window || !session.engine || (call->routine->verb == VERB_opens && object != OBJECT_fence))
        return;
    if (object == OBJECT_lock || object == OBJECT_one)
        end_buffers(target_find(window, call->target));
    else if (object != OBJECT_exposure)
        end_all_buffers(window);
}

static void window_destroy(struct window *window)
{
    struct target *target, *next;
    complete_all(window);
    window->lock_all.open = false;
    quick_update(window);
    HASH_ITER(hh, window->targets, target, next)
    {
        HASH_DEL(window->targets, target);
        free(target);
    }
    HASH_DEL(windows, window);
    recent_window = NULL;
    free(window->access_targets);
    free(window);
}

/* ---- what is wrong with the order of calls ---- */

/* `call` is not allowed while `epoch` is open. */
static void report_open(const struct call *call, const struct epoch *epoch, enum finding_case which)
{
    usage_report_call(call, which, epoch->call, epoch->stack);
}

static void report_missing(const struct call *call, enum finding_case which)
{
    usage_report_call(call, which, NULL, NULL);
}

static const struct epoch *any_lock(const struct window *window)
{
    if (window->lock_all.open)
        return &window->lock_all;
    if (window->nlocks > 0)
        for (struct target *target = window->targets; target; target = target->hh.next)
            if (target->lock.open)
                return &target->lock;
    return NULL;
}

/* No second access epoch while one is open: locks, start and a fence epoch with RMA in it. */
static void check_no_access(struct window *window, const struct call *call)
{
    if (window->access.open)
        report_open(call, &window->access, CASE_ACCESS_EPOCH_OPEN);
    else if (window->fence_used)
        report_open(call, &window->fence, CASE_FENCE_EPOCH_USED);
}

static void check_fence(struct window *window, const struct call *call)
{
    const struct epoch *lock = any_lock(window);
    if (lock)
        report_open(call, lock, CASE_FENCE_WHILE_LOCKED);
    if (window->access.open)
        report_open(call, &window->access, CASE_FENCE_IN_ACCESS_EPOCH);
    if (window->exposure.open)
        report_open(call, &window->exposure, CASE_FENCE_IN_EXPOSURE_EPOCH);
    if (call->assert & MPI_MODE_NOPRECEDE && window->fence_used)
        report_open(call, &window->fence, CASE_FALSE_NOPRECEDE);
}

static void check_lock(struct window *window, const struct call *call, bool all)
{
    const struct epoch *lock = all                     ? any_lock(window)
                               : window->lock_all.open ? &window->lock_all
                                                       : NULL;
    struct target *target = all ? NULL : target_find(window, call->target);
    if (target && target->lock.open)
        lock = &target->lock;
    if (lock)
        report_open(call, lock, CASE_LOCKED_ALREADY);
    check_no_access(window, call);
}

static void check_unlock(struct window *window, const struct call *call)
{
    struct target *target = target_find(window, call->target);
    if (target && target->lock.open)
        return;
    report_missing(call,
                   window->lock_all.open ? CASE_UNLOCK_OF_LOCK_ALL : CASE_UNLOCK_WITHOUT_LOCK);
}

static void check_flush(struct window *window, const struct call *call)
{
    struct target *target = NULL;
    if (call->routine->object == OBJECT_one) {
        if (call->target == MPI_PROC_NULL)
            return;
        target = target_find(window, call->target);
    } else if (any_lock(window)) {
        return;
    }
    if (!window->lock_all.open && !(target && target->lock.open))
        report_missing(call, CASE_FLUSH_WITHOUT_LOCK);
}

void window_sync_check(struct call *call)
{
    struct window *window = window_find(call->win);
    if (!window)
        return;
    const struct routine *routine = call->routine;
    switch (routine->verb) {
    case VERB_opens:
        if (routine->object == OBJECT_fence)
            check_fence(window, call);
        else if (routine->object == OBJECT_lock && call->target != MPI_PROC_NULL)
            check_lock(window, call, false);
        else if (routine->object == OBJECT_lock_all)
            check_lock(window, call, true);
        else if (routine->object == OBJECT_exposure && window->exposure.open)
            report_open(call, &window->exposure, CASE_EXPOSURE_EPOCH_OPEN);
        else if (routine->object == OBJECT_access) {
            const struct epoch *lock = any_lock(window);
            if (lock)
                report_open(call, lock, CASE_START_WHILE_LOCKED);
            check_no_access(window, call);
        }
        break;
    case VERB_closes:
    case VERB_tests:
        if (routine->object == OBJECT_access && !window->access.open)
            report_missing(call, CASE_COMPLETE_WITHOUT_START);
        else if (routine->object == OBJECT_exposure && !window->exposure.open)
            report_missing(call, CASE_WAIT_WITHOUT_POST);
        else if (routine->object == OBJECT_lock && call->target != MPI_PROC_NULL)
            check_unlock(window, call);
        else if (routine->object == OBJECT_lock_all && !window->lock_all.open)
            report_missing(call, CASE_UNLOCK_ALL_WITHOUT_LOCK_ALL);
        break;
    case VERB_flushes:
    case VERB_flushes_local:
        check_flush(window, call);
        break;
    default:
        break;
    }
}

/* ---- what synchronisation does ---- */

static int by_rank(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

/* The ranks of the call's group, as ranks in the window's group. */
static void remember_access_group(struct window *window, const struct call *call)
{
    int n = 0;
    MPI_Group all;
    free(window->access_targets);
    window->access_targets = NULL;
    window->naccess_targets = 0;
    if (pmpi.Group_size(call->group, &n) != MPI_SUCCESS || n <= 0 ||
        pmpi.Win_get_group(call->win, &all) != MPI_SUCCESS)
        return;
    int *ranks = malloc(2 * n * sizeof *ranks);
    if (ranks) {
        for (int i = 0; i < n; i++)
            ranks[i] = i;
        pmpi.Group_translate_ranks(call->group, n, ranks, all, ranks + n);
        memcpy(ranks, ranks + n, n * sizeof *ranks);
        qsort(ranks, n, sizeof *ranks, by_rank);
        window->access_targets = ranks;
        window->naccess_targets = n;
    }
    pmpi.Group_free(&all);
}

static void opened(struct window *window, struct call *call)
{
    struct target *target;
    switch (call->routine->object) {
    case OBJECT_fence:
        complete_all(window);
        window->fence_used = false;
        if (call->assert & MPI_MODE_NOSUCCEED)
            window->fence.open = false;
        else
            epoch_open(&window->fence, call);
        break;
    case OBJECT_access:
        remember_access_group(window, call);
        epoch_open(&window->access, call);
        window->fence.open = false;
        break;
    case OBJECT_exposure:
        epoch_open(&window->exposure, call);
        break;
    case OBJECT_lock:
        if (call->target == MPI_PROC_NULL || !(target = target_get(window, call->target)))
            break;
        window->nlocks += !target->lock.open;
        epoch_open(&target->lock, call);
        window->fence.open = false;
        break;
    case OBJECT_lock_all:
        epoch_open(&window->lock_all, call);
        window->fence.open = false;
        quick_update(window);
        break;
    default:
        break;
    }
}

static void closed(struct window *window, struct call *call)
{
    struct target *target;
    switch (call->routine->object) {
    case OBJECT_access:
        complete_all(window);
        window->access.open = false;
        break;
    case OBJECT_exposure:
        window->exposure.open = false;
        break;
    case OBJECT_lock:
        complete_target(window, call->target);
        target = target_find(window, call->target);
        if (target) {
            window->nlocks -= target->lock.open;
            target->lock.open = false;
        }
        break;
    case OBJECT_lock_all:
        complete_all(window);
        window->lock_all.open = false;
        quick_update(window);
        break;
    default:
        break;
    }
}

void window_synchronised(struct call *call)
{
    struct window *window = window_find(call->win);
    if (!window)
        return;
    switch (call->routine->verb) {
    case VERB_opens:
        opened(window, call);
        break;
    case VERB_closes:
        closed(window, call);
        break;
    case VERB_tests:
        if (call_int_at(call->flag, 0))
            closed(window, call);
        break;
    case VERB_flushes:
    case VERB_flushes_local: /* origin buffers are free after either */
        if (call->routine->object == OBJECT_all)
            complete_all(window);
        else
            complete_target(window, call->target);
        break;
    default:
        break;
    }
}

/* ---- operations ---- */

static bool is_access_target(const struct window *window, int rank)
{
    return bsearch(&rank, window->access_targets, window->naccess_targets, sizeof rank, by_rank) !=
           NULL;
}

void window_check_epoch(struct call *call)
{
    struct window *window = window_find(call->win);
    if (!window || call->target == MPI_PROC_NULL)
        return;
    struct target *target = target_find(window, call->target);
    if (window->lock_all.open || (target && target->lock.open))
        return;
    if (window->access.open) {
        if (!is_access_target(window, call->target))
            report_open(call, &window->access, CASE_TARGET_NOT_STARTED);
        return;
    }
    if (window->fence.open) {
        window->fence_used = true;
        return;
    }
    report_missing(call, CASE_RMA_OUTSIDE_EPOCH);
}

void window_add_operation(MPI_Win win, int target_rank, struct operation *operation)
{
    struct window *window = window_find(win);
    struct target *target = window ? target_get(window, target_rank) : NULL;
    if (!target)
        return;
    operation->window = window;
    operation->target = target_rank;
    operation->window_previous = target->latest;
    operation->window_next = NULL;
    *(target->latest ? &target->latest->window_next : &target->operations) = operation;
    target->latest = operation;
    window->noperations++;
    quick_update(window);
}

void window_forget_operation(struct operation *operation)
{
    struct target *target = target_find(operation->window, operation->target);
    if (!target)
        return;
    *(operation->window_previous ? &operation->window_previous->window_next : &target->operations) =
        operation->window_next;
    *(operation->window_next ? &operation->window_next->window_previous : &target->latest) =
        operation->window_previous;
    operation->window->noperations--;
    quick_update(operation->window);
    operation->window = NULL;
}

struct operation *window_latest_operation(MPI_Win win, int target_rank)
{
    struct window *window = window_find(win);
    struct target *target = window ? target_find(window, target_rank) : NULL;
    return target ? target->latest : NULL;
}

/* ---- the end ---- */

void window_freed(struct call *call, MPI_Win win)
{
    struct window *window = window_find(win);
    if (!window)
        return;
    const struct epoch *epochs[] = {any_lock(window), window->access.open ? &window->access : NULL,
                                    window->exposure.open ? &window->exposure : NULL,
                                    window->fence_used ? &window->fence : NULL};
    for (size_t i = 0; i < sizeof epochs / sizeof epochs[0]; i++)
        if (epochs[i])
            report_open(call, epochs[i], CASE_FREED_IN_EPOCH);
    window_destroy(window);
}

void windows_check_leaks(void)
{
    for (struct window *window = windows; window; window = window->hh.next)
        usage_report_leak(CASE_WINDOW_NEVER_FREED, window->constructor, window->created,
                          window->thread);
}
