#include "windows.h"

#include <stdlib.h>
#include <string.h>

#include "stacks.h"

static struct window *windows;
struct window *window_recent;

/* ---- life ---- */

struct window *window_create(const struct call *call)
{
    struct window *window = calloc(1, window_sizes.window);
    if (!window)
        return NULL;
    window->handle = call_win(call, call->new_win);
    window->kind = call->routine->object;
    window->constructor = call->routine;
    window->created = stack_take(call->caller, call->frame);
    return window;
}

void window_add(struct window *window)
{
    HASH_ADD(hh, windows, handle, sizeof window->handle, window);
}

void window_remove(struct window *window)
{
    HASH_DEL(windows, window);
    window_recent = NULL;
}

void window_destroy(struct window *window)
{
    struct window_target *target, *next;
    HASH_ITER(hh, window->targets, target, next)
    {
        HASH_DEL(window->targets, target);
        free(target);
    }
    free(window->accessed.ranks);
    free(window->exposed_to.ranks);
    free(window);
}

struct window *windows_first(void)
{
    return windows;
}

/* ---- looking up ---- */

struct window *window_look_up(MPI_Win handle)
{
    struct window *window;
    HASH_FIND(hh, windows, &handle, sizeof handle, window);
    if (window)
        window_recent = window;
    return window;
}

struct window_target *window_target_look_up(struct window *window, int rank)
{
    struct window_target *target;
    HASH_FIND_INT(window->targets, &rank, target);
    if (target)
        window->recent_target = target;
    return target;
}

struct window_target *window_target_get(struct window *window, int rank)
{
    struct window_target *target = window_target_find(window, rank);
    if (target)
        return target;
    target = calloc(1, window_sizes.target);
    if (!target)
        return NULL;
    target->rank = rank;
    HASH_ADD_INT(window->targets, rank, target);
    return target;
}

/* ---- which epochs are open ---- */

const struct epoch *window_any_lock(const struct window *window)
{
    if (window->lock_all.open)
        return &window->lock_all;
    if (window->locks > 0)
        for (struct window_target *target = window->targets; target; target = target->hh.next)
            if (target->lock.open)
                return &target->lock;
    return NULL;
}

static int by_rank(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

bool window_accesses(const struct window *window, int rank)
{
    return window->accessed.n > 0 &&
           bsearch(&rank, window->accessed.ranks, window->accessed.n, sizeof rank, by_rank) != NULL;
}

/* ---- groups of epochs ---- */

static void ranks_forget(struct window_ranks *set)
{
    free(set->ranks);
    *set = (struct window_ranks){0};
}

/* The members of the call's group, as ranks in the window's. One that is not in it does not count:
 * the program is wrong there, and MPI has let it pass. */
static void ranks_remember(struct window_ranks *set, const struct call *call)
{
    int n = 0;
    MPI_Group all;
    ranks_forget(set);
    if (pmpi.Group_size(call->group, &n) != MPI_SUCCESS || n <= 0 ||
        pmpi.Win_get_group(call->win, &all) != MPI_SUCCESS)
        return;
    int *given = malloc(2 * (size_t)n * sizeof *given);
    if (given) {
        int *ranks = given + n;
        for (int i = 0; i < n; i++)
            given[i] = i;
        pmpi.Group_translate_ranks(call->group, n, given, all, ranks);
        for (int i = 0; i < n; i++)
            if (ranks[i] != MPI_UNDEFINED)
                given[set->n++] = ranks[i];
        qsort(given, set->n, sizeof *given, by_rank);
        set->ranks = given;
    }
    pmpi.Group_free(&all);
}

/* ---- epochs that open ---- */

typedef void epoch_change(struct window *window, const struct call *call);

static void begin(struct epoch *epoch, const struct call *call)
{
    *epoch = (struct epoch){true, call->routine, stack_take(call->caller, call->frame)};
}

static void fence_over(struct window *window)
{
    window->fence.open = window->last_fence.open = false;
}

static void fence_opened(struct window *window, const struct call *call)
{
    struct epoch *epoch = call->assert &MPI_MODE_NOSUCCEED ? &window->last_fence : &window->fence;
    fence_over(window);
    window->fence_used = false;
    begin(epoch, call);
}

static void access_opened(struct window *window, const struct call *call)
{
    ranks_remember(&window->accessed, call);
    begin(&window->access, call);
    fence_over(window);
}

static void exposure_opened(struct window *window, const struct call *call)
{
    ranks_remember(&window->exposed_to, call);
    begin(&window->exposure, call);
}

static void lock_opened(struct window *window, const struct call *call)
{
    struct window_target *target =
        call->target == MPI_PROC_NULL ? NULL : window_target_get(window, call->target);
    if (!target)
        return;
    window->locks += !target->lock.open;
    begin(&target->lock, call);
    fence_over(window);
}

static void lock_all_opened(struct window *window, const struct call *call)
{
    begin(&window->lock_all, call);
    fence_over(window);
}

/* ---- epochs that close ---- */

static void access_closed(struct window *window, const struct call *call)
{
    (void)call;
    window->access.open = false;
    ranks_forget(&window->accessed);
}

static void exposure_closed(struct window *window, const struct call *call)
{
    (void)call;
    window->exposure.open = false;
    ranks_forget(&window->exposed_to);
}

static void lock_closed(struct window *window, const struct call *call)
{
    struct window_target *target = window_target_find(window, call->target);
    if (!target || !target->lock.open)
        return;
    target->lock.open = false;
    window->locks--;
}

static void lock_all_closed(struct window *window, const struct call *call)
{
    (void)call;
    window->lock_all.open = false;
}

/* ---- by object of calls.def ---- */

static epoch_change *const opened[OBJECT_KINDS] = {
    [OBJECT_fence] = fence_opened,       [OBJECT_access] = access_opened,
    [OBJECT_exposure] = exposure_opened, [OBJECT_lock] = lock_opened,
    [OBJECT_lock_all] = lock_all_opened,
};

static epoch_change *const closed[OBJECT_KINDS] = {
    [OBJECT_access] = access_closed,
    [OBJECT_exposure] = exposure_closed,
    [OBJECT_lock] = lock_closed,
    [OBJECT_lock_all] = lock_all_closed,
};

void window_epoch_opened(struct window *window, const struct call *call)
{
    opened[call->routine->object](window, call);
}

void window_epoch_closed(struct window *window, const struct call *call)
{
    closed[call->routine->object](window, call);
}

/* MPI is asked now and not when the name is needed: then the program may have freed the window,
 * though not all that was done to it is known yet. */
void window_named(struct window *window)
{
    int length = 0;
    if (pmpi.Win_get_name(window->handle, window->name, &length) != MPI_SUCCESS)
        window->name[0] = 0;
}
