#include "access_log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "actor_state.h"
#include "conflicts.h"
#include "engine/shadow.h"
#include "pages.h"
#include "renewals.h"
#include "session.h"
#include "window_accesses.h"

/* ---- what an actor has not told yet ---- */

struct log_run {
    uint64_t low, high;
    site_t site;
    const void *caller;
    bool store;
};

enum { RUNS = 256, SITES = 256 };

/* Of one actor. A place in the code has its run at runs[slot[hash]], if that is its own. */
struct access_log {
    struct log_run runs[RUNS];
    uint32_t count;
    uint16_t slots[SITES];
    struct {
        const void *caller;
        site_t site;
    } sites[SITES];
};

static size_t hash_of(const void *caller, bool store)
{
    return ((uintptr_t)caller * 2 + store) * UINT64_C(0x9e3779b97f4a7c15) >> 56;
}

static site_t site_of(struct access_log *log, const struct own_access *access)
{
    size_t slot = hash_of(access->caller, false);
    if (log->sites[slot].caller == access->caller)
        return log->sites[slot].site;
    bool fixed;
    session_lock();
    site_t site = window_site_of(access, &fixed);
    session_unlock();
    if (fixed) {
        log->sites[slot].caller = access->caller;
        log->sites[slot].site = site;
    }
    return site;
}

static struct access_log *own_log(struct actor *actor)
{
    if (!actor->log)
        actor->log = calloc(1, sizeof *actor->log);
    return actor->log;
}

void access_log_note(const struct own_access *access)
{
    struct actor *actor = runtime_here.actor;
    struct access_log *log = actor ? own_log(actor) : NULL;
    if (!log)
        return;
    uint16_t *slot = &log->slots[hash_of(access->caller, access->store)];
    struct log_run *run = &log->runs[*slot];
    uint64_t low = access->address, high = low + access->bytes;
    if (*slot < log->count && run->caller == access->caller && run->store == access->store &&
        low <= run->high && high >= run->low) {
        if (low < run->low)
            run->low = low;
        if (high > run->high)
            run->high = high;
        return;
    }
    site_t site = site_of(log, access);
    if (log->count == RUNS)
        access_log_settle();
    actor->acted = actor->now;
    *slot = (uint16_t)log->count;
    log->runs[log->count++] = (struct log_run){low, high, site, access->caller, access->store};
}

/* ---- what was told ---- */

static bool is_obsolete(void *context, const struct shadow_entry *entry)
{
    (void)context;
    return actors_all_know((struct moment){entry_thread(entry), entry->time});
}

static struct shadow told;
static bool has_told;

static void keep(const struct log_run *run, struct moment moment)
{
    struct shadow_entry entry = {.word = run->site | (run->store ? ENTRY_STORE : 0),
                                 .time = moment.time,
                                 .who = moment.actor << 16};
    if (!has_told) {
        shadow_init(&told, is_obsolete, NULL);
        has_told = true;
    }
    renewals_mark(run->low, run->high);
    for (uint64_t low = run->low, high; low < run->high; low = high) {
        high = ((low >> PAGE_SHIFT) + 1) << PAGE_SHIFT;
        if (high > run->high)
            high = run->high;
        struct shadow_page *page = shadow_find(&told, low);
        if (!page)
            page = shadow_make(&told, low >> PAGE_SHIFT);
        shadow_note(&told, page, low, high, &entry);
    }
}

void access_log_tell(void)
{
    struct actor *actor = runtime_here.actor;
    struct access_log *log = actor ? actor->log : NULL;
    if (!log || !log->count)
        return;
    struct moment moment = actor_moment();
    if (session_is_active() && actors_are_concurrent())
        for (uint32_t i = 0; i < log->count; i++) {
            const struct log_run *run = &log->runs[i];
            conflicts_check_told(run->low, run->high, run->store, run->site);
            keep(run, moment);
        }
    log->count = 0;
}

void access_log_settle(void)
{
    const struct actor *actor = runtime_here.actor;
    if (!actor || !actor->log || !actor->log->count || runtime_here.has_lock)
        return;
    session_lock();
    access_log_tell();
    session_unlock();
}

bool access_log_has(uint64_t low, uint64_t high)
{
    const struct access_log *log = runtime_here.actor ? runtime_here.actor->log : NULL;
    for (uint32_t i = 0; log && i < log->count; i++)
        if (log->runs[i].low < high && log->runs[i].high > low)
            return true;
    return false;
}

void access_log_erase(uint64_t low, uint64_t high)
{
    if (has_told)
        shadow_erase(&told, low, high);
}

void access_log_clear(void)
{
    if (has_told)
        shadow_clear(&told);
    has_told = false;
}

/* ---- MPI's accesses against them ---- */

struct question {
    const struct past *past;
    enum buffer_access access;
    access_log_visitor *visit;
    void *context;
    struct {
        struct moment moment;
        site_t site;
    } latest; /* that was visited: neighbouring bytes are alike */
};

static void check_state(struct question *question, uint32_t state, bool store, uint64_t granule,
                        uint8_t mask)
{
    for (; state; state = told.entries[state].next) {
        const struct shadow_entry *entry = &told.entries[state];
        struct moment moment = {entry_thread(entry), entry->time};
        uint8_t shared = entry_mask(entry) & mask;
        site_t site = entry->word & (SITE_LIMIT - 1);
        if (!shared || past_knows(question->past, moment) ||
            (question->latest.moment.actor == moment.actor &&
             question->latest.moment.time == moment.time && question->latest.site == site))
            continue;
        unsigned first = (unsigned)__builtin_ctz(shared);
        unsigned length = (unsigned)__builtin_ctz(~((unsigned)shared >> first));
        struct logged_access access = {moment, store, site, {granule + first, length, 0, 1}};
        question->latest.moment = moment;
        question->latest.site = site;
        question->visit(question->context, &access);
    }
}

static void check_block(struct question *question, uint64_t low, uint64_t high)
{
    for (uint64_t granule = low & ~(uint64_t)7; granule < high;) {
        const struct shadow_page *page = shadow_find(&told, granule);
        uint64_t end = ((granule >> PAGE_SHIFT) + 1) << PAGE_SHIFT;
        for (; page && granule < end && granule < high; granule += 8)
            for (int store = question->access == BUFFER_READ; store < 2; store++)
                check_state(question, *shadow_state_at(page, store, granule), store, granule,
                            granule_mask(granule, low, high));
        granule = end;
    }
}

void access_log_check(const struct section *sections, size_t n, enum buffer_access access,
                      const struct past *past, access_log_visitor *visit, void *context)
{
    struct question question = {past, access, visit, context, {{ACTOR_NONE, 0}, 0}};
    for (size_t i = 0; has_told && past && i < n; i++)
        for (uint64_t block = 0; block < sections[i].count; block++) {
            uint64_t low = sections[i].start + block * sections[i].stride;
            check_block(&question, low, low + sections[i].length);
        }
}

/* ---- flags ---- */

/* The program's memory, and where more of it will be: as far as this above and below what is there.
 * What grows beyond is not looked at. */
#define AROUND (UINT64_C(32) << 30)
enum { CLUSTERS = 8, IN_VAIN = 1 << 20 };

static struct {
    uint64_t low, high;
} clusters[CLUSTERS];
static size_t nclusters;
static bool flagged;
static bool was_alone_again; /* window memory was given back to the one thread that is left */
static _Atomic uint32_t in_vain;

static void add_mapping(uint64_t low, uint64_t high)
{
    const uint64_t most = UINT64_C(1) << ACCESS_ADDRESS_BITS;
    low = low > AROUND ? low - AROUND : 0;
    high = high + AROUND < most ? high + AROUND : most;
    if (nclusters && clusters[nclusters - 1].high >= low)
        clusters[nclusters - 1].high = high;
    else if (nclusters < CLUSTERS && low < most) {
        clusters[nclusters].low = low;
        clusters[nclusters++].high = high;
    }
}

/* Mappings ascend. */
static void find_memory(void)
{
    FILE *maps = fopen("/proc/self/maps", "re");
    char line[512];
    nclusters = 0;
    while (maps && fgets(line, sizeof line, maps)) {
        unsigned long low, high;
        if (sscanf(line, "%lx-%lx", &low, &high) == 2)
            add_mapping(low, high);
    }
    if (maps)
        fclose(maps);
}

void access_log_begin(void)
{
    if (!pages || __atomic_load_n(&flagged, __ATOMIC_ACQUIRE) || runtime_here.has_lock)
        return;
    session_lock();
    if (was_alone_again)
        window_runs_share();
    was_alone_again = false;
    window_runs_halt();
    if (!nclusters)
        find_memory();
    for (size_t i = 0; i < nclusters; i++)
        pages_mark_range(clusters[i].low, clusters[i].high, ACCESS_LOGGED);
    atomic_store(&in_vain, 0);
    __atomic_store_n(&flagged, true, __ATOMIC_RELEASE);
    session_unlock();
}

void access_log_in_vain(void)
{
    if (atomic_fetch_add_explicit(&in_vain, 1, memory_order_relaxed) + 1 != IN_VAIN)
        return;
    session_lock();
    for (size_t i = 0; i < nclusters && !actors_are_concurrent(); i++)
        pages_clear_range(clusters[i].low, clusters[i].high, ACCESS_LOGGED);
    __atomic_store_n(&flagged, false, __ATOMIC_RELEASE);
    if (window_runs_shared && session_is_alone_again()) {
        window_runs_alone();
        was_alone_again = true;
    }
    session_unlock();
}
