/* Makes a program one that C and MPI can express: see translate.h. */
#include "translate.h"

#include <string.h>

/* ---- What can be expressed --------------------------------------------------------------------
 */

/* Calls `what` for every step of a rank, of all its threads. */
#define EACH_STEP(program, rank, step)                                                             \
    for (uint32_t t_ = 0; t_ < MAX_THREADS; t_++)                                                  \
        for (struct step *step = (program)->lists[rank][t_].steps,                                 \
                         *end_ = step + (program)->lists[rank][t_].count;                          \
             step < end_; step++)

static bool is_operation_of_slot(const struct program *program, uint32_t rank, uint8_t slot)
{
    EACH_STEP(program, rank, step)
    if (step->slot == slot && step_is_rma(step->what))
        return true;
    return false;
}

static bool is_forbidden(const struct program *program, uint32_t rank, const struct step *step)
{
    if (step->what == STEP_REQUEST_FREE)
        return is_operation_of_slot(program, rank, step->slot);
    if (step->what != STEP_COMPARE_AND_SWAP)
        return false;
    /* (Open MPI 4.1.4 crashes when a process swaps 64 bits with itself.) */
    return step->type == TYPE_FLOAT || step->type == TYPE_DOUBLE ||
           (step->type == TYPE_LONG && step->target == rank);
}

/* MPI has no request-based flavour of these. */
static void take_request(struct program *program, uint32_t rank, struct step *operation)
{
    uint8_t slot = operation->slot;
    operation->slot = 0;
    for (uint32_t t = 0; t < MAX_THREADS && slot; t++)
        for (size_t i = program->lists[rank][t].count; i-- > 0;)
            if (program->lists[rank][t].steps[i].slot == slot)
                program_remove_step(program, rank, t, i);
}

/* ---- Buffers ----------------------------------------------------------------------------------
 */

/* A buffer of that many bytes from where it was; none if there is no room for it. */
static bool fit(const struct program *program, struct section *buffer, uint64_t bytes)
{
    *buffer = (struct section){buffer->start, bytes, 0, 1};
    return bytes > 0 && section_end(buffer) <= program->memory;
}

static void fit_both(const struct program *program, struct step *step, uint64_t reads,
                     uint64_t writes)
{
    step->reads_buffer = step->reads_buffer && fit(program, &step->read_buffer, reads);
    step->writes_buffer = step->writes_buffer && fit(program, &step->write_buffer, writes);
    if (step->reads_buffer && step->writes_buffer &&
        step->read_buffer.start < section_end(&step->write_buffer) &&
        step->write_buffer.start < section_end(&step->read_buffer))
        step->reads_buffer = false; /* buffers of one call must not overlap */
}

/* MPICH ends a program whose operation goes from a place to the same place. */
static bool meets_target(const struct program *program, const struct step *step,
                         const struct section *buffer)
{
    const struct program_window *window = &program->windows[step->window];
    uint64_t at = window->kind == WINDOW_DYNAMIC ? 0 : window->at[step->target];
    for (size_t i = 0; i < step->section_count; i++)
        if (buffer->start < at + section_end(&step->sections[i]) &&
            at + step->sections[i].start < section_end(buffer))
            return true;
    return false;
}

static void fit_operation(const struct program *program, uint32_t rank, struct step *step)
{
    uint64_t bytes = step_bytes(step);
    bool reads = step->what != STEP_GET && step->op != ACC_NO_OP;
    bool writes = step->what == STEP_GET || step->what >= STEP_GET_ACCUMULATE;
    fit_both(program, step, reads ? bytes : 0, writes ? bytes : 0);
    if (step->target == rank && step->reads_buffer &&
        meets_target(program, step, &step->read_buffer))
        step->reads_buffer = false;
    if (step->target == rank && step->writes_buffer &&
        meets_target(program, step, &step->write_buffer))
        step->writes_buffer = false;
}

static const struct step *receive_of(const struct program *program, const struct step *send)
{
    EACH_STEP(program, send->peer, step)
    if (step->what == STEP_RECV && step->tag == send->tag)
        return step;
    return NULL;
}

/* Not longer than what the receiver has room for. */
static void fit_message(const struct program *program, struct step *step)
{
    const struct step *receive = step->what == STEP_RECV ? NULL : receive_of(program, step);
    uint64_t reads = step->read_buffer.length, writes = step->write_buffer.length;
    if (receive && receive->writes_buffer && receive->write_buffer.length < reads)
        reads = receive->write_buffer.length;
    fit_both(program, step, reads, writes);
}

/* What a rank reads and writes in a collective: see print_collective. Where some contribute
 * nothing, what the others do leaves gaps; then there is no buffer. */
static void fit_collective(const struct program *program, uint32_t rank, struct step *step)
{
    uint8_t members = program->comms[step->comm];
    uint64_t size = (uint64_t)__builtin_popcount(members), reads = 0, writes = 0;
    bool root = step->root == rank;
    if (!step->zero && step->slot)
        switch (step->what) {
        case STEP_ALLREDUCE:
        case STEP_SCAN:
            reads = writes = sizeof(int);
            break;
        case STEP_EXSCAN:
            reads = sizeof(int);
            writes = rank_in(members, rank) ? sizeof(int) : 0;
            break;
        case STEP_REDUCE:
            reads = sizeof(int);
            writes = root ? sizeof(int) : 0;
            break;
        case STEP_REDUCE_SCATTER:
            reads = size * sizeof(int);
            writes = sizeof(int);
            break;
        case STEP_BCAST:
            reads = root;
            writes = !root;
            break;
        case STEP_ALLGATHER:
            reads = 1;
            writes = size;
            break;
        case STEP_ALLTOALL:
            reads = writes = size;
            break;
        case STEP_SCATTER:
            reads = root ? size : 0;
            writes = 1;
            break;
        case STEP_GATHER:
            reads = 1;
            writes = root ? size : 0;
            break;
        case STEP_NEIGHBOR:
            reads = writes = 1;
            break;
        default:
            break;
        }
    fit_both(program, step, reads, writes);
}

static void fit_buffers(struct program *program, uint32_t rank, struct step *step)
{
    if (step_is_rma(step->what))
        fit_operation(program, rank, step);
    else if (step_is_collective(step->what))
        fit_collective(program, rank, step);
    else if (step->what >= STEP_SEND && step->what <= STEP_RECV)
        fit_message(program, step);
}

/* ---- Shared memory ----------------------------------------------------------------------------
 */

static bool has_direct(const struct program *program)
{
    for (uint32_t r = 0; r < program->ranks; r++)
        EACH_STEP(program, r, step)
    if (step_is_direct(step))
        return true;
    return false;
}

static void insert_first(struct program *program, uint32_t rank, const struct step *step)
{
    program_append(program, rank, 0, step);
    struct step_list *list = &program->lists[rank][0];
    memmove(list->steps + 1, list->steps, (list->count - 1) * sizeof *step);
    list->steps[0] = *step;
}

/* One window of all ranks, from the start to the end. False if there are too many windows already.
 */
static bool make_segments(struct program *program)
{
    uint32_t segments = 0;
    while (segments < MAX_WINDOWS && program->windows[segments].exists)
        segments++;
    if (segments == MAX_WINDOWS)
        return false;
    struct program_window *window = &program->windows[segments];
    *window = (struct program_window){
        .exists = true, .kind = WINDOW_SHARED, .members = program->comms[0]};
    for (uint32_t r = 0; r < program->ranks; r++) {
        window->size[r] = (uint16_t)program->memory;
        insert_first(program, r,
                     &(struct step){.what = STEP_WIN_CREATE,
                                    .window = (uint8_t)segments,
                                    .group = UINT32_MAX,
                                    .keep = true});
    }
    program->segments = (uint8_t)(segments + 1);
    return true;
}

static bool use_segments(struct program *program)
{
    if (program->segments)
        return true;
    if (has_direct(program) && !make_segments(program))
        return false;
    uint32_t segments = program->segments - 1u;
    for (uint32_t r = 0; r < program->ranks && program->segments; r++)
        EACH_STEP(program, r, step)
        {
            if (!step_is_direct(step) || step->window == segments)
                continue;
            step->sections[0].start += program->windows[step->window].at[step->target];
            step->window = (uint8_t)segments;
        }
    for (uint32_t w = 0; w < MAX_WINDOWS; w++)
        if (program->windows[w].kind == WINDOW_SHARED && w != segments)
            program->windows[w].kind = WINDOW_PLAIN;
    return true;
}

bool translate_adapt(struct program *program, bool threads)
{
    program->local_races = true;
    if (!use_segments(program))
        return false;
    for (uint32_t r = 0; r < program->ranks; r++)
        for (uint32_t t = 0; t < MAX_THREADS; t++)
            for (size_t i = program->lists[r][t].count; i-- > 0;) {
                struct step *step = &program->lists[r][t].steps[i];
                if (step->what == STEP_FETCH_AND_OP || step->what == STEP_COMPARE_AND_SWAP)
                    take_request(program, r, step);
                if (is_forbidden(program, r, step) || (!threads && step_is_of_threads(step->what)))
                    return false;
            }
    for (int round = 0; round < 2; round++) /* receives first: sends look at them */
        for (uint32_t r = 0; r < program->ranks; r++)
            EACH_STEP(program, r, step)
    fit_buffers(program, r, step);
    return true;
}
