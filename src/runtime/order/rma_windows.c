#include "rma.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "allocations.h"
#include "clocks.h"
#include "crossings.h"
#include "collectives.h"
#include "ends.h"
#include "engine/alloc.h"
#include "engine/engine.h"
#include "interpose/imports.h"
#include "reach.h"
#include "releases.h"
#include "rma_window.h"
#include "session.h"
#include "visibility.h"

static struct rma_window *windows; /* by id; needs the session's lock */

void rma_enter_constructor(struct call *call)
{
    watched(call)->collective = collective_enter_all(call->comm, true);
}

/* Direct loads and stores of several processes: are they visible to each other? */
static void agree_on_visibility(struct call *call, int size)
{
    uint64_t *sizes = allocate(size * sizeof *sizes);
    for (int i = 0; i < size; i++)
        sizes[i] = watched(call)->members[i].size;
    watched(call)->visible = visibility_agree(call->comm, sizes, size);
    free(sizes);
}

struct uses {
    bool fetches, flushes_locally, shares_memory;
};

static void read_imports(void *context, const struct imports *imports)
{
    struct uses *uses = context;
    uses->fetches = uses->fetches || imports->fetches;
    uses->flushes_locally = uses->flushes_locally || imports->flushes_locally;
    uses->shares_memory = uses->shares_memory || imports->shares_memory;
}

/* Of the modules that were there when it was asked last. No lock: the loader has one of its own. */
static atomic_uint loads_looked_at;
static atomic_bool program_imports_fetch, program_imports_local_flush, program_imports_shared_query;

static void look_at_imports(void)
{
    unsigned loads = imports_loads();
    if (atomic_load(&loads_looked_at) != loads) {
        struct uses uses = {false, false, false};
        imports_visit(read_imports, &uses);
        atomic_store(&program_imports_fetch, uses.fetches);
        atomic_store(&program_imports_local_flush, uses.flushes_locally);
        atomic_store(&program_imports_shared_query, uses.shares_memory);
        atomic_store(&loads_looked_at, loads);
    }
}

/* What is loaded later, or asked for by name, is not known yet: those fetches learn more than they
 * should (releases.h). */
static bool program_fetches(void)
{
    look_at_imports();
    return atomic_load(&program_imports_fetch);
}

bool rma_program_flushes_locally(void)
{
    look_at_imports();
    return atomic_load(&program_imports_local_flush);
}

bool rma_program_shares_memory(void)
{
    look_at_imports();
    return atomic_load(&program_imports_shared_query);
}

void rma_exchange_layout(struct call *call)
{
    int size = 0;
    struct member own = {0, call->routine->object == OBJECT_dynamic_window ? 0 : call->size,
                         call->routine->object == OBJECT_dynamic_window ? 1 : call->disp_unit,
                         program_fetches()};
    if (routine_has(call->routine, ROLE_base))
        own.base = (uintptr_t)call->base;
    else if (routine_has(call->routine, ROLE_new_base))
        own.base = (uintptr_t)*(void **)call->new_base;
    pmpi.Comm_size(call->comm, &size);
    watched(call)->members = allocate(size * sizeof own); /* or the others would wait in vain */
    pmpi.Allgather(&own, sizeof own, handles.byte, watched(call)->members, sizeof own, handles.byte,
                   call->comm);
    watched(call)->visible = NULL;
    if (call->routine->object == OBJECT_shared_window)
        agree_on_visibility(call, size);
}

void rma_forget_layout(struct call *call)
{
    if (routine_has(call->routine, ROLE_new_win)) {
        free(watched(call)->members);
        watched(call)->members = NULL;
        visibility_drop(watched(call)->visible);
        watched(call)->visible = NULL;
    }
}

static bool info_is(MPI_Win win, const char *key, const char *value)
{
    MPI_Info info;
    char text[64];
    int found = 0;
    if (pmpi.Win_get_info(win, &info) != MPI_SUCCESS)
        return false;
    pmpi.Info_get(info, (char *)key, sizeof text - 1, text, &found);
    pmpi.Info_free(&info);
    return found && strcmp(text, value) == 0;
}

/* Other ranks' segments of a shared-memory window, where this process sees them. */
static void reach_segments(struct rma_window *window)
{
    for (int rank = 0; rank < window->group->size; rank++) {
        MPI_Aint size = 0;
        int disp_unit;
        void *base = NULL;
        if (rank == window->group->rank || pmpi.Win_shared_query(window->model->handle, rank, &size,
                                                                 &disp_unit, &base) != MPI_SUCCESS)
            continue;
        struct reach reach = {.low = (uintptr_t)base,
                              .high = (uintptr_t)base + size,
                              .window = window->id,
                              .owner = window->group->members[rank],
                              .shared = true};
        reach_add(&reach);
    }
}

void rma_window_created(struct call *call, struct window *model)
{
    struct comm *comm = comm_find(call->comm);
    struct rma_window *window = calloc(1, sizeof *window);
    if (!window || !comm || comm->foreign || !watched(call)->members) {
        free(window);
        visibility_drop(watched(call)->visible);
        return;
    }
    window->model = model;
    window->id = name_mix(comm->id, ++comm->children + (UINT64_C(1) << 32));
    window->group = comm_clone(comm, window->id);
    if (window->group)
        ends_window_known(window->group, model->handle);
    window->members = watched(call)->members;
    for (int i = 0; i < comm->size; i++)
        window->fetched = window->fetched || window->members[i].fetches;
    watched_window(model)->agreed = window;
    HASH_ADD(hh, windows, id, sizeof window->id, window);
    const struct member *own = &window->members[comm->rank];
    struct window_info info = {.same_op = info_is(model->handle, "accumulate_ops", "same_op"),
                               .dynamic = rma_is_dynamic(window),
                               .members = comm->members,
                               .member_count = comm->size};
    engine_window_create(session.engine, window->id, own->base, own->size, &info);
    bool shared = model->kind == OBJECT_shared_window;
    struct reach reach = {own->base, own->base + own->size, window->id, session.rank, shared};
    reach_add(&reach);
    if (shared)
        reach_segments(window);
    visibility_begin(watched(call)->visible, window->id, comm->members);
}

void rma_window_freeing(struct call *call)
{
    struct watched_window *window = watched(call)->freed_window;
    if (window && window->agreed)
        watched(call)->collective = collective_enter_all_of(window->agreed->group, true);
}

/* Others may have put until their own MPI_Win_free: the memory counts as window until all of that
 * has come in. */
void rma_window_freed(struct call *call)
{
    struct watched_window *window = watched(call)->freed_window;
    if (!window || !window->agreed)
        return;
    window_t id = window->agreed->id;
    releases_forget(id);
    board_remove(session.rank, id); /* all are past their last unlock */
    reach_remove_window(id);
    visibility_end(id);
    engine_window_free(session.engine, acting(), id);
    engine_window_gone(session.engine, id);
}

void rma_window_forget(struct watched_window *window)
{
    struct rma_window *agreed = window->agreed;
    if (!agreed)
        return;
    HASH_DEL(windows, agreed);
    ends_group_gone(agreed->group);
    comm_destroy_clone(agreed->group);
    free(agreed->members);
    free(agreed);
    window->agreed = NULL;
}

struct description {
    window_t wanted;
    uint64_t address;
    const struct rma_window *window;
    uint64_t offset;
};

static struct rma_window *window_by_id(window_t id)
{
    struct rma_window *window;
    HASH_FIND(hh, windows, &id, sizeof id, window);
    return window;
}

static bool describe_piece(void *context, const struct reach *reach)
{
    struct description *description = context;
    bool wanted = reach->window == description->wanted;
    if (reach->owner != (uint32_t)session.rank || (description->window && !wanted))
        return true;
    description->window = window_by_id(reach->window);
    description->offset = description->address - reach->low;
    return !wanted;
}

static void describe(const struct rma_window *window, struct rma_place *place)
{
    if (!window)
        return;
    const struct window *model = window->model;
    memcpy(place->name, model->name, sizeof place->name);
    place->created_by = model->constructor->name;
    place->created = model->created;
}

void rma_describe(window_t id, uint64_t address, struct rma_place *place)
{
    struct description description = {.wanted = id, .address = address};
    reach_visit(address, address + 1, describe_piece, &description);
    *place = (struct rma_place){.offset = description.offset};
    describe(description.window, place);
}

void rma_describe_window(window_t id, struct rma_place *place)
{
    *place = (struct rma_place){0};
    describe(window_by_id(id), place);
}

void rma_attached(struct call *call)
{
    struct rma_window *window = rma_window_find(call->win);
    if (!window)
        return;
    engine_window_attach(session.engine, acting(), window->id, (uintptr_t)call->base, call->size);
    struct reach reach = {(uintptr_t)call->base, (uintptr_t)call->base + call->size, window->id,
                          session.rank, false};
    reach_add(&reach);
}

void rma_detaching(struct call *call)
{
    struct rma_window *window = rma_window_find(call->win);
    if (!window)
        return;
    allocation_detached(call, window->id);
    reach_remove_piece(window->id, (uintptr_t)call->base);
    engine_window_detach(session.engine, acting(), window->id, (uintptr_t)call->base);
}
