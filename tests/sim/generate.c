#include "generate_state.h"

#include <string.h>

/* Places in the program: mostly every step its own; now and then the same one again, as in SPMD
 * programs and loops. */
struct step *append(struct generator *g, uint32_t rank, uint32_t thread, struct step step)
{
    if (!step.site)
        step.site = g->site > 4 && chance(g, 8) ? 1 + below(g, g->site) : g->site++;
    if (!step.group)
        step.group = ++g->group;
    return program_append(g->program, rank, thread, &step);
}

uint32_t any_member(struct generator *g, uint8_t members)
{
    uint32_t n = below(g, (uint32_t)__builtin_popcount(members));
    for (uint32_t r = 0; r < MAX_RANKS; r++)
        if (members >> r & 1 && n-- == 0)
            return r;
    return 0;
}

uint32_t any_thread(struct generator *g, uint32_t rank)
{
    return any_member(g, g->alive[rank] | 1);
}

uint32_t mpi_thread(struct generator *g, uint32_t rank)
{
    return g->program->implicit_world ? 0 : any_thread(g, rank);
}

uint8_t new_slot(struct generator *g, uint32_t rank)
{
    return g->slots[rank] + 1 < MAX_SLOTS ? ++g->slots[rank] : 0;
}

/* ---- The shape of a program -------------------------------------------------------------------
 */

static void choose_addresses(struct generator *g)
{
    for (uint32_t r = 0; r < g->program->ranks; r++) {
        switch (below(g, 4)) {
        case 0:
            g->program->base[r] = 0x10000;
            break;
        case 1: /* across the border of a page, of whatever size pages are */
            g->program->base[r] = 0x7f0000000000 - below(g, g->program->memory);
            break;
        case 2:
            g->program->base[r] = 0x20000 + below(g, 16);
            break;
        default:
            g->program->base[r] = 0x5000001000 - 8 * (uint64_t)below(g, g->program->memory / 8);
            break;
        }
    }
}

static void choose_shape(struct generator *g)
{
    static const uint8_t ranks[] = {2, 2, 2, 3, 3, 3, 4, 4, 5, 6, 8};
    static const uint16_t memories[] = {32, 64, 64, 128, 256};
    uint32_t count = with_threads(g) ? 2 + below(g, 2) : ranks[below(g, sizeof ranks)];
    program_init(g->program, count, memories[below(g, 5)]);
    g->threads = with_threads(g) || chance(g, 35);
    g->buffers = chance(g, 35) || g->flags & GENERATE_BUFFERS;
    g->atomics = chance(g, 30);
    g->program->implicit_world = chance(g, with_threads(g) ? 15 : g->threads ? 40 : 60);
    g->program->strict_accumulate = chance(g, 30);
    g->favourite_type = (uint8_t)below(g, TYPE_KINDS);
    g->favourite_op = (uint8_t)(OP_SUM + below(g, OP_LIMIT - OP_SUM));
    g->busy = below(g, g->program->ranks);
    g->flag = 4 * below(g, g->program->memory / 4);
    for (uint32_t i = 0; i < HOT_SPOTS; i++)
        g->hot[i] = below(g, g->program->memory) & (chance(g, 70) ? ~7u : ~0u);
    for (uint32_t c = 1; c < MAX_COMMS; c++) {
        uint8_t members = g->program->comms[0] & (uint8_t)below(g, 256);
        if (g->program->ranks > 2 && __builtin_popcount(members) > 1)
            g->program->comms[c] = members;
    }
    choose_addresses(g);
}

static void some_action(struct generator *g)
{
    uint32_t dice = below(g, 100), rank = below(g, g->program->ranks);
    if (with_threads(g) && chance(g, 30)) {
        thread_action(g, rank);
        return;
    }
    if (dice < 24)
        some_accesses(g, 1 + below(g, 3));
    else if (dice < 54)
        handoff(g);
    else if (dice < 62)
        message(g);
    else if (dice < 67)
        collective(g);
    else if (dice < 69)
        wildcard_messages(g);
    else if (dice < 88)
        epoch_action(g);
    else if (dice < 92)
        settle_request(g, rank);
    else if (dice < 95)
        thread_begins(g, rank);
    else if (dice < 97)
        thread_ends(g, rank, any_thread(g, rank));
    else
        mutex_section(g);
}

static void finish(struct generator *g)
{
    for (uint32_t r = 0; r < g->program->ranks; r++)
        for (uint32_t t = 1; t < MAX_THREADS; t++)
            thread_ends(g, r, t);
    if (chance(g, 50))
        for (uint32_t r = 0; r < g->program->ranks; r++)
            settle_requests_of(g, r, 0);
    close_epochs(g);
    for (uint32_t r = 0; r < g->program->ranks; r++)
        settle_requests_of(g, r, 0);
}

void generate(uint64_t seed, unsigned flags, struct program *program)
{
    struct generator g;
    memset(&g, 0, sizeof g);
    g.random.state = seed * 0x9e3779b97f4a7c15u + 77;
    g.program = program;
    g.flags = flags;
    g.flag_site = 1;
    g.site = 2;
    choose_shape(&g);
    windows_begin(&g);
    for (uint32_t r = 0; r < program->ranks; r++)
        if (g.threads && chance(&g, with_threads(&g) ? 75 : 40))
            thread_begins(&g, r);
    uint32_t actions = 5 + below(&g, 25);
    for (uint32_t i = 0; i < actions; i++)
        some_action(&g);
    finish(&g);
}
