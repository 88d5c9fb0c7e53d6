#include "window_accesses.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <uthash.h>

#include "clocks.h"
#include "engine.h"
#include "race_records.h"
#include "reach.h"
#include "releases.h"
#include "session.h"
#include "stacks.h"

/* ---- places in the code ---- */

/* A place is its return address. Stacks do not make places different: recursive code would have thousands,
 * and the engine keeps an entry for each. One of them is kept to show it. */
struct code_place {
    site_t site;
    const struct stack *stack;
    int unwinds;
    bool published; /* other ranks can name it */
    bool polls;
    UT_hash_handle hh;
};

enum { UNWINDS = 8 }; /* of one place: unwinding takes microseconds */

static struct code_place *places;

static struct code_place *place_get(const void *caller)
{
    site_t site = (uintptr_t)caller & (SITE_LIMIT - 1);
    struct code_place *place;
    HASH_FIND(hh, places, &site, sizeof site, place);
    if (!place && (place = calloc(1, sizeof *place))) {
        place->site = site;
        HASH_ADD(hh, places, site, sizeof site, place);
    }
    return place;
}

static void place_look(struct code_place *place, const void *caller, const void *frame)
{
    const struct stack *stack = stack_recent(caller, frame);
    if (!stack && place->unwinds < UNWINDS) {
        place->unwinds++;
        stack = stack_take(caller, frame);
    }
    if (stack)
        place->stack = stack;
}

const struct stack *window_access_stack(site_t site)
{
    struct code_place *place;
    HASH_FIND(hh, places, &site, sizeof site, place);
    return place ? place->stack : NULL;
}

bool window_access_polls(const struct access_side *side)
{
    struct code_place *place;
    HASH_FIND(hh, places, &side->site, sizeof side->site, place);
    return place && side->rank == (uint32_t)session.rank && place->polls;
}

/* ---- to the engine ---- */

struct touch {
    uint64_t low, high;
    bool store, own;
    site_t site;
    struct code_place *place; /* NULL: the site is published already */
};

static bool tell_piece(void *context, const struct reach *reach)
{
    struct touch *touch = context;
    if (reach->owner == (uint32_t)session.rank) {
        touch->own = true;
        return true;
    }
    uint64_t low = touch->low > reach->low ? touch->low : reach->low;
    uint64_t high = touch->high < reach->high ? touch->high : reach->high;
    struct section section = {.start = low - reach->low, .length = high - low, .count = 1};
    if (touch->place && !touch->place->published) {
        race_site_publish(touch->site, touch->place->stack, NULL);
        touch->place->published = true;
    }
    race_site_tell(touch->site, reach->owner);
    engine_direct(session.engine, ACTOR, reach->window, reach->owner, &section, touch->store,
                  touch->site);
    return true;
}

static void tell_directly(struct touch *touch)
{
    reach_visit(touch->low, touch->high, tell_piece, touch);
}

static void tell(struct touch *touch)
{
    tell_directly(touch);
    if (touch->own)
        (touch->store ? engine_store : engine_load)(session.engine, ACTOR, touch->low,
                                                    touch->high - touch->low, touch->site);
}

static void touched(const struct section *section, bool store, site_t site,
                    void (*tell)(struct touch *))
{
    for (uint64_t block = 0; block < section->count; block++) {
        uint64_t low = section->start + block * section->stride;
        struct touch touch = {.low = low, .high = low + section->length, .store = store, .site = site};
        tell(&touch);
    }
}

void window_touched(const struct section *section, bool store, site_t site)
{
    touched(section, store, site, tell);
}

void window_touched_directly(const struct section *section, bool store, site_t site)
{
    touched(section, store, site, tell_directly);
}

/* ---- atomics of the language in shared windows ---- */

/* They order processes as they order threads, and do not race with each other. An atomic load is told before it
 * happens; what it saw may have been released in between. So it acquires later: before the next event. */

struct atomic_place {
    window_t window;
    uint32_t owner;
    uint64_t offset;
};

enum { ACQUIRES = 16 };
size_t window_untold;
static struct atomic_place acquires[ACQUIRES];
static size_t nacquires;

static void acquire_all(void)
{
    for (size_t i = 0; i < nacquires; i++)
        release_acquire_at(acquires[i].window, acquires[i].owner, acquires[i].offset);
    window_untold -= nacquires;
    nacquires = 0;
}

static bool find_shared(void *context, const struct reach *reach)
{
    if (reach->shared)
        *(const struct reach **)context = reach;
    return !reach->shared;
}

/* False if it is no atomic access to a shared window. */
static bool handle_atomic(const struct own_access *access)
{
    const struct reach *reach = NULL;
    if (!access->atomic)
        return false;
    reach_visit(access->address, access->address + access->bytes, find_shared, &reach);
    if (!reach)
        return false;
    struct atomic_place place = {reach->window, reach->owner, access->address - reach->low};
    if (access->store) {
        window_accesses_settle();
        release_publish_at(place.window, place.owner, place.offset);
    }
    for (size_t i = 0; i < nacquires; i++)
        if (acquires[i].window == place.window && acquires[i].owner == place.owner &&
            acquires[i].offset == place.offset)
            return true;
    if (nacquires == ACQUIRES)
        window_accesses_tell();
    acquires[nacquires++] = place;
    window_untold++;
    window_runs_close(); /* accesses from now on come after it */
    return true;
}

/* ---- runs ---- */

/* What the program may prolong by itself is in `open`, the rest of a run beside it. While the session has one thread,
 * that thread owns the first table. When a second one comes (session_lock_shared), the keys of the first table are
 * taken away, it is told once more and never used again, because the owner may be just about to write into it:
 * at most the one access that it is at in that moment is lost. With threads nobody prolongs runs but the runtime. */
struct run {
    uint64_t key; /* of this place; the same in access_run while the run is open */
    struct code_place *place;
    uint64_t latest; /* address of the latest access, and how often it was that one in a row */
    unsigned repeats;
};

enum { POLLING = 4 };
static struct access_run tables[2][ACCESS_RUNS];
static struct access_run *open = tables[0];
static struct run runs[ACCESS_RUNS];

static inline bool session_is_shared(void)
{
    return atomic_load_explicit(&session_bias.shared, memory_order_relaxed);
}

struct access_run *window_runs_of_thread(void)
{
    return session_is_owner && !session_is_shared() ? tables[0] : NULL;
}

void window_runs_close(void)
{
    for (size_t i = 0; i < ACCESS_RUNS; i++)
        __atomic_store_n(&tables[0][i].key, 0, __ATOMIC_RELAXED);
}

static void run_tell(size_t i)
{
    struct touch touch = {.low = open[i].low,
                          .high = open[i].high,
                          .store = runs[i].key & HOOK_STORE,
                          .site = runs[i].place->site,
                          .place = runs[i].place};
    open[i] = (struct access_run){0};
    window_untold--;
    tell(&touch);
}

static void tell_runs(void)
{
    for (size_t i = 0; i < ACCESS_RUNS && window_untold > nacquires; i++)
        if (open[i].low != open[i].high)
            run_tell(i);
    if (session_is_shared())
        open = tables[1];
}

void window_accesses_tell(void)
{
    tell_runs();
    acquire_all(); /* what came before is told */
}

static void run_watch(struct run *run, const struct own_access *access)
{
    run->repeats = access->address == run->latest ? run->repeats + 1 : 0;
    run->latest = access->address;
    if (run->repeats >= POLLING)
        run->place->polls = true;
}

static bool run_extend(size_t i, uint64_t key, const struct own_access *access)
{
    uint64_t end = access->address + access->bytes;
    struct access_run *run = &open[i];
    if (run->key != key || access->address > run->high || end < run->low)
        return false;
    run_watch(&runs[i], access);
    if (access->address < run->low)
        run->low = access->address;
    if (end > run->high)
        run->high = end;
    return true;
}

static bool run_has_place(struct run *run, uint64_t key, const void *caller)
{
    if (run->key == key)
        return true;
    struct code_place *place = place_get(caller);
    if (!place)
        return false;
    *run = (struct run){.key = key, .place = place};
    return true;
}

void window_access(const struct own_access *access)
{
    uint64_t key = access_run_key(access->caller, access->store ? HOOK_STORE : HOOK_LOAD);
    size_t i = access_run_slot(key);
    if (nacquires)
        window_accesses_tell();
    if (access->atomic && handle_atomic(access))
        return;
    if (open == tables[0] && session_is_shared())
        tell_runs();
    if (run_extend(i, key, access))
        return;
    if (open[i].low != open[i].high)
        run_tell(i);
    if (!run_has_place(&runs[i], key, access->caller))
        return;
    run_watch(&runs[i], access);
    place_look(runs[i].place, access->caller, access->frame);
    open[i] = (struct access_run){key, access->address, access->address + access->bytes};
    window_untold++;
}
