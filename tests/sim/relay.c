/* Writes random programs in which processes pass on a word by RMA atomics, as C sources, with the
 * races that they must show.
 *
 *   sim_relay DIRECTORY COUNT [SEED]
 *
 * As sim_real, but with loops that wait for a value, which the simulation's own programs do not
 * have:
 *
 *     for each turn: its holder   touches places, flushes most of them
 *                                 raises a number, in one of several ways, and flushes that
 *                                 flushes the rest, touches something, tries a swap in vain
 *                    the next one reads the number until it has been raised
 *
 * The trace for the oracle is written turn by turn: the order in which things really happen may be
 * another one, but who has seen which update is not, and nothing else that is done here depends on
 * it. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "oracle.h"
#include "random.h"

enum { CELLS = 2, NUMBERS = 2, MOST_TURNS = 7, MOST_STEPS = 400, MOST_LINES = 2000 };

/* What a line of a rank's part says, and what the oracle is told of it. */
struct relay {
    struct random random;
    struct program program;
    struct trace trace;
    struct step *steps[MOST_STEPS];
    uint32_t owners[MOST_STEPS]; /* rank */
    char *text[MOST_STEPS];
    uint32_t lines[MOST_STEPS], count;
    int value[MAX_RANKS][NUMBERS]; /* of the numbers at each rank, as they will be */
    bool unflushed[MAX_RANKS];     /* somewhere */
};

static uint32_t below(struct relay *relay, uint32_t limit)
{
    return random_below(&relay->random, limit);
}

static bool chance(struct relay *relay, uint32_t percent)
{
    return random_chance(&relay->random, percent);
}

/* ---- steps ---- */

static struct step *add(struct relay *relay, uint32_t rank, struct step like, const char *format,
                        ...)
{
    char text[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (relay->count == MOST_STEPS)
        abort();
    struct step *step = malloc(sizeof *step);
    *step = like;
    step->site = relay->count + 1;
    relay->steps[relay->count] = step;
    relay->owners[relay->count] = rank;
    relay->text[relay->count++] = strdup(text);
    return step;
}

static void event(struct relay *relay, uint32_t rank, enum event_what what, uint32_t id,
                  const struct step *step)
{
    TRACE_ADD(relay->trace.events, relay->trace.count, relay->trace.capacity,
              (struct trace_event){what, (uint8_t)rank, 0, id, step});
}

static void operation(struct relay *relay, uint32_t rank, const struct step *step, bool updated)
{
    struct trace *trace = &relay->trace;
    uint32_t id = TRACE_ADD(trace->operations, trace->operation_count, trace->operation_capacity,
                            (struct trace_operation){step, (uint8_t)rank, 0, updated});
    event(relay, rank, EVENT_RMA, id, step);
    if (step->what >= STEP_ACCUMULATE)
        event(relay, rank, EVENT_EXECUTED, id, step);
}

static void flush(struct relay *relay, uint32_t rank, uint32_t target)
{
    struct step *step =
        target == TARGET_ALL
            ? add(relay, rank, (struct step){.what = STEP_FLUSH, .target = TARGET_ALL},
                  "MPI_Win_flush_all(win);")
            : add(relay, rank, (struct step){.what = STEP_FLUSH, .target = (uint8_t)target},
                  "MPI_Win_flush(%u, win);", target);
    event(relay, rank, EVENT_FLUSH, 0, step);
    event(relay, rank, EVENT_FLUSH_DONE, 0, step);
}

/* ---- what is protected ---- */

static void touch(struct relay *relay, uint32_t rank)
{
    static const char *const calls[] = {
        "MPI_Put(&buffer[%u], 1, MPI_INT, %u, %u, 1, MPI_INT, win);",
        "MPI_Get(&buffer[%u], 1, MPI_INT, %u, %u, 1, MPI_INT, win);",
        "MPI_Accumulate(&buffer[%u], 1, MPI_INT, %u, %u, 1, MPI_INT, "
        "MPI_SUM, win);"};
    static const enum step_what whats[] = {STEP_PUT, STEP_GET, STEP_ACCUMULATE};
    uint32_t which = below(relay, 3), target = below(relay, relay->program.ranks),
             cell = below(relay, CELLS);
    struct step like = {.what = whats[which],
                        .target = (uint8_t)target,
                        .op = OP_SUM,
                        .type = TYPE_INT,
                        .section_count = 1,
                        .sections = {{4 * cell, 4, 0, 1}}};
    struct step *step = add(relay, rank, like, calls[which], relay->count, target, cell);
    operation(relay, rank, step, true);
    if (chance(relay, 60))
        flush(relay, rank, target);
    else
        relay->unflushed[rank] = true;
}

/* ---- how the word is passed on ---- */

struct number {
    uint32_t target, which;
};

static struct step number_step(const struct number *number, enum step_what what, uint8_t op)
{
    return (struct step){.what = what,
                         .target = (uint8_t)number->target,
                         .op = op,
                         .type = TYPE_INT,
                         .section_count = 1,
                         .sections = {{4 * (CELLS + number->which), 4, 0, 1}}};
}

static void raise(struct relay *relay, uint32_t rank, const struct number *number)
{
    uint32_t target = number->target, place = CELLS + number->which;
    int old = relay->value[target][number->which]++;
    struct step like = number_step(number, STEP_ACCUMULATE, OP_REPLACE);
    struct step *step;
    switch (below(relay, 5)) {
    case 0:
        step = add(relay, rank, like,
                   "MPI_Accumulate(&number[%d], 1, MPI_INT, %u, %u, 1, MPI_INT, MPI_REPLACE, win);",
                   old + 1, target, place);
        break;
    case 1:
        like.op = OP_SUM;
        step = add(relay, rank, like,
                   "MPI_Accumulate(&number[1], 1, MPI_INT, %u, %u, 1, MPI_INT, MPI_SUM, win);",
                   target, place);
        break;
    case 2:
        like.what = STEP_FETCH_AND_OP;
        step = add(relay, rank, like,
                   "MPI_Fetch_and_op(&number[%d], &buffer[%u], MPI_INT, %u, %u, MPI_REPLACE, win);",
                   old + 1, relay->count, target, place);
        break;
    case 3:
        like.what = STEP_FETCH_AND_OP;
        like.op = OP_SUM;
        step = add(relay, rank, like,
                   "MPI_Fetch_and_op(&number[1], &buffer[%u], MPI_INT, %u, %u, MPI_SUM, win);",
                   relay->count, target, place);
        break;
    default:
        like.what = STEP_COMPARE_AND_SWAP;
        like.op = ACC_CAS;
        step = add(
            relay, rank, like,
            "MPI_Compare_and_swap(&number[%d], &number[%d], &buffer[%u], MPI_INT, %u, %u, win);",
            old + 1, old, relay->count, target, place);
    }
    operation(relay, rank, step, true);
    if (chance(relay, 80))
        flush(relay, rank, target);
    else
        relay->unflushed[rank] = true;
}

/* The last of its reads gets the number; those before have seen less. Some are completed late. */
static void await(struct relay *relay, uint32_t rank, const struct number *number)
{
    struct step *step = add(
        relay, rank, number_step(number, STEP_FETCH_AND_OP, ACC_NO_OP),
        "for (int seen = -1; seen != %d; %sMPI_Win_flush(%u, win)) MPI_Fetch_and_op(NULL, &seen, "
        "MPI_INT, %u, %u, MPI_NO_OP, win);",
        relay->value[number->target][number->which], chance(relay, 30) ? "usleep(2000), " : "",
        number->target, number->target, CELLS + number->which);
    operation(relay, rank, step, false);
    struct step *done = malloc(sizeof *done);
    *done = (struct step){.what = STEP_FLUSH, .target = (uint8_t)number->target};
    event(relay, rank, EVENT_FLUSH, 0, done); /* in the same line */
    event(relay, rank, EVENT_FLUSH_DONE, 0, done);
}

static void try_in_vain(struct relay *relay, uint32_t rank, const struct number *number)
{
    struct step *step =
        add(relay, rank, number_step(number, STEP_COMPARE_AND_SWAP, ACC_CAS),
            "MPI_Compare_and_swap(&number[1], &never, &buffer[%u], MPI_INT, %u, %u, win);",
            relay->count, number->target, CELLS + number->which);
    operation(relay, rank, step, false);
    flush(relay, rank, number->target);
}

/* ---- a program ---- */

static void everybody(struct relay *relay, enum step_what what, const char *text,
                      enum event_what begin, enum event_what end)
{
    struct step *steps[MAX_RANKS];
    for (uint32_t r = 0; r < relay->program.ranks; r++) {
        struct step like = {.what = what, .target = TARGET_ALL, .lock = LOCK_SHARED};
        steps[r] = add(relay, r, like, "%s", text);
        event(relay, r, begin, 0, steps[r]);
    }
    for (uint32_t r = 0; r < relay->program.ranks && end != begin; r++)
        event(relay, r, end, 0, steps[r]);
}

static void take_turn(struct relay *relay, uint32_t holder, const struct number *number)
{
    for (uint32_t i = 1 + below(relay, 2); i > 0; i--)
        touch(relay, holder);
    if (chance(relay, 50))
        flush(relay, holder, TARGET_ALL);
    raise(relay, holder, number);
    if (chance(relay, 60))
        flush(relay, holder, TARGET_ALL);
    if (chance(relay, 25))
        touch(relay, holder);
    /* Whatever it reads, the process learns it anyway before it does anything else. */
    if (chance(relay, 40))
        try_in_vain(relay, holder, number);
}

static void make(struct relay *relay, uint64_t seed)
{
    *relay = (struct relay){.random = {seed * 0x9e3779b9 + 7}};
    uint32_t ranks = 2 + below(relay, 3);
    program_init(&relay->program, ranks, 64);
    relay->program.windows[0] =
        (struct program_window){.exists = true, .members = (uint8_t)((1u << ranks) - 1)};
    for (uint32_t r = 0; r < ranks; r++)
        relay->program.windows[0].size[r] = 64;
    relay->trace.program = &relay->program;
    everybody(relay, STEP_WIN_CREATE, "", EVENT_WIN_CREATE, EVENT_WIN_CREATE_DONE);
    everybody(relay, STEP_LOCK, "MPI_Win_lock_all(0, win);", EVENT_LOCKED, EVENT_LOCKED);
    uint32_t holder = below(relay, ranks);
    for (uint32_t turns = 2 + below(relay, MOST_TURNS - 1); turns > 0; turns--) {
        struct number number = {below(relay, ranks), below(relay, NUMBERS)};
        uint32_t next = (holder + 1 + below(relay, ranks - 1)) % ranks;
        take_turn(relay, holder, &number);
        await(relay, next, &number);
        holder = next;
    }
    touch(relay, holder);
    everybody(relay, STEP_UNLOCK, "MPI_Win_unlock_all(win);", EVENT_UNLOCK, EVENT_UNLOCK_DONE);
    everybody(relay, STEP_WIN_FREE, "MPI_Win_free(&win);", EVENT_WIN_FREE, EVENT_WIN_FREE_DONE);
}

/* ---- as files ---- */

static FILE *open_file(const char *directory, uint64_t seed, const char *ending)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%llu.%s", directory, (unsigned long long)seed, ending);
    FILE *file = fopen(path, "w");
    if (!file) {
        perror(path);
        exit(2);
    }
    return file;
}

static uint32_t print_head(FILE *file, const struct relay *relay)
{
    fprintf(file,
            "#include <mpi.h>\n#include <stddef.h>\n#include <unistd.h>\n"
            "static _Alignas(64) int memory[16];\n"
            "static int buffer[%u], number[%d], never = 777777;\n"
            "int main(int argc, char **argv) {\n"
            "int rank;\nMPI_Win win;\nMPI_Init(&argc, &argv);\n"
            "MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n"
            "for (int i = 0; i < %d; i++) number[i] = i;\n"
            "MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, "
            "&win);\n",
            relay->count, MOST_TURNS + 2, MOST_TURNS + 2);
    return 12;
}

static void print(FILE *file, struct relay *relay)
{
    uint32_t line = print_head(file, relay);
    for (uint32_t r = 0; r < relay->program.ranks; r++) {
        fprintf(file, "if (rank == %u) {\n", r);
        line++;
        for (uint32_t i = 0; i < relay->count; i++)
            if (relay->owners[i] == r) {
                fprintf(file, "%s\n", relay->text[i]);
                relay->lines[i] = ++line;
            }
        fprintf(file, "}\n");
        line++;
    }
    fprintf(file, "MPI_Finalize();\nreturn 0;\n}\n/* ranks: %u */\n", relay->program.ranks);
}

static void print_races(FILE *file, const struct relay *relay, const struct oracle_result *result)
{
    for (size_t i = 0; i < result->count; i++) {
        const struct oracle_race *race = &result->races[i];
        uint32_t a = relay->lines[race->steps[0]->site - 1],
                 b = relay->lines[race->steps[1]->site - 1];
        fprintf(file, "%s %u %u\n", race->rule == RACE_ATOMICITY ? "atomicity" : "remote-race",
                a < b ? a : b, a < b ? b : a);
    }
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: sim_relay DIRECTORY COUNT [SEED]\n");
        return 2;
    }
    uint64_t seed = argc > 3 ? strtoull(argv[3], NULL, 0) : 1;
    static struct relay relay;
    for (uint64_t count = strtoull(argv[2], NULL, 0); count > 0; seed++, count--) {
        struct oracle_result result;
        make(&relay, seed);
        oracle_check(&relay.trace, 0, &result);
        FILE *file = open_file(argv[1], seed, "c");
        print(file, &relay);
        fclose(file);
        file = open_file(argv[1], seed, "expected");
        print_races(file, &relay, &result);
        fclose(file);
        oracle_clear(&result);
        trace_clear(&relay.trace);
    }
    return 0;
}
