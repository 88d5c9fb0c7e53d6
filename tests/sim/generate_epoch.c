/* Windows and their epochs.
 *
 * Locks and deadlock: whoever waits for a lock must be sure that its holder goes on. A window is
 * either used for long epochs, shared ones only, inside of which anything may happen; or for short
 * ones, which contain nothing that waits. Two short locks at a time are taken in ascending order. A
 * window changes between the two only at a barrier. */
#include "generate_state.h"

static uint8_t members_of(const struct generator *g, uint32_t window)
{
    return g->program->windows[window].members;
}

bool window_idle(const struct generator *g, uint32_t window)
{
    for (uint32_t r = 0; r < g->program->ranks; r++) {
        const struct rank_window *state = &g->windows[window][r];
        if (state->held || state->started || state->operations || state->users || state->reserved)
            return false;
    }
    return !g->groups_open[window];
}

static bool threads_alive(const struct generator *g, uint8_t members)
{
    for (uint32_t r = 0; r < g->program->ranks; r++)
        if (members >> r & 1 && g->alive[r])
            return true;
    return false;
}

static bool has_users(const struct generator *g, uint32_t window)
{
    for (uint32_t r = 0; r < g->program->ranks; r++)
        if (g->windows[window][r].users)
            return true;
    return false;
}

static void for_members(struct generator *g, uint8_t members, struct step step)
{
    step.group = ++g->group;
    for (uint32_t r = 0; r < g->program->ranks; r++)
        if (members >> r & 1)
            append(g, r, 0, step);
}

static void world_barrier(struct generator *g)
{
    for_members(g, g->program->comms[0], (struct step){.what = STEP_BARRIER, .keep = true});
}

/* ---- Windows come and go ----------------------------------------------------------------------
 */

static void choose_place(struct generator *g, struct program_window *window, uint32_t rank)
{
    uint32_t memory = g->program->memory;
    window->at[rank] = 0;
    window->size[rank] = (uint16_t)memory;
    if (chance(g, 30)) {
        window->at[rank] = (uint16_t)below(g, memory / 2);
        window->size[rank] = (uint16_t)(memory - window->at[rank] - below(g, memory / 4));
    } else if (chance(g, 5)) {
        window->size[rank] = 0;
    }
}

static void choose_mode(struct generator *g, uint32_t window)
{
    uint32_t dice = below(g, 100);
    g->mode[window] = dice < 52 ? MODE_LOCKS : dice < 78 ? MODE_FENCES : MODE_GROUPS;
    g->style[window] = chance(g, 50) ? STYLE_LONG : STYLE_SHORT;
    for (uint32_t r = 0; r < MAX_RANKS; r++)
        g->windows[window][r].fence_open = false;
}

static void attach_all(struct generator *g, uint32_t window, enum step_what what)
{
    const struct program_window *shape = &g->program->windows[window];
    uint32_t group = ++g->group;
    for (uint32_t r = 0; r < g->program->ranks; r++) {
        struct step step = {
            .what = what, .window = (uint8_t)window, .group = group, .section_count = 1};
        step.sections[0] = (struct section){shape->at[r], shape->size[r], 0, 1};
        if (shape->size[r])
            append(g, r, 0, step);
    }
}

/* Before memory is detached: other windows may show it too. */
static void own_accesses(struct generator *g)
{
    for (uint32_t r = 0; r < g->program->ranks; r++)
        if (chance(g, 50))
            own_access(g, r, 0);
}

static void window_begins(struct generator *g)
{
    uint32_t window = 0;
    while (window < MAX_WINDOWS && g->program->windows[window].exists)
        window++;
    if (window == MAX_WINDOWS)
        return;
    struct program_window *shape = &g->program->windows[window];
    uint8_t members = g->program->comms[chance(g, 70) ? 0 : below(g, MAX_COMMS)];
    if (!members)
        members = g->program->comms[0];
    uint32_t dice = below(g, 100);
    enum window_kind kind = dice < 65 ? WINDOW_PLAIN : dice < 85 ? WINDOW_SHARED : WINDOW_DYNAMIC;
    if (kind == WINDOW_DYNAMIC)
        members = g->program->comms[0];
    if (threads_alive(g, members) || (kind == WINDOW_DYNAMIC && threads_alive(g, 0xff)))
        return;
    shape->exists = true;
    shape->kind = kind;
    shape->members = members;
    shape->same_op = chance(g, 20);
    for (uint32_t r = 0; r < g->program->ranks; r++)
        if (members >> r & 1)
            choose_place(g, shape, r);
    choose_mode(g, window);
    for_members(g, members, (struct step){.what = STEP_WIN_CREATE, .window = (uint8_t)window});
    g->live |= (uint8_t)(1u << window);
    if (kind == WINDOW_DYNAMIC) {
        attach_all(g, window, STEP_ATTACH);
        world_barrier(g);
    }
}

void window_ends(struct generator *g, uint32_t window)
{
    uint8_t members = members_of(g, window);
    if (!(g->live >> window & 1) || !window_idle(g, window) || threads_alive(g, members))
        return;
    if (g->program->windows[window].kind == WINDOW_DYNAMIC) {
        if (threads_alive(g, 0xff))
            return;
        world_barrier(g);
        own_accesses(g);
        attach_all(g, window, STEP_DETACH);
    }
    for_members(g, members, (struct step){.what = STEP_WIN_FREE, .window = (uint8_t)window});
    g->live &= (uint8_t)~(1u << window);
}

/* The attached memory moves. */
static void attach_elsewhere(struct generator *g, uint32_t window)
{
    if (threads_alive(g, 0xff) || !window_idle(g, window))
        return;
    world_barrier(g);
    own_accesses(g);
    attach_all(g, window, STEP_DETACH);
    for (uint32_t r = 0; r < g->program->ranks; r++)
        choose_place(g, &g->program->windows[window], r);
    attach_all(g, window, STEP_ATTACH);
    world_barrier(g);
}

static void change_mode(struct generator *g, uint32_t window)
{
    if (!window_idle(g, window))
        return;
    world_barrier(g);
    choose_mode(g, window);
}

/* ---- Fence ------------------------------------------------------------------------------------
 */

bool fence(struct generator *g, uint32_t window)
{
    bool clean = true;
    if (has_users(g, window))
        return false;
    for (uint32_t r = 0; r < g->program->ranks; r++)
        clean = clean && !g->windows[window][r].operations;
    for_members(g, members_of(g, window),
                (struct step){.what = STEP_FENCE,
                              .window = (uint8_t)window,
                              .no_precede = clean && chance(g, 50)});
    for (uint32_t r = 0; r < g->program->ranks; r++) {
        g->windows[window][r].fence_open = true;
        g->windows[window][r].operations = false;
    }
    return true;
}

/* ---- Post, start, complete, wait --------------------------------------------------------------
 */

/* Every target posts to some origins; every origin starts towards those that posted to it. */
static void open_groups(struct generator *g, uint32_t window)
{
    uint8_t members = members_of(g, window), starts[MAX_RANKS] = {0};
    uint32_t group = ++g->group;
    for (uint32_t t = 0; t < g->program->ranks; t++) {
        uint8_t origins =
            members & (uint8_t)below(g, 256) & (uint8_t)(chance(g, 90) ? ~(1u << t) : 0xff);
        g->posted[window][t] = 0;
        if (!(members >> t & 1) || !origins || chance(g, 35))
            continue;
        g->posted[window][t] = origins;
        append(
            g, t, 0,
            (struct step){
                .what = STEP_POST, .window = (uint8_t)window, .members = origins, .group = group});
        for (uint32_t o = 0; o < g->program->ranks; o++)
            if (origins >> o & 1)
                starts[o] |= (uint8_t)(1u << t);
    }
    for (uint32_t o = 0; o < g->program->ranks; o++) {
        if (!starts[o])
            continue;
        append(g, o, 0,
               (struct step){.what = STEP_START,
                             .window = (uint8_t)window,
                             .members = starts[o],
                             .group = group});
        g->windows[window][o].started = starts[o];
        g->groups_open[window] = true;
        g->groups_number[window] = group;
    }
}

static void close_groups(struct generator *g, uint32_t window)
{
    uint32_t group = g->groups_number[window];
    if (!g->groups_open[window] || has_users(g, window))
        return;
    for (uint32_t o = 0; o < g->program->ranks; o++)
        if (g->windows[window][o].started) {
            append(g, o, 0,
                   (struct step){.what = STEP_COMPLETE, .window = (uint8_t)window, .group = group});
            g->windows[window][o].started = 0;
            g->windows[window][o].operations = false;
        }
    for (uint32_t t = 0; t < g->program->ranks; t++)
        if (g->posted[window][t])
            append(g, t, 0,
                   (struct step){.what = STEP_WIN_WAIT, .window = (uint8_t)window, .group = group});
    g->groups_open[window] = false;
}

/* ---- Locks ------------------------------------------------------------------------------------
 */

static void flush(struct generator *g, uint32_t rank, uint32_t thread, uint32_t window,
                  uint8_t targets)
{
    struct step step = {.what = chance(g, 65) ? STEP_FLUSH : STEP_FLUSH_LOCAL,
                        .window = (uint8_t)window,
                        .target = TARGET_ALL};
    if (!chance(g, 35))
        step.target = (uint8_t)any_member(g, targets);
    append(g, rank, thread, step);
}

/* The same place in the program, on the same bytes, in one epoch after the other. */
static void look_at_flag(struct generator *g, uint32_t rank, uint32_t thread)
{
    struct step step = {
        .what = chance(g, 70) ? STEP_LOAD : STEP_STORE, .section_count = 1, .site = g->flag_site};
    step.sections[0] = (struct section){g->flag, 4, 0, 1};
    append(g, rank, thread, step);
}

static void inside_epoch(struct generator *g, uint32_t rank, uint32_t thread, uint32_t window,
                         uint32_t target)
{
    uint32_t count = below(g, 4);
    bool shared = g->program->windows[window].kind == WINDOW_SHARED;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t dice = below(g, 100);
        if (target == rank && dice < 20)
            look_at_flag(g, rank, thread);
        else if (target == rank && g->buffers && dice < 35)
            buffer_from_here(g, rank, thread);
        else if (target == rank && dice < 60)
            own_access(g, rank, thread);
        else if (target != rank && shared && dice < 40)
            direct_access_to(g, rank, thread, window, target);
        else if (dice < 80)
            operation(g, rank, thread, window, target, true);
        else if (dice < 93)
            flush(g, rank, thread, window, (uint8_t)(1u << target));
        else
            own_access(g, rank, thread);
    }
}

enum lock_type short_lock_type(struct generator *g, uint32_t window)
{
    if (order_free(g) || g->style[window] == STYLE_LONG)
        return LOCK_SHARED;
    return chance(g, 65) ? LOCK_EXCLUSIVE : LOCK_SHARED;
}

bool may_lock_shortly(const struct generator *g, uint32_t window, uint32_t rank, uint32_t thread)
{
    const struct rank_window *state = &g->windows[window][rank];
    return g->live >> window & 1 && g->mode[window] == MODE_LOCKS &&
           members_of(g, window) >> rank & 1 && !state->held && state->reserved == thread;
}

static uint32_t choose_target(struct generator *g, uint32_t window)
{
    uint8_t members = members_of(g, window);
    return members >> g->busy & 1 && chance(g, 50) ? g->busy : any_member(g, members);
}

static void short_epoch(struct generator *g, uint32_t window, uint32_t rank, uint32_t thread)
{
    struct step step = {.what = STEP_LOCK, .window = (uint8_t)window, .group = ++g->group};
    uint32_t target = choose_target(g, window);
    step.target = (uint8_t)target;
    step.lock = short_lock_type(g, window);
    append(g, rank, thread, step);
    inside_epoch(g, rank, thread, window, target);
    bool twice = g->style[window] == STYLE_SHORT && chance(g, 20);
    uint32_t second = target + 1;
    while (twice && second < g->program->ranks && !(members_of(g, window) >> second & 1))
        second++;
    if (twice && second < g->program->ranks) {
        struct step other = step;
        other.group = ++g->group;
        other.target = (uint8_t)second;
        other.lock = short_lock_type(g, window);
        append(g, rank, thread, other);
        inside_epoch(g, rank, thread, window, second);
        inside_epoch(g, rank, thread, window, target);
        other.what = STEP_UNLOCK;
        append(g, rank, thread, other);
    }
    step.what = STEP_UNLOCK;
    append(g, rank, thread, step);
}

static void open_long(struct generator *g, uint32_t window, uint32_t rank)
{
    struct rank_window *state = &g->windows[window][rank];
    uint8_t members = members_of(g, window), targets = members & (uint8_t)(1 + below(g, 255));
    struct step step = {
        .what = STEP_LOCK, .window = (uint8_t)window, .target = TARGET_ALL, .lock = LOCK_SHARED};
    if (chance(g, 60) || !targets) {
        step.group = g->lock_group[window][rank] = ++g->group;
        append(g, rank, 0, step);
        state->held = members;
        state->locked_all = true;
        return;
    }
    step.group = g->lock_group[window][rank] = ++g->group;
    for (uint32_t t = 0; t < g->program->ranks; t++)
        if (targets >> t & 1) {
            step.target = (uint8_t)t;
            append(g, rank, 0, step);
        }
    state->held = targets;
    state->locked_all = false;
}

static void close_long(struct generator *g, uint32_t window, uint32_t rank)
{
    struct rank_window *state = &g->windows[window][rank];
    struct step step = {.what = STEP_UNLOCK,
                        .window = (uint8_t)window,
                        .target = TARGET_ALL,
                        .group = g->lock_group[window][rank]};
    if (!state->held || state->users)
        return;
    if (state->locked_all)
        append(g, rank, 0, step);
    for (uint32_t t = 0; t < g->program->ranks && !state->locked_all; t++)
        if (state->held >> t & 1) {
            step.target = (uint8_t)t;
            append(g, rank, 0, step);
        }
    state->held = 0;
    state->locked_all = false;
    state->operations = false;
}

static uint32_t user_thread(struct generator *g, uint32_t window, uint32_t rank)
{
    uint32_t thread = any_thread(g, rank);
    return g->windows[window][rank].users >> thread & 1 ? thread : 0;
}

static void lock_action(struct generator *g, uint32_t window)
{
    uint32_t rank = any_member(g, members_of(g, window));
    struct rank_window *state = &g->windows[window][rank];
    if (state->held) {
        if (chance(g, 25))
            close_long(g, window, rank);
        else
            flush(g, rank, user_thread(g, window, rank), window, state->held);
    } else if (state->reserved) {
        short_epoch(g, window, rank, state->reserved);
    } else if (g->style[window] == STYLE_LONG && chance(g, 75)) {
        open_long(g, window, rank);
    } else {
        short_epoch(g, window, rank, 0);
    }
}

/* Most programs have one window that is locked for long from the start and one for short locks. */
void windows_begin(struct generator *g)
{
    uint32_t count = 1 + below(g, 4);
    for (uint32_t i = 0; i < count; i++) {
        window_begins(g);
        if (i == 0 && chance(g, 70)) {
            g->mode[i] = MODE_LOCKS;
            g->style[i] = STYLE_LONG;
            for (uint32_t r = 0; r < g->program->ranks; r++)
                if (members_of(g, i) >> r & 1 && chance(g, 75))
                    open_long(g, i, r);
        } else if (i == 1 && chance(g, 70)) {
            g->mode[i] = MODE_LOCKS;
            g->style[i] = STYLE_SHORT;
        } else if (i > 1 && chance(g, 60)) {
            g->mode[i] = chance(g, 50) ? MODE_FENCES : MODE_GROUPS;
        }
    }
}

/* ---- Any of these -----------------------------------------------------------------------------
 */

void epoch_action(struct generator *g)
{
    uint32_t window = below(g, MAX_WINDOWS);
    bool coming_and_going = !order_free(g) || !threads_alive(g, 0xff);
    if (coming_and_going && chance(g, 4))
        window_begins(g);
    if (!(g->live >> window & 1))
        return;
    if (chance(g, 5)) {
        change_mode(g, window);
        return;
    }
    if (coming_and_going && chance(g, 3)) {
        window_ends(g, window);
        return;
    }
    if (g->program->windows[window].kind == WINDOW_DYNAMIC && chance(g, 8)) {
        attach_elsewhere(g, window);
        return;
    }
    if (g->mode[window] == MODE_FENCES)
        fence(g, window);
    else if (g->mode[window] == MODE_GROUPS && g->groups_open[window])
        close_groups(g, window);
    else if (g->mode[window] == MODE_GROUPS)
        open_groups(g, window);
    else
        lock_action(g, window);
}

/* Threads are gone already. */
void close_epochs(struct generator *g)
{
    for (uint32_t window = 0; window < MAX_WINDOWS; window++) {
        bool operations = false;
        if (!(g->live >> window & 1))
            continue;
        close_groups(g, window);
        for (uint32_t r = 0; r < g->program->ranks; r++) {
            close_long(g, window, r);
            operations = operations || g->windows[window][r].operations;
        }
        if (g->mode[window] == MODE_FENCES && operations)
            fence(g, window);
        if (chance(g, 50))
            window_ends(g, window);
    }
}
