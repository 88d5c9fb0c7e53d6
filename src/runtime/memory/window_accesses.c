#include "window_accesses.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "interpose/callers.h"
#include "interpose/regatta_options.h"
#include "clocks.h"
#include "crossings.h"
#include "actors.h"
#include "engine/engine.h"
#include "pages.h"
#include "polling.h"
#include "reach.h"
#include "recent.h"
#include "releases.h"
#include "renewals.h"
#include "session.h"
#include "interpose/site_records.h"
#include "interpose/stacks.h"
#include "engine/table.h"
#include "transport.h"
#include "visibility.h"
#include "window_atomics.h"
#include "window_logs.h"

/* ---- places in the code ---- */

/* A place is its return address. Stacks do not make places different: recursive code would have
 * thousands, and the engine keeps an entry for each. One of them is kept to show it.
 *
 * Not so in code that several lines of a C++ program share (callers.h), where one stack would name
 * the wrong line for the others: there each calling line is a place of its own, a variant. The
 * place of the return address itself then stands for accesses whose callers are not known, because
 * there are too many of them, and shows none. */
struct code_place {
    site_t site;
    struct window_place told;
    bool is_shared;
    int unwinds, variants;
    unsigned passed_over;       /* accesses that were not unwound any more */
    const struct stack *latest; /* and the variant it belongs to */
    struct code_place *latest_variant;
    uint64_t latest_callers; /* likewise */
    struct code_place *latest_of_callers;
    bool published;                    /* other ranks can name it */
    struct reach_memory latest_window; /* that was accessed from there */
    UT_hash_handle hh;
};

/* Of one return address: unwinding takes microseconds, and the engine keeps apart what variants do.
 */
enum { UNWINDS = 8, UNWINDS_SHARED = 256, VARIANTS = 32, UNWIND_AGAIN = 256 };

static struct code_place *places;

static struct code_place *place_find(site_t site)
{
    struct code_place *place;
    HASH_FIND(hh, places, &site, sizeof site, place);
    return place;
}

static struct code_place *place_add(site_t site)
{
    struct code_place *place = calloc(1, sizeof *place);
    if (place) {
        place->site = site;
        HASH_ADD(hh, places, site, sizeof site, place);
    }
    return place;
}

/* The place of a return address. */
static struct code_place *place_get(const void *caller)
{
    site_t site = (uintptr_t)caller & (SITE_LIMIT - 1);
    struct code_place *place = place_find(site);
    if (!place && (place = place_add(site)) && (place->is_shared = code_is_shared(caller)))
        place->told.stack = stack_of_address(caller);
    return place;
}

/* The variant with this stack as its representative. */
static struct code_place *place_variant(struct code_place *base, const struct stack *stack)
{
    if (stack == base->latest)
        return base->latest_variant;
    site_t site = (uintptr_t)stack & (SITE_LIMIT - 1);
    struct code_place *place = place_find(site);
    if (!place && base->variants < VARIANTS && (place = place_add(site))) {
        base->variants++;
        place->told.stack = stack;
    }
    base->latest = stack;
    base->latest_variant = place ? place : base;
    return base->latest_variant;
}

/* Shared code may be reached by more ways than are remembered: then one access in UNWIND_AGAIN is
 * looked at, in case that another line calls it now. */
static bool is_worth_unwinding(struct code_place *base)
{
    if (base->unwinds < (base->is_shared ? UNWINDS_SHARED : UNWINDS)) {
        base->unwinds++;
        return true;
    }
    return base->is_shared && ++base->passed_over % UNWIND_AGAIN == 0;
}

/* Where an access from this return address is, its callers looked at. Unknown ones are taken for
 * the one line that is known, if it is the only one. */
static struct code_place *place_look_at_callers(struct code_place *base,
                                                const struct own_access *access)
{
    uint64_t callers = callers_now(access->frame);
    if (callers && callers == base->latest_callers)
        return base->latest_of_callers;
    const struct stack *stack = callers ? callers_representative(access->caller, callers) : NULL;
    if (stack) {
        base->latest_callers = callers;
        return base->latest_of_callers = place_variant(base, stack);
    }
    if (!(stack = stack_representative(stack_recent(access->caller, access->frame))) &&
        is_worth_unwinding(base)) {
        stack = stack_representative(stack_take(access->caller, access->frame));
        if (stack)
            stack_remember_caller(access->caller, access->frame);
    }
    if (stack)
        return place_variant(base, stack);
    return base->variants == 1 ? base->latest_variant : base;
}

static struct code_place *place_look(struct code_place *base, const struct own_access *access)
{
    if (base->is_shared)
        return place_look_at_callers(base, access);
    const struct stack *stack = stack_recent(access->caller, access->frame);
    if (!stack && is_worth_unwinding(base))
        stack = stack_take(access->caller, access->frame);
    if (stack)
        base->told.stack = stack;
    return base;
}

site_t window_site_of(const struct own_access *access, bool *fixed)
{
    struct code_place *base = place_get(access->caller);
    *fixed = base && !base->is_shared;
    return base ? place_look(base, access)->site : 0;
}

const struct window_place *window_place(site_t site)
{
    const struct code_place *place = place_find(site);
    return place ? &place->told : NULL;
}

/* ---- to the engine ---- */

struct touch {
    uint32_t actor; /* whose it is, by the engine's number */
    uint64_t low, high;
    bool store, own;
    site_t site;
    struct code_place *place; /* NULL: the site is published already */
};

static bool tell_piece(void *context, const struct reach *reach)
{
    struct touch *touch = context;
    bool own = reach->owner == (uint32_t)session.rank;
    uint64_t low = touch->low > reach->low ? touch->low : reach->low;
    uint64_t high = touch->high < reach->high ? touch->high : reach->high;
    bool direct = reach->shared && touch->place && visible_windows;
    if ((!own || direct) && touch->place && !touch->place->published) {
        site_record(touch->site, touch->place->told.stack);
        touch->place->published = true;
    }
    if (direct)
        visibility_touch(reach->window, reach->owner, low - reach->low, high - reach->low,
                         touch->store, touch->site);
    if (own) {
        touch->own = true;
        return true;
    }
    struct section section = {.start = low - reach->low, .length = high - low, .count = 1};
    engine_direct(session.engine, touch->actor, reach->window, reach->owner, &section, touch->store,
                  touch->site);
    return true;
}

static void tell(struct touch *touch)
{
    const struct reach *only =
        touch->place ? reach_only(touch->low, touch->high, &touch->place->latest_window) : NULL;
    releases_outdate();
    if (only)
        tell_piece(touch, only);
    else
        reach_visit(touch->low, touch->high, tell_piece, touch);
    if (actors_are_concurrent())
        renewals_mark(touch->low, touch->high);
    if (touch->own)
        (touch->store ? engine_store : engine_load)(session.engine, touch->actor, touch->low,
                                                    touch->high - touch->low, touch->site);
}

void window_touched(const struct section *section, bool store, site_t site)
{
    for (uint64_t block = 0; block < section->count; block++) {
        uint64_t low = section->start + block * section->stride;
        struct touch touch = {.actor = acting(),
                              .low = low,
                              .high = low + section->length,
                              .store = store,
                              .site = site};
        tell(&touch);
    }
}

/* ---- atomics of the language ---- */

size_t window_untold;
static void tell_runs(void);

/* False if it is no atomic access to a shared window. */
static bool handle_atomic(const struct own_access *access)
{
    struct atomic_place place;
    if (!window_atomic_place(access, &place))
        return false;
    window_atomic_stores(access, &place);
    if (access->how & ATOMIC_ACQUIRES)
        tell_runs(); /* accesses from now on come after it */
    window_atomic_loads(access, &place);
    return true;
}

/* In own memory that no other process can load, while several threads are at work: they do not race
 * with each other. */
static bool tell_atomic(const struct own_access *access)
{
    bool fixed;
    if (!actors_are_concurrent())
        return false;
    site_t site = window_site_of(access, &fixed);
    releases_outdate();
    renewals_mark(access->address, access->address + access->bytes);
    engine_atomic(session.engine, acting(), access->address, access->bytes, access->store, site);
    return true;
}

/* ---- runs ---- */

/* What the program may prolong by itself is in struct access_run (hooks.h), in the program or in
 * the table; the rest of a run is here. In shared code the program would not notice that another
 * line goes on with a run. So there a run is hidden from it, until the same line has prolonged it a
 * few times: then it is a loop. */
struct run {
    struct access_run *open;    /* `visible`, or `hidden` */
    struct access_run *visible; /* to the program */
    struct access_run hidden;
    uint64_t key;            /* of the return address that had it last, */
    uint32_t actor;          /* and who */
    struct code_place *base; /* place of that address */
    struct code_place *place;
    unsigned prolonged; /* how often in a row by this place */
    uint64_t high;      /* of `open`, when the latest access came through here */
    struct polling polling;
};

enum { LOOPING = 4, OPENED = 1024 };
struct access_run window_run_table[ACCESS_RUNS];
static struct run **known; /* by access_run.index */
static size_t nknown, room;
static struct run *opened[OPENED];
static size_t nopened;

/* With several threads the program prolongs nothing (ACCESS_THREADS), and its memory is left alone:
 * the first thread may be just about to write there. So are the runs that the program knew of. */
static struct access_run table_of_runtime[ACCESS_RUNS];
static struct access_run *table = window_run_table;

bool window_runs_shared;

void window_runs_share(void)
{
    window_runs_shared = true;
    table = table_of_runtime;
    tell_runs();
    reach_mark_pages();
}

void window_runs_alone(void)
{
    if (!window_runs_shared)
        return;
    tell_runs();
    window_runs_shared = false;
    table = window_run_table;
    reach_unmark_threads();
}

/* What the program prolonged by itself. */
static void run_settle(struct access_run *open)
{
    if (open->next > open->high)
        open->high = open->next;
    open->next = 0;
}

void window_runs_halt(void)
{
    for (size_t i = 0; i < nopened; i++)
        run_settle(opened[i]->open);
}

/* The program may go on by itself, if the end of the run lies in a page like that of the access. */
static void run_release(struct access_run *open)
{
    const void *next = (const void *)(uintptr_t)open->high;
    bool alone = pages && table == window_run_table && pages[access_page(next)] == ACCESS_WINDOW;
    open->next = alone ? open->high : 0;
}

/* A sweep that the program went on with does not stay at the bytes where it began. */
static void run_catch_up(struct run *run)
{
    run_settle(run->open);
    if (run->open->high != run->high)
        run->polling = (struct polling){0};
}

static void run_tell(struct run *run)
{
    struct access_run *open = run->open;
    run_catch_up(run);
    if (!run->place || !open->high)
        return; /* there was no memory for its place */
    struct touch touch = {.actor = acting_as(run->actor),
                          .low = open->low,
                          .high = open->high,
                          .store = run->key & HOOK_STORE,
                          .site = run->place->site,
                          .place = run->place};
    open->key = open->low = open->high = run->high = 0;
    tell(&touch);
}

static void tell_logged(uint32_t actor, const struct window_log_run *run)
{
    struct code_place *place = place_find(run->site);
    struct touch touch = {.actor = acting_as(actor),
                          .low = run->low,
                          .high = run->high,
                          .store = run->store,
                          .site = run->site,
                          .place = place};
    if (!place)
        return;
    place->told.recent = run->recent;
    place->told.given_back_by = NULL;
    place->told.polls |= run->polls;
    tell(&touch);
}

static void tell_runs(void)
{
    window_untold -= nopened;
    while (nopened > 0)
        run_tell(opened[--nopened]);
    window_logs_tell(tell_logged);
}

void window_accesses_tell(void)
{
    tell_runs();
    window_atomics_acquire(); /* what came before is told */
}

static bool is_hidden(const struct run *run)
{
    return run->base->is_shared && run->prolonged < LOOPING;
}

/* Once it is a loop, the program may go on by itself. */
static void run_show(struct run *run)
{
    if (run->open == run->visible || is_hidden(run))
        return;
    run->hidden.index = run->visible->index;
    *run->visible = run->hidden;
    run->hidden = (struct access_run){0};
    run->open = run->visible;
}

static bool run_extend(struct run *run, uint64_t key, const struct own_access *access)
{
    struct access_run *open = run->open;
    uint64_t end = access->address + access->bytes;
    run_catch_up(run);
    if (open->key != key || access->address > open->high || end < open->low)
        return false;
    if (run->base->is_shared && place_look(run->base, access) != run->place)
        return false;
    run->prolonged++;
    run->place->told.polls |= polling_goes_on(&run->polling, access->address, access->bytes);
    if (access->address < open->low)
        open->low = access->address;
    run->high = open->high = end > open->high ? end : open->high;
    run_show(run);
    run_release(run->open);
    return true;
}

static struct access_run *table_slot(uint64_t key)
{
    struct access_run *first = &table[access_run_slot(key)],
                      *second = &table[access_run_slot(key) ^ 1];
    if (first->key == key)
        return first;
    return second->key == key || (first->key && !second->key) ? second : first;
}

static struct run *run_of(struct access_run *open)
{
    if (open->index)
        return known[open->index];
    if (nknown + 1 >= room) {
        size_t more = 2 * room + 64;
        struct run **larger = realloc(known, more * sizeof *larger);
        if (!larger)
            return NULL;
        known = larger;
        room = more;
    }
    struct run *run = calloc(1, sizeof *run);
    if (!run)
        return NULL;
    run->open = run->visible = open;
    known[open->index = ++nknown] = run;
    return run;
}

/* The run of this place begins anew. */
static void run_open(struct run *run, uint64_t key, const struct own_access *access)
{
    bool is_listed = run->open->high;
    if (is_listed)
        run_tell(run);
    if (run->key != key) {
        struct code_place *base = place_get(access->caller);
        *run = (struct run){.open = run->visible,
                            .visible = run->visible,
                            .key = key,
                            .actor = actor_current(),
                            .base = base,
                            .place = base};
        if (!base) {
            session_give_up_races("no memory for places in the code");
            return;
        }
    }
    struct code_place *place = place_look(run->base, access);
    place->told.recent = recent.next;
    if (options.draw)
        recent_access(access->caller, access->store);
    if (place != run->place)
        run->prolonged = 0;
    run->place = place;
    place->told.given_back_by = access->given_back_by;
    struct access_run *open = run->open = is_hidden(run) ? &run->hidden : run->visible;
    place->told.polls |= polling_resumes(&run->polling, access->address, recent.worlds);
    if (!is_listed && nopened == OPENED)
        tell_runs();
    open->key = key;
    open->low = access->address;
    open->high = run->high = access->address + access->bytes;
    run_release(open);
    if (!is_listed) {
        opened[nopened++] = run;
        window_untold++;
    }
}

bool window_access_alone(const struct own_access *access)
{
    return actors_are_concurrent() && !access->atomic && !access->given_back_by && !options.draw &&
           !window_acquires && window_log_note(access);
}

void window_access(const struct own_access *access, struct access_run *own)
{
    uint64_t key = access_run_key(access->caller, access->store ? HOOK_STORE : HOOK_LOAD) ^
                   (uint64_t)actor_current() << 52; /* actors do not share runs */
    if (window_acquires)
        window_accesses_tell();
    if (access->atomic && (handle_atomic(access) || tell_atomic(access)))
        return;
    struct run *run = run_of(own && table == window_run_table ? own : table_slot(key));
    if (run && !run_extend(run, key, access))
        run_open(run, key, access);
}
