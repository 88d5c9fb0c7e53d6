#include "delayed.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "layer.h"
#include "interpose/datatype_layout.h"
#include "reports.h"
#include "settings.h"

enum { COPY_MOST = 64 << 20 };

static enum operation_kind kind_of(const struct routine *routine)
{
    switch (routine->object) {
    case OBJECT_put:
        return OPERATION_PUT;
    case OBJECT_get:
        return OPERATION_GET;
    case OBJECT_accumulate:
        return OPERATION_ACCUMULATE;
    case OBJECT_get_accumulate:
        return OPERATION_GET_ACCUMULATE;
    case OBJECT_fetch_and_op:
        return OPERATION_FETCH_AND_OP;
    default:
        return OPERATION_COMPARE_AND_SWAP;
    }
}

static bool take_buffer(struct buffer *to, const struct call_buffer *from)
{
    if (from->count < 0 || from->count > INT_MAX || from->type == handles.datatype_null)
        return false;
    *to = (struct buffer){from->base, (int)from->count, from->type};
    return true;
}

static bool take_buffers(struct operation *operation, const struct call *call)
{
    const struct call_buffer *given = call->buffers;
    switch (operation->kind) {
    case OPERATION_PUT:
    case OPERATION_ACCUMULATE:
        return take_buffer(&operation->origin, &given[0]);
    case OPERATION_GET:
        return take_buffer(&operation->result, &given[0]);
    case OPERATION_GET_ACCUMULATE:
    case OPERATION_FETCH_AND_OP:
        if (!take_buffer(&operation->result, &given[1]))
            return false;
        /* MPI_NO_OP ignores the origin: whatever stands there is handed on and not looked at. */
        if (call->op == handles.no_op) {
            operation->origin = (struct buffer){given[0].base, (int)given[0].count, given[0].type};
            return true;
        }
        return take_buffer(&operation->origin, &given[0]);
    default:
        return take_buffer(&operation->origin, &given[0]) &&
               take_buffer(&operation->compare, &given[1]) &&
               take_buffer(&operation->result, &given[2]);
    }
}

static bool reads_origin(const struct operation *operation)
{
    return operation->kind != OPERATION_GET &&
           !(is_accumulate(operation->kind) && operation->op == handles.no_op);
}

/* Bytes at the target. Those of an unknown datatype are everywhere. */
static bool place(struct operation *operation, const struct stressed_window *window)
{
    struct buffer target = {NULL, operation->target_count, operation->target_type};
    struct bytes bytes;
    if (!bytes_of(&bytes, &target))
        return false;
    operation->disp_unit = window->exposed[operation->target].disp_unit;
    operation->start = (uint64_t)operation->disp * (uint64_t)operation->disp_unit;
    operation->low = bytes.count ? operation->start + bytes.low : 0;
    operation->high = bytes.count ? operation->start + bytes.high : 0;
    bytes_free(&bytes);
    return true;
}

static bool can_be_decoded(const struct buffer *buffer)
{
    struct bytes bytes;
    if (!buffer->base && !buffer->count)
        return true;
    if (!bytes_of(&bytes, buffer))
        return false;
    bytes_free(&bytes);
    return true;
}

static bool is_in_order(struct operation *operation, const struct call *call,
                        const struct stressed_window *window)
{
    return take_buffers(operation, call) && operation->target_type != handles.datatype_null &&
           operation->target_count > 0 && place(operation, window) &&
           (!reads_origin(operation) || can_be_decoded(&operation->origin)) &&
           (!is_fetching(operation->kind) || can_be_decoded(&operation->result));
}

/* The program may free its datatypes while the operation waits, and MPICH's mpi_f08 frees those it
 * made for array sections unseen: the operation has its own. */
static bool hold_type(struct operation *operation, MPI_Datatype *type)
{
    MPI_Datatype copy;
    layer_lock();
    bool permanent = layout_is_permanent(layer.layouts, *type);
    layer_unlock();
    if (permanent)
        return true;
    if (pmpi.Type_dup(*type, &copy) != MPI_SUCCESS)
        return false;
    *type = copy;
    operation->held[operation->held_count++] = copy;
    return true;
}

static bool hold_types(struct operation *operation)
{
    return (!reads_origin(operation) || hold_type(operation, &operation->origin.type)) &&
           (!is_fetching(operation->kind) || hold_type(operation, &operation->result.type)) &&
           hold_type(operation, &operation->target_type);
}

/* One element, whose datatype is that of the origin. */
static bool is_single(const struct call *call)
{
    return call->routine->object == OBJECT_fetch_and_op ||
           call->routine->object == OBJECT_compare_and_swap;
}

static MPI_Datatype target_type_of(const struct call *call)
{
    return is_single(call) ? call->buffers[0].type : call->target_type;
}

struct operation *operation_take(const struct call *call, struct stressed_window *window)
{
    bool single = is_single(call);
    if (call->target < 0 || call->target >= window->ranks ||
        !window_in_epoch(window, call->target) ||
        (!single && (call->target_count < 1 || call->target_count > INT_MAX)))
        return NULL;
    struct operation *operation = calloc(1, sizeof *operation);
    if (!operation)
        return NULL;
    operation->kind = kind_of(call->routine);
    operation->routine = call->routine;
    operation->target = call->target;
    operation->disp = call->target_disp;
    operation->target_count = single ? 1 : (int)call->target_count;
    operation->target_type = target_type_of(call);
    operation->op = routine_has(call->routine, ROLE_op) ? call->op : handles.min;
    if (!is_in_order(operation, call, window)) {
        free(operation);
        return NULL;
    }
    layer_lock();
    operation->site = site_of(stack_take(call->caller, call->frame));
    layer_unlock();
    if (!operation->site || !hold_types(operation)) {
        operation_free(operation);
        return NULL;
    }
    return operation;
}

struct touch *operation_note(struct operation *operation, const struct stressed_window *window)
{
    layer_lock();
    struct touch *touch = sites_touched(operation->site, operation->routine->name, window->id,
                                        window->exposed[operation->target].world_rank,
                                        operation->low, operation->high);
    layer_unlock();
    return touch;
}

/* ---- operations that are handed on as they are ---- */

/* Loops make the same call again and again. Where only the displacement differs, what was found out
 * about the last one holds: 30 ns instead of 900. */
enum { REMEMBERED = 64 };

struct remembered {
    const void *caller, *frame;
    const struct stressed_window *window;
    MPI_Datatype type;
    int64_t count;
    int target;
    unsigned long age; /* what was remembered before something was freed is void */
    struct touch *touch;
    uint64_t low, high; /* from the displacement on */
};

static struct remembered remembered[REMEMBERED];
static unsigned long age = 1;

static struct remembered *place_for(const struct call *call)
{
    uintptr_t mix = (uintptr_t)call->caller ^ (uintptr_t)call->target * 7;
    return &remembered[mix % REMEMBERED];
}

void operation_remember(const struct call *call, const struct stressed_window *window,
                        const struct operation *operation, struct touch *touch)
{
    if (!touch || operation->low == operation->high)
        return;
    layer_lock();
    *place_for(call) = (struct remembered){call->caller,
                                           call->frame,
                                           window,
                                           target_type_of(call),
                                           operation->target_count,
                                           operation->target,
                                           age,
                                           touch,
                                           operation->low - operation->start,
                                           operation->high - operation->start};
    layer_unlock();
}

bool operation_is_remembered(const struct call *call, const struct stressed_window *window)
{
    bool single = is_single(call);
    MPI_Datatype type = target_type_of(call);
    int64_t count = single ? 1 : call->target_count;
    layer_lock();
    const struct remembered *last = place_for(call);
    bool known = last->age == age && last->caller == call->caller && last->frame == call->frame &&
                 last->window == window && last->target == call->target && last->type == type &&
                 last->count == count;
    if (known) {
        uint64_t start =
            (uint64_t)call->target_disp * (uint64_t)window->exposed[call->target].disp_unit;
        touch_extend(last->touch, start + last->low, start + last->high);
    }
    layer_unlock();
    return known;
}

void operations_forget(void)
{
    layer_lock();
    age++;
    layer_unlock();
}

void operation_free(struct operation *operation)
{
    for (int i = 0; i < operation->held_count; i++)
        bytes_forget_type(&operation->held[i]);
    free(operation->copy);
    free(operation);
}

/* ---- who came first ---- */

static bool is_rounded(MPI_Datatype type)
{
    char name[MPI_MAX_OBJECT_NAME] = "";
    int length = 0;
    struct layout_basic basic;
    layer_lock();
    const struct layout *layout = layout_of(layer.layouts, type);
    bool known = layout && layout_basic(layout, &basic);
    layer_unlock();
    if (!known || pmpi.Type_get_name(basic.type, name, &length) != MPI_SUCCESS)
        return true;
    return strstr(name, "FLOAT") || strstr(name, "DOUBLE") || strstr(name, "REAL") ||
           strstr(name, "COMPLEX");
}

/* Accumulates of several processes are in no order, which is no race (semantics §5). It shows where
 * the operation fetches, replaces, or rounds. */
bool operation_tells_order(const struct operation *operation)
{
    if (operation->kind != OPERATION_ACCUMULATE)
        return operation->kind > OPERATION_ACCUMULATE;
    if (operation->op == handles.min || operation->op == handles.max ||
        operation->op == handles.no_op)
        return false;
    return operation->op == handles.replace || is_rounded(operation->target_type);
}

/* ---- buffers that MPI uses ---- */

/* Legal: from the call to local completion the program may not read the result nor write the origin
 * (MPI-4.0 §12.3), so nobody can see the poison, and a hash that changes is a store that must not
 * be there. */
void operation_guard(struct operation *operation)
{
    struct bytes bytes;
    if (!settings.poison)
        return;
    if (reads_origin(operation) && bytes_of(&bytes, &operation->origin)) {
        operation->origin_hash = bytes_hash(&bytes);
        operation->has_hash = true;
        bytes_free(&bytes);
    }
    if (is_fetching(operation->kind) && bytes_of(&bytes, &operation->result)) {
        bytes_poison(&bytes);
        operation->poisoned = true;
        bytes_free(&bytes);
    }
}

void operation_check(struct operation *operation)
{
    struct bytes bytes;
    if (operation->has_hash && bytes_of(&bytes, &operation->origin)) {
        if (bytes_hash(&bytes) != operation->origin_hash)
            report_changed(operation->site, operation->routine, true, bytes.high - bytes.low);
        bytes_free(&bytes);
        operation->has_hash = false;
    }
    if (operation->poisoned && bytes_of(&bytes, &operation->result)) {
        if (!bytes_are_poison(&bytes))
            report_changed(operation->site, operation->routine, false, bytes.high - bytes.low);
        bytes_free(&bytes);
        operation->poisoned = false;
    }
}

bool operation_copy(struct operation *operation)
{
    struct bytes bytes;
    if (operation->copy || !reads_origin(operation))
        return true;
    if (operation->kind == OPERATION_COMPARE_AND_SWAP || !bytes_of(&bytes, &operation->origin))
        return false;
    operation->copy =
        bytes_copy(&bytes, operation->origin.base, COPY_MOST, &operation->origin.base);
    bytes_free(&bytes);
    return operation->copy != NULL;
}

/* ---- to MPI ---- */

int operation_issue(const struct operation *o, MPI_Win win)
{
    switch (o->kind) {
    case OPERATION_PUT:
        return pmpi.Put(o->origin.base, o->origin.count, o->origin.type, o->target, o->disp,
                        o->target_count, o->target_type, win);
    case OPERATION_GET:
        return pmpi.Get(o->result.base, o->result.count, o->result.type, o->target, o->disp,
                        o->target_count, o->target_type, win);
    case OPERATION_ACCUMULATE:
        return pmpi.Accumulate(o->origin.base, o->origin.count, o->origin.type, o->target, o->disp,
                               o->target_count, o->target_type, o->op, win);
    case OPERATION_GET_ACCUMULATE:
        return pmpi.Get_accumulate(o->origin.base, o->origin.count, o->origin.type, o->result.base,
                                   o->result.count, o->result.type, o->target, o->disp,
                                   o->target_count, o->target_type, o->op, win);
    case OPERATION_FETCH_AND_OP:
        return pmpi.Fetch_and_op(o->origin.base, o->result.base, o->target_type, o->target, o->disp,
                                 o->op, win);
    default:
        return pmpi.Compare_and_swap(o->origin.base, o->compare.base, o->result.base,
                                     o->target_type, o->target, o->disp, win);
    }
}
