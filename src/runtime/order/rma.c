#include "rma.h"

#include <stdlib.h>

#include "actors.h"
#include "bounds.h"
#include "clocks.h"
#include "crossings.h"
#include "engine/engine.h"
#include "interpose/datatype_layout.h"
#include "interpose/site_records.h"
#include "interpose/stacks.h"
#include "interpose/stand_in_request.h"
#include "own_puts.h"
#include "releases.h"
#include "rma_window.h"
#include "session.h"
#include "window_accesses.h"

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

void rma_ensure_granted(struct call *call)
{
    enum access_kind kind = kind_of(call->routine->object);
    if (call->target == MPI_PROC_NULL || kind == ACCESS_PUT || kind == ACCESS_ACCUMULATE)
        return;
    session_lock();
    window_accesses_settle();
    struct rma_window *window = rma_window_find(call->win);
    struct watched_target *target = window ? rma_target(window, call->target) : NULL;
    bool pending =
        target && !target->granted && window_lock_on(window->model, call->target) != NULL;
    session_unlock();
    if (!pending)
        return;
    pmpi.Win_flush(call->target, call->win); /* an MPI may grant a lock only when it is needed */
    session_lock();
    rma_lock_granted(window, target, window->group->members[call->target]);
    session_unlock();
}

/* Whatever an operation fetches in a fence epoch is known at the closing fence only, which orders
 * everybody anyway. */
static bool is_in_fence_epoch(const struct rma_window *window, int rank)
{
    return !window_lock_on(window->model, rank) && !window->model->access.open;
}

/* The bytes of the operation at hand; grows, is never freed. Needs the session's lock. */
static struct {
    struct section *sections;
    size_t room;
} scratch;

/* The bytes at the target, element by element for accumulates. False without memory. */
static bool target_bytes(struct rma_op *op, const struct layout *layout, uint64_t base,
                         MPI_Count count)
{
    size_t (*list)(const struct layout *, uint64_t, MPI_Count, struct section *, size_t) =
        op->kind >= ACCESS_ACCUMULATE ? layout_elements : layout_sections;
    size_t n = list(layout, base, count, scratch.sections, scratch.room);
    if (n > scratch.room) {
        struct section *larger = realloc(scratch.sections, n * sizeof *larger);
        if (!larger)
            return false;
        scratch.sections = larger;
        scratch.room = n;
        n = list(layout, base, count, scratch.sections, scratch.room);
    }
    op->sections = scratch.sections;
    op->section_count = n;
    return true;
}

static bool is_among(MPI_Datatype type, const MPI_Datatype *types, size_t count)
{
    while (count > 0 && types[count - 1] != type)
        count--;
    return count > 0;
}

/* What becomes of an integer of this type that was found there. */
static enum release_op op_on_integers(MPI_Op op, MPI_Datatype type)
{
    bool with_sign = is_among(type, handles.signed_integers,
                              sizeof handles.signed_integers / sizeof handles.signed_integers[0]);
    if (!with_sign &&
        !is_among(type, handles.unsigned_integers,
                  sizeof handles.unsigned_integers / sizeof handles.unsigned_integers[0]))
        return RELEASE_OTHER;
    if (op == handles.min)
        return with_sign ? RELEASE_MIN : RELEASE_MIN_UNSIGNED;
    if (op == handles.max)
        return with_sign ? RELEASE_MAX : RELEASE_MAX_UNSIGNED;
    return op == handles.sum    ? RELEASE_SUM
           : op == handles.band ? RELEASE_AND
           : op == handles.bor  ? RELEASE_OR
           : op == handles.bxor ? RELEASE_XOR
                                : RELEASE_OTHER;
}

/* The values of an accumulate of one element, in buffers that are described as the target is. */
static struct release_buffers values_of(const struct call *call, const struct rma_op *op,
                                        const struct layout *layout, MPI_Count count,
                                        MPI_Datatype type)
{
    const struct call_buffer *origin = &call->buffers[0];
    struct release_buffers buffers = {0};
    struct section bytes;
    bool sized = routine_has(call->routine, ROLE_target_type);
    if (count != 1 || op->section_count != 1 || op->type_size == 0 || op->type_size > 8 ||
        op->sections[0].length != op->type_size || !layout_is_permanent(session.layouts, type) ||
        layout_sections(layout, op->sections[0].start, 1, &bytes, 1) != 1 ||
        bytes.length != op->type_size)
        return buffers;
    bool alike = !sized || (origin->count == 1 && origin->type == type);
    switch (op->kind) {
    case ACCESS_COMPARE_AND_SWAP:
        buffers = (struct release_buffers){.writes = origin->base,
                                           .compare = call->buffers[1].base,
                                           .result = call->buffers[2].base};
        break;
    default:
        if (alike && call->op == handles.replace)
            buffers.writes = origin->base;
        else if (alike && (buffers.op = op_on_integers(call->op, type)) != RELEASE_OTHER)
            buffers.operand = origin->base;
        if (op->kind != ACCESS_ACCUMULATE &&
            (!sized || (call->buffers[1].count == 1 && call->buffers[1].type == type)))
            buffers.result = call->buffers[1].base;
    }
    return buffers;
}

/* Whether an update of one element, which fetches nothing, can be made one that does without any
 * difference to the program. What it finds comes back from the target, which may be waiting outside
 * MPI, in shared memory or for a file, for what this process does next: so not where anything but
 * remote completion can be waited for. That is MPI_Win_complete, and MPI_Win_flush_local in any
 * program that imports it; a request is another matter (ask_with_request). And not with
 * threads: one of them may take it for complete that only another has completed. */
static bool may_ask(const struct call *call, const struct rma_window *window,
                    const struct release_buffers *buffers)
{
    return call->routine->object == OBJECT_accumulate && buffers->operand && window->fetched &&
           window_lock_on(window->model, call->target) && !actors_are_concurrent() &&
           (!routine_has(call->routine, ROLE_new_request) || !call->fortran) &&
           !rma_program_flushes_locally();
}

/* Only of one that may be under way for long it matters what it found. */
static bool is_spared(const struct rma_op *op, uint64_t memory,
                      const struct release_buffers *buffers)
{
    return (buffers->compare || buffers->operand) && op->target != (uint32_t)session.rank &&
           !rma_program_shares_memory() &&
           own_puts_spared(op->target, memory + op->sections[0].start,
                           memory + section_end(&op->sections[0]));
}

/* The program's request says that its buffer is free, which it is; the one of the update that
 * fetches may wait for the target. */
static int ask_with_request(struct call *call, struct release_answer *answer)
{
    MPI_Datatype type = call->buffers[0].type;
    int result = pmpi.Rget_accumulate(&answer->operand, 1, type, &answer->found, 1, type,
                                      call->target, call->target_disp, 1, call->target_type,
                                      call->op, call->win, &answer->request);
    if (result != MPI_SUCCESS)
        return result;
    answer->has_request = true;
    result = stand_in_request_start((MPI_Request *)call->new_request);
    return result == MPI_SUCCESS ? pmpi.Grequest_complete(*(MPI_Request *)call->new_request)
                                 : result;
}

int rma_ask(struct call *call)
{
    struct release_answer *answer = watched(call)->asks;
    MPI_Datatype type = call->buffers[0].type;
    if (routine_has(call->routine, ROLE_new_request))
        return ask_with_request(call, answer);
    return pmpi.Get_accumulate(call->buffers[0].base, 1, type, &answer->found, 1, type,
                               call->target, call->target_disp, 1, call->target_type, call->op,
                               call->win);
}

uint64_t rma_issued(struct call *call)
{
    return rma_issued_from(call, stack_take(call->caller, call->frame));
}

static uint64_t not_followed(const struct call *call)
{
    if (call->routine->object == OBJECT_put && call->target != MPI_PROC_NULL)
        own_puts_lose();
    return 0;
}

uint64_t rma_issued_from(struct call *call, const struct stack *stack)
{
    struct rma_window *window = rma_window_find(call->win);
    if (letters_pile_up())
        clocks_drain();
    if (!window || call->target < 0 || call->target >= window->group->size)
        return not_followed(call);
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
        return not_followed(call);
    if (accumulates) {
        op.op = op.kind == ACCESS_COMPARE_AND_SWAP ? ACC_CAS : op_number(call->op);
        if (layout_basic(layout, &basic)) {
            op.type = basic.id;
            op.type_size = basic.size;
        }
    }
    const struct member *member = &window->members[call->target];
    uint64_t base = rma_is_dynamic(window) ? (uint64_t)call->target_disp
                                           : (uint64_t)call->target_disp * member->disp_unit;
    if (!target_bytes(&op, layout, base, count))
        return not_followed(call);
    if (!rma_is_dynamic(window))
        bounds_check(call, stack,
                     &(struct window_part){window->model->name, member->size, member->disp_unit,
                                           (int)op.target},
                     op.sections, op.section_count);
    op.site = site_recorded_call(stack, call->routine, call->routine);
    bool releases = accumulates && !is_in_fence_epoch(window, call->target);
    bool has_request = routine_has(call->routine, ROLE_new_request);
    uint64_t stamp = releases ? release_prepare() : 0;
    uint64_t request = engine_rma(session.engine, acting(), &op, has_request);
    struct watched_target *target = rma_target(window, call->target);
    if (target && access_reads_target(op.kind, op.op))
        target->fetched = true;
    uint64_t memory = rma_is_dynamic(window) ? 0 : member->base;
    if (op.kind == ACCESS_PUT)
        own_puts_note(op.target, memory, op.sections, op.section_count);
    if (!releases)
        return request;
    struct release_buffers buffers = values_of(call, &op, layout, count, type);
    buffers.asks = may_ask(call, window, &buffers);
    buffers.spared = is_spared(&op, memory, &buffers);
    buffers.alone = target && target->granted && target->shared_only &&
                    window_lock_on(window->model, call->target);
    request = release_issued(&op, memory, stamp, &buffers, request, has_request);
    if (buffers.asks)
        watched(call)->asks = buffers.answer;
    return request;
}

void rma_request_completed(uint64_t request)
{
    if (!request)
        return;
    clocks_drain();
    engine_request_complete(session.engine, acting(), request);
    release_request_complete(request);
}

void rma_request_freed(uint64_t request)
{
    if (request)
        engine_request_free(session.engine, request);
}
