#include "window_atomics.h"

#include <stdlib.h>
#include <string.h>

#include "actors.h"
#include "reach.h"
#include "releases.h"
#include "session.h"
#include "transport.h"
#include "visibility.h"
#include "window_accesses.h"

/* Places where somebody has loaded. */
struct places {
    struct atomic_place *list;
    size_t count, room;
};

static void places_add(struct places *places, const struct atomic_place *place)
{
    if (places->count == places->room) {
        size_t more = 2 * places->room + 16;
        struct atomic_place *larger = realloc(places->list, more * sizeof *larger);
        if (!larger) {
            session_give_up_races("no memory for atomics");
            return;
        }
        places->list = larger;
        places->room = more;
    }
    places->list[places->count++] = *place;
}

/* The actor's oldest one goes. */
static bool places_take(struct places *places, uint32_t actor, struct atomic_place *place)
{
    for (size_t i = 0; i < places->count; i++)
        if (places->list[i].actor == actor) {
            *place = places->list[i];
            places->count--;
            memmove(&places->list[i], &places->list[i + 1],
                    (places->count - i) * sizeof *places->list);
            return true;
        }
    return false;
}

/* How many the actor has; SIZE_MAX if this is one of them. */
static size_t places_of(const struct places *places, const struct atomic_place *place)
{
    size_t count = 0;
    for (size_t i = 0; i < places->count; i++) {
        const struct atomic_place *each = &places->list[i];
        if (each->actor != place->actor)
            continue;
        if (each->window == place->window && each->owner == place->owner &&
            each->offset == place->offset)
            return SIZE_MAX;
        count++;
    }
    return count;
}

/* ---- loads ---- */

static struct places acquires, passed; /* passed: by relaxed loads, for the next fence */
size_t window_acquires;

static void acquire_later(const struct atomic_place *place)
{
    if (places_of(&acquires, place) == SIZE_MAX)
        return;
    places_add(&acquires, place);
    window_untold += acquires.count - window_acquires;
    window_acquires = acquires.count;
}

/* Each actor its own: another one does not know when the load is over, and is not ordered by it.
 * Across nodes a board is waited for without the session's lock. */
void window_atomics_acquire(void)
{
    struct atomic_place place;
    uint32_t actor = actor_current();
    bool first = true;
    while (window_acquires > 0 && places_take(&acquires, actor, &place)) {
        window_untold--;
        window_acquires--;
        if (first)
            visibility_synchronise();
        first = false;
        release_acquire_at(place.window, place.owner, place.offset);
    }
}

/* Beyond so many, which no fence seems to follow, the oldest one acquires without. */
enum { PASSED = 16 };

void window_atomic_loads(const struct own_access *access, const struct atomic_place *place)
{
    struct atomic_place oldest;
    if (!(access->how & ATOMIC_READS))
        return;
    if (access->how & ATOMIC_ACQUIRES) {
        acquire_later(place);
        return;
    }
    size_t others = places_of(&passed, place);
    if (others == SIZE_MAX)
        return;
    if (others >= PASSED && places_take(&passed, place->actor, &oldest))
        acquire_later(&oldest);
    places_add(&passed, place);
}

/* ---- stores ---- */

void window_atomic_stores(const struct own_access *access, const struct atomic_place *place)
{
    if (!(access->how & ATOMIC_WRITES))
        return;
    if (access->how & ATOMIC_RELEASES) {
        window_accesses_settle();
        visibility_synchronise();
        release_publish_at(place->window, place->owner, place->offset);
    } else {
        release_publish_fenced_at(place->window, place->owner, place->offset);
    }
}

/* ---- fences ---- */

void window_fence(unsigned how)
{
    struct atomic_place place;
    window_accesses_settle();
    visibility_synchronise();
    if (how & ATOMIC_ACQUIRES)
        while (places_take(&passed, actor_current(), &place))
            release_acquire_at(place.window, place.owner, place.offset);
    if (how & ATOMIC_RELEASES)
        release_fence();
}

/* ---- where ---- */

static bool find_shared(void *context, const struct reach *reach)
{
    if (reach->shared)
        *(const struct reach **)context = reach;
    return !reach->shared;
}

/* False if it is not in a shared window. */
static bool find_place(uint64_t address, uint64_t bytes, struct atomic_place *place)
{
    const struct reach *reach = NULL;
    reach_visit(address, address + bytes, find_shared, &reach);
    if (reach)
        *place = (struct atomic_place){reach->window, reach->owner, address - reach->low,
                                       actor_current()};
    return reach != NULL;
}

bool window_atomic_place(const struct own_access *access, struct atomic_place *place)
{
    return access->atomic && find_place(access->address, access->bytes, place);
}

/* ---- locks and the like ---- */

/* Across nodes a board is reached by RMA, which may have to wait until its owner calls MPI. With
 * atomics it does, sooner or later; but who sleeps in a lock or barrier may be waiting for this
 * very process. */
static bool find_object(uint64_t address, struct atomic_place *place)
{
    if (!find_place(address, 1, place))
        return false;
    if (transport_spans_nodes())
        session_give_up_races("locks or the like in a shared window order processes, and the ranks "
                              "are on several nodes");
    return !transport_spans_nodes();
}

void window_object_released(uint64_t address)
{
    struct atomic_place place;
    if (!find_object(address, &place))
        return;
    window_accesses_settle();
    visibility_synchronise();
    release_publish_at(place.window, place.owner, place.offset);
}

/* Unlike atomics these are told when they have happened, and learn at once. */
void window_object_acquired(uint64_t address)
{
    struct atomic_place place;
    if (!find_object(address, &place))
        return;
    window_accesses_settle();
    visibility_synchronise();
    release_acquire_at(place.window, place.owner, place.offset);
}
