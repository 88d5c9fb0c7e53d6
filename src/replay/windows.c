/* Windows: their memory, and who takes part. */
#include "window.h"

struct window *window_at(struct call *c, int argument)
{
    int number = object_of(c, KIND_WIN, address_at(c, argument));
    if (!failed(c) && (number < 0 || c->w->mpi->windows.at[number]->freed[c->p->rank]))
        wrong(c);
    return failed(c) ? NULL : c->w->mpi->windows.at[number];
}

struct comm *window_comm(struct call *c, int argument)
{
    struct window *window = window_at(c, argument);
    return window ? window->comm : NULL;
}

bool window_attribute(struct call *c, uint64_t key, uint64_t *value, bool *pointer)
{
    const struct numbers *numbers = &c->w->mpi->numbers;
    struct window *window = window_at(c, 0);
    if (!window)
        return false;
    if (key == numbers->win_base)
        *value = window->base[c->p->rank];
    else if (key == numbers->win_size)
        *value = window->size[c->p->rank];
    else if (key == numbers->win_disp_unit)
        *value = window->unit[c->p->rank];
    else
        return false;
    *pointer = key == numbers->win_base;
    return true;
}

bool mpi_shared_segment(struct world *w, int owner, uint64_t address, window_t *window,
                        uint64_t *start)
{
    for (size_t i = 0; i < w->mpi->windows.n; i++) {
        const struct window *at = w->mpi->windows.at[i];
        if (at->shared && !at->freed[owner] && address >= at->base[owner] &&
            address - at->base[owner] < at->size[owner]) {
            *window = at->name;
            *start = at->base[owner];
            return true;
        }
    }
    return false;
}

static struct window *window_make(struct call *c, struct gathering *g)
{
    struct mpi *mpi = c->w->mpi;
    struct window *window = zeroed(1, sizeof *window);
    window->comm = comm_new(mpi, g->comm->size, g->comm->ranks);
    window->number = ADD(&mpi->windows, window);
    window->name = window->number + 1;
    for (int i = 0; i < g->comm->size; i++)
        g->parts[i].object = window;
    return window;
}

/* Each process has its own part of a shared window, whose address tells others whose it is: that
 * the parts follow each other is not modelled. */
static enum outcome create(struct call *c)
{
    const struct routine *routine = c->function->routine;
    bool dynamic = routine->object == OBJECT_dynamic_window,
         given = routine->object == OBJECT_window;
    struct comm *comm = comm_with(c);
    int64_t size = dynamic ? 0 : number_with(c, ROLE_size),
            unit = dynamic ? 1 : number_with(c, ROLE_disp_unit);
    int info = object_of(c, KIND_INFO, address_with(c, ROLE_info));
    uint64_t base = given ? address_with(c, ROLE_base) : 0;
    struct gathering *g;
    int mine;
    if (failed(c) || routine->large)
        return STOPS;
    if (size < 0 || unit <= 0)
        return wrong(c);
    const int64_t numbers[4] = {size, unit, (int64_t)base, info >= 0 && c->w->mpi->infos.at[info]};
    if (!all_together(c, comm, numbers, false, &g, &mine))
        return failed(c) ? STOPS : WAITS;
    struct window *window = g->parts[mine].object ? g->parts[mine].object : window_make(c, g);
    int me = c->p->rank;
    window->dynamic = dynamic;
    window->shared = routine->object == OBJECT_shared_window;
    window->same_op |= numbers[3];
    if (!window->base[me] && !dynamic) /* all at once: who is first asks for others' parts */
        for (int i = 0; i < comm->size; i++) {
            int r = comm->ranks[i];
            window->size[r] = (uint64_t)g->parts[i].numbers[0];
            window->unit[r] = (uint64_t)g->parts[i].numbers[1];
            window->base[r] =
                given ? (uint64_t)g->parts[i].numbers[2]
                      : memory_allocate(&c->w->processes[r], window->size[r], 64, window->shared);
        }
    base = window->base[me];
    if (!dynamic && size && !memory_at(c->w, c->p, base, (uint64_t)size, NULL, NULL)) {
        stop(c->w, c->p, "a window of memory that is not the program's");
        return STOPS;
    }
    if (!given && !dynamic)
        store_number(c, address_with(c, ROLE_new_base), 8, base);
    const struct window_info facts = {.same_op = window->same_op, .dynamic = dynamic};
    engine_window_create(c->p->engine, window->name, dynamic ? 0 : base,
                         dynamic ? 0 : (uint64_t)size, &facts);
    memory_mark(c->w, base, (uint64_t)size, WINDOW);
    gathering_learn(c, g, mine);
    store_handle(c, address_with(c, ROLE_new_win), KIND_WIN, window->number);
    c->w->interesting = true;
    return failed(c) ? STOPS : OVER;
}

static enum outcome destroy(struct call *c)
{
    uint64_t address = address_with(c, ROLE_freed_win);
    int number = failed(c) ? -1 : object_of(c, KIND_WIN, handle_in(c, address)), mine;
    if (failed(c))
        return STOPS;
    if (number < 0)
        return wrong(c);
    struct window *window = c->w->mpi->windows.at[number];
    struct gathering *g;
    const int64_t none[4] = {0};
    if (c->p->phase == 0) {
        buffers_over(c, window, -1);
        engine_window_free(c->p->engine, 0, window->name);
    }
    if (!all_together(c, window->comm, none, true, &g, &mine))
        return failed(c) ? STOPS : WAITS;
    operations_over(c, window, -1);
    take_in(c->p);
    engine_window_gone(c->p->engine, window->name);
    window->freed[c->p->rank] = true;
    store_null(c, address, KIND_WIN);
    return failed(c) ? STOPS : OVER;
}

static bool shown_elsewhere(const struct call *c, const struct window *but,
                            const struct attached *memory)
{
    int me = c->p->rank;
    for (size_t i = 0; i < c->w->mpi->windows.n; i++) {
        const struct window *window = c->w->mpi->windows.at[i];
        if (window == but || window->freed[me])
            continue;
        if (window->size[me] && window->base[me] < memory->base + memory->size &&
            memory->base < window->base[me] + window->size[me])
            return true;
        for (size_t k = 0; k < window->attached[me].n; k++)
            if (window->attached[me].at[k].base < memory->base + memory->size &&
                memory->base < window->attached[me].at[k].base + window->attached[me].at[k].size)
                return true;
    }
    return false;
}

static enum outcome attach(struct call *c, bool attaches)
{
    struct window *window = window_at(c, argument_with(c, ROLE_win));
    uint64_t base = address_with(c, ROLE_base);
    int64_t size = attaches ? number_with(c, ROLE_size) : 0;
    if (failed(c))
        return STOPS;
    if (!window->dynamic || size < 0)
        return wrong(c);
    int me = c->p->rank;
    if (attaches) {
        if (size && !memory_at(c->w, c->p, base, (uint64_t)size, NULL, NULL))
            return STOPS;
        struct attached attached = {base, (uint64_t)size};
        ADD(&window->attached[me], attached);
        memory_mark(c->w, base, (uint64_t)size, WINDOW);
        engine_window_attach(c->p->engine, 0, window->name, base, (uint64_t)size);
        return OVER;
    }
    for (size_t i = 0; i < window->attached[me].n; i++)
        if (window->attached[me].at[i].base == base) {
            struct attached *at = &window->attached[me].at[i];
            if (at->size &&
                !shown_elsewhere(c, window,
                                 at)) /* whoever still accesses it by the window meets a store */
                engine_store(c->p->engine, 0, base, at->size,
                             site_here(c->w, c->p, NULL, "MPI_Win_detach"));
            engine_window_detach(c->p->engine, 0, window->name, base);
            *at = window->attached[me].at[--window->attached[me].n];
            return OVER;
        }
    return wrong(c);
}

static enum outcome shared_query(struct call *c)
{
    struct window *window = window_at(c, 0);
    int64_t rank = number_at(c, 1);
    if (failed(c) || !window->shared)
        return STOPS;
    if (rank == c->w->mpi->numbers.proc_null) {
        for (rank = 0; rank < window->comm->size - 1 && !window->size[window->comm->ranks[rank]];)
            rank++;
    }
    if (rank < 0 || rank >= window->comm->size)
        return wrong(c);
    int r = window->comm->ranks[rank];
    store_number(c, address_at(c, 2), 8, window->size[r]);
    store_number(c, address_at(c, 3), 4, window->unit[r]);
    store_number(c, address_at(c, 4), 8, window->base[r]);
    return failed(c) ? STOPS : OVER;
}

enum outcome window_call(struct call *c)
{
    const struct routine *routine = c->function->routine;
    if (routine->verb == VERB_creates)
        return create(c);
    if (routine->verb == VERB_frees)
        return destroy(c);
    if (routine->verb == VERB_attaches || routine->verb == VERB_detaches)
        return routine->object == OBJECT_memory ? attach(c, routine->verb == VERB_attaches) : STOPS;
    return !strcmp(routine->name, "MPI_Win_shared_query") ? shared_query(c) : STOPS;
}

void windows_close(struct mpi *mpi)
{
    for (size_t i = 0; i < mpi->windows.n; i++) {
        struct window *window = mpi->windows.at[i];
        for (int a = 0; a < MOST_PROCESSES; a++) {
            for (int b = 0; b < MOST_PROCESSES; b++) {
                struct pair_state *pair = &window->pairs[a][b];
                for (size_t k = 0; k < pair->posts.n; k++)
                    free(pair->posts.at[k].data);
                for (size_t k = 0; k < pair->completes.n; k++)
                    free(pair->completes.at[k].data);
                EMPTY(&pair->posts);
                EMPTY(&pair->completes);
            }
            free(window->lock_state[a].data);
            EMPTY(&window->attached[a]);
        }
        free(window);
    }
    EMPTY(&mpi->windows);
    releases_close(mpi);
}

void mpi_hand_over(struct world *w)
{
    for (size_t i = 0; i < w->mpi->windows.n; i++)
        for (int p = 0; p < w->n; p++)
            for (int t = 0; t < w->n; t++)
                if (rank_in(w->mpi->windows.at[i]->comm, p) >= 0 &&
                    rank_in(w->mpi->windows.at[i]->comm, t) >= 0 && w->processes[p].initialised)
                    engine_hand_over(w->processes[p].engine, w->mpi->windows.at[i]->name,
                                     (uint32_t)t);
}
