#include "crossings.h"

#include <stdlib.h>
#include <string.h>

#include "actor_state.h"
#include "engine/alloc.h"
#include "engine/engine.h"
#include "session.h"

/* What an actor had told the engine when its time `local` was over. */
struct crossing {
    uint64_t local;
    struct clock clock;
};

/* What it knew here when its clock left the process with that time of the engine. */
struct departure {
    time_point time;
    struct past *past;
};

/* Of an actor, by its number. Lists are ascending. */
struct crosser {
    uint64_t touched;        /* its time when it last told the engine something; 0: never */
    uint64_t version;        /* of what it knew when it caught up last */
    struct knowledge caught; /* of each actor: the time up to which it did */
    struct crossing *crossings;
    size_t crossing_count, crossing_room;
    struct departure *departures;
    size_t departure_count, departure_room;
    time_point *heard; /* of each actor: up to which departure it has been heard of by others */
    uint32_t heard_count;
};

static struct {
    struct crosser *by_actor[ACTORS];
    uint32_t count; /* numbers above have none */
    uint32_t main;  /* the actor that is the engine's thread 0 */
} crossers;

/* How many of a list are kept. Beyond it neighbours become one, so that whoever asks for the
 * earlier one gets the later one: that orders too much, never too little. */
enum { KEPT = 512 };

static uint32_t engine_number(uint32_t actor)
{
    if (actor == crossers.main)
        return 0;
    return actor == 0 ? crossers.main : actor;
}

static struct crosser *crosser_of(uint32_t actor)
{
    if (!crossers.by_actor[actor])
        crossers.by_actor[actor] = allocate_zeroed(1, sizeof(struct crosser));
    if (actor >= crossers.count)
        crossers.count = actor + 1;
    return crossers.by_actor[actor];
}

void crossings_start(void)
{
    crossers.main = actor_current();
    /* While it is alone nobody asks on whose behalf the engine is told: whatever that will be, it
     * happens at this time of the actor, and before any that it makes. */
    if (runtime_here.actor)
        crosser_of(crossers.main)->touched = runtime_here.actor->now;
}

/* ---- into the engine ---- */

/* Nobody asks for a crossing any more once all know of the next one. */
static void thin_crossings(uint32_t actor, struct crosser *crosser)
{
    size_t known = 0, kept = 0;
    while (known + 1 < crosser->crossing_count &&
           actors_all_know((struct moment){actor, crosser->crossings[known + 1].local}))
        known++;
    if (known == 0 && crosser->crossing_count == KEPT) {
        for (size_t i = 0; i + 1 < KEPT; i += 2, kept++) {
            uint64_t local = crosser->crossings[i].local;
            clock_clear(&crosser->crossings[i].clock);
            crosser->crossings[kept] = crosser->crossings[i + 1];
            crosser->crossings[kept].local = local;
        }
        crosser->crossing_count = kept;
        return;
    }
    for (size_t i = 0; i < known; i++)
        clock_clear(&crosser->crossings[i].clock);
    crosser->crossing_count -= known;
    memmove(crosser->crossings, crosser->crossings + known,
            crosser->crossing_count * sizeof *crosser->crossings);
}

static void cross(uint32_t actor, struct crosser *crosser)
{
    if (crosser->crossing_count == crosser->crossing_room) {
        if (crosser->crossing_count)
            thin_crossings(actor, crosser);
        if (crosser->crossing_count == crosser->crossing_room) {
            crosser->crossing_room = crosser->crossing_room ? 2 * crosser->crossing_room : 8;
            crosser->crossings =
                reallocate(crosser->crossings, crosser->crossing_room * sizeof *crosser->crossings);
        }
    }
    struct crossing *crossing = &crosser->crossings[crosser->crossing_count++];
    *crossing = (struct crossing){.local = crosser->touched};
    engine_release(session.engine, engine_number(actor), &crossing->clock);
}

/* `to` learns what `from` had told the engine until its time `known` was over. */
static void catch_up_with(uint32_t to, uint32_t from, uint64_t known)
{
    struct crosser *crosser = from < crossers.count ? crossers.by_actor[from] : NULL;
    if (!crosser || !crosser->touched)
        return;
    if (known >= crosser->touched) {
        struct clock clock = CLOCK_EMPTY;
        engine_release(session.engine, engine_number(from), &clock);
        engine_acquire(session.engine, to, &clock);
        clock_clear(&clock);
        return;
    }
    size_t low = 0, high = crosser->crossing_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (crosser->crossings[middle].local <= known)
            low = middle + 1;
        else
            high = middle;
    }
    if (low > 0)
        engine_acquire(session.engine, to, &crosser->crossings[low - 1].clock);
}

static void catch_up(const struct actor *actor, struct crosser *crosser)
{
    for (uint32_t i = 0; i < actor->known.count; i++) {
        uint64_t known = actor->known.times[i];
        if (i == actor->number || known <= knowledge_of(&crosser->caught, i))
            continue;
        catch_up_with(engine_number(actor->number), i, known);
        knowledge_learn(&crosser->caught, i, known);
    }
    crosser->version = actor->version;
}

static uint32_t act(struct actor *actor)
{
    actor->acted = actor->now;
    struct crosser *crosser = crosser_of(actor->number);
    if (actor->now > crosser->touched) {
        if (crosser->touched)
            cross(actor->number, crosser);
        crosser->touched = actor->now;
    }
    if (actor->version != crosser->version)
        catch_up(actor, crosser);
    return engine_number(actor->number);
}

uint32_t acting(void)
{
    struct actor *actor = runtime_here.actor;
    return actor && actors_are_watched() ? act(actor) : 0;
}

uint32_t acting_as(uint32_t number)
{
    struct actor *actor = actor_by_number(number);
    return actor && actors_are_watched() ? act(actor) : 0;
}

uint32_t acting_thread(uint32_t number)
{
    return actor_thread_of(engine_number(number)); /* the other way round it is the same */
}

/* ---- out of the process and back ---- */

/* Where all calls come from thread 0, what comes back to it is what it did itself. */
static bool clocks_return(void)
{
    return runtime_here.actor && actors_are_watched() && session.engine && !session.implicit_world;
}

static void thin_departures(uint32_t actor, struct crosser *crosser)
{
    size_t known = 0, kept = 0;
    struct departure *list = crosser->departures;
    while (known < crosser->departure_count &&
           actors_all_know((struct moment){actor, list[known].past ? list[known].past->time : 0}))
        past_drop(list[known++].past);
    if (known == 0 && crosser->departure_count == KEPT) {
        for (size_t i = 0; i + 1 < KEPT; i += 2, kept++) {
            past_drop(list[i].past);
            list[kept] = (struct departure){list[i].time, list[i + 1].past};
        }
        crosser->departure_count = kept;
        return;
    }
    crosser->departure_count -= known;
    memmove(list, list + known, crosser->departure_count * sizeof *list);
}

void crossing_leave(void)
{
    if (!clocks_return())
        return;
    uint32_t number = acting();
    struct crosser *crosser = crosser_of(runtime_here.actor->number);
    if (crosser->departure_count == crosser->departure_room) {
        if (crosser->departure_count)
            thin_departures(runtime_here.actor->number, crosser);
        if (crosser->departure_count == crosser->departure_room) {
            crosser->departure_room = crosser->departure_room ? 2 * crosser->departure_room : 8;
            crosser->departures = reallocate(crosser->departures,
                                             crosser->departure_room * sizeof *crosser->departures);
        }
    }
    crosser->departures[crosser->departure_count++] =
        (struct departure){engine_mark(session.engine, number), actor_past()};
    actor_advance();
}

const void *acting_clock_send(size_t *size)
{
    uint32_t number = acting();
    crossing_leave();
    return engine_clock_send(session.engine, number, size);
}

static void hear_of(struct crosser *crosser, uint32_t from, time_point time)
{
    const struct crosser *other = crossers.by_actor[from];
    size_t low = 0, high = other->departure_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (other->departures[middle].time <= time)
            low = middle + 1;
        else
            high = middle;
    }
    if (low > 0)
        actor_learn_past(other->departures[low - 1].past);
    crosser->heard[from] = time;
}

void crossing_return(void)
{
    if (!clocks_return())
        return;
    uint32_t number = acting();
    struct crosser *crosser = crosser_of(runtime_here.actor->number);
    if (crosser->heard_count < crossers.count) {
        crosser->heard = reallocate(crosser->heard, crossers.count * sizeof *crosser->heard);
        memset(crosser->heard + crosser->heard_count, 0,
               (crossers.count - crosser->heard_count) * sizeof *crosser->heard);
        crosser->heard_count = crossers.count;
    }
    for (uint32_t i = 0; i < crossers.count; i++) {
        if (i == runtime_here.actor->number || !crossers.by_actor[i] ||
            !crossers.by_actor[i]->departure_count)
            continue;
        time_point time = engine_known(session.engine, number, engine_number(i));
        if (time > crosser->heard[i])
            hear_of(crosser, i, time);
    }
}
