#include "visibility.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "platform/shared_file.h"
#include "race_records.h"
#include "session.h"

enum {
    GRANULE = 4,
    MOST_SLOTS = 1 << 16, /* 2 MiB per segment */
    WRITER_BITS = 16,
    REPORTED = 256, /* pairs of places */
};

/* Who stored last to the bytes of a granule. Read without a lock: half of an entry and half of
 * another do not have the right sum. */
struct entry {
    uint64_t granule; /* from 1, times 16, and a bit for each byte */
    uint64_t who;     /* how often it had synchronised, and its number in the window */
    uint64_t site;
    uint64_t sum;
};

struct line {
    _Alignas(64) uint64_t times; /* that a process has synchronised, since it stored something */
};

struct visible_window {
    window_t id;
    uint32_t count, own; /* processes, and the number of this one */
    uint64_t *seen;      /* of each: times, when this process synchronised last */
    uint32_t *members;
    uint64_t *slots;
    struct entry **entries; /* by owner, in `map` */
    struct line *lines;
    void *map;
    size_t bytes;
    bool has_stored; /* since it synchronised */
    struct visible_window *next;
};

struct visible_window *visible_windows;

static uint64_t sum_of(const struct entry *entry)
{
    return entry->granule * UINT64_C(0x9e3779b97f4a7c15) ^
           entry->who * UINT64_C(0xbf58476d1ce4e5b9) ^ entry->site;
}

/* ---- memory ---- */

static uint64_t slots_for(uint64_t size)
{
    uint64_t granules = (size + GRANULE - 1) / GRANULE;
    return granules < MOST_SLOTS ? granules : MOST_SLOTS;
}

static void window_free(struct visible_window *window)
{
    if (window->map)
        munmap(window->map, window->bytes);
    free(window->seen);
    free(window->members);
    free(window->slots);
    free(window->entries);
    free(window);
}

static struct visible_window *window_make(const uint64_t *sizes, int count, int own)
{
    struct visible_window *window = calloc(1, sizeof *window);
    if (!window)
        return NULL;
    window->count = (uint32_t)count;
    window->own = (uint32_t)own;
    window->seen = calloc(window->count, sizeof *window->seen);
    window->members = calloc(window->count, sizeof *window->members);
    window->slots = calloc(window->count, sizeof *window->slots);
    window->entries = calloc(window->count, sizeof(struct entry *));
    window->bytes = window->count * sizeof(struct line);
    for (int i = 0; window->slots && i < count; i++) {
        window->slots[i] = slots_for(sizes[i]);
        window->bytes += window->slots[i] * sizeof(struct entry);
    }
    if (count >> WRITER_BITS == 0 && window->seen && window->members && window->slots &&
        window->entries)
        return window;
    window_free(window);
    return NULL;
}

/* Fresh files are zero: nobody has stored anything. */
static void window_map(struct visible_window *window, int file)
{
    window->map = file < 0 ? NULL : platform_shared_map(file, 0, window->bytes);
    if (!window->map)
        return;
    window->lines = window->map;
    struct entry *next = (struct entry *)(window->lines + window->count);
    for (uint32_t i = 0; i < window->count; i++) {
        window->entries[i] = next;
        next += window->slots[i];
    }
}

struct visible_window *visibility_agree(MPI_Comm comm, const uint64_t *sizes, int count)
{
    char name[64];
    uint64_t number = 0;
    int own = 0, file = -1;
    pmpi.Comm_rank(comm, &own);
    struct visible_window *window = window_make(sizes, count, own);
    if (own == 0) {
        number = platform_unique_number();
        snprintf(name, sizeof name, "regatta-visible-%016llx", (unsigned long long)number);
        file = window ? platform_shared_create(name) : -1;
        if (file >= 0 && platform_shared_reserve(file, 0, window->bytes))
            window_map(window, file);
    }
    pmpi.Bcast(&number, sizeof number, handles.byte, 0, comm);
    if (own != 0 && window) {
        snprintf(name, sizeof name, "regatta-visible-%016llx", (unsigned long long)number);
        file = platform_shared_open(name);
        window_map(window, file);
    }
    int ok = window && window->map, all_ok = 0;
    pmpi.Allreduce(&ok, &all_ok, 1, handles.integer, handles.min, comm);
    if (own == 0)
        platform_shared_unname(name);
    if (file >= 0)
        close(file);
    if (all_ok)
        return window;
    visibility_drop(window);
    return NULL;
}

void visibility_begin(struct visible_window *window, window_t id, const uint32_t *members)
{
    if (!window)
        return;
    window->id = id;
    for (uint32_t i = 0; i < window->count; i++)
        window->members[i] = members[i];
    window->next = visible_windows;
    visible_windows = window;
}

void visibility_drop(struct visible_window *window)
{
    if (window)
        window_free(window);
}

void visibility_end(window_t id)
{
    for (struct visible_window **link = &visible_windows; *link; link = &(*link)->next)
        if ((*link)->id == id) {
            struct visible_window *gone = *link;
            *link = gone->next;
            window_free(gone);
            return;
        }
}

/* ---- accesses ---- */

struct pair {
    uint32_t writer;
    site_t stored, loaded;
};
static struct pair reported[REPORTED];
static size_t nreported;

static void report(const struct visible_window *window, uint32_t owner, uint64_t granule,
                   const struct entry *entry, site_t site)
{
    uint32_t writer = (uint32_t)(entry->who & ((1 << WRITER_BITS) - 1));
    struct pair pair = {window->members[writer], entry->site, site};
    for (size_t i = 0; i < nreported; i++)
        if (reported[i].writer == pair.writer && reported[i].stored == pair.stored &&
            reported[i].loaded == pair.loaded)
            return;
    if (nreported == REPORTED)
        return;
    reported[nreported++] = pair;
    uint64_t times = __atomic_load_n(&window->lines[writer].times, __ATOMIC_ACQUIRE);
    struct invisible_store store = {.window = window->id,
                                    .owner = window->members[owner],
                                    .offset = granule * GRANULE,
                                    .bytes = GRANULE,
                                    .writer = pair.writer,
                                    .stored = pair.stored,
                                    .loaded = pair.loaded,
                                    .writer_synchronised = times > entry->who >> WRITER_BITS};
    race_report_invisible(&store);
}

static void store_at(struct visible_window *window, struct entry *entry, uint64_t granule,
                     unsigned bytes, site_t site)
{
    struct entry mine = {(granule + 1) * 16,
                         window->lines[window->own].times << WRITER_BITS | window->own, site, 0};
    if (entry->granule / 16 == granule + 1 && entry->who == mine.who && entry->site == site)
        mine.granule = entry->granule;
    mine.granule |= bytes;
    mine.sum = sum_of(&mine);
    *entry = mine;
}

static void load_at(const struct visible_window *window, uint32_t owner, const struct entry *at,
                    uint64_t granule, unsigned bytes, site_t site)
{
    struct entry entry = *at;
    if (entry.granule / 16 != granule + 1 || !(entry.granule & bytes) ||
        entry.sum != sum_of(&entry))
        return;
    uint32_t writer = (uint32_t)(entry.who & ((1 << WRITER_BITS) - 1));
    if (writer == window->own || writer >= window->count ||
        window->seen[writer] > entry.who >> WRITER_BITS)
        return;
    report(window, owner, granule, &entry, site);
}

static struct visible_window *window_with(window_t id)
{
    struct visible_window *window = visible_windows;
    while (window && window->id != id)
        window = window->next;
    return window;
}

void visibility_touch(window_t id, uint32_t owner, uint64_t low, uint64_t high, bool store,
                      site_t site)
{
    struct visible_window *window = window_with(id);
    uint32_t part = 0;
    while (window && part < window->count && window->members[part] != owner)
        part++;
    if (!window || part == window->count || !window->slots[part])
        return;
    window->has_stored = window->has_stored || store;
    for (uint64_t granule = low / GRANULE; granule * GRANULE < high; granule++) {
        struct entry *entry = &window->entries[part][granule % window->slots[part]];
        uint64_t start = granule * GRANULE;
        unsigned from = low > start ? (unsigned)(low - start) : 0;
        unsigned to = high < start + GRANULE ? (unsigned)(high - start) : GRANULE;
        unsigned bytes = (1u << to) - (1u << from);
        if (store)
            store_at(window, entry, granule, bytes, site);
        else
            load_at(window, part, entry, granule, bytes, site);
    }
}

void visibility_synchronise_now(void)
{
    for (struct visible_window *window = visible_windows; window; window = window->next) {
        uint64_t *own = &window->lines[window->own].times;
        if (window->has_stored)
            __atomic_store_n(own, *own + 1, __ATOMIC_RELEASE);
        window->has_stored = false;
        for (uint32_t i = 0; i < window->count; i++)
            window->seen[i] = __atomic_load_n(&window->lines[i].times, __ATOMIC_ACQUIRE);
    }
}
