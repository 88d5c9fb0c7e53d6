/* What orders the threads of a rank, beyond creation, join and mutexes; only where the program is
 * to be one of threads (GENERATE_THREADS), so that the others stay what they were. */
#include "generate_state.h"

bool with_threads(const struct generator *g)
{
    return g->flags & GENERATE_THREADS;
}

/* Each flag is set once and awaited by one thread. */
bool thread_signal(struct generator *g, uint32_t rank, uint32_t from, uint32_t to)
{
    if (!with_threads(g) || from == to || g->flags_used[rank] == MAX_FLAGS)
        return false;
    bool condition = !order_free(g) && chance(g, 35);
    struct step step = {.what = condition ? STEP_NOTIFY : STEP_SIGNAL,
                        .number = g->flags_used[rank]++,
                        .group = ++g->group};
    append(g, rank, from, step);
    step.what = condition ? STEP_LISTEN : STEP_AWAIT;
    append(g, rank, to, step);
    return true;
}

/* A barrier is for certain threads, and is used again when these meet again. */
static bool find_barrier(struct generator *g, uint32_t rank, uint8_t members, uint32_t *number)
{
    for (*number = 0; *number < MAX_BARRIERS; ++*number) {
        struct thread_barrier *barrier = &g->barriers[rank][*number];
        if (barrier->members && barrier->members != members)
            continue;
        barrier->members = members;
        return barrier->rounds++ < MAX_ROUNDS;
    }
    return false;
}

bool thread_barrier(struct generator *g, uint32_t rank, uint8_t members)
{
    uint32_t number, group = g->group + 1;
    if (!with_threads(g) || __builtin_popcount(members) < 2 ||
        !find_barrier(g, rank, members, &number))
        return false;
    g->group = group;
    for (uint32_t t = 0; t < MAX_THREADS; t++)
        if (members >> t & 1)
            append(g, rank, t,
                   (struct step){.what = STEP_THREAD_BARRIER,
                                 .number = (uint8_t)number,
                                 .members = members,
                                 .group = group});
    return true;
}

/* From one thread to another, over the threads' own ways or a message of the rank to itself. */
bool word_to_thread(struct generator *g, uint32_t rank, uint32_t from, uint32_t to)
{
    uint32_t dice = below(g, 100);
    if (!with_threads(g) || from == to)
        return false;
    if (dice < 50)
        return thread_signal(g, rank, from, to);
    if (dice < 75 || g->program->implicit_world)
        return thread_barrier(g, rank,
                              chance(g, 50) ? (uint8_t)(1u << from | 1u << to)
                                            : (uint8_t)(g->alive[rank] | 1u));
    struct step step = {.what = chance(g, 25) ? STEP_SSEND : STEP_SEND,
                        .peer = (uint8_t)rank,
                        .tag = (uint16_t)++g->tag,
                        .group = ++g->group};
    append(g, rank, from, step);
    step.what = STEP_RECV;
    append(g, rank, to, step);
    return true;
}

/* Another thread waits for a request, after it has heard of it; and may tell so. */
uint32_t waiting_thread(struct generator *g, uint32_t rank, uint32_t owner)
{
    uint32_t thread = with_threads(g) && !g->program->implicit_world && chance(g, 40)
                          ? any_thread(g, rank)
                          : owner;
    return thread != owner && thread_signal(g, rank, owner, thread) ? thread : owner;
}

void thread_action(struct generator *g, uint32_t rank)
{
    uint32_t from = any_thread(g, rank), to = any_thread(g, rank), dice = below(g, 100);
    if (dice < 25)
        thread_begins(g, rank);
    else if (dice < 32)
        thread_ends(g, rank, from);
    else if (dice < 75)
        word_to_thread(g, rank, from, to);
    else if (dice < 85)
        mutex_section(g);
    else {
        own_access(g, rank, from);
        own_access(g, rank, to);
    }
}
