/* Which bytes, and what is done to them. */
#include "generate_state.h"

/* Accesses crowd around a few places, so that they meet. */
static uint32_t spot(struct generator *g, uint32_t size)
{
    uint32_t hot = g->hot[below(g, HOT_SPOTS)];
    if (chance(g, 10))
        hot = below(g, size);
    if (chance(g, 40))
        hot += below(g, 12);
    return hot % size;
}

static uint32_t small_length(struct generator *g)
{
    static const uint8_t lengths[] = {1, 1, 1, 2, 3, 4, 4, 4, 5, 7, 8, 8, 9, 12, 16};
    return lengths[below(g, sizeof lengths)];
}

static struct section contiguous(struct generator *g, uint32_t size)
{
    uint32_t start = spot(g, size), length = small_length(g);
    if (start + length > size)
        length = size - start;
    return (struct section){start, length, 0, 1};
}

/* As many blocks as fit; one block is a contiguous section. */
static struct section fitted(uint32_t start, uint32_t length, uint32_t stride, uint32_t count,
                             uint32_t size)
{
    if (start + length > size)
        start = size - length;
    while (count > 1 && start + (count - 1) * stride + length > size)
        count--;
    return (struct section){start, length, count > 1 ? stride : 0, count};
}

static struct section strided(struct generator *g, uint32_t size)
{
    uint32_t length = 1 + below(g, 8);
    if (length > size)
        length = size;
    return fitted(spot(g, size), length, length + 1 + below(g, 13), 2 + below(g, 7), size);
}

static struct section elements(struct generator *g, uint32_t size, uint32_t element)
{
    uint32_t start = spot(g, size), blocks = 1, stride = 0, length;
    if (!chance(g, 12))
        start -= start % element;
    length = element * (1 + (chance(g, 40) ? below(g, 3) : 0));
    if (length > size)
        length = element;
    if (chance(g, 25)) {
        blocks = 2 + below(g, 4);
        stride = length + (chance(g, 80) ? element : 1 + below(g, element));
    }
    return fitted(start, length, stride, blocks, size);
}

static bool meets(const struct section *a, const struct section *b)
{
    for (uint64_t i = 0; i < a->count; i++)
        for (uint64_t j = 0; j < b->count; j++)
            if (a->start + i * a->stride < b->start + j * b->stride + b->length &&
                b->start + j * b->stride < a->start + i * a->stride + a->length)
                return true;
    return false;
}

/* The sections of one operation are disjoint. */
static void add_section(struct step *step, struct section section)
{
    for (size_t i = 0; i < step->section_count; i++)
        if (meets(&step->sections[i], &section))
            return;
    if (step->section_count < MAX_SECTIONS)
        step->sections[step->section_count++] = section;
}

void own_buffer(struct generator *g, struct section *bytes)
{
    *bytes = chance(g, 70) ? contiguous(g, g->program->memory) : strided(g, g->program->memory);
}

void own_access(struct generator *g, uint32_t rank, uint32_t thread)
{
    struct step step = {.what = chance(g, 45) ? STEP_LOAD : STEP_STORE, .section_count = 1};
    step.sections[0] = contiguous(g, g->program->memory);
    if (chance(g, 3)) /* a range over many granules */
        step.sections[0] = (struct section){below(g, 8), g->program->memory / 2, 0, 1};
    if (chance(g, 8)) { /* a loop over the same place */
        step.site = g->site++;
        for (uint32_t i = 0; i < 3; i++) {
            append(g, rank, thread, step);
            if (section_end(&step.sections[0]) + step.sections[0].length <= g->program->memory)
                step.sections[0].start += step.sections[0].length;
        }
        return;
    }
    append(g, rank, thread, step);
}

/* ---- Operations -------------------------------------------------------------------------------
 */

static void choose_accumulate(struct generator *g, struct step *step, uint32_t size)
{
    static const enum step_what kinds[] = {
        STEP_ACCUMULATE,   STEP_ACCUMULATE,   STEP_GET_ACCUMULATE,  STEP_GET_ACCUMULATE,
        STEP_FETCH_AND_OP, STEP_FETCH_AND_OP, STEP_COMPARE_AND_SWAP};
    step->what = order_free(g) ? STEP_ACCUMULATE : kinds[below(g, 7)];
    step->type = chance(g, 88) ? g->favourite_type : (uint8_t)below(g, TYPE_KINDS);
    step->op = chance(g, 85) ? g->favourite_op : (uint8_t)(OP_SUM + below(g, OP_LIMIT - OP_SUM));
    if (step->what == STEP_COMPARE_AND_SWAP)
        step->op = ACC_CAS;
    else if (step->what != STEP_ACCUMULATE && chance(g, 40))
        step->op = ACC_NO_OP;
    uint32_t element = type_bytes[step->type];
    if (size < element) {
        step->type = TYPE_BYTE;
        element = 1;
    }
    if (step->what == STEP_FETCH_AND_OP || step->what == STEP_COMPARE_AND_SWAP) {
        uint32_t start = spot(g, size);
        start -= chance(g, 90) ? start % element : 0;
        add_section(step, fitted(start, element, 0, 1, size));
        return;
    }
    add_section(step, elements(g, size, element));
    if (chance(g, 15))
        add_section(step, elements(g, size, element));
}

/* A loop of the same operation over neighbouring or equally spaced places: what the log merges. */
static void operation_loop(struct generator *g, uint32_t rank, uint32_t thread, struct step step,
                           uint32_t size)
{
    uint32_t count = 2 + below(g, 5);
    uint32_t advance = (uint32_t)step.sections[0].length + (chance(g, 50) ? 0 : below(g, 9));
    if (chance(g, 35)) /* overlaps itself, or stays where it is */
        advance = chance(g, 50) ? 0 : below(g, advance + 1);
    step.site = g->site++;
    step.slot = 0;
    for (uint32_t i = 0; i < count; i++) {
        append(g, rank, thread, step);
        if (section_end(&step.sections[0]) + advance > size)
            break;
        step.sections[0].start += advance;
    }
}

static void origin_buffers(struct generator *g, struct step *step)
{
    bool writes = step->what == STEP_GET || step->what >= STEP_GET_ACCUMULATE;
    if (!g->buffers || !chance(g, g->flags & GENERATE_BUFFERS ? 60 : 25))
        return;
    if (step->what != STEP_GET && step->op != ACC_NO_OP && chance(g, 70)) {
        step->reads_buffer = true;
        own_buffer(g, &step->read_buffer);
    }
    if (writes && chance(g, 70)) {
        step->writes_buffer = true;
        own_buffer(g, &step->write_buffer);
    }
}

static uint32_t window_size(const struct generator *g, uint32_t window, uint32_t target)
{
    return g->program->windows[window].size[target];
}

void operation(struct generator *g, uint32_t rank, uint32_t thread, uint32_t window,
               uint32_t target, bool in_lock)
{
    struct step step = {.window = (uint8_t)window, .target = (uint8_t)target};
    uint32_t size = window_size(g, window, target);
    if (!size)
        return;
    if (g->atomics ? chance(g, 70) : chance(g, 25)) {
        choose_accumulate(g, &step, size);
    } else {
        step.what = chance(g, 40) ? STEP_GET : STEP_PUT;
        add_section(&step, chance(g, 70) ? contiguous(g, size) : strided(g, size));
        if (chance(g, 12))
            add_section(&step, chance(g, 50) ? contiguous(g, size) : strided(g, size));
        if (chance(g, 2))
            step.section_count = 0;
    }
    if (g->program->windows[window].kind == WINDOW_DYNAMIC) { /* offsets are those of the memory */
        uint32_t at = g->program->windows[window].at[target];
        for (size_t i = 0; i < step.section_count; i++)
            step.sections[i].start += at;
        size += at;
    }
    origin_buffers(g, &step);
    if (step.section_count == 1 && chance(g, 12)) {
        operation_loop(g, rank, thread, step, size);
        return;
    }
    if (in_lock && g->request_count[rank] < MAX_OPEN_REQUESTS && chance(g, 20))
        step.slot = new_slot(g, rank);
    struct step *issued = append(g, rank, thread, step);
    if (step.slot && chance(g, 12)) {
        struct step freed = {.what = STEP_REQUEST_FREE, .slot = step.slot, .group = issued->group};
        append(g, rank, thread, freed);
    } else if (step.slot) {
        g->requests[rank][g->request_count[rank]++] =
            (struct open_request){step.slot, (uint8_t)thread, issued->group};
    }
}

/* ---- Whatever the actor is able to do now -----------------------------------------------------
 */

/* Thread 0 may use every epoch that is open; another thread those that stay open until its end. */
uint8_t reachable(const struct generator *g, uint32_t rank, uint32_t thread, uint32_t window)
{
    const struct rank_window *state = &g->windows[window][rank];
    if (!(g->live >> window & 1) || !(g->program->windows[window].members >> rank & 1))
        return 0;
    if (thread && !(state->users >> thread & 1))
        return 0;
    if (state->started)
        return state->started;
    if (g->mode[window] == MODE_LOCKS)
        return state->held;
    return state->fence_open && g->mode[window] == MODE_FENCES ? g->program->windows[window].members
                                                               : 0;
}

bool remote_access(struct generator *g, uint32_t rank, uint32_t thread)
{
    uint32_t start = below(g, MAX_WINDOWS);
    for (uint32_t i = 0; i < MAX_WINDOWS; i++) {
        uint32_t window = (start + i) % MAX_WINDOWS;
        uint8_t targets = reachable(g, rank, thread, window);
        if (!targets)
            continue;
        operation(g, rank, thread, window, any_member(g, targets),
                  g->windows[window][rank].held != 0);
        g->windows[window][rank].operations = true;
        return true;
    }
    return false;
}

void direct_access_to(struct generator *g, uint32_t rank, uint32_t thread, uint32_t window,
                      uint32_t target)
{
    struct step step = {.what = chance(g, 45) ? STEP_DIRECT_LOAD : STEP_DIRECT_STORE,
                        .window = (uint8_t)window,
                        .target = (uint8_t)target,
                        .section_count = 1};
    if (!window_size(g, window, target))
        return;
    step.sections[0] = contiguous(g, window_size(g, window, target));
    append(g, rank, thread, step);
}

static bool direct(struct generator *g, uint32_t rank, uint32_t thread)
{
    for (uint32_t window = 0; window < MAX_WINDOWS; window++) {
        const struct program_window *shape = &g->program->windows[window];
        uint8_t others = shape->members & (uint8_t)~(1u << rank);
        if (!(g->live >> window & 1) || shape->kind != WINDOW_SHARED ||
            !(shape->members >> rank & 1) || !others)
            continue;
        direct_access_to(g, rank, thread, window, any_member(g, others));
        return true;
    }
    return false;
}

/* With an implicit world, other threads have own loads and stores only (engine.h). */
void some_accesses(struct generator *g, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t rank = below(g, g->program->ranks), thread = any_thread(g, rank);
        bool mpi = !thread || !g->program->implicit_world;
        uint32_t what = below(g, 100);
        if (what < 60 && mpi && remote_access(g, rank, thread))
            continue;
        if (what < 75 && mpi && direct(g, rank, thread))
            continue;
        own_access(g, rank, thread);
    }
}
