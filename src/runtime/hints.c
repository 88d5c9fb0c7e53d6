#include "hints.h"

#include <stdlib.h>

#include "clocks.h"
#include "comms.h"
#include "crossings.h"
#include "edges.h"
#include "repeats.h"
#include "session.h"
#include "window_accesses.h"

#define HINT __attribute__((visibility("default")))

/* ---- memory ---- */

static struct range {
    uint64_t start, end;
} *ranges;
static unsigned room;
unsigned hints_ignored;

bool hints_cover(uint64_t start, uint64_t bytes)
{
    for (unsigned i = 0; i < hints_ignored; i++)
        if (ranges[i].start <= start && start + bytes <= ranges[i].end)
            return true;
    return false;
}

HINT void regatta_ignore(const void *address, size_t bytes)
{
    if (!session_is_active())
        return;
    session_lock();
    if (hints_ignored == room) {
        struct range *larger = realloc(ranges, (2 * room + 8) * sizeof *ranges);
        if (larger) {
            ranges = larger;
            room = 2 * room + 8;
        }
    }
    if (hints_ignored < room)
        ranges[hints_ignored++] = (struct range){(uintptr_t)address, (uintptr_t)address + bytes};
    session_unlock();
}

HINT void regatta_notice(const void *address, size_t bytes)
{
    if (!session_is_active())
        return;
    session_lock();
    for (unsigned i = 0; i < hints_ignored; i++)
        if (ranges[i].start == (uintptr_t)address && ranges[i].end == (uintptr_t)address + bytes)
            ranges[i--] = ranges[--hints_ignored];
    session_unlock();
}

/* ---- order: like a message that is always there when it is asked for ---- */

static uint64_t topic_of(uint64_t key)
{
    return name_mix(UINT64_C(0x68696e74), key);
}

/* Whether it means anything; if so, what was done until now has been told. */
static bool enter(int rank)
{
    if (!session_is_active() || rank < 0 || rank >= session.ranks || rank == session.rank)
        return false;
    session_lock();
    window_accesses_settle();
    if (session.engine)
        repeat_interrupt();
    if (session_can_look_for_races())
        edges_wake();
    return true;
}

static void leave(void)
{
    crossing_return();
    session_unlock();
}

HINT void regatta_happens_before(uint64_t key, int rank)
{
    if (!enter(rank))
        return;
    if (session.engine && session_can_look_for_races())
        clock_post((uint32_t)rank, LETTER_COLLECTIVE, topic_of(key), 0);
    leave();
}

/* Within a node the letter is there: it was written before the synchronisation that the program
 * tells of. Across nodes it may be late, but nobody waits for one that was never sent. */
HINT void regatta_happens_after(uint64_t key, int rank)
{
    if (!enter(rank))
        return;
    if (session.engine && session_can_look_for_races()) {
        struct patience patience = {0};
        clocks_drain();
        for (int turn = 0; transport_spans_nodes() && turn < 1000 &&
                           !clock_has_come((uint32_t)rank, LETTER_COLLECTIVE, topic_of(key), 0);
             turn++)
            if (!clocks_wait(&patience))
                break;
        while (clock_collect((uint32_t)rank, LETTER_COLLECTIVE, topic_of(key)))
            ;
    }
    leave();
}
