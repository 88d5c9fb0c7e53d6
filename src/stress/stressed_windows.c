#include "stressed_windows.h"

#include <stdlib.h>
#include <string.h>

#include "layer.h"
#include "interpose/record.h"

static uint32_t created;

const struct window_sizes window_sizes = {sizeof(struct stressed_window),
                                          sizeof(struct window_target)};

struct stressed_window *stressed_find(MPI_Win handle)
{
    layer_lock();
    struct window *window = window_find(handle);
    layer_unlock();
    return (struct stressed_window *)window;
}

struct stressed_window *stressed_first(void)
{
    return (struct stressed_window *)windows_first();
}

struct stressed_window *stressed_next(const struct stressed_window *window)
{
    return (struct stressed_window *)windows_next(&window->model);
}

bool windows_everywhere(void)
{
    for (const struct stressed_window *window = stressed_first(); window;
         window = stressed_next(window))
        if (window->of_world)
            return true;
    return false;
}

bool comm_is_of_world(MPI_Comm comm)
{
    int inter = 0, similar = MPI_UNEQUAL;
    if (comm == handles.comm_world)
        return true;
    return pmpi.Comm_test_inter(comm, &inter) == MPI_SUCCESS && !inter &&
           pmpi.Comm_compare(comm, handles.comm_world, &similar) == MPI_SUCCESS &&
           similar != MPI_UNEQUAL;
}

static bool info_says_unordered(MPI_Info info)
{
    char value[64] = "";
    int flag = 0;
    if (info != handles.info_null)
        pmpi.Info_get(info, "accumulate_ordering", sizeof value - 1, value, &flag);
    return flag && strcmp(value, "none") == 0;
}

/* Everybody's place and displacement unit, and a number for the window that all agree on: the first
 * rank's count of windows under its own rank. One collective call inside of a collective
 * constructor, as the standard lets any implementation do. */
static bool exchange(struct stressed_window *window, int64_t disp_unit)
{
    int64_t mine[3] = {layer.rank, disp_unit, created};
    int64_t *all = malloc((size_t)window->ranks * sizeof mine);
    window->exposed = calloc((size_t)window->ranks, sizeof *window->exposed);
    window->under_way = calloc((size_t)window->ranks, sizeof(unsigned));
    bool room = all && window->exposed && window->under_way;
    /* Without memory nobody could take part, and the others would wait for ever. */
    if (!room || pmpi.Allgather(mine, sizeof mine, handles.byte, all, sizeof mine, handles.byte,
                                window->comm) != MPI_SUCCESS) {
        free(all);
        return false;
    }
    for (int i = 0; i < window->ranks; i++)
        window->exposed[i] = (struct exposed){(int)all[3 * i], all[3 * i + 1]};
    window->id = (uint64_t)all[0] << 32 | (uint64_t)all[2];
    free(all);
    return true;
}

static void detach(struct region **link, const void *base)
{
    while (*link && (*link)->base != base)
        link = &(*link)->next;
    struct region *region = *link;
    if (region)
        *link = region->next;
    free(region);
}

static void destroy(struct stressed_window *window)
{
    if (window->comm != handles.comm_null)
        pmpi.Comm_free(&window->comm);
    pthread_mutex_destroy(&window->releasing);
    while (window->regions)
        detach(&window->regions, window->regions->base);
    free(window->exposed);
    free(window->under_way);
    free(window->waiting.at);
    free(window->issued.at);
    window_destroy(&window->model);
}

void stressed_created(struct call *call)
{
    layer_lock();
    struct stressed_window *window = (struct stressed_window *)window_create(call);
    layer_unlock();
    pthread_mutexattr_t recursive;
    if (!window) {
        record_limit("memory", "operations on a window", "no memory for it");
        return;
    }
    pthread_mutexattr_init(&recursive);
    pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&window->releasing, &recursive);
    pthread_mutexattr_destroy(&recursive);
    window->comm = handles.comm_null;
    window->unordered = info_says_unordered(call->info);
    created++;
    /* Not MPI_Comm_dup: that would call the copy functions of the program's attributes. */
    if (pmpi.Comm_split(call->comm, 0, 0, &window->comm) == MPI_SUCCESS) {
        pmpi.Comm_rank(window->comm, &window->rank);
        pmpi.Comm_size(window->comm, &window->ranks);
        window->of_world = comm_is_of_world(window->comm);
    }
    int64_t unit = window->model.kind == OBJECT_dynamic_window ? 1 : call->disp_unit;
    if (window->comm == handles.comm_null || !exchange(window, unit)) {
        record_limit("races", "operations on a window",
                     "it could not be prepared: they are handed on as they come");
        destroy(window);
        return;
    }
    if (window->model.kind == OBJECT_window) {
        window->base = call->base;
        window->size = (uint64_t)call->size;
    } else if (window->model.kind != OBJECT_dynamic_window) {
        void *base = NULL;
        int flag = 0;
        pmpi.Win_get_attr(window->model.handle, MPI_WIN_BASE, &base, &flag);
        window->base = flag ? base : NULL;
        window->size = (uint64_t)call->size;
    }
    layer_lock();
    window_add(&window->model);
    layer_unlock();
}

void window_memory(const struct call *call)
{
    struct stressed_window *window = stressed_find(call->win);
    struct region *region = NULL;
    if (!window)
        return;
    if (call->routine->verb == VERB_attaches && !(region = malloc(sizeof *region)))
        return; /* what is there will not be compared */
    layer_lock();
    if (region) {
        *region =
            (struct region){call->base, (uint64_t)call->size, window->attached++, window->regions};
        window->regions = region;
    } else {
        detach(&window->regions, call->base);
    }
    layer_unlock();
}

void stressed_freed(struct stressed_window *window)
{
    layer_lock();
    window_remove(&window->model);
    layer_unlock();
    destroy(window);
}

/* ---- memory that several windows show ---- */

static bool shows(const struct stressed_window *window, const char *base, uint64_t size)
{
    if (window->base && window->base < base + size && base < window->base + window->size)
        return true;
    for (const struct region *region = window->regions; region; region = region->next)
        if (region->base < base + size && base < region->base + region->size)
            return true;
    return false;
}

static bool overlap(const struct stressed_window *a, const struct stressed_window *b)
{
    if (a->base && shows(b, a->base, a->size))
        return true;
    for (const struct region *region = a->regions; region; region = region->next)
        if (shows(b, region->base, region->size))
            return true;
    return false;
}

static bool has_member(const struct stressed_window *window, int world_rank)
{
    for (int i = 0; i < window->ranks; i++)
        if (window->exposed[i].world_rank == world_rank)
            return true;
    return false;
}

bool window_overlaps(const struct stressed_window *window)
{
    for (const struct stressed_window *other = stressed_first(); other;
         other = stressed_next(other))
        if (other != window && overlap(window, other))
            return true;
    return false;
}

bool windows_show(uint64_t low, uint64_t high)
{
    for (const struct stressed_window *window = stressed_first(); window && low < high;
         window = stressed_next(window))
        if (shows(window, (const char *)(uintptr_t)low, high - low))
            return true;
    return false;
}

bool window_is_shown_to_others(const struct stressed_window *window)
{
    for (const struct stressed_window *other = stressed_first(); other;
         other = stressed_next(other))
        for (int i = 0; other != window && i < other->ranks && overlap(window, other); i++)
            if (!has_member(window, other->exposed[i].world_rank))
                return true;
    return false;
}

/* ---- epochs ---- */

bool window_may_flush(struct stressed_window *window, int target)
{
    layer_lock();
    bool locked = window_lock_on(&window->model, target) != NULL;
    layer_unlock();
    return locked;
}

bool window_in_epoch(struct stressed_window *window, int target)
{
    layer_lock();
    const struct epoch *epoch = window_access_epoch(&window->model, target);
    bool inside =
        epoch && (epoch != &window->model.access || window_accesses(&window->model, target));
    layer_unlock();
    return inside;
}

void stressed_epoch(struct stressed_window *window, const struct call *call)
{
    layer_lock();
    if (call->routine->verb == VERB_opens)
        window_epoch_opened(&window->model, call);
    else
        window_epoch_closed(&window->model, call);
    layer_unlock();
}
