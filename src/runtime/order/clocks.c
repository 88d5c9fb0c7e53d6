#include "clocks.h"
#include "crossings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/engine.h"
#include "messages.h"
#include "recent.h"
#include "session.h"
#include "engine/table.h"

struct kept_clock {
    struct kept_clock *next;
    uint64_t number;
    size_t size;
    char bytes[];
};

struct pigeonhole_key {
    uint64_t topic;
    uint32_t from, kind;
};

struct pigeonhole {
    struct pigeonhole_key key;
    struct kept_clock *first, *last;
    UT_hash_handle hh;
};

/* With the session's lock. */
static struct {
    struct pigeonhole *holes;
    unsigned passed; /* calls of clocks_drain_sometimes */
} kept;

static struct pigeonhole *pigeonhole_find(uint32_t from, enum letter_kind kind, uint64_t topic)
{
    struct pigeonhole_key key = {topic, from, kind};
    struct pigeonhole *hole;
    HASH_FIND(hh, kept.holes, &key, sizeof key, hole);
    return hole;
}

static void keep(const struct letter *letter)
{
    struct pigeonhole *hole = pigeonhole_find(letter->from, letter->kind, letter->topic);
    struct kept_clock *clock = allocate(sizeof *clock + letter->size);
    if (!hole) {
        hole = allocate_zeroed(1, sizeof *hole);
        hole->key = (struct pigeonhole_key){letter->topic, letter->from, letter->kind};
        HASH_ADD(hh, kept.holes, key, sizeof hole->key, hole);
    }
    clock->next = NULL;
    clock->number = letter->number;
    clock->size = letter->size;
    memcpy(clock->bytes, letter->bytes, letter->size);
    *(hole->last ? &hole->last->next : &hole->first) = clock;
    hole->last = clock;
}

/* The letter says why, so that all ranks say the same. */
static void give_up_as_told(const struct letter *letter)
{
    char why[200];
    snprintf(why, sizeof why, "%.*s", (int)letter->size, (const char *)letter->bytes);
    session_give_up_races(why);
}

static void read_letter(const struct letter *letter)
{
    switch (letter->kind) {
    case LETTER_BATCH:
        engine_take_in(session.engine, letter->bytes, letter->size);
        break;
    case LETTER_RECEIVE:
        message_answered(letter);
        break;
    case LETTER_STOP:
        give_up_as_told(letter);
        break;
    default:
        keep(letter);
    }
}

static bool wait_a_moment(struct patience *patience)
{
    session_pause();
    bool lasts = patience_lasts(patience);
    session_resume();
    clocks_drain();
    return lasts;
}

bool clocks_wait(struct patience *patience)
{
    if (session_can_look_for_races() && !wait_a_moment(patience))
        session_give_up_races("what another rank has sent did not arrive");
    return session_can_look_for_races();
}

bool clock_has_come(uint32_t from, enum letter_kind kind, uint64_t topic, uint64_t number)
{
    if (!transport_spans_nodes())
        return true;
    const struct pigeonhole *hole = pigeonhole_find(from, kind, topic);
    return hole && hole->last->number >= number;
}

void clock_await(uint32_t from, enum letter_kind kind, uint64_t topic, uint64_t number)
{
    struct patience patience = {0};
    clocks_drain();
    while (!clock_has_come(from, kind, topic, number) && clocks_wait(&patience))
        ;
}

void clocks_await_world(void)
{
    struct patience patience = {0};
    clocks_drain();
    while (!transport_world_leave() && clocks_wait(&patience))
        ;
}

void clocks_await_all_ranks(void)
{
    struct patience patience = {0};
    do
        wait_a_moment(&patience);
    while (!transport_all_arrived() && session_can_look_for_races());
}

void *board_read(uint32_t owner, uint64_t key, size_t *size)
{
    const void *bytes = board_take(owner, key, size);
    void *copy = *size ? malloc(*size) : NULL;
    if (copy)
        memcpy(copy, bytes, *size);
    else
        *size = 0;
    board_put_back(owner, key);
    struct patience patience = {0};
    clocks_drain();
    while (!boards_are_paid() && clocks_wait(&patience))
        ;
    return copy;
}

void clocks_drain(void)
{
    letters_read(read_letter);
}

void clocks_drain_sometimes(void)
{
    if (letters_pile_up() || ++kept.passed % 64 == 0)
        clocks_drain();
}

void clock_post(uint32_t to, enum letter_kind kind, uint64_t topic, uint64_t number)
{
    size_t size;
    const void *bytes = acting_clock_send(&size);
    struct letter letter = {kind, session.rank, topic, number, bytes, size};
    recent_clock(RECENT_SENT, to, kind, topic, number);
    if (!letter_send(to, &letter))
        session_give_up_races("no shared memory left for clocks");
}

static void join_bytes(struct clock *clock, const void *bytes, size_t size)
{
    struct clock other = CLOCK_EMPTY;
    if (clock_decode(&other, bytes, size))
        clock_join(clock, &other);
    clock_clear(&other);
}

/* The oldest clock, if its number is not above `last`. */
static bool take_out(uint32_t from, enum letter_kind kind, uint64_t topic, uint64_t last,
                     bool learn, struct clock *also)
{
    struct pigeonhole *hole = pigeonhole_find(from, kind, topic);
    if (!hole || hole->first->number > last)
        return false;
    struct kept_clock *clock = hole->first;
    if (learn) {
        recent_clock(RECENT_LEARNT, from, kind, topic, clock->number);
        engine_clock_receive(session.engine, acting(), clock->bytes, clock->size);
    }
    if (also)
        join_bytes(also, clock->bytes, clock->size);
    hole->first = clock->next;
    free(clock);
    if (!hole->first) {
        HASH_DEL(kept.holes, hole);
        free(hole);
    }
    return true;
}

bool clock_collect(uint32_t from, enum letter_kind kind, uint64_t topic)
{
    return take_out(from, kind, topic, UINT64_MAX, true, NULL);
}

uint64_t clocks_collect_through(uint32_t from, enum letter_kind kind, uint64_t topic, uint64_t last,
                                struct clock *also)
{
    const struct pigeonhole *hole;
    uint64_t end = 0;
    while ((hole = pigeonhole_find(from, kind, topic)) && hole->first->number <= last) {
        end = hole->first->number + 1;
        take_out(from, kind, topic, last, true, also);
    }
    return end;
}

bool clock_discard(uint32_t from, enum letter_kind kind, uint64_t topic)
{
    return take_out(from, kind, topic, UINT64_MAX, false, NULL);
}

bool clock_number(uint32_t from, enum letter_kind kind, uint64_t topic, uint64_t *number)
{
    const struct pigeonhole *hole = pigeonhole_find(from, kind, topic);
    if (hole)
        *number = hole->first->number;
    return hole != NULL;
}

void clocks_collect_topic(enum letter_kind kind, uint64_t topic)
{
    struct pigeonhole *hole, *next;
    clocks_drain();
    HASH_ITER(hh, kept.holes, hole, next)
    {
        if (hole->key.kind != kind || hole->key.topic != topic)
            continue;
        uint32_t from = hole->key.from;
        while (clock_collect(from, kind, topic))
            ;
    }
}
