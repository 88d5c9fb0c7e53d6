/* Which updates a fetch is taken to have seen where it is known what processes had heard of each other (release_history.c):
 * random programs without races of four processes that update one location, put to it, fetch from it and send messages, with
 * the clocks that the boards would have. None that was executed before the fetch may be left out, unless its process had
 * heard of it anyway; and knowing more must leave out more. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "engine/clock.h"
#include "fake_board.h"
#include "../sim/random.h"

enum { PROCESSES = 4, PUTS = 64, VALUES = 12, PROGRAMS = 20000, CLOCK_BYTES = 512 };

/* What a process, or whoever reads one of its messages or updates, knows. */
struct knowledge {
    struct clock clock;
    bool over[UPDATES + 1], put[PUTS];
};

static void learn(struct knowledge *into, const struct knowledge *from)
{
    clock_join(&into->clock, &from->clock);
    for (int i = 0; i <= UPDATES; i++)
        into->over[i] |= from->over[i];
    for (int i = 0; i < PUTS; i++)
        into->put[i] |= from->put[i];
}

static void copy(struct knowledge *into, const struct knowledge *from)
{
    clock_copy(&into->clock, &from->clock);
    memcpy(into->over, from->over, sizeof into->over);
    memcpy(into->put, from->put, sizeof into->put);
}

struct process {
    struct knowledge knows;
    uint64_t tick;
    int under_way; /* 0: nothing */
    bool has_put;
};

struct update {
    int writer;
    bool swaps, adds, failed;
    uint64_t operand, compare, wrote, at; /* at: the step in which it was executed, 0: not yet */
    time_point issued;
    struct knowledge knew;
    unsigned char clock[CLOCK_BYTES];
};

static struct world {
    struct random random;
    struct board board;
    struct process processes[PROCESSES];
    struct update updates[UPDATES + 1];
    uint64_t value, steps, generation;
    int nupdates, nputs;
    unsigned swaps, completes, sends, puts; /* how often, in percent: each program has its own */
    unsigned long of, too_much, looks;
} world;

static time_point tick(int who)
{
    struct process *process = &world.processes[who];
    time_point now = time_make(world.generation, ++process->tick);
    clock_learn(&process->knows.clock, actor_of((uint32_t)who, 0), now);
    return now;
}

static bool knows_all_puts(int who)
{
    for (int i = 0; i < world.nputs; i++)
        if (!world.processes[who].knows.put[i])
            return false;
    return true;
}

static void issue(int who)
{
    int number = ++world.nupdates;
    struct update *update = &world.updates[number];
    struct process *process = &world.processes[who];
    *update = (struct update){.writer = who,
                              .operand = random_below(&world.random, VALUES),
                              .compare = random_chance(&world.random, 60)
                                             ? world.value
                                             : random_below(&world.random, VALUES)};
    update->swaps = random_chance(&world.random, world.swaps);
    update->adds = !update->swaps && random_chance(&world.random, 30);
    update->issued = tick(who);
    copy(&update->knew, &process->knows);
    struct release_change change = {.value = {VALUE_KNOWN, update->operand}, .spared = !process->has_put};
    if (update->swaps)
        change.value.known = VALUE_MAYBE, change.operand = update->compare;
    else if (update->adds)
        change = (struct release_change){
            .value = {VALUE_LATER, 0}, .operand = update->operand, .op = RELEASE_SUM, .spared = !process->has_put};
    publish_change(&world.board, who, number, change);
    assert_in_range(clock_encoded_bound(&process->knows.clock), 0, CLOCK_BYTES);
    world.board.entries[0].size = (uint32_t)clock_encode(&process->knows.clock, update->clock);
    world.board.entries[0].clock = update->clock;
    process->under_way = number;
}

static void execute(struct update *update)
{
    update->at = ++world.steps;
    update->failed = update->swaps && world.value != update->compare;
    if (!update->failed)
        world.value = update->adds ? world.value + update->operand : update->operand;
    update->wrote = world.value;
}

static void complete(int who)
{
    struct process *process = &world.processes[who];
    int number = process->under_way;
    for (size_t i = 0; i < world.board.count; i++)
        if (number_of(&world.board.entries[i]) == number &&
            world.board.entries[i].change.value.known == VALUE_LATER)
            world.board.entries[i].change.value.bytes = world.updates[number].wrote;
    executed(&world.board, number, !world.updates[number].failed);
    process->knows.over[number] = true;
    process->under_way = 0;
    tick(who);
}

/* Ordered behind all updates and puts so far. */
static bool may_put(int who)
{
    for (int i = 1; i <= world.nupdates; i++)
        if (!world.processes[who].knows.over[i])
            return false;
    return world.nputs < PUTS && knows_all_puts(who);
}

static void put(int who)
{
    world.value = random_below(&world.random, VALUES);
    world.steps++;
    world.processes[who].has_put = true;
    world.processes[who].knows.put[world.nputs++] = true;
    tick(who);
}

static void synchronise(void)
{
    struct knowledge *first = &world.processes[0].knows;
    for (int i = 0; i < PROCESSES; i++)
        if (world.processes[i].under_way)
            return;
    world.generation++;
    for (int i = 1; i < PROCESSES; i++)
        learn(first, &world.processes[i].knows);
    clock_raise(&first->clock, world.generation);
    for (int i = 1; i < PROCESSES; i++)
        copy(&world.processes[i].knows, first);
    for (int i = 0; i < PROCESSES; i++) {
        world.processes[i].tick = 0;
        tick(i);
    }
}

/* One of the processes goes on; not the one that is fetching. */
static void step(int fetching)
{
    int who = (int)random_below(&world.random, PROCESSES), other = (int)random_below(&world.random, PROCESSES);
    struct process *process = &world.processes[who];
    if (who == fetching)
        return;
    if (process->under_way) {
        struct update *update = &world.updates[process->under_way];
        if (!update->at)
            execute(update);
        else if (random_chance(&world.random, world.completes))
            complete(who);
    } else if (random_chance(&world.random, world.sends) && other != fetching && other != who) {
        tick(who);
        learn(&world.processes[other].knows, &process->knows);
    } else if (fetching < 0 && random_chance(&world.random, 1)) {
        synchronise();
    } else if (may_put(who) && random_chance(&world.random, world.puts)) {
        put(who);
    } else if (knows_all_puts(who) && world.nupdates < UPDATES) {
        issue(who);
    }
}

static bool has_heard(const struct knowledge *knows, const struct release_entry *entry)
{
    const struct update *update = &world.updates[number_of(entry)];
    return clock_covers(&knows->clock, actor_of((uint32_t)update->writer, 0), update->issued);
}

static bool never_quiet(const struct release_entry *first, const struct release_entry *second)
{
    (void)first;
    (void)second;
    return false;
}

/* The fetch of `who`, executed at `then`, which got `value`, looks; it learns what it has really seen. */
static void look(int who, uint64_t then, uint64_t value, bool quiet)
{
    struct knowledge *knows = &world.processes[who].knows;
    struct board *board = &world.board;
    bool is[RELEASE_MOST_ENTRIES + 1], news[RELEASE_MOST_ENTRIES + 1];
    int last[PROCESSES] = {0};
    for (size_t i = 0; i < board->count; i++)
        news[i] = board->entries[i].over && board->entries[i].change.value.known == VALUE_KNOWN &&
                  !has_heard(knows, &board->entries[i]);
    struct release_reading reading = {.value = value,
                                      .own = {actor_of((uint32_t)who, 0), UPDATES},
                                      .length = 4,
                                      .news = news,
                                      .quiet = quiet ? release_is_quiet_between : never_quiet};
    release_seen_by(board->entries, board->count, &reading, is);
    for (size_t i = 0; i < board->count; i++)
        if (is[i] && number_of(&board->entries[i]) > last[board->entries[i].writer])
            last[board->entries[i].writer] = number_of(&board->entries[i]);
    world.looks++;
    for (int n = 1; n <= world.nupdates; n++) {
        const struct update *update = &world.updates[n];
        bool before = update->at && update->at <= then && !update->failed;
        bool heard = clock_covers(&knows->clock, actor_of((uint32_t)update->writer, 0), update->issued);
        bool counts = n <= last[update->writer];
        if (before && !heard && !counts)
            fail_msg("update %d was executed before the fetch, and is left out", n);
        world.of += !before && !heard;
        world.too_much += !before && !heard && counts;
    }
    for (int n = 1; n <= world.nupdates; n++) {
        const struct update *update = &world.updates[n];
        if (update->at && update->at <= then && !update->failed) {
            learn(knows, &update->knew);
            knows->over[n] = true;
        }
    }
    tick(who);
}

static void forget(void)
{
    for (int i = 0; i < PROCESSES; i++)
        clock_clear(&world.processes[i].knows.clock);
    for (int i = 0; i <= UPDATES; i++)
        clock_clear(&world.updates[i].knew.clock);
    memset(&world, 0, sizeof world);
}

static void play(uint64_t program, bool quiet)
{
    world.random = (struct random){program};
    world.generation = 1;
    world.swaps = 30 + random_below(&world.random, 60);
    world.completes = 5 + random_below(&world.random, 90);
    world.sends = 5 + random_below(&world.random, 60);
    world.puts = 5 + random_below(&world.random, 60);
    for (int i = 0; i < PROCESSES; i++) {
        clock_raise(&world.processes[i].knows.clock, 1);
        tick(i);
    }
    for (int rounds = 0; rounds < 40; rounds++) {
        for (unsigned i = random_below(&world.random, 16); i > 0; i--)
            step(-1);
        int who = (int)random_below(&world.random, PROCESSES);
        if (world.processes[who].under_way || !knows_all_puts(who))
            continue;
        uint64_t then = world.steps, value = world.value;
        for (unsigned i = random_below(&world.random, 10); i > 0; i--)
            step(who);
        look(who, then, value, quiet);
    }
}

/* How many updates were taken for seen without need. */
static unsigned long try_random(bool quiet)
{
    unsigned long of = 0, too_much = 0, looks = 0, puts = 0;
    for (uint64_t program = 1; program <= PROGRAMS; program++) {
        play(program, quiet);
        of += world.of, too_much += world.too_much, looks += world.looks, puts += (unsigned long)world.nputs;
        forget();
    }
    printf("%lu fetches, %lu puts: %lu updates came after fetches or were none, %lu of these were taken for seen\n", looks,
           puts, of, too_much);
    return too_much;
}

static void test_random(void **state)
{
    (void)state;
    assert_true(try_random(true) < try_random(false));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
