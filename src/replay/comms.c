/* Communicators, groups, and what is only asked. */
#include "mpi.h"

static enum outcome done(const struct call *c)
{
    return failed(c) ? STOPS : OVER;
}

/* ---- Groups ---- */

static struct group *group_at(struct call *c, int argument)
{
    int number = object_of(c, KIND_GROUP, address_at(c, argument));
    if (!failed(c) && number < 0)
        wrong(c);
    return failed(c) ? NULL : c->w->mpi->groups.at[number];
}

static enum outcome new_group(struct call *c, const int *ranks, size_t n, int result)
{
    struct group *group = zeroed(1, sizeof *group);
    for (size_t i = 0; i < n; i++)
        ADD(&group->ranks, ranks[i]);
    store_handle(c, address_at(c, result), KIND_GROUP, ADD(&c->w->mpi->groups, group));
    return done(c);
}

static int place_in(const struct group *group, int rank)
{
    for (size_t i = 0; i < group->ranks.n; i++)
        if (group->ranks.at[i] == rank)
            return (int)i;
    return -1;
}

static enum outcome combine(struct call *c, char how)
{
    const struct group *a = group_at(c, 0), *b = failed(c) ? NULL : group_at(c, 1);
    int ranks[2 * MOST_PROCESSES];
    size_t n = 0;
    if (!a || !b)
        return STOPS;
    for (size_t i = 0; i < a->ranks.n; i++)
        if (how == 'u' || (place_in(b, a->ranks.at[i]) >= 0) == (how == 'i'))
            ranks[n++] = a->ranks.at[i];
    for (size_t i = 0; how == 'u' && i < b->ranks.n; i++)
        if (place_in(a, b->ranks.at[i]) < 0)
            ranks[n++] = b->ranks.at[i];
    return new_group(c, ranks, n, 2);
}

static enum outcome choose(struct call *c, bool include, bool ranges)
{
    const struct group *group = group_at(c, 0);
    int ranks[MOST_PROCESSES];
    size_t n = 0;
    bool chosen[MOST_PROCESSES] = {false};
    int64_t count = number_at(c, 1);
    uint64_t list = address_at(c, 2);
    for (int64_t i = 0; i < count && !failed(c); i++) {
        int64_t first = element_at(c, list, ranges ? 3 * i : i, 4);
        int64_t last = ranges ? element_at(c, list, 3 * i + 1, 4) : first;
        int64_t step = ranges ? element_at(c, list, 3 * i + 2, 4) : 1;
        for (int64_t r = first; step > 0 ? r <= last : r >= last; r += step) {
            if (!step || r < 0 || r >= (int64_t)group->ranks.n || chosen[r])
                return wrong(c);
            chosen[r] = true;
            if (include)
                ranks[n++] = group->ranks.at[r];
        }
    }
    for (size_t r = 0; !failed(c) && !include && r < group->ranks.n; r++)
        if (!chosen[r])
            ranks[n++] = group->ranks.at[r];
    return failed(c) ? STOPS : new_group(c, ranks, n, 3);
}

static enum outcome translate(struct call *c)
{
    const struct group *a = group_at(c, 0), *b = failed(c) ? NULL : group_at(c, 3);
    int64_t n = number_at(c, 1);
    uint64_t from = address_at(c, 2), to = address_at(c, 4);
    for (int64_t i = 0; i < n && !failed(c); i++) {
        int64_t rank = element_at(c, from, i, 4);
        if (failed(c) || rank < 0 || rank >= (int64_t)a->ranks.n)
            return failed(c) ? STOPS : wrong(c);
        int place = place_in(b, a->ranks.at[rank]);
        store_number(c, to + 4 * (uint64_t)i, 4,
                     (uint32_t)(place < 0 ? c->w->mpi->numbers.undefined : place));
    }
    return done(c);
}

static enum outcome group_call(struct call *c, const char *name)
{
    if (!strcmp(name, "Group_free")) {
        store_null(c, address_at(c, 0), KIND_GROUP);
        return done(c);
    }
    if (!strcmp(name, "Group_incl") || !strcmp(name, "Group_excl"))
        return choose(c, name[6] == 'i', false);
    if (!strcmp(name, "Group_range_incl") || !strcmp(name, "Group_range_excl"))
        return choose(c, name[12] == 'i', true);
    if (!strcmp(name, "Group_union") || !strcmp(name, "Group_intersection") ||
        !strcmp(name, "Group_difference"))
        return combine(c, name[6]);
    if (!strcmp(name, "Group_translate_ranks"))
        return translate(c);
    if (strcmp(name, "Group_size") && strcmp(name, "Group_rank"))
        return STOPS;
    const struct group *group = group_at(c, 0);
    if (!group)
        return STOPS;
    int place = place_in(group, c->p->rank);
    c->w->asked |= name[6] == 's' && group->ranks.n > 1;
    store_number(c, address_at(c, 1), 4,
                 name[6] == 's' ? group->ranks.n
                                : (uint32_t)(place < 0 ? c->w->mpi->numbers.undefined : place));
    return done(c);
}

/* ---- Communicators ---- */

/* Members with the same first number, by their second one, become a communicator; those with a
 * negative one stay without. */
static void divide(struct call *c, struct gathering *g)
{
    for (int i = 0; i < g->comm->size; i++) {
        int ranks[MOST_PROCESSES], members[MOST_PROCESSES], n = 0;
        if (g->parts[i].numbers[0] < 0 || g->parts[i].object)
            continue;
        for (int k = 0; k < g->comm->size; k++) {
            if (g->parts[k].numbers[0] != g->parts[i].numbers[0])
                continue;
            int at = n++;
            for (; at > 0 && g->parts[members[at - 1]].numbers[1] > g->parts[k].numbers[1]; at--)
                members[at] = members[at - 1];
            members[at] = k;
        }
        for (int k = 0; k < n; k++)
            ranks[k] = g->comm->ranks[members[k]];
        struct comm *comm = comm_new(c->w->mpi, n, ranks);
        comm->parent = g->comm;
        for (int k = 0; k < n; k++)
            g->parts[members[k]].object = comm;
    }
    g->made = true;
}

static enum outcome divided(struct call *c, struct comm *comm, int64_t color, int64_t key,
                            int result)
{
    struct gathering *g;
    int mine;
    const int64_t numbers[4] = {color, key};
    if (!all_together(c, comm, numbers, true, &g, &mine))
        return failed(c) ? STOPS : WAITS;
    if (!g->made)
        divide(c, g);
    struct comm *new = g->parts[mine].object;
    if (new)
        store_handle(c, address_at(c, result), KIND_COMM, (size_t)new->number);
    else
        store_null(c, address_at(c, result), KIND_COMM);
    return done(c);
}

static enum outcome make_comm(struct call *c, const char *name)
{
    struct comm *comm = comm_with(c);
    if (!comm)
        return STOPS;
    int mine = rank_in(comm, c->p->rank);
    if (!strcmp(name, "Comm_dup"))
        return divided(c, comm, 0, mine, 1);
    if (!strcmp(name, "Comm_dup_with_info"))
        return divided(c, comm, 0, mine, 2);
    if (!strcmp(name, "Comm_split")) {
        int64_t color = number_at(c, 1), key = number_at(c, 2);
        return failed(c) ? STOPS : divided(c, comm, color < 0 ? -1 : color, key, 3);
    }
    if (!strcmp(name, "Comm_split_type")) {
        int64_t type = number_at(c, 1), key = number_at(c, 2);
        if (failed(c) ||
            (type != c->w->mpi->numbers.comm_type_shared && type != c->w->mpi->numbers.undefined))
            return STOPS;
        return divided(c, comm, type == c->w->mpi->numbers.undefined ? -1 : 0, key, 4);
    }
    if (!strcmp(name, "Comm_create")) {
        const struct group *group = group_at(c, 1);
        if (!group)
            return STOPS;
        int place = place_in(group, c->p->rank);
        return divided(c, comm, place < 0 ? -1 : group->ranks.at[0], place, 2);
    }
    return topology_call(c);
}

/* ---- What is only asked ---- */

static enum outcome keep_info(struct call *c, const char *name)
{
    struct mpi *mpi = c->w->mpi;
    if (!strcmp(name, "Info_create")) {
        store_handle(c, address_at(c, 0), KIND_INFO, ADD(&mpi->infos, false));
        return done(c);
    }
    if (!strcmp(name, "Info_free")) {
        store_null(c, address_at(c, 0), KIND_INFO);
        return done(c);
    }
    if (strcmp(name, "Info_set"))
        return STOPS;
    int info = object_of(c, KIND_INFO, address_at(c, 0));
    char text[64] = "";
    for (int i = 1; i < 3; i++) {
        uint64_t byte = 1;
        size_t n = strlen(text);
        for (uint64_t k = 0; byte && n < 60 && peek(c->w, c->p, address_at(c, i) + k, 1, &byte);
             k++)
            text[n++] = (char)byte;
        text[n] = 0;
        if (i == 1)
            strcat(text, "=");
    }
    if (info >= 0 && !strncmp(text, "accumulate_ops=", 15))
        mpi->infos.at[info] = !strcmp(text, "accumulate_ops=same_op");
    return done(c);
}

static enum outcome attribute(struct call *c, bool window)
{
    const struct numbers *numbers = &c->w->mpi->numbers;
    uint64_t key = address_at(c, 1), value = 0;
    bool pointer = false;
    if (failed(c))
        return STOPS;
    if (!window && (int)key == numbers->tag_ub)
        value = 0x3fffffff;
    else if (!window || !window_attribute(c, key, &value, &pointer))
        return STOPS;
    if (!pointer) {
        uint64_t room = memory_allocate(c->p, 8, 16, true);
        poke(c->w, c->p, room, 8, value);
        value = room;
    }
    store_number(c, address_at(c, 2), 8, value);
    store_number(c, address_at(c, 3), 4, 1);
    return done(c);
}

static enum outcome memory_call(struct call *c, const char *name)
{
    if (!strcmp(name, "Alloc_mem")) {
        int64_t size = number_at(c, 0);
        uint64_t at = failed(c) || size < 0 ? 0 : memory_allocate(c->p, (uint64_t)size, 16, false);
        if (!at)
            return STOPS;
        store_number(c, address_at(c, 2), 8, at);
        return done(c);
    }
    uint64_t at = address_at(c, 0), size;
    if (failed(c) || !memory_block(c->p, at, &size))
        return STOPS;
    judge_end_of(c->w, c->p, at, size, "MPI_Free_mem");
    memory_kill(c->p, at, size);
    return OVER;
}

static enum outcome count_of(struct call *c)
{
    const struct datatype *type;
    uint64_t bytes;
    if (!peek(c->w, c->p, address_at(c, 0) + c->w->mpi->numbers.count, 8, &bytes)) {
        stop(c->w, c->p, "the count of an unknown status");
        return STOPS;
    }
    if (!type_of(c, address_at(c, 1), &type))
        return STOPS;
    uint64_t size = (uint64_t)type->size;
    store_number(c, address_at(c, 2), 4,
                 !size          ? 0
                 : bytes % size ? (uint32_t)c->w->mpi->numbers.undefined
                                : bytes / size);
    return done(c);
}

static enum outcome compare_comms(struct call *c)
{
    struct comm *a = comm_at(c, 0), *b = failed(c) ? NULL : comm_at(c, 1);
    if (!a || !b)
        return STOPS;
    bool same = a->size == b->size;
    for (int i = 0; same && i < a->size; i++)
        same = a->ranks[i] == b->ranks[i];
    if (!same)
        return STOPS;
    store_number(c, address_at(c, 2), 4, a == b ? 0 : 1);
    return done(c);
}

static enum outcome name_of(struct call *c)
{
    uint8_t *shadow;
    uint64_t at = address_at(c, 0);
    for (uint64_t i = 0; i < 128 && memory_at(c->w, c->p, at + i, 1, &shadow, NULL); i++)
        *shadow &= (uint8_t)~KNOWN;
    if (memory_at(c->w, c->p, address_at(c, 1), 4, &shadow, NULL))
        for (int i = 0; i < 4; i++)
            shadow[i] &= (uint8_t)~KNOWN;
    return done(c);
}

static enum outcome ask(struct call *c, const char *name)
{
    static const char *const nothing[] = {
        "Comm_set_errhandler", "Win_set_errhandler", "Errhandler_set",
        "Buffer_attach",       "Pcontrol",           "Win_set_info"};
    for (size_t i = 0; i < sizeof nothing / sizeof nothing[0]; i++)
        if (!strcmp(name, nothing[i]))
            return OVER;
    if (!strcmp(name, "Wtime") || !strcmp(name, "Wtick")) {
        double seconds = name[3] == 'c' ? 1e-3 : 1e-6 * (double)outside_microseconds(c->p);
        memcpy(&c->results[0].bits, &seconds, sizeof seconds);
        c->results[0].known = 1;
        return OVER;
    }
    if (!strcmp(name, "Comm_rank") || !strcmp(name, "Comm_size")) {
        struct comm *comm = comm_with(c);
        if (!comm)
            return STOPS;
        c->w->asked |= name[5] == 's' && comm->size > 1;
        store_number(c, address_at(c, 1), 4,
                     (uint32_t)(name[5] == 's' ? comm->size : rank_in(comm, c->p->rank)));
        return done(c);
    }
    if (!strcmp(name, "Comm_group")) {
        struct comm *comm = comm_with(c);
        return comm ? new_group(c, comm->ranks, (size_t)comm->size, 1) : STOPS;
    }
    if (!strcmp(name, "Win_get_group")) {
        struct comm *comm = window_comm(c, 0);
        return comm ? new_group(c, comm->ranks, (size_t)comm->size, 1) : STOPS;
    }
    if (!strcmp(name, "Get_address")) {
        store_number(c, address_at(c, 1), 8, address_at(c, 0));
        return done(c);
    }
    if (!strcmp(name, "Aint_add") || !strcmp(name, "Aint_diff")) {
        uint64_t a = address_at(c, 0), b = address_at(c, 1);
        c->results[0] = (struct value){name[5] == 'a' ? a + b : a - b, 1};
        return done(c);
    }
    if (!strcmp(name, "Initialized") || !strcmp(name, "Finalized")) {
        store_number(c, address_at(c, 0), 4, name[0] == 'I' ? c->p->initialised : c->p->finalised);
        return done(c);
    }
    if (!strcmp(name, "Get_count") || !strcmp(name, "Get_elements"))
        return count_of(c);
    if (!strcmp(name, "Get_processor_name"))
        return name_of(c);
    if (!strcmp(name, "Comm_compare"))
        return compare_comms(c);
    if (!strcmp(name, "Comm_get_attr") || !strcmp(name, "Win_get_attr"))
        return attribute(c, name[0] == 'W');
    if (!strcmp(name, "Test_cancelled")) {
        store_number(c, address_at(c, 1), 4, 0);
        return done(c);
    }
    if (!strcmp(name, "Query_thread"))
        return STOPS;
    if (!strcmp(name, "Op_create")) {
        store_handle(c, address_at(c, 2), KIND_OP, OP_UNKNOWN);
        return done(c);
    }
    if (!strcmp(name, "Op_free")) {
        store_null(c, address_at(c, 0), KIND_OP);
        return done(c);
    }
    if (!strcmp(name, "Win_shared_query"))
        return window_call(c);
    return topology_call(c);
}

enum outcome comm_call(struct call *c)
{
    const char *name = c->function->routine->name + 4;
    const struct routine *routine = c->function->routine;
    if (routine->verb == VERB_creates)
        return make_comm(c, name);
    if (routine->verb == VERB_frees) { /* MPI_Comm_free: nobody waits */
        store_null(c, address_at(c, 0), KIND_COMM);
        return done(c);
    }
    if (routine->verb != VERB_local)
        return memory_call(c, name);
    if (!strncmp(name, "Type_", 5))
        return type_call(c);
    if (!strncmp(name, "Group_", 6))
        return group_call(c, name);
    if (!strncmp(name, "Info_", 5))
        return keep_info(c, name);
    return ask(c, name);
}
