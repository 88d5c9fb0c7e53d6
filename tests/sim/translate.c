#include "translate.h"

#include "random.h"

static const char *const types[TYPE_KINDS] = {"MPI_SIGNED_CHAR", "MPI_SHORT", "MPI_INT",
                                              "MPI_FLOAT",       "MPI_LONG",  "MPI_DOUBLE"};

static const char *op_of(uint32_t op)
{
    static const char *const ops[OP_LIMIT] = {[ACC_NO_OP] = "MPI_NO_OP",
                                              [OP_SUM] = "MPI_SUM",
                                              [OP_REPLACE] = "MPI_REPLACE",
                                              [OP_MAX] = "MPI_MAX"};
    return ops[op];
}

static uint32_t comm_of(const struct program *program, uint8_t members)
{
    uint32_t comm = 0;
    while (comm < MAX_COMMS - 1 && program->comms[comm] != members)
        comm++;
    return comm;
}

/* ---- Steps ------------------------------------------------------------------------------------
 */

/* A C array with a number for each member: one that is in the set gets 0, the others `count`. */
static void print_counts(FILE *file, uint8_t members, uint8_t zero, int count)
{
    const char *comma = "";
    fprintf(file, "(int[]){");
    for (uint32_t r = 0; r < MAX_RANKS; r++)
        if (members >> r & 1) {
            fprintf(file, "%s%d", comma, zero >> r & 1 ? 0 : count);
            comma = ", ";
        }
    fprintf(file, "}");
}

struct translation {
    FILE *file;
    const struct program *program;
    const struct step *step;
    uint64_t seed;
    uint32_t rank;
    size_t spare; /* number of the step's own buffers */
    char request[32];
    char own[32], all[32]; /* what it reads, what it writes */
};

/* One of several ways. All ranks of a collective choose the same one, and so do threads. */
static uint32_t way(const struct translation *t, uint32_t ways)
{
    struct random random = {t->seed * 977 + t->step->group * 31 +
                            (step_is_collective(t->step->what) || step_is_of_threads(t->step->what)
                                 ? 0
                                 : t->rank * 7 + t->spare)};
    return random_below(&random, ways);
}

/* The displacement unit of a window. MPI_Fetch_and_op has no datatype that could do without a
 * displacement of its own. */
static uint32_t unit_of(const struct program *program, uint64_t seed, uint32_t window)
{
    static const uint8_t units[] = {1, 1, 2, 4, 8};
    struct random random = {seed * 31 + window};
    uint32_t unit = units[random_below(&random, sizeof units)];
    if (program->windows[window].kind == WINDOW_DYNAMIC)
        return 1;
    for (uint32_t r = 0; r < program->ranks; r++)
        for (uint32_t t = 0; t < MAX_THREADS; t++)
            for (size_t i = 0; i < program->lists[r][t].count; i++) {
                const struct step *step = &program->lists[r][t].steps[i];
                if ((step->what == STEP_FETCH_AND_OP || step->what == STEP_COMPARE_AND_SWAP) &&
                    step->window == window && step->section_count && step->sections[0].start % unit)
                    return 1;
            }
    return unit;
}

static void print_own_access(const struct translation *t)
{
    const struct section *bytes = &t->step->sections[0];
    bool load = t->step->what == STEP_LOAD || t->step->what == STEP_DIRECT_LOAD;
    char place[32] = "memory";
    if (step_is_direct(t->step))
        snprintf(place, sizeof place, "segment[%u]", t->step->target);
    const char *const words[9] = {[1] = "char", [2] = "short", [4] = "int", [8] = "long"};
    unsigned long long start = bytes->start, length = bytes->length;
    if (!t->step->section_count)
        fprintf(t->file, ";");
    else if (length <= 8 && words[length])
        fprintf(t->file,
                load ? "sink += *(volatile %s *)(%s + %llu);"
                     : "*(volatile %s *)(%s + %llu) = %zu;",
                words[length], place, start, t->spare + 1);
    else
        fprintf(t->file,
                load
                    ? "for (int i = 0; i < %llu; i++) sink += *(volatile char *)(%s + %llu + i);"
                    : "for (int i = 0; i < %llu; i++) *(volatile char *)(%s + %llu + i) = %zu + i;",
                length, place, start, t->spare + 1);
}

/* The target's rank and the displacement of a byte there. */
static void print_place(const struct translation *t, uint64_t byte)
{
    const struct program_window *window = &t->program->windows[t->step->window];
    fprintf(t->file, "%u, ", rank_in(window->members, t->step->target));
    if (window->kind == WINDOW_DYNAMIC)
        fprintf(t->file, "address_of[%u] + ", t->step->target);
    fprintf(t->file, "%llu",
            (unsigned long long)byte / unit_of(t->program, t->seed, t->step->window));
}

/* The target's side of an operation: rank, displacement, count and datatype. */
static void print_target(const struct translation *t, const char *basic, uint32_t element)
{
    const struct step *step = t->step;
    const char *comma = "";
    uint32_t unit = unit_of(t->program, t->seed, step->window);
    if (step->section_count == 1 && step->sections[0].count == 1 &&
        step->sections[0].start % unit == 0) {
        print_place(t, step->sections[0].start);
        fprintf(t->file, ", %llu, %s", (unsigned long long)step->sections[0].length / element,
                basic);
        return;
    }
    print_place(t, 0);
    if (!step->section_count) {
        fprintf(t->file, ", 0, %s", basic);
        return;
    }
    fprintf(t->file, ", 1, layout(%s, %u, %u, (struct blocks[]){", basic, element,
            step->section_count);
    for (size_t i = 0; i < step->section_count; i++) {
        const struct section *s = &step->sections[i];
        fprintf(t->file, "%s{%llu, %llu, %llu, %llu}", comma, (unsigned long long)s->start,
                (unsigned long long)s->length, (unsigned long long)s->stride,
                (unsigned long long)s->count);
        comma = ", ";
    }
    fprintf(t->file, "})");
}

static void print_operation(const struct translation *t)
{
    const struct step *step = t->step;
    bool accumulate = step->what >= STEP_ACCUMULATE;
    const char *basic = accumulate ? types[step->type] : "MPI_BYTE";
    uint32_t element = accumulate ? type_bytes[step->type] : 1;
    unsigned long long count = step_bytes(step) / element;
    static const char *const names[] = {[STEP_GET] = "get",
                                        [STEP_PUT] = "put",
                                        [STEP_ACCUMULATE] = "accumulate",
                                        [STEP_GET_ACCUMULATE] = "get_accumulate"};
    if (step->what == STEP_FETCH_AND_OP || step->what == STEP_COMPARE_AND_SWAP) {
        bool swap = step->what == STEP_COMPARE_AND_SWAP;
        if (!count) {
            fprintf(t->file, ";");
            return;
        }
        fprintf(t->file, "MPI_%s(%s, ", swap ? "Compare_and_swap" : "Fetch_and_op", t->own);
        if (swap)
            fprintf(t->file, "spare[%zu][2], ", t->spare);
        fprintf(t->file, "%s, %s, ", t->all, basic);
        print_place(t, step->sections[0].start);
        if (!swap)
            fprintf(t->file, ", %s", op_of(step->op));
        fprintf(t->file, ", window[%u]);", step->window);
        return;
    }
    fprintf(t->file, "MPI_%c%s(%s, %llu, %s, ", step->slot ? 'R' : names[step->what][0] - 32,
            names[step->what] + !step->slot, step->what == STEP_GET ? t->all : t->own, count,
            basic);
    if (step->what == STEP_GET_ACCUMULATE)
        fprintf(t->file, "%s, %llu, %s, ", t->all, count, basic);
    print_target(t, basic, element);
    if (accumulate)
        fprintf(t->file, ", %s", op_of(step->op));
    fprintf(t->file, ", window[%u]%s);", step->window, t->request);
}

static void print_message(const struct translation *t)
{
    const struct step *step = t->step;
    static const char *const names[] = {
        [STEP_SEND] = "SEND", [STEP_SSEND] = "SSEND", [STEP_RECV] = "RECV"};
    static const uint32_t ways[][2] = {
        [STEP_SEND] = {4, 3}, [STEP_SSEND] = {3, 2}, [STEP_RECV] = {7, 2}};
    bool receives = step->what == STEP_RECV;
    unsigned long long count = receives && step->writes_buffer ? step->write_buffer.length
                               : receives                      ? 512 /* SPARE */
                               : step->reads_buffer            ? step->read_buffer.length
                                                               : 1;
    fprintf(t->file, "%s%s_%u(%s, %llu, ", step->slot ? "I" : "", names[step->what],
            way(t, ways[step->what][step->slot != 0]), receives ? t->all : t->own, count);
    if (step->peer == PEER_ANY)
        fprintf(t->file, "MPI_ANY_SOURCE");
    else
        fprintf(t->file, "%u", step->peer);
    fprintf(t->file, ", %u", step->tag);
    if (step->slot)
        fprintf(t->file, ", %u", step->slot);
    fprintf(t->file, ");");
}

/* Where some contribute nothing, the routine with a count for each; else sometimes. A blocking one
 * may be nonblocking, with a wait behind it. */
static void print_collective(const struct translation *t)
{
    const struct step *step = t->step;
    uint8_t members = t->program->comms[step->comm], zero = step->zero;
    uint32_t root = rank_in(members, step->root);
    int one = !zero, mine = !(zero >> t->rank & 1), size = __builtin_popcount(members);
    char comm[32];
    bool nonblocking = step->slot || way(t, 3) == 0, alike = !zero && way(t, 5) % 2;
    const char *own = t->own, *all = t->all;
#define NAME(big, small) fprintf(t->file, "MPI_%s(", nonblocking ? "I" small : big)
    snprintf(comm, sizeof comm, "comm[%u]", step->comm);
    switch (step->what) {
    case STEP_BARRIER:
        NAME("Barrier", "barrier");
        break;
    case STEP_ALLREDUCE:
        NAME("Allreduce", "allreduce");
        fprintf(t->file, "%s, %s, %d, MPI_INT, MPI_SUM, ", own, all, one);
        break;
    case STEP_SCAN:
        NAME("Scan", "scan");
        fprintf(t->file, "%s, %s, %d, MPI_INT, MPI_SUM, ", own, all, one);
        break;
    case STEP_EXSCAN:
        NAME("Exscan", "exscan");
        fprintf(t->file, "%s, %s, %d, MPI_INT, MPI_SUM, ", own, all, one);
        break;
    case STEP_REDUCE:
        NAME("Reduce", "reduce");
        fprintf(t->file, "%s, %s, %d, MPI_INT, MPI_SUM, %u, ", own, all, one, root);
        break;
    case STEP_BCAST:
        NAME("Bcast", "bcast");
        fprintf(t->file, "%s, %d, MPI_BYTE, %u, ", step->root == t->rank ? own : all, one, root);
        break;
    case STEP_REDUCE_SCATTER:
        if (alike) {
            NAME("Reduce_scatter_block", "reduce_scatter_block");
            fprintf(t->file, "%s, %s, 1, MPI_INT, MPI_SUM, ", own, all);
            break;
        }
        NAME("Reduce_scatter", "reduce_scatter");
        fprintf(t->file, "%s, %s, ", own, all);
        print_counts(t->file, members, zero, 1);
        fprintf(t->file, ", MPI_INT, MPI_SUM, ");
        break;
    case STEP_ALLGATHER:
        if (alike) {
            NAME("Allgather", "allgather");
            fprintf(t->file, "%s, 1, MPI_BYTE, %s, 1, MPI_BYTE, ", own, all);
            break;
        }
        NAME("Allgatherv", "allgatherv");
        fprintf(t->file, "%s, %d, MPI_BYTE, %s, ", own, mine, all);
        print_counts(t->file, members, zero, 1);
        fprintf(t->file, ", places, MPI_BYTE, ");
        break;
    case STEP_ALLTOALL:
        if (alike) {
            NAME("Alltoall", "alltoall");
            fprintf(t->file, "%s, 1, MPI_BYTE, %s, 1, MPI_BYTE, ", own, all);
            break;
        }
        NAME("Alltoallv", "alltoallv");
        fprintf(t->file, "%s, ", own);
        print_counts(t->file, members, mine ? 0 : 0xff, 1);
        fprintf(t->file, ", places, MPI_BYTE, %s, ", all);
        print_counts(t->file, members, zero, 1);
        fprintf(t->file, ", places, MPI_BYTE, ");
        break;
    case STEP_SCATTER:
        if (alike) {
            NAME("Scatter", "scatter");
            fprintf(t->file, "%s, 1, MPI_BYTE, %s, 1, MPI_BYTE, %u, ", own, all, root);
            break;
        }
        NAME("Scatterv", "scatterv");
        fprintf(t->file, "%s, ", own);
        print_counts(t->file, members, zero, 1);
        fprintf(t->file, ", places, MPI_BYTE, %s, %d, MPI_BYTE, %u, ", all, mine, root);
        break;
    case STEP_GATHER:
        if (alike) {
            NAME("Gather", "gather");
            fprintf(t->file, "%s, 1, MPI_BYTE, %s, 1, MPI_BYTE, %u, ", own, all, root);
            break;
        }
        NAME("Gatherv", "gatherv");
        fprintf(t->file, "%s, %d, MPI_BYTE, %s, ", own, mine, all);
        print_counts(t->file, members, zero, 1);
        fprintf(t->file, ", places, MPI_BYTE, %u, ", root);
        break;
    default: { /* the neighbour before in the ring */
        uint32_t before = 0;
        for (uint32_t r = 0; r < t->program->ranks; r++)
            if (members >> r & 1 &&
                (rank_in(members, r) + 1) % (uint32_t)size == rank_in(members, t->rank))
                before = r;
        snprintf(comm, sizeof comm, "ring[%u]", step->comm);
        if (alike) {
            NAME("Neighbor_alltoall", "neighbor_alltoall");
            fprintf(t->file, "%s, 1, MPI_BYTE, %s, 1, MPI_BYTE, ", own, all);
            break;
        }
        NAME("Neighbor_allgatherv", "neighbor_allgatherv");
        fprintf(t->file, "%s, %d, MPI_BYTE, %s, (int[]){%d}, places, MPI_BYTE, ", own, mine, all,
                !(zero >> before & 1));
        break;
    }
    }
#undef NAME
    if (nonblocking && !step->slot)
        fprintf(t->file, "%s, &once); MPI_Wait(&once, MPI_STATUS_IGNORE);", comm);
    else
        fprintf(t->file, "%s%s);", comm, t->request);
}

static void print_window_step(const struct translation *t)
{
    const struct step *step = t->step;
    const struct program_window *window = &t->program->windows[step->window];
    uint32_t w = step->window,
             target = step->target == TARGET_ALL ? 0 : rank_in(window->members, step->target);
    uint32_t comm = comm_of(t->program, window->members);
    const struct section *bytes = &step->sections[0];
    switch (step->what) {
    case STEP_FLUSH:
    case STEP_FLUSH_LOCAL: {
        const char *local = step->what == STEP_FLUSH_LOCAL ? "_local" : "";
        if (step->target == TARGET_ALL)
            fprintf(t->file, "MPI_Win_flush%s_all(window[%u]);", local, w);
        else
            fprintf(t->file, "MPI_Win_flush%s(%u, window[%u]);", local, target, w);
        break;
    }
    case STEP_FENCE:
        fprintf(t->file, "MPI_Win_fence(%s, window[%u]);",
                step->no_precede ? "MPI_MODE_NOPRECEDE" : "0", w);
        break;
    case STEP_POST:
    case STEP_START:
        fprintf(t->file, "MPI_Win_%s(group_of(window[%u], ",
                step->what == STEP_POST ? "post" : "start", w);
        fprintf(t->file, "%d, ", __builtin_popcount(step->members));
        fprintf(t->file, "(int[]){");
        for (uint32_t r = 0; r < MAX_RANKS; r++)
            if (step->members >> r & 1)
                fprintf(t->file, "%u, ", rank_in(window->members, r));
        fprintf(t->file, "}), 0, window[%u]);", w);
        break;
    case STEP_COMPLETE:
        fprintf(t->file, "MPI_Win_complete(window[%u]);", w);
        break;
    case STEP_WIN_WAIT:
        fprintf(t->file,
                way(t, 2) ? "MPI_Win_wait(window[%u]);"
                          : "for (int f = 0; !f;) MPI_Win_test(window[%u], &f);",
                w);
        break;
    case STEP_LOCK:
        if (step->target == TARGET_ALL)
            fprintf(t->file, "MPI_Win_lock_all(0, window[%u]);", w);
        else
            fprintf(t->file, "MPI_Win_lock(%s, %u, 0, window[%u]);",
                    step->lock == LOCK_EXCLUSIVE ? "MPI_LOCK_EXCLUSIVE" : "MPI_LOCK_SHARED", target,
                    w);
        break;
    case STEP_UNLOCK:
        if (step->target == TARGET_ALL)
            fprintf(t->file, "MPI_Win_unlock_all(window[%u]);", w);
        else
            fprintf(t->file, "MPI_Win_unlock(%u, window[%u]);", target, w);
        break;
    case STEP_WIN_CREATE:
        if (t->program->segments == w + 1)
            fprintf(t->file,
                    "MPI_Win_allocate_shared(MEMORY, %u, MPI_INFO_NULL, comm[0], &memory, "
                    "&window[%u]); find_segments(window[%u]);",
                    unit_of(t->program, t->seed, w), w, w);
        else if (window->kind == WINDOW_DYNAMIC)
            fprintf(t->file, "MPI_Win_create_dynamic(%s, comm[%u], &window[%u]);",
                    window->same_op ? "same_op" : "MPI_INFO_NULL", comm, w);
        else
            fprintf(t->file, "MPI_Win_create(memory + %u, %u, %u, %s, comm[%u], &window[%u]);",
                    window->at[t->rank], window->size[t->rank], unit_of(t->program, t->seed, w),
                    window->same_op ? "same_op" : "MPI_INFO_NULL", comm, w);
        break;
    case STEP_WIN_FREE:
        fprintf(t->file, "MPI_Win_free(&window[%u]);", w);
        break;
    case STEP_ATTACH:
        fprintf(t->file, "MPI_Win_attach(window[%u], memory + %llu, %llu);", w,
                (unsigned long long)bytes->start, (unsigned long long)bytes->length);
        break;
    default:
        fprintf(t->file, "MPI_Win_detach(window[%u], memory + %llu);", w,
                (unsigned long long)bytes->start);
        break;
    }
}

/* A mutex is of one kind all over the program. */
static void print_thread_step(const struct translation *t)
{
    uint32_t n = t->step->number;
    struct random kind = {t->seed * 131 + n};
    switch (t->step->what) {
    case STEP_THREAD_CREATE:
        fprintf(t->file, "pthread_create(&thread[%u], NULL, rank_%u_%u, NULL);", n, t->rank, n);
        break;
    case STEP_THREAD_JOIN:
        fprintf(t->file, "pthread_join(thread[%u], NULL);", n);
        break;
    case STEP_MUTEX_LOCK:
        fprintf(t->file, "LOCK_%u(%u);", random_below(&kind, 4), n);
        break;
    case STEP_MUTEX_UNLOCK:
        fprintf(t->file, "UNLOCK_%u(%u);", random_below(&kind, 4), n);
        break;
    case STEP_THREAD_BARRIER:
        fprintf(t->file, "pthread_barrier_wait(&barrier[%u]);", n);
        break;
    case STEP_SIGNAL:
        fprintf(t->file, "SIGNAL_%u(%u);", way(t, 4), n);
        break;
    case STEP_AWAIT:
        fprintf(t->file, "AWAIT_%u(%u);", way(t, 4), n);
        break;
    case STEP_NOTIFY:
        fprintf(t->file, "NOTIFY(%u);", n);
        break;
    default:
        fprintf(t->file, "LISTEN(%u);", n);
        break;
    }
}

static void print_step(const struct translation *t)
{
    const struct step *step = t->step;
    if (step->what == STEP_LOAD || step->what == STEP_STORE || step_is_direct(step))
        print_own_access(t);
    else if (step_is_rma(step->what))
        print_operation(t);
    else if (step->what == STEP_WAIT)
        fprintf(t->file, "WAIT_%u(%u);", way(t, 8), step->slot);
    else if (step->what == STEP_REQUEST_FREE)
        fprintf(t->file, "MPI_Request_free(&request[%u]);", step->slot);
    else if (step->what >= STEP_SEND && step->what <= STEP_RECV)
        print_message(t);
    else if (step_is_collective(step->what))
        print_collective(t);
    else if (step_is_of_threads(step->what))
        print_thread_step(t);
    else
        print_window_step(t);
}

/* In the memory of the program, or private. */
static void name_buffer(char *name, size_t size, bool in_memory, const struct section *buffer,
                        size_t spare, int which)
{
    if (in_memory)
        snprintf(name, size, "memory + %llu", (unsigned long long)buffer->start);
    else
        snprintf(name, size, "spare[%zu][%d]", spare, which);
}

/* ---- Programs ---------------------------------------------------------------------------------
 */

/* Threads get out of step now and then, on the line of the step that comes late. */
static void print_pause(const struct translation *t)
{
    struct random random = {t->seed * 77 + t->rank * 1009 + t->spare};
    if (random_chance(&random, 8))
        fprintf(t->file, "usleep(%u); ", 100 + random_below(&random, 3000));
}

static void print_head(FILE *file, uint32_t rank, uint32_t thread, uint32_t *line)
{
    fprintf(file, "static void *rank_%u_%u(void *none)\n{\n", rank, thread);
    *line += 2;
}

static void print_thread(FILE *file, const struct program *program, uint64_t seed, uint32_t rank,
                         uint32_t thread, size_t spare, uint32_t *line, uint32_t *lines)
{
    const struct step_list *list = &program->lists[rank][thread];
    struct random random = {seed * 131 + rank * 17 + thread};
    /* Half of them in several functions. */
    size_t piece = random_chance(&random, 50) ? 3 + random_below(&random, 6) : SIZE_MAX;
    for (size_t i = 0; i < list->count; i++, spare++) {
        if (i % piece == 0 && piece != SIZE_MAX) {
            fprintf(file, "%sstatic void part_%u_%u_%zu(void)\n{\n", i ? "}\n" : "", rank, thread,
                    i / piece);
            *line += i ? 3 : 2;
        } else if (i == 0) {
            print_head(file, rank, thread, line);
        }
        struct translation t = {file, program, &list->steps[i], seed, rank, spare, "", "", ""};
        name_buffer(t.own, sizeof t.own, t.step->reads_buffer, &t.step->read_buffer, spare, 0);
        name_buffer(t.all, sizeof t.all, t.step->writes_buffer, &t.step->write_buffer, spare, 1);
        if (t.step->slot)
            snprintf(t.request, sizeof t.request, ", &request[%u]", t.step->slot);
        fprintf(file, "    STEP_%u(", random_below(&random, 8));
        if (program_has_threads(program))
            print_pause(&t);
        print_step(&t);
        fprintf(file, ")\n");
        lines[i] = (*line)++;
    }
    if (piece != SIZE_MAX && list->count) {
        fprintf(file, "}\n");
        ++*line;
    }
    if (piece != SIZE_MAX || !list->count)
        print_head(file, rank, thread, line);
    for (size_t i = 0; piece != SIZE_MAX && i * piece < list->count; i++, ++*line)
        fprintf(file, "    part_%u_%u_%zu();\n", rank, thread, i);
    fprintf(file, "    return none;\n}\n");
    *line += 2;
}

/* Members of the barriers that a rank uses: one line each. */
static void print_barriers(FILE *file, const struct program *program, uint32_t rank)
{
    uint8_t members[MAX_BARRIERS] = {0};
    for (uint32_t t = 0; t < MAX_THREADS; t++)
        for (size_t i = 0; i < program->lists[rank][t].count; i++) {
            const struct step *step = &program->lists[rank][t].steps[i];
            if (step->what == STEP_THREAD_BARRIER)
                members[step->number] = step->members;
        }
    for (uint32_t b = 0; b < MAX_BARRIERS; b++)
        if (members[b])
            fprintf(file, "    if (rank == %u) pthread_barrier_init(&barrier[%u], NULL, %d);\n",
                    rank, b, __builtin_popcount(members[b]));
}

void translate(FILE *file, const struct program *program, uint64_t seed, translate_lines lines)
{
    uint32_t line = 1;
    size_t most = 1;
    for (uint32_t r = 0; r < program->ranks; r++) {
        size_t count = 0;
        for (uint32_t t = 0; t < MAX_THREADS; t++)
            count += program->lists[r][t].count;
        if (count > most)
            most = count;
    }
    fprintf(file,
            "#define RANKS %u\n#define MEMORY %u\n#define MEMORY_KIND %u\n#define STEPS "
            "%zu\n#define THREADS %d\n#include \"real.h\"\n",
            program->ranks, program->memory, (unsigned)(seed / 2 % 3), most,
            program_has_threads(program));
    line += 6;
    for (uint32_t r = 0; r < program->ranks; r++) {
        size_t spare = 0;
        for (uint32_t t = MAX_THREADS; t-- > 0;) { /* thread 0 last: it names the others */
            if (t && !program->lists[r][t].count && !program_creates_thread(program, r, t))
                continue;
            print_thread(file, program, seed, r, t, spare, &line, lines[r][t]);
            spare += program->lists[r][t].count;
        }
    }
    fprintf(file, "int main(int argc, char **argv)\n{\n    begin(&argc, &argv);\n");
    for (uint32_t c = 1; c < MAX_COMMS; c++)
        if (program->comms[c])
            fprintf(file, "    add_comm(%u, %#x);\n", c, program->comms[c]);
    for (uint32_t r = 0; r < program->ranks; r++)
        print_barriers(file, program, r);
    for (uint32_t r = 0; r < program->ranks; r++)
        fprintf(file, "    if (rank == %u) rank_%u_0(NULL);\n", r, r);
    fprintf(file, "    end();\n    return 0;\n}\n");
}
