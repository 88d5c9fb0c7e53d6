/* Cartesian and graph topologies. Ranks are never reordered. */
#include "mpi.h"

static int cart_rank(const struct comm *comm, const int *coords, int proc_null)
{
    int rank = 0;
    for (int i = 0; i < comm->ndims; i++) {
        int at = coords[i];
        if (at < 0 || at >= comm->dims[i]) {
            if (!comm->periodic[i])
                return proc_null;
            at = (at % comm->dims[i] + comm->dims[i]) % comm->dims[i];
        }
        rank = rank * comm->dims[i] + at;
    }
    return rank;
}

static void cart_coords(const struct comm *comm, int rank, int *coords)
{
    for (int i = comm->ndims - 1; i >= 0; i--) {
        coords[i] = rank % comm->dims[i];
        rank /= comm->dims[i];
    }
}

static void cart_neighbours(struct comm *comm, int proc_null)
{
    for (int r = 0; r < comm->size; r++) {
        int coords[8];
        cart_coords(comm, r, coords);
        for (int d = 0; d < comm->ndims; d++)
            for (int step = -1; step <= 1; step += 2) {
                coords[d] += step;
                int other = cart_rank(comm, coords, proc_null);
                coords[d] -= step;
                ADD(&comm->sources[r], other);
                ADD(&comm->destinations[r], other);
            }
    }
}

static enum outcome cart_create(struct call *c, struct comm *comm)
{
    struct gathering *g;
    int mine, total = 1;
    int64_t n = number_at(c, 1);
    int dims[8], periodic[8];
    if (failed(c) || n < 1 || n > 8)
        return STOPS;
    for (int i = 0; i < n; i++) {
        dims[i] = (int)element_at(c, address_at(c, 2), i, 4);
        periodic[i] = (int)element_at(c, address_at(c, 3), i, 4);
        total *= dims[i];
    }
    if (failed(c))
        return STOPS;
    if (total > comm->size || total < 1)
        return wrong(c);
    const int64_t none[4] = {0};
    if (!all_together(c, comm, none, true, &g, &mine))
        return failed(c) ? STOPS : WAITS;
    if (!g->made) {
        struct comm *new = comm_new(c->w->mpi, total, comm->ranks);
        new->cartesian = true;
        new->ndims = (int)n;
        for (int i = 0; i < n; i++) {
            new->dims[i] = dims[i];
            new->periodic[i] = periodic[i];
        }
        cart_neighbours(new, c->w->mpi->numbers.proc_null);
        for (int i = 0; i < total; i++)
            g->parts[i].object = new;
        g->made = true;
    }
    struct comm *new = g->parts[mine].object;
    if (new)
        store_handle(c, address_at(c, 5), KIND_COMM, (size_t)new->number);
    else
        store_null(c, address_at(c, 5), KIND_COMM);
    return failed(c) ? STOPS : OVER;
}

static enum outcome cart_sub(struct call *c, struct comm *comm)
{
    struct gathering *g;
    int mine = rank_in(comm, c->p->rank), coords[8], keep[8];
    int64_t color = 0, key = 0;
    if (!comm->cartesian)
        return STOPS;
    cart_coords(comm, mine, coords);
    for (int i = 0; i < comm->ndims; i++) {
        keep[i] = (int)element_at(c, address_at(c, 1), i, 4);
        if (keep[i])
            key = key * comm->dims[i] + coords[i];
        else
            color = color * comm->dims[i] + coords[i];
    }
    const int64_t numbers[4] = {color, key};
    if (failed(c))
        return STOPS;
    if (!all_together(c, comm, numbers, true, &g, &mine))
        return failed(c) ? STOPS : WAITS;
    if (!g->parts[mine].object) {
        int ranks[MOST_PROCESSES], n = 0;
        for (int64_t at = 0; at < g->comm->size; at++)
            for (int i = 0; i < comm->size; i++)
                if (g->parts[i].numbers[0] == color && g->parts[i].numbers[1] == at)
                    ranks[n++] = comm->ranks[i];
        struct comm *new = comm_new(c->w->mpi, n, ranks);
        new->cartesian = true;
        for (int i = 0; i < comm->ndims; i++)
            if (keep[i]) {
                new->dims[new->ndims] = comm->dims[i];
                new->periodic[new->ndims++] = comm->periodic[i];
            }
        cart_neighbours(new, c->w->mpi->numbers.proc_null);
        for (int i = 0; i < comm->size; i++)
            if (g->parts[i].numbers[0] == color)
                g->parts[i].object = new;
    }
    store_handle(c, address_at(c, 2), KIND_COMM,
                 (size_t)((struct comm *)g->parts[mine].object)->number);
    return failed(c) ? STOPS : OVER;
}

static enum outcome graph_adjacent(struct call *c, struct comm *comm)
{
    struct gathering *g;
    int mine;
    const int64_t none[4] = {0};
    int64_t in = number_at(c, 1), out = number_at(c, 4);
    uint64_t sources = address_at(c, 2), destinations = address_at(c, 5);
    if (failed(c) || !all_together(c, comm, none, true, &g, &mine))
        return failed(c) ? STOPS : WAITS;
    if (!g->made) {
        struct comm *new = comm_new(c->w->mpi, comm->size, comm->ranks);
        new->graph = true;
        for (int i = 0; i < comm->size; i++)
            g->parts[i].object = new;
        g->made = true;
    }
    struct comm *new = g->parts[mine].object;
    for (int64_t i = 0; i < in && !failed(c); i++)
        ADD(&new->sources[mine], (int)element_at(c, sources, i, 4));
    for (int64_t i = 0; i < out && !failed(c); i++)
        ADD(&new->destinations[mine], (int)element_at(c, destinations, i, 4));
    store_handle(c, address_at(c, 9), KIND_COMM, (size_t)new->number);
    return failed(c) ? STOPS : OVER;
}

static enum outcome dims_create(struct call *c)
{
    int64_t nodes = number_at(c, 0), n = number_at(c, 1), fixed = 1, open = 0, which[8];
    uint64_t dims = address_at(c, 2);
    if (failed(c) || n < 1 || n > 8 || nodes < 1)
        return STOPS;
    int64_t found[8];
    for (int64_t i = 0; i < n; i++) {
        int64_t given = element_at(c, dims, i, 4);
        if (given > 0)
            fixed *= given;
        else
            which[open++] = i;
    }
    if (failed(c) || nodes % fixed)
        return failed(c) ? STOPS : wrong(c);
    int64_t rest = nodes / fixed;
    for (int64_t k = 0; k < open; k++) { /* the smallest factor that leaves no larger one behind */
        int64_t left = open - k, best = rest;
        for (int64_t f = 1; f <= rest; f++) {
            int64_t power = 1;
            for (int64_t i = 0; i < left; i++)
                power *= f;
            if (rest % f == 0 && power >= rest) {
                best = f;
                break;
            }
        }
        found[k] = best;
        rest /= best;
    }
    for (int64_t k = 0; k < open; k++)
        store_number(c, dims + 4 * (uint64_t)which[k], 4, (uint64_t)found[k]);
    return failed(c) ? STOPS : OVER;
}

enum outcome topology_call(struct call *c)
{
    const char *name = c->function->routine->name + 4;
    int coords[8], proc_null = c->w->mpi->numbers.proc_null;
    if (!strcmp(name, "Dims_create"))
        return dims_create(c);
    if (strncmp(name, "Cart_", 5) && strcmp(name, "Dist_graph_create_adjacent"))
        return STOPS;
    struct comm *comm = comm_with(c);
    if (!comm)
        return STOPS;
    if (!strcmp(name, "Cart_create"))
        return cart_create(c, comm);
    if (!strcmp(name, "Dist_graph_create_adjacent"))
        return graph_adjacent(c, comm);
    if (!strcmp(name, "Cart_sub"))
        return cart_sub(c, comm);
    if (!comm->cartesian)
        return STOPS;
    if (!strcmp(name, "Cart_rank")) {
        for (int i = 0; i < comm->ndims; i++)
            coords[i] = (int)element_at(c, address_at(c, 1), i, 4);
        int rank = failed(c) ? 0 : cart_rank(comm, coords, proc_null);
        if (rank == proc_null)
            return wrong(c);
        store_number(c, address_at(c, 2), 4, (uint32_t)rank);
    } else if (!strcmp(name, "Cart_coords")) {
        int64_t rank = number_at(c, 1);
        if (failed(c) || rank < 0 || rank >= comm->size)
            return failed(c) ? STOPS : wrong(c);
        cart_coords(comm, (int)rank, coords);
        for (int i = 0; i < comm->ndims && i < number_at(c, 2); i++)
            store_number(c, address_at(c, 3) + 4 * (uint64_t)i, 4, (uint32_t)coords[i]);
    } else if (!strcmp(name, "Cart_get")) {
        cart_coords(comm, rank_in(comm, c->p->rank), coords);
        for (int i = 0; i < comm->ndims && i < number_at(c, 1); i++) {
            store_number(c, address_at(c, 2) + 4 * (uint64_t)i, 4, (uint32_t)comm->dims[i]);
            store_number(c, address_at(c, 3) + 4 * (uint64_t)i, 4, comm->periodic[i]);
            store_number(c, address_at(c, 4) + 4 * (uint64_t)i, 4, (uint32_t)coords[i]);
        }
    } else if (!strcmp(name, "Cart_shift")) {
        int64_t d = number_at(c, 1), by = number_at(c, 2);
        if (failed(c) || d < 0 || d >= comm->ndims)
            return failed(c) ? STOPS : wrong(c);
        cart_coords(comm, rank_in(comm, c->p->rank), coords);
        coords[d] -= (int)by;
        store_number(c, address_at(c, 3), 4, (uint32_t)cart_rank(comm, coords, proc_null));
        coords[d] += 2 * (int)by;
        store_number(c, address_at(c, 4), 4, (uint32_t)cart_rank(comm, coords, proc_null));
    } else {
        return STOPS;
    }
    return failed(c) ? STOPS : OVER;
}
