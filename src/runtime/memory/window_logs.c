#include "window_logs.h"

#include <stdlib.h>

#include "actor_state.h"
#include "recent.h"
#include "session.h"
#include "window_accesses.h"

enum { RUNS = 128, SITES = 256 };

/* A place in the code has its run at runs[slots[hash]], if that is its own. `sites` is the actor's
 * alone, the rest needs the lock. */
struct window_log {
    _Atomic uint32_t lock;
    uint32_t count;
    struct window_log_run runs[RUNS];
    uint16_t slots[SITES];
    struct {
        const void *caller;
        site_t site;
    } sites[SITES];
};

atomic_uint window_logs_untold;

static size_t place_of(const void *caller, bool store)
{
    return ((uintptr_t)caller * 2 + store) * UINT64_C(0x9e3779b97f4a7c15) >> 56;
}

/* False if accesses from there are not all of one site; that is remembered as site 0. */
static bool find_site(struct window_log *log, const struct own_access *access, site_t *site)
{
    size_t slot = place_of(access->caller, false);
    if (log->sites[slot].caller != access->caller) {
        bool fixed;
        session_lock();
        *site = window_site_of(access, &fixed);
        session_unlock();
        log->sites[slot].site = fixed ? *site : 0;
        log->sites[slot].caller = access->caller;
    }
    *site = log->sites[slot].site;
    return *site != 0;
}

/* A signal handler may interrupt it: that one must not look then. */
static void enter(struct window_log *log)
{
    runtime_here.has_lock = true;
    atomic_signal_fence(memory_order_seq_cst);
    spin_lock(&log->lock);
}

static void leave(struct window_log *log)
{
    spin_unlock(&log->lock);
    atomic_signal_fence(memory_order_seq_cst);
    runtime_here.has_lock = false;
}

static bool prolong(struct window_log *log, const struct own_access *access)
{
    uint16_t slot = log->slots[place_of(access->caller, access->store)];
    struct window_log_run *run = &log->runs[slot];
    uint64_t low = access->address, high = low + access->bytes;
    if (slot >= log->count || run->caller != access->caller || run->store != access->store ||
        low > run->high || high < run->low)
        return false;
    run->polls |= polling_goes_on(&run->polling, low, access->bytes);
    if (low < run->low)
        run->low = low;
    if (high > run->high)
        run->high = high;
    return true;
}

static void add(struct window_log *log, const struct own_access *access, site_t site)
{
    if (log->count == 0)
        atomic_fetch_add(&window_logs_untold, 1);
    log->slots[place_of(access->caller, access->store)] = (uint16_t)log->count;
    log->runs[log->count++] = (struct window_log_run){.low = access->address,
                                                      .high = access->address + access->bytes,
                                                      .caller = access->caller,
                                                      .site = site,
                                                      .store = access->store,
                                                      .polling = {.address = access->address},
                                                      .recent = recent.next};
}

bool window_log_note(const struct own_access *access)
{
    struct actor *actor = runtime_here.actor;
    site_t site;
    if (!actor ||
        (!actor->window_log && !(actor->window_log = calloc(1, sizeof *actor->window_log))))
        return false;
    struct window_log *log = actor->window_log;
    enter(log);
    bool done = prolong(log, access);
    leave(log);
    if (done)
        return true;
    if (!find_site(log, access, &site))
        return false;
    actor->acted = actor->now;
    enter(log);
    bool full = log->count == RUNS;
    if (!full)
        add(log, access, site);
    leave(log);
    if (full) { /* nobody but this actor fills it */
        session_lock();
        window_accesses_tell();
        session_unlock();
        enter(log);
        add(log, access, site);
        leave(log);
    }
    return true;
}

static void empty(uint32_t actor, struct window_log *log, window_log_teller *teller)
{
    spin_lock(&log->lock);
    for (uint32_t i = 0; i < log->count; i++)
        teller(actor, &log->runs[i]);
    if (log->count)
        atomic_fetch_sub(&window_logs_untold, 1);
    log->count = 0;
    spin_unlock(&log->lock);
}

void window_logs_tell(window_log_teller *teller)
{
    struct actor *actor;
    for (uint32_t i = 0; atomic_load(&window_logs_untold) && (actor = actor_by_number(i)); i++) {
        struct window_log *log = __atomic_load_n(&actor->window_log, __ATOMIC_ACQUIRE);
        if (log)
            empty(i, log, teller);
    }
}
