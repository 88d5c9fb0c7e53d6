#include "rma.h"

#include <stdlib.h>
#include <string.h>

#include "clocks.h"
#include "collectives.h"
#include "engine/engine.h"
#include "interpose/datatype_layout.h"
#include "operations.h"
#include "reach.h"
#include "releases.h"
#include "session.h"
#include "interpose/site_records.h"
#include "interpose/stacks.h"
#include "engine/table.h"
#include "window_accesses.h"

/* Where a member's window memory is. */
struct member {
    uint64_t base, size, disp_unit;
};

/* What is agreed about one target. */
struct epoch_target {
    int rank;
    bool locked, granted; /* MPI_Win_lock; what earlier holders did has been read */
    bool fetched;         /* since the start of this access epoch */
    uint64_t starts;      /* access epochs so far that named it */
    uint64_t posts;       /* clocks of its posts taken or thrown away */
    UT_hash_handle hh;
};

struct rma_window {
    MPI_Win handle;
    window_t id;
    bool dynamic, locked_all;
    char name[MPI_MAX_OBJECT_NAME]; /* that the program gave it */
    const char *created_by;         /* and the call that made it */
    const struct stack *created;
    struct comm *group; /* its members, with counters of its own */
    struct member *members;
    struct epoch_target *targets;
    uint32_t *origins, norigins; /* of the exposure epoch */
    int *started, nstarted;      /* targets of the access epoch, ranks in the window */
    UT_hash_handle hh;
};

static struct rma_window *windows;

static struct rma_window *window_find(MPI_Win win)
{
    struct rma_window *window;
    HASH_FIND(hh, windows, &win, sizeof win, window);
    return window;
}

static struct epoch_target *target_get(struct rma_window *window, int rank)
{
    struct epoch_target *target;
    HASH_FIND_INT(window->targets, &rank, target);
    if (!target && (target = calloc(1, sizeof *target))) {
        target->rank = rank;
        HASH_ADD_INT(window->targets, rank, target);
    }
    return target;
}

/* ---- windows ---- */

void rma_enter_constructor(struct call *call)
{
    watched(call)->collective = collective_enter_all(call->comm, true);
}

void rma_exchange_layout(struct call *call)
{
    int size = 0;
    struct member own = {0, call->routine->object == OBJECT_dynamic_window ? 0 : call->size,
                         call->routine->object == OBJECT_dynamic_window ? 1 : call->disp_unit};
    if (routine_has(call->routine, ROLE_base))
        own.base = (uintptr_t)call->base;
    else if (routine_has(call->routine, ROLE_new_base))
        own.base = (uintptr_t)*(void **)call->new_base;
    pmpi.Comm_size(call->comm, &size);
    watched(call)->members = malloc(size * sizeof own);
    if (watched(call)->members)
        pmpi.Allgather(&own, sizeof own, handles.byte, watched(call)->members, sizeof own,
                       handles.byte, call->comm);
    else
        session_give_up_races("no memory for a window");
}

void rma_forget_layout(struct call *call)
{
    if (routine_has(call->routine, ROLE_new_win)) {
        free(watched(call)->members);
        watched(call)->members = NULL;
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
        if (rank == window->group->rank ||
            pmpi.Win_shared_query(window->handle, rank, &size, &disp_unit, &base) != MPI_SUCCESS)
            continue;
        struct reach reach = {.low = (uintptr_t)base,
                              .high = (uintptr_t)base + size,
                              .window = window->id,
                              .owner = window->group->members[rank],
                              .shared = true};
        reach_add(&reach);
    }
}

void rma_window_created(struct call *call)
{
    MPI_Win win = call_win(call, call->new_win);
    struct comm *comm = comm_find(call->comm);
    struct rma_window *window = calloc(1, sizeof *window);
    if (!window || !comm || comm->foreign || !watched(call)->members) {
        free(window);
        return;
    }
    window->handle = win;
    window->created_by = call->routine->name;
    window->created = stack_take(call->caller, call->frame);
    window->id = name_mix(comm->id, ++comm->children + (UINT64_C(1) << 32));
    window->dynamic = call->routine->object == OBJECT_dynamic_window;
    window->group = comm_clone(comm, window->id);
    window->members = watched(call)->members;
    HASH_ADD(hh, windows, handle, sizeof window->handle, window);
    const struct member *own = &window->members[comm->rank];
    struct window_info info = {.same_op = info_is(win, "accumulate_ops", "same_op"),
                               .members = comm->members,
                               .member_count = comm->size};
    engine_window_create(session.engine, window->id, own->base, own->size, &info);
    bool shared = call->routine->object == OBJECT_shared_window;
    struct reach reach = {own->base, own->base + own->size, window->id, session.rank, shared};
    reach_add(&reach);
    if (shared)
        reach_segments(window);
}

void rma_window_freeing(struct call *call, MPI_Win win)
{
    watched(call)->freed_window = window_find(win);
    if (watched(call)->freed_window)
        watched(call)->collective =
            collective_enter_all_of(watched(call)->freed_window->group, true);
}

/* Others may have put until their own MPI_Win_free: the memory counts as window until all of that
 * has come in. */
void rma_window_freed(struct call *call)
{
    struct rma_window *window = watched(call)->freed_window;
    if (!window)
        return;
    releases_forget(window->id);
    board_remove(session.rank, window->id); /* all are past their last unlock */
    reach_remove_window(window->id);
    engine_window_free(session.engine, ACTOR, window->id);
    engine_window_gone(session.engine, window->id);
    struct epoch_target *target, *next;
    HASH_ITER(hh, window->targets, target, next)
    {
        HASH_DEL(window->targets, target);
        free(target);
    }
    HASH_DEL(windows, window);
    comm_destroy_clone(window->group);
    free(window->members);
    free(window->origins);
    free(window->started);
    free(window);
}

struct description {
    window_t wanted;
    uint64_t address;
    const struct rma_window *window;
    uint64_t offset;
};

static struct rma_window *window_by_id(window_t id)
{
    for (struct rma_window *window = windows; window; window = window->hh.next)
        if (window->id == id)
            return window;
    return NULL;
}

static bool describe_piece(void *context, const struct reach *reach)
{
    struct description *description = context;
    if (reach->owner != (uint32_t)session.rank || reach->low > description->address)
        return true;
    description->window = window_by_id(reach->window);
    description->offset = description->address - reach->low;
    return reach->window != description->wanted;
}

void rma_describe(window_t id, uint64_t address, struct rma_place *place)
{
    struct description description = {.wanted = id, .address = address};
    *place = (struct rma_place){0};
    reach_visit(address, address + 1, describe_piece, &description);
    place->offset = description.offset;
    if (!description.window)
        return;
    memcpy(place->name, description.window->name, sizeof place->name);
    place->created_by = description.window->created_by;
    place->created = description.window->created;
}

/* MPI is asked now and not when the name is needed: then the program may have freed the window,
 * though not all that was done to it is known yet. */
void rma_window_named(struct call *call)
{
    struct rma_window *window = window_find(call->win);
    int length = 0;
    if (window && pmpi.Win_get_name(call->win, window->name, &length) != MPI_SUCCESS)
        window->name[0] = 0;
}

void rma_attached(struct call *call)
{
    struct rma_window *window = window_find(call->win);
    if (!window)
        return;
    engine_window_attach(session.engine, window->id, (uintptr_t)call->base, call->size);
    struct reach reach = {(uintptr_t)call->base, (uintptr_t)call->base + call->size, window->id,
                          session.rank, false};
    reach_add(&reach);
}

void rma_detaching(struct call *call)
{
    struct rma_window *window = window_find(call->win);
    if (!window)
        return;
    reach_remove_piece(window->id, (uintptr_t)call->base);
    engine_window_detach(session.engine, window->id, (uintptr_t)call->base);
}

/* ---- operations ---- */

static enum access_kind kind_of(enum object object)
{
    switch (object) {
    case OBJECT_put:
        return ACCESS_PUT;
    case OBJECT_get:
        return ACCESS_GET;
    case OBJECT_accumulate:
        return ACCESS_ACCUMULATE;
    case OBJECT_get_accumulate:
        return ACCESS_GET_ACCUMULATE;
    case OBJECT_fetch_and_op:
        return ACCESS_FETCH_AND_OP;
    default:
        return ACCESS_COMPARE_AND_SWAP;
    }
}

/* The same number for an operator in all processes. */
static uint32_t op_number(MPI_Op op)
{
    if (op == handles.no_op)
        return ACC_NO_OP;
#ifdef OPEN_MPI
    return ACC_OTHER + 1 + pmpi.Op_c2f(op);
#else
    return ACC_OTHER + 1 + (uint32_t)op % (UINT32_MAX - 8);
#endif
}

/* Target count and type: as given, or those of the origin where the call has only one
 * (Fetch_and_op). */
static void target_shape(const struct call *call, MPI_Count *count, MPI_Datatype *type)
{
    bool given = routine_has(call->routine, ROLE_target_type);
    *count = given ? call->target_count : 1;
    *type = given ? call->target_type : call->buffers[0].type;
}

/* What earlier holders left; their operations come first. */
static void lock_granted(const struct rma_window *window, uint32_t owner)
{
    size_t size;
    void *state = board_read(owner, window->id, &size);
    if (size)
        engine_lock_acquired(session.engine, ACTOR, window->id, owner, state, size);
    free(state);
}

void rma_ensure_granted(struct call *call)
{
    enum access_kind kind = kind_of(call->routine->object);
    if (call->target == MPI_PROC_NULL || kind == ACCESS_PUT || kind == ACCESS_ACCUMULATE)
        return;
    session_lock();
    window_accesses_settle();
    struct rma_window *window = window_find(call->win);
    struct epoch_target *target = window ? target_get(window, call->target) : NULL;
    bool pending = target && !target->granted && (target->locked || window->locked_all);
    session_unlock();
    if (!pending)
        return;
    pmpi.Win_flush(call->target, call->win); /* an MPI may grant a lock only when it is needed */
    session_lock();
    lock_granted(window, window->group->members[call->target]);
    target->granted = true;
    session_unlock();
}

/* There, whatever an operation fetches is known at the closing fence only, which orders everybody
 * anyway. */
static bool is_in_fence_epoch(struct rma_window *window, int rank)
{
    const struct epoch_target *target;
    HASH_FIND_INT(window->targets, &rank, target);
    return !window->locked_all && window->nstarted == 0 && !(target && target->locked);
}

uint64_t rma_issued(struct call *call)
{
    return rma_issued_from(call, stack_take(call->caller, call->frame));
}

uint64_t rma_issued_from(struct call *call, const struct stack *stack)
{
    struct rma_window *window = window_find(call->win);
    if (!window || call->target < 0 || call->target >= window->group->size)
        return 0;
    MPI_Count count;
    MPI_Datatype type;
    struct layout_basic basic = {0};
    struct rma_op op = {.kind = kind_of(call->routine->object),
                        .window = window->id,
                        .target = window->group->members[call->target]};
    bool accumulates = op.kind >= ACCESS_ACCUMULATE;
    target_shape(call, &count, &type);
    const struct layout *layout = layout_of(session.layouts, type);
    if (!layout)
        return 0;
    if (accumulates) {
        op.op = op.kind == ACCESS_COMPARE_AND_SWAP ? ACC_CAS : op_number(call->op);
        if (layout_basic(layout, &basic)) {
            op.type = basic.id;
            op.type_size = basic.size;
        }
    }
    const struct member *member = &window->members[call->target];
    uint64_t base = window->dynamic ? (uint64_t)call->target_disp
                                    : (uint64_t)call->target_disp * member->disp_unit;
    static struct section *sections;
    static size_t room;
    size_t n = accumulates ? layout_elements(layout, base, count, sections, room)
                           : layout_sections(layout, base, count, sections, room);
    if (n > room) {
        struct section *larger = realloc(sections, n * sizeof *larger);
        if (!larger)
            return 0;
        sections = larger;
        room = n;
        n = accumulates ? layout_elements(layout, base, count, sections, room)
                        : layout_sections(layout, base, count, sections, room);
    }
    op.sections = sections;
    op.section_count = n;
    op.site = site_recorded_call(stack, call->routine, call->routine);
    bool releases = accumulates && !is_in_fence_epoch(window, call->target);
    bool has_request = routine_has(call->routine, ROLE_new_request);
    uint64_t stamp = releases ? release_prepare() : 0;
    uint64_t request = engine_rma(session.engine, ACTOR, &op, has_request);
    if (access_reads_target(op.kind, op.op)) {
        struct epoch_target *target = target_get(window, call->target);
        if (target)
            target->fetched = true;
    }
    uint64_t memory = window->dynamic ? 0 : member->base;
    return releases ? release_issued(&op, memory, stamp, request, has_request) : request;
}

void rma_request_completed(uint64_t request)
{
    if (!request)
        return;
    clocks_drain();
    engine_request_complete(session.engine, ACTOR, request);
    release_request_complete(request);
}

void rma_request_freed(uint64_t request)
{
    if (request)
        engine_request_free(session.engine, request);
}

/* ---- buffers of MPI calls in window memory ---- */

void rma_touched(const struct call *call, const struct section *sections, size_t n, bool write)
{
    for (size_t i = 0; i < n; i++)
        if (reach_touches(sections[i].start, section_end(&sections[i])))
            window_touched(&sections[i], write,
                           site_recorded_call(stack_take(call->caller, call->frame), call->routine,
                                              call->routine));
}

/* A buffer in use that lies in other ranks' segments. The engine knows buffers in use in own memory
 * only, so there two moments of the time in which MPI may touch the bytes are told as loads or
 * stores: the first, and the last if this process sees it. Who is not ordered with the whole is not
 * ordered with one of the two, unless it learns of the first and is heard of before the last. That
 * can miss a race and cannot invent one. */
struct segment_piece {
    window_t
        window; /* may be freed meanwhile: then the engine knows nothing by this name any more */
    uint32_t owner;
    struct section section; /* from the start of the segment */
};

struct segment_buffer {
    uint64_t number;
    uint64_t own; /* the engine's number for what lies in own window memory */
    site_t site;
    bool write;
    struct segment_piece *pieces;
    size_t n, room;
    UT_hash_handle hh;
};

#define SEGMENT_BUFFER (UINT64_C(1) << 63) /* the engine's numbers are below */

static struct segment_buffer *segment_buffers;

struct segment_search {
    const struct section *section;
    struct segment_buffer found;
};

static bool add_segment(void *context, const struct reach *reach)
{
    struct segment_search *search = context;
    struct segment_buffer *found = &search->found;
    struct section clipped[3];
    if (reach->owner == (uint32_t)session.rank)
        return true;
    size_t n = section_clip(search->section, reach->low, reach->high, clipped);
    if (found->n + n > found->room) {
        size_t room = 2 * (found->n + n);
        struct segment_piece *larger = realloc(found->pieces, room * sizeof *larger);
        if (!larger)
            return false;
        found->pieces = larger;
        found->room = room;
    }
    for (size_t i = 0; i < n; i++) {
        clipped[i].start -= reach->low;
        found->pieces[found->n++] = (struct segment_piece){reach->window, reach->owner, clipped[i]};
    }
    return true;
}

static void tell_moment(const struct segment_buffer *buffer)
{
    releases_outdate();
    for (size_t i = 0; i < buffer->n; i++) {
        const struct segment_piece *piece = &buffer->pieces[i];
        engine_direct(session.engine, ACTOR, piece->window, piece->owner, &piece->section,
                      buffer->write, buffer->site);
    }
}

/* Without memory for it there is only the first moment. */
static uint64_t keep_segments(const struct segment_buffer *found)
{
    static uint64_t numbers = SEGMENT_BUFFER;
    struct segment_buffer *buffer = malloc(sizeof *buffer);
    if (!buffer) {
        free(found->pieces);
        return found->own;
    }
    *buffer = *found;
    buffer->number = ++numbers;
    HASH_ADD(hh, segment_buffers, number, sizeof buffer->number, buffer);
    return buffer->number;
}

uint64_t rma_buffer_begin(const struct operation *operation, const struct section *sections,
                          size_t n, bool write)
{
    bool window_memory = false;
    for (size_t i = 0; i < n; i++)
        window_memory |= reach_touches(sections[i].start, section_end(&sections[i]));
    if (!window_memory)
        return 0;
    struct segment_search search = {
        .found = {.site = site_recorded_call(operation->stack, operation->at, operation->routine),
                  .write = write}};
    for (size_t i = 0; i < n; i++) {
        search.section = &sections[i];
        reach_visit(sections[i].start, section_end(&sections[i]), add_segment, &search);
    }
    tell_moment(&search.found);
    search.found.own =
        engine_buffer_begin(session.engine, ACTOR, sections, n, write, search.found.site);
    return search.found.n ? keep_segments(&search.found) : search.found.own;
}

static void buffer_over(uint64_t number, bool seen)
{
    struct segment_buffer *buffer = NULL;
    if (number & SEGMENT_BUFFER)
        HASH_FIND(hh, segment_buffers, &number, sizeof number, buffer);
    if (buffer && seen)
        tell_moment(buffer);
    uint64_t own = buffer ? buffer->own : number;
    if (own)
        engine_buffer_end(session.engine, ACTOR, own);
    if (!buffer)
        return;
    HASH_DEL(segment_buffers, buffer);
    free(buffer->pieces);
    free(buffer);
}

void rma_buffer_end(uint64_t buffer)
{
    buffer_over(buffer, true);
}

void rma_buffer_forget(uint64_t buffer)
{
    buffer_over(buffer, false);
}

/* ---- fences ---- */

static void fence_before(struct rma_window *window, struct call *call)
{
    bool no_precede = call->assert & MPI_MODE_NOPRECEDE;
    engine_fence(session.engine, ACTOR, window->id, no_precede);
    watched(call)->collective = no_precede ? NULL : collective_enter_all_of(window->group, true);
}

/* ---- post, start, complete, wait ---- */

static uint64_t post_topic(const struct rma_window *window)
{
    return name_mix(window->id, 'P');
}

static uint64_t complete_topic(const struct rma_window *window)
{
    return name_mix(window->id, 'C');
}

static void post_before(struct rma_window *window, struct call *call)
{
    int n;
    free(window->origins);
    window->origins = world_ranks(call->group, &n);
    window->norigins = window->origins ? n : 0;
    engine_post(session.engine, ACTOR, window->id, window->origins, window->norigins);
    for (uint32_t i = 0; i < window->norigins; i++)
        clock_post(window->origins[i], LETTER_POST, post_topic(window), 0);
}

static int rank_in_window(const struct rma_window *window, uint32_t world)
{
    for (int i = 0; i < window->group->size; i++)
        if (window->group->members[i] == world)
            return i;
    return -1;
}

static void start_before(struct rma_window *window, struct call *call)
{
    int n;
    uint32_t *ranks = world_ranks(call->group, &n);
    free(window->started);
    window->started = ranks ? malloc((n + 1) * sizeof *window->started) : NULL;
    window->nstarted = window->started ? n : 0;
    for (int i = 0; i < window->nstarted; i++) {
        window->started[i] = rank_in_window(window, ranks[i]);
        struct epoch_target *target = target_get(window, window->started[i]);
        if (target) {
            target->starts++;
            target->fetched = false;
        }
    }
    if (ranks)
        engine_start(session.engine, ACTOR, window->id, ranks, n);
    free(ranks);
}

static void complete_before(struct rma_window *window)
{
    engine_complete(session.engine, ACTOR, window->id);
    for (int i = 0; i < window->nstarted; i++)
        clock_post(window->group->members[window->started[i]], LETTER_COMPLETE,
                   complete_topic(window), 0);
}

/* What was read from a target came after its post: that is known now. */
static void complete_after(struct rma_window *window)
{
    clocks_drain();
    for (int i = 0; i < window->nstarted; i++) {
        struct epoch_target *target = target_get(window, window->started[i]);
        uint32_t world = window->group->members[window->started[i]];
        while (target && target->posts < target->starts) {
            if (target->fetched)
                clock_await(world, LETTER_POST, post_topic(window), 0);
            if (!(target->fetched ? clock_collect : clock_discard)(world, LETTER_POST,
                                                                   post_topic(window)))
                break;
            target->posts++;
        }
    }
    releases_completed(window->id, RANK_ALL);
    window->nstarted = 0;
}

static void wait_after(struct rma_window *window)
{
    clocks_drain();
    for (uint32_t i = 0; i < window->norigins; i++)
        clock_await(window->origins[i], LETTER_COMPLETE, complete_topic(window), 0);
    engine_wait(session.engine, ACTOR, window->id);
    for (uint32_t i = 0; i < window->norigins; i++)
        clock_collect(window->origins[i], LETTER_COMPLETE, complete_topic(window));
    window->norigins = 0;
}

/* ---- locks ---- */

/* Puts what an unlock contributes where the next holder finds it, before it can be granted the
 * lock. */
static void contribute(void *context, uint32_t owner, const void *contribution, size_t size)
{
    const struct rma_window *window = context;
    if (size == 0)
        return;
    size_t old_size, merged_size;
    const void *old = board_take(owner, window->id, &old_size);
    void *merged = engine_lock_state_merge(old, old_size, contribution, size, &merged_size);
    if (merged && !board_replace(owner, window->id, merged, merged_size))
        session_give_up_races("no memory left for the states of locks");
    else if (!merged)
        board_put_back(owner, window->id);
    free(merged);
}

static void lock_after(struct rma_window *window, struct call *call)
{
    struct epoch_target *target =
        call->target == MPI_PROC_NULL ? NULL : target_get(window, call->target);
    if (!target)
        return;
    uint32_t owner = window->group->members[call->target];
    target->locked = true;
    target->granted = false;
    engine_lock(session.engine, ACTOR, window->id, owner,
                call->lock_type == MPI_LOCK_EXCLUSIVE ? LOCK_EXCLUSIVE : LOCK_SHARED);
    if (owner == (uint32_t)session.rank) { /* own loads may follow at once */
        lock_granted(window, owner);
        target->granted = true;
    }
}

static void unlock_before(struct rma_window *window, struct call *call)
{
    struct epoch_target *target =
        call->target == MPI_PROC_NULL ? NULL : target_get(window, call->target);
    if (!target || !target->locked)
        return;
    uint32_t owner = window->group->members[call->target];
    size_t size;
    const void *contribution = engine_unlock(session.engine, ACTOR, window->id, owner, &size);
    contribute(window, owner, contribution, size);
    target->locked = target->granted = false;
}

static void unlock_all_before(struct rma_window *window)
{
    engine_unlock_all(session.engine, ACTOR, window->id, contribute, window);
    window->locked_all = false;
    for (struct epoch_target *target = window->targets; target; target = target->hh.next)
        target->granted = false;
}

/* ---- dispatch ---- */

static uint32_t flush_target(const struct rma_window *window, const struct call *call)
{
    if (call->routine->object == OBJECT_all || call->routine->object == OBJECT_lock_all)
        return RANK_ALL;
    return call->target >= 0 && call->target < window->group->size
               ? window->group->members[call->target]
               : UINT32_MAX - 1;
}

void rma_sync_before(struct call *call)
{
    struct rma_window *window = window_find(call->win);
    watched(call)->collective = NULL;
    if (!window)
        return;
    enum object object = call->routine->object;
    switch (call->routine->verb) {
    case VERB_opens:
        if (object == OBJECT_fence)
            fence_before(window, call);
        else if (object == OBJECT_exposure)
            post_before(window, call);
        else if (object == OBJECT_access)
            start_before(window, call);
        break;
    case VERB_closes:
        if (object == OBJECT_access)
            complete_before(window);
        else if (object == OBJECT_lock)
            unlock_before(window, call);
        else if (object == OBJECT_lock_all && window->locked_all)
            unlock_all_before(window);
        break;
    case VERB_flushes:
        engine_flush(session.engine, ACTOR, window->id, flush_target(window, call));
        break;
    case VERB_flushes_local:
        engine_flush_local(session.engine, ACTOR, window->id, flush_target(window, call));
        break;
    default:
        break;
    }
}

void rma_sync_after(struct call *call)
{
    clocks_drain_sometimes();
    collective_leave(watched(call)->collective);
    struct rma_window *window = window_find(call->win);
    if (!window)
        return;
    enum object object = call->routine->object;
    switch (call->routine->verb) {
    case VERB_opens:
        if (object == OBJECT_fence)
            releases_completed(window->id, RANK_ALL);
        else if (object == OBJECT_lock)
            lock_after(window, call);
        else if (object == OBJECT_lock_all) {
            window->locked_all = true;
            engine_lock(session.engine, ACTOR, window->id, RANK_ALL, LOCK_SHARED);
        }
        break;
    case VERB_closes:
        if (object == OBJECT_access)
            complete_after(window);
        else if (object == OBJECT_exposure)
            wait_after(window);
        else
            releases_completed(window->id, flush_target(window, call));
        break;
    case VERB_tests:
        if (call_int_at(call->flag, 0))
            wait_after(window);
        break;
    case VERB_flushes:
        releases_completed(window->id, flush_target(window, call));
        break;
    case VERB_flushes_local:
        releases_completed_locally(window->id, flush_target(window, call));
        break;
    default:
        break;
    }
}
