#include "window_operations.h"

#include "completers.h"
#include "operations.h"
#include "pending.h"
#include "session.h"
#include "watched_window.h"

const struct window_sizes window_sizes = {sizeof(struct watched_window),
                                          sizeof(struct watched_target)};

MPI_Win window_quick;

void window_quick_end(const struct window *window)
{
    if (window_quick == window->handle)
        window_quick = handles.win_null;
}

void window_quick_update(const struct window *window)
{
    if (window->lock_all.open && ((const struct watched_window *)window)->noperations == 0)
        window_quick = window->handle;
    else
        window_quick_end(window);
}

/* ---- operations ---- */

void window_add_operation(MPI_Win win, int rank, struct operation *operation)
{
    struct window *window = window_find(win);
    struct watched_target *target = watched_target(window ? window_target_get(window, rank) : NULL);
    if (!target)
        return;
    operation->window = watched_window(window);
    operation->target = target;
    operation->window_previous = target->latest;
    operation->window_next = NULL;
    *(target->latest ? &target->latest->window_next : &target->operations) = operation;
    target->latest = operation;
    operation->window->noperations++;
    window_quick_update(window);
}

void window_forget_operation(struct operation *operation)
{
    struct watched_target *target = operation->target;
    *(operation->window_previous ? &operation->window_previous->window_next : &target->operations) =
        operation->window_next;
    *(operation->window_next ? &operation->window_next->window_previous : &target->latest) =
        operation->window_previous;
    operation->window->noperations--;
    window_quick_update(&operation->window->model);
    operation->window = NULL;
}

struct operation *window_latest_operation(MPI_Win win, int rank)
{
    struct window *window = window_find(win);
    struct window_target *target = window ? window_target_find(window, rank) : NULL;
    return target ? watched_target(target)->latest : NULL;
}

/* ---- completion ---- */

static void end_buffers(struct window_target *target)
{
    for (struct operation *o = target ? watched_target(target)->operations : NULL; o;
         o = o->window_next)
        operation_end_buffers(o);
}

/* Which operations a call completes: those of one target, of all, or none. */
enum completes { COMPLETES_NONE, COMPLETES_TARGET, COMPLETES_ALL };

static enum completes completes(const struct routine *routine)
{
    switch (routine->object) {
    case OBJECT_fence:
    case OBJECT_access:
    case OBJECT_lock_all:
        return routine->verb == VERB_opens && routine->object != OBJECT_fence ? COMPLETES_NONE
                                                                              : COMPLETES_ALL;
    case OBJECT_lock:
        return routine->verb == VERB_opens ? COMPLETES_NONE : COMPLETES_TARGET;
    case OBJECT_one:
        return COMPLETES_TARGET;
    case OBJECT_all:
        return COMPLETES_ALL;
    default:
        return COMPLETES_NONE;
    }
}

void window_completing(const struct call *call)
{
    enum completes which = completes(call->routine);
    struct window *window = session.engine && which ? window_find(call->win) : NULL;
    if (!window)
        return;
    if (which == COMPLETES_TARGET)
        end_buffers(window_target_find(window, call->target));
    else
        for (struct window_target *target = window->targets; target; target = target->hh.next)
            end_buffers(target);
}

/* `call`: what completes them, or NULL. */
static void complete(struct window_target *target, const struct call *call)
{
    while (target && watched_target(target)->operations) {
        struct operation *operation = watched_target(target)->operations;
        if (session.engine)
            completer_note(operation, call);
        operation_destroy(operation);
    }
}

static void complete_all(struct window *window, const struct call *call)
{
    if (pending_count > 0)
        pending_complete(window->handle, -1);
    for (struct window_target *target = window->targets; target; target = target->hh.next)
        complete(target, call);
}

void window_complete_all(struct window *window)
{
    complete_all(window, NULL);
}

void window_completed(struct window *window, const struct call *call)
{
    switch (completes(call->routine)) {
    case COMPLETES_TARGET:
        if (pending_count > 0)
            pending_complete(window->handle, call->target);
        complete(window_target_find(window, call->target), call);
        break;
    case COMPLETES_ALL:
        complete_all(window, call);
        break;
    case COMPLETES_NONE:
        break;
    }
}
