/* Accesses (section 1), the lock epochs they are in, and when they are over (section 2). */
#include "oracle_walk.h"

#include <stdlib.h>
#include <string.h>

/* ---- Bytes ------------------------------------------------------------------------------------
 */

static void add_byte(uint64_t *bytes, uint64_t byte)
{
    bytes[byte / 64] |= (uint64_t)1 << (byte % 64);
}

static void add_section(const struct graph *graph, uint64_t *bytes, uint64_t at,
                        const struct section *section)
{
    for (uint64_t block = 0; block < section->count; block++)
        for (uint64_t i = 0; i < section->length; i++)
            add_byte(bytes, at + section->start + block * section->stride + i);
    if (!graph_has(graph, RULE_EXACT_BLOCKS))
        for (uint64_t i = 0; i < section_end(section) - section->start; i++)
            add_byte(bytes, at + section->start + i);
}

static void window_bytes(const struct walk *w, uint32_t window, uint32_t rank, uint64_t *bytes)
{
    const struct program_window *shape = &w->program->windows[window];
    if (!(w->live[window] >> rank & 1))
        return;
    for (uint32_t i = 0; i < shape->size[rank] && shape->kind != WINDOW_DYNAMIC; i++)
        add_byte(bytes, shape->at[rank] + i);
    for (size_t i = 0; i < BYTE_WORDS; i++)
        bytes[i] |= w->attached[window][rank][i];
}

static bool touches_window(const struct walk *w, uint32_t window, const struct access *access)
{
    uint64_t bytes[BYTE_WORDS] = {0}, common = 0;
    window_bytes(w, window, access->owner, bytes);
    for (size_t i = 0; i < BYTE_WORDS; i++)
        common |= bytes[i] & access->bytes[i];
    return common;
}

/* Own accesses and buffers count where a window shows the memory at that moment. */
static bool keep_window_bytes(const struct walk *w, struct access *access)
{
    uint64_t shown[BYTE_WORDS] = {0}, any = 0;
    for (uint32_t window = 0; window < MAX_WINDOWS; window++)
        window_bytes(w, window, access->owner, shown);
    memcpy(access->all_bytes, access->bytes, sizeof access->bytes);
    for (size_t i = 0; i < BYTE_WORDS; i++)
        any |= access->bytes[i] &= shown[i];
    return any || w->program->local_races;
}

static void widen_to_granules(const struct graph *graph, struct access *access)
{
    for (uint32_t b = 0; b < MAX_MEMORY && !graph_has(graph, RULE_EXACT_BYTES); b += 8)
        if (access->bytes[b / 64] >> (b % 64) & 0xff)
            access->bytes[b / 64] |= (uint64_t)0xff << (b % 64);
}

/* ---- Lock epochs ------------------------------------------------------------------------------
 */

/* Information passes from the epochs that wrote before to this one, which reads now. */
static void lock_information(struct walk *w, uint32_t reader, uint32_t event)
{
    struct graph *graph = w->graph;
    const struct lock_epoch *second = &graph->epochs[reader];
    for (size_t i = 0; i < graph->epoch_count; i++) {
        const struct lock_epoch *first = &graph->epochs[i];
        if (first->window == second->window && first->target == second->target &&
            first->unlocked < second->locked && first->wrote &&
            (first->type == LOCK_EXCLUSIVE || second->type == LOCK_EXCLUSIVE))
            edge_by(w, RULE_LOCK_INFORMATION, first->unlock, event);
    }
}

/* A count of zero: no information comes or goes. */
static bool touches_nothing(const struct access *access)
{
    return access->step->section_count == 0;
}

static void lock_access(struct walk *w, struct access *access, uint32_t epoch, uint32_t event)
{
    if (epoch == NEVER)
        return;
    access->locks[access->lock_count++] = epoch;
    enum access_kind kind = access->side.kind;
    if (kind == ACCESS_BUFFER_READ || kind == ACCESS_BUFFER_WRITE || touches_nothing(access))
        return;
    if (kind == ACCESS_LOAD || access_reads_target(kind, access->side.op))
        lock_information(w, epoch, event);
    if (kind == ACCESS_STORE || access_writes_target(kind, access->side.op))
        w->graph->epochs[epoch].wrote = true;
}

static void lock_own_access(struct walk *w, struct access *access, uint32_t event)
{
    uint32_t rank = access->owner;
    for (uint32_t window = 0; window < MAX_WINDOWS; window++)
        if (touches_window(w, window, access))
            lock_access(w, access, w->held[window][rank][rank], event);
}

/* Without the rule that locks do not order, or that they order readers only at the read: edges to
 * the lock itself. */
static void lock_order(struct walk *w, uint32_t epoch, uint32_t event)
{
    struct graph *graph = w->graph;
    const struct lock_epoch *second = &graph->epochs[epoch];
    for (size_t i = 0; i < epoch; i++) {
        const struct lock_epoch *first = &graph->epochs[i];
        if (first->window != second->window || first->target != second->target ||
            first->unlocked >= second->locked)
            continue;
        bool exclusive = first->type == LOCK_EXCLUSIVE || second->type == LOCK_EXCLUSIVE;
        if (!graph_has(graph, RULE_LOCK_ORDER_IS_LUCK) ||
            (!graph_has(graph, RULE_FIRST_READ) && exclusive && first->wrote))
            edge(w, first->unlock, event);
    }
}

void locked(struct walk *w, uint32_t event)
{
    const struct trace_event *e = &w->trace->events[event];
    struct graph *graph = w->graph;
    for (uint32_t t = 0; t < w->program->ranks; t++) {
        if (e->step->target != TARGET_ALL && e->step->target != t)
            continue;
        if (!(w->program->windows[e->step->window].members >> t & 1))
            continue;
        w->held[e->step->window][e->rank][t] =
            TRACE_ADD(graph->epochs, graph->epoch_count, graph->epoch_capacity,
                      (struct lock_epoch){e->rank, e->step->window, (uint8_t)t, e->step->lock,
                                          false, event, NEVER, NEVER});
        lock_order(w, w->held[e->step->window][e->rank][t], event);
    }
}

/* ---- Accesses ---------------------------------------------------------------------------------
 */

static struct access *access_add(struct walk *w, uint32_t event, enum access_kind kind)
{
    const struct trace_event *e = &w->trace->events[event];
    struct graph *graph = w->graph;
    uint32_t index = TRACE_ADD(graph->accesses, graph->access_count, graph->access_capacity,
                               (struct access){.step = e->step,
                                               .owner = e->rank,
                                               .window = -1,
                                               .start = event,
                                               .opening = NEVER,
                                               .operation = NEVER,
                                               .buffer = NEVER});
    struct access *access = &graph->accesses[index];
    access->side.kind = kind;
    access->side.rank = e->rank;
    access->side.thread = e->thread;
    access->side.site = e->step->site;
    access->ends = calloc(graph->words, sizeof *access->ends);
    if (!access->ends)
        abort();
    return access;
}

static void access_drop(struct walk *w)
{
    free(w->graph->accesses[--w->graph->access_count].ends);
}

void end_at(struct access *access, uint32_t event)
{
    access->ends[event / 64] |= (uint64_t)1 << (event % 64);
}

void program_access(struct walk *w, uint32_t event)
{
    const struct step *step = w->trace->events[event].step;
    struct access *access = access_add(w, event, step_access_kind(step->what));
    bool direct = step->what == STEP_DIRECT_LOAD || step->what == STEP_DIRECT_STORE;
    access->direct = true;
    end_at(access, event);
    if (direct) {
        access->owner = step->target;
        access->window = step->window;
        add_section(w->graph, access->bytes, w->program->windows[step->window].at[step->target],
                    &step->sections[0]);
        lock_access(w, access, w->held[step->window][access->side.rank][step->target], event);
    } else {
        add_section(w->graph, access->bytes, 0, &step->sections[0]);
        if (!keep_window_bytes(w, access)) {
            access_drop(w);
            return;
        }
        lock_own_access(w, access, event);
    }
    widen_to_granules(w->graph, access);
}

void operation_issued(struct walk *w, uint32_t event)
{
    const struct trace_event *e = &w->trace->events[event];
    const struct step *step = e->step;
    const struct program_window *shape = &w->program->windows[step->window];
    struct access *access = access_add(w, event, step_access_kind(step->what));
    uint32_t target = step->target;
    access->operation = e->id;
    access->owner = target;
    access->window = step->window;
    access->side.op = step->op;
    access->side.type = step->op == ACC_NONE ? 0 : step->type;
    w->issued[e->id] = event;
    w->access_of[e->id] = (uint32_t)(access - w->graph->accesses);
    for (size_t i = 0; i < step->section_count; i++)
        add_section(w->graph, access->bytes, shape->kind == WINDOW_DYNAMIC ? 0 : shape->at[target],
                    &step->sections[i]);
    widen_to_granules(w->graph, access);
    if (w->held[step->window][e->rank][target] != NEVER) {
        access->mode = MODE_LOCK;
        lock_access(w, access, w->held[step->window][e->rank][target], event);
    } else if (w->started[step->window][e->rank] >> target & 1) {
        access->mode = MODE_PSCW;
        access->epoch = w->start_count[step->window][e->rank][target] - 1;
        if (access_reads_target(access->side.kind, access->side.op) && !touches_nothing(access))
            w->fetched[step->window][e->rank] |= (uint8_t)(1u << target);
    } else {
        access->mode = MODE_FENCE;
        access->epoch = w->fence_count[step->window][e->rank] - 1;
    }
}

void buffer_begins(struct walk *w, uint32_t event)
{
    const struct trace_event *e = &w->trace->events[event];
    const struct trace_buffer *buffer = &w->trace->buffers[e->id];
    struct access *access =
        access_add(w, event, buffer->write ? ACCESS_BUFFER_WRITE : ACCESS_BUFFER_READ);
    access->buffer = e->id;
    access->side.site = buffer->site;
    add_section(w->graph, access->bytes, 0, &buffer->bytes);
    if (!keep_window_bytes(w, access)) {
        access_drop(w);
        return;
    }
    lock_own_access(w, access, event);
    widen_to_granules(w->graph, access);
}

/* Only what begins and ends in a lock epoch is inside of it. */
void buffer_ends(struct walk *w, uint32_t event)
{
    const struct trace_event *e = &w->trace->events[event];
    for (size_t i = 0; i < w->graph->access_count; i++) {
        struct access *access = &w->graph->accesses[i];
        if (access->buffer == e->id)
            end_at(access, event);
    }
}

void leave_buffers_out_of_open_locks(struct graph *graph)
{
    for (size_t i = 0; i < graph->access_count; i++) {
        struct access *access = &graph->accesses[i];
        if (access->buffer == NEVER)
            continue;
        uint32_t kept = 0, end = NEVER;
        for (uint32_t event = 0; event < graph->trace->count; event++)
            if (access->ends[event / 64] >> (event % 64) & 1)
                end = event;
        for (uint32_t l = 0; l < access->lock_count; l++)
            if (end != NEVER && end < graph->epochs[access->locks[l]].unlock)
                access->locks[kept++] = access->locks[l];
        access->lock_count = kept;
    }
}

/* ---- Completion, section 2 --------------------------------------------------------------------
 */

bool like_get(const struct walk *w, const struct access *access)
{
    enum access_kind kind = access->side.kind;
    if (!graph_has(w->graph, RULE_FETCH_WRITES) && access_reads_target(kind, access->side.op))
        return true;
    return kind == ACCESS_GET || (access->side.op == ACC_NO_OP && kind != ACCESS_ACCUMULATE);
}

/* Calls `end_at` for the operations of the caller to that window and target (or TARGET_ALL) that
 * are in an epoch of that mode, and whose data arrives, if that is asked for. */
void complete_operations(struct walk *w, uint32_t event, uint32_t window, uint32_t target,
                         enum access_mode mode, bool gets_only, bool by_order)
{
    uint32_t rank = w->trace->events[event].rank;
    for (size_t i = 0; i < w->graph->access_count; i++) {
        struct access *access = &w->graph->accesses[i];
        if (access->operation == NEVER || access->side.rank != rank ||
            access->window != (int)window || access->mode != mode ||
            (target != TARGET_ALL && access->owner != target) ||
            (gets_only && !like_get(w, access)) ||
            (by_order && !graph_before(w->graph, access->start, event)))
            continue;
        if (mode == MODE_FENCE && access->epoch + 1 != w->fence_count[window][rank])
            continue;
        if (mode == MODE_PSCW && access->epoch + 1 != w->start_count[window][rank][access->owner])
            continue;
        if (mode == MODE_LOCK && !by_order &&
            access->locks[0] != w->held[window][rank][access->owner])
            continue;
        end_at(access, event);
    }
}

void flushed(struct walk *w, uint32_t event, const struct step *step, bool local)
{
    enum oracle_rule rule = local ? RULE_DONE_FLUSH_LOCAL_GET : RULE_DONE_FLUSH;
    bool by_order = graph_has(w->graph, RULE_THREAD_COMPLETION);
    bool gets_only = local && graph_has(w->graph, RULE_FLUSH_LOCAL_IS_LOCAL);
    if (graph_has(w->graph, rule))
        complete_operations(w, event, step->window, step->target, MODE_LOCK, gets_only, by_order);
}

void waited(struct walk *w, uint32_t event)
{
    const struct trace_event *e = &w->trace->events[event];
    uint32_t window = e->step->window;
    for (size_t i = 0; i < w->graph->access_count; i++) {
        struct access *access = &w->graph->accesses[i];
        uint32_t origin = access->side.rank;
        if (access->operation != NEVER && access->mode == MODE_PSCW &&
            access->window == (int)window && access->owner == e->rank &&
            w->posted[window][e->rank] >> origin & 1 &&
            access->epoch + 1 == w->post_count[window][e->rank][origin] &&
            graph_has(w->graph, RULE_DONE_WAIT))
            end_at(access, event);
    }
    for (uint32_t o = 0; o < w->program->ranks; o++)
        if (w->posted[window][e->rank] >> o & 1)
            edge_by(w, RULE_COMPLETE_WAIT,
                    w->completes[window][o][e->rank][w->post_count[window][e->rank][o] - 1], event);
    w->posted[window][e->rank] = 0;
}
