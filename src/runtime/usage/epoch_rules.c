#include "epoch_rules.h"

#include "usage.h"
#include "watched_window.h"

/* `call` is not allowed while `epoch` is open. */
static void report_open(const struct call *call, const struct epoch *epoch, enum finding_case which)
{
    usage_report_call(call, which, epoch->opener->name, epoch->stack);
}

static void report_missing(const struct call *call, enum finding_case which)
{
    usage_report_call(call, which, NULL, NULL);
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
    const struct epoch *lock = window_any_lock(window);
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
    const struct epoch *lock = all ? window_any_lock(window) : window_lock_on(window, call->target);
    if (lock)
        report_open(call, lock, CASE_LOCKED_ALREADY);
    check_no_access(window, call);
}

static void check_unlock(struct window *window, const struct call *call)
{
    struct window_target *target = window_target_find(window, call->target);
    if (target && target->lock.open)
        return;
    report_missing(call,
                   window->lock_all.open ? CASE_UNLOCK_OF_LOCK_ALL : CASE_UNLOCK_WITHOUT_LOCK);
}

static void check_flush(struct window *window, const struct call *call)
{
    bool one = call->routine->object == OBJECT_one;
    if (one && call->target == MPI_PROC_NULL)
        return;
    if (!(one ? window_lock_on(window, call->target) : window_any_lock(window)))
        report_missing(call, CASE_FLUSH_WITHOUT_LOCK);
}

void epoch_check_sync(struct call *call)
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
            const struct epoch *lock = window_any_lock(window);
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
    case VERB_syncs: /* as flushes (MPI-4.0 §12.5.4) */
        if (!window_any_lock(window))
            report_missing(call, CASE_SYNC_WITHOUT_LOCK);
        break;
    default:
        break;
    }
}

void epoch_check_operation(struct call *call)
{
    struct window *window = window_find(call->win);
    if (!window || call->target == MPI_PROC_NULL)
        return;
    const struct epoch *epoch = window_access_epoch(window, call->target);
    if (epoch == &window->fence)
        window->fence_used = true;
    else if (epoch == &window->access && !window_accesses(window, call->target))
        report_open(call, &window->access, CASE_TARGET_NOT_STARTED);
    else if (!epoch && window->last_fence.open)
        report_open(call, &window->last_fence, CASE_FALSE_NOSUCCEED);
    else if (!epoch)
        report_missing(call, CASE_RMA_OUTSIDE_EPOCH);
}

void epoch_check_free(struct call *call, struct window *window)
{
    const struct epoch *epochs[] = {window_any_lock(window),
                                    window->access.open ? &window->access : NULL,
                                    window->exposure.open ? &window->exposure : NULL,
                                    window->fence_used ? &window->fence : NULL};
    for (size_t i = 0; i < sizeof epochs / sizeof epochs[0]; i++)
        if (epochs[i])
            report_open(call, epochs[i], CASE_FREED_IN_EPOCH);
}

void windows_check_leaks(void)
{
    for (struct window *window = windows_first(); window; window = windows_next(window))
        usage_report_leak(CASE_WINDOW_NEVER_FREED, window->constructor->name, window->created,
                          watched_window(window)->thread);
}
