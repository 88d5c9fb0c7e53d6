#include "releases.h"

#include <stdlib.h>
#include <string.h>

#include "engine/clock.h"
#include "engine/encoding.h"
#include "clocks.h"
#include "comms.h"
#include "session.h"
#include "engine/table.h"
#include "transport.h"

/* Small operations have a board for each element, named after its first 4 bytes (neighbouring words
 * often are different flags): atomics on the same bytes with elements of different sizes are not
 * atomic to each other anyway. Large ones share one board per window, which all fetches read; all
 * updates also write to a third, which large fetches read instead of many small ones. */
enum { GRANULE = 4, SMALL = 4 };
/* Locations this many granules apart share a board, which can only order too much: boards are few.
 */
enum { LOCATIONS = 1 << 12 };

/* Where the clocks of an operation's bytes stand. */
struct location {
    window_t window;
    uint32_t target;
    uint64_t start, length;          /* its bytes, from the start of the target's window memory */
    uint64_t element;                /* bytes per board of a small one */
    uint64_t keys[SMALL + 2], nkeys; /* where an update writes */
    uint64_t reads[SMALL + 1], nreads;
};

/* Keys are never 0: that is a free slot. */
static uint64_t board_key(uint64_t what, uint64_t which)
{
    return name_mix(what, which) | 1;
}

static struct location location_of(const struct rma_op *op, uint64_t base)
{
    const struct section *front = &op->sections[0], *back = &op->sections[op->section_count - 1];
    uint64_t first = (base + front->start) / GRANULE;
    uint64_t last = (base + section_end(front) - 1) / GRANULE;
    uint64_t large = board_key(op->window, 'L'), all = board_key(op->window, 'E');
    uint64_t step = op->type_size > GRANULE ? op->type_size / GRANULE : 1;
    bool small = op->section_count == 1 && (last - first) / step < SMALL;
    struct location location = {.window = op->window,
                                .target = op->target,
                                .start = front->start,
                                .length = section_end(back) - front->start,
                                .element = step * GRANULE};
    for (uint64_t granule = first; small && granule <= last; granule += step) {
        location.keys[location.nkeys++] = board_key('A', granule % LOCATIONS);
        location.reads[location.nreads++] = board_key('A', granule % LOCATIONS);
    }
    if (!small)
        location.keys[location.nkeys++] = large;
    location.keys[location.nkeys++] = all;
    location.reads[location.nreads++] = small ? large : all;
    return location;
}

/* The bytes of a location to which a board that it reads belongs. */
static struct section bytes_of_board(const struct location *location, uint64_t i)
{
    struct section bytes = {location->start, location->length, 0, 1};
    if (i + 1 < location->nreads) {
        uint64_t from = (bytes.start / GRANULE * GRANULE) + i * location->element;
        uint64_t to = from + location->element, end = bytes.start + bytes.length;
        bytes.start = from > bytes.start ? from : bytes.start;
        bytes.length = (to < end ? to : end) - bytes.start;
    }
    return bytes;
}
/* What a board has been told it keeps: what this process wrote there last need not be written
 * again. */
struct written {
    uint64_t key, clock; /* a hash of the clock; 0: nothing */
    uint32_t target;
};

enum { WRITTEN = 1 << 10 };
static struct written written[WRITTEN];

static bool is_written(uint32_t target, uint64_t key, uint64_t clock)
{
    struct written *entry = &written[(key >> 1 ^ target) & (WRITTEN - 1)];
    bool same = entry->key == key && entry->target == target && entry->clock == clock;
    *entry = (struct written){key, clock, target};
    return same;
}

static uint64_t hash_of(const unsigned char *bytes, size_t size)
{
    uint64_t hash = size + 1, word = 0;
    for (; size >= sizeof word; bytes += sizeof word, size -= sizeof word) {
        memcpy(&word, bytes, sizeof word);
        hash = name_mix(hash, word);
    }
    word = 0;
    memcpy(&word, bytes, size);
    return name_mix(hash, word);
}

/* What this process knows, as it was when it was asked last. It holds until something happens that
 * another process could have to know: operations that are only issued are not that, because they
 * complete later. Every clock that is taken makes a new tick, and the engine keeps accesses of
 * different ticks apart. */
bool releases_know_now;
static struct {
    struct clock clock;
    unsigned char *bytes; /* the same, encoded */
    size_t size, room;
    uint64_t hash;
    uint64_t stamp; /* of the updates that publish it (engine_update_begin) */
} now;

static bool learn_now(uint64_t stamp)
{
    if (releases_know_now && now.stamp == stamp)
        return true;
    size_t size;
    const void *bytes = engine_clock_send(session.engine, ACTOR, &size);
    if (size > now.room) {
        free(now.bytes);
        now.room = 2 * size;
        now.bytes = malloc(now.room);
        if (!now.bytes) {
            now.room = 0;
            return false;
        }
    }
    memcpy(now.bytes, bytes, size);
    now.size = size;
    now.hash = name_mix(hash_of(bytes, size), stamp);
    now.stamp = stamp;
    releases_know_now = clock_decode(&now.clock, bytes, size);
    return releases_know_now;
}

/* On a board each writer has an entry of its own, which it replaces: to join clocks costs several
 * times what it costs to copy them. With many writers that would be long, so theirs become one that
 * is nobody's, with the stamps of all.
 *
 *     [ entry | stamps … | clock | to a multiple of 32 bytes ] … */
enum { MOST_ENTRIES = 8, NOBODY = -1 };

struct entry {
    int32_t writer;
    uint32_t size;    /* of the clock */
    uint64_t nstamps; /* 1 if it has a writer */
    const unsigned char *stamps, *clock;
};

/* Until this stamp the updates of that rank had been issued. */
struct stamp {
    uint64_t rank, stamp;
};

enum { ENTRY_HEAD = offsetof(struct entry, stamps) };

/* What an entry takes on the board: rounded up, so that a later clock, some bytes longer or
 * shorter, still fits. */
static size_t entry_room(size_t clock_size, size_t nstamps)
{
    return (ENTRY_HEAD + nstamps * sizeof(struct stamp) + clock_size + 31) & ~(size_t)31;
}

/* How many entries the board has; at most MOST_ENTRIES + 1. */
static size_t read_entries(const unsigned char *bytes, size_t size, struct entry *entries)
{
    size_t count = 0;
    while (count <= MOST_ENTRIES && size >= ENTRY_HEAD) {
        struct entry *entry = &entries[count];
        memcpy(entry, bytes, ENTRY_HEAD);
        if (entry->nstamps > size || entry_room(entry->size, entry->nstamps) > size)
            break;
        entry->stamps = bytes + ENTRY_HEAD;
        entry->clock = entry->stamps + entry->nstamps * sizeof(struct stamp);
        bytes += entry_room(entry->size, entry->nstamps);
        size -= entry_room(entry->size, entry->nstamps);
        count++;
    }
    return count;
}

static struct stamp stamp_of(const struct entry *entry, uint64_t i)
{
    struct stamp stamp;
    memcpy(&stamp, entry->stamps + i * sizeof stamp, sizeof stamp);
    return stamp;
}

static struct writer page; /* the board as it will be */

static void write_entry(int32_t writer, const void *stamps, size_t nstamps,
                        const unsigned char *clock, size_t size)
{
    struct entry entry = {writer, (uint32_t)size, nstamps, NULL, NULL};
    size_t before = ENTRY_HEAD + nstamps * sizeof(struct stamp);
    size_t room = entry_room(size, nstamps);
    write_reserve(&page, room);
    unsigned char *at = page.bytes + page.size;
    memcpy(at, &entry, ENTRY_HEAD);
    memcpy(at + ENTRY_HEAD, stamps, nstamps * sizeof(struct stamp));
    memcpy(at + before, clock, size);
    memset(at + before + size, 0, room - before - size);
    page.size += room;
}

/* The latest stamp of each rank, in a list that has room for one more. */
static void stamp_join(struct stamp *stamps, size_t *count, struct stamp stamp)
{
    size_t i = 0;
    while (i < *count && stamps[i].rank != stamp.rank)
        i++;
    if (i == *count)
        stamps[(*count)++] = stamp;
    else if (stamps[i].stamp < stamp.stamp)
        stamps[i].stamp = stamp.stamp;
}

static bool write_joined(const struct entry *entries, size_t count)
{
    static struct clock joined, other;
    size_t most = 1, nstamps = 0;
    for (size_t i = 0; i < count; i++)
        most += entries[i].nstamps;
    struct stamp *stamps = malloc(most * sizeof *stamps);
    if (!stamps)
        return false;
    clock_copy(&joined, &now.clock);
    stamp_join(stamps, &nstamps, (struct stamp){(uint64_t)session.rank, now.stamp});
    for (size_t i = 0; i < count; i++) {
        if (clock_decode(&other, entries[i].clock, entries[i].size))
            clock_join(&joined, &other);
        for (uint64_t k = 0; k < entries[i].nstamps; k++)
            stamp_join(stamps, &nstamps, stamp_of(&entries[i], k));
    }
    static struct writer encoded;
    encoded.size = 0;
    write_reserve(&encoded, clock_encoded_bound(&joined));
    write_entry(NOBODY, stamps, nstamps, encoded.bytes, clock_encode(&joined, encoded.bytes));
    free(stamps);
    return true;
}

static bool write_board(uint32_t target, uint64_t key)
{
    struct entry entries[MOST_ENTRIES + 1];
    struct stamp stamp = {(uint64_t)session.rank, now.stamp};
    size_t size;
    const void *bytes = board_take(target, key, &size);
    size_t count = read_entries(bytes, size, entries);
    page.size = 0;
    if (count > MOST_ENTRIES) {
        if (!write_joined(entries, count)) {
            board_put_back(target, key);
            return false;
        }
    } else {
        write_entry(session.rank, &stamp, 1, now.bytes, now.size);
        for (size_t i = 0; i < count; i++)
            if (entries[i].writer == session.rank && entry_room(entries[i].size, 1) == page.size &&
                board_overwrite(target, key, entries[i].stamps - ENTRY_HEAD, page.bytes, page.size))
                return true;
        for (size_t i = 0; i < count; i++)
            if (entries[i].writer != session.rank)
                write_entry(entries[i].writer, entries[i].stamps, entries[i].nstamps,
                            entries[i].clock, entries[i].size);
    }
    return board_replace(target, key, page.bytes, page.size);
}

static void publish(const struct location *location, uint64_t stamp)
{
    if (!learn_now(stamp))
        return;
    for (uint64_t i = 0; i < location->nkeys; i++)
        if (!is_written(location->target, location->keys[i], now.hash) &&
            !write_board(location->target, location->keys[i])) {
            session_give_up_races("no memory left for the order of atomics");
            return;
        }
}

/* ---- fetches under way ---- */

/* A fetch that is not complete at its origin, of the same bytes at most one without a request. */
struct fetch {
    struct location location;
    uint64_t request; /* 0: none */
    uint64_t own;     /* the stamp until which own updates have come before it */
    struct target_fetches *to;
    struct fetch *next, **link;
    UT_hash_handle hh; /* by request */
};

/* Those to one target of a window. */
struct target_fetches {
    struct {
        window_t window;
        uint64_t target;
    } key;
    struct fetch *first;
    size_t count;
    struct target_fetches *next; /* of the same window */
    UT_hash_handle hh;
};

struct window_fetches {
    window_t window;
    struct target_fetches *targets;
    UT_hash_handle hh;
};

static struct target_fetches *targets;
static struct window_fetches *windows;
static struct fetch *by_request, *spare;

static struct target_fetches *target_find(window_t window, uint32_t target)
{
    struct target_fetches like = {.key = {window, target}}, *found;
    HASH_FIND(hh, targets, &like.key, sizeof like.key, found);
    return found;
}

static struct window_fetches *window_find(window_t window)
{
    struct window_fetches *found;
    HASH_FIND(hh, windows, &window, sizeof window, found);
    return found;
}

static struct target_fetches *target_make(window_t window, uint32_t number)
{
    struct target_fetches *target = target_find(window, number);
    struct window_fetches *of = window_find(window);
    if (target)
        return target;
    if (!of && (of = calloc(1, sizeof *of))) {
        of->window = window;
        HASH_ADD(hh, windows, window, sizeof of->window, of);
    }
    target = of ? calloc(1, sizeof *target) : NULL;
    if (!target)
        return NULL;
    target->key.window = window;
    target->key.target = number;
    target->next = of->targets;
    of->targets = target;
    HASH_ADD(hh, targets, key, sizeof target->key, target);
    return target;
}

static void fetch_remove(struct fetch *fetch)
{
    *fetch->link = fetch->next;
    if (fetch->next)
        fetch->next->link = fetch->link;
    fetch->to->count--;
    if (fetch->request)
        HASH_DEL(by_request, fetch);
    fetch->next = spare;
    spare = fetch;
}

/* So many of the last ones are compared, and so many are kept: if there are more, one that reads
 * what all updates of the window wrote stands for the rest. That orders more. */
enum { COMPARED = 8, MOST_FETCHES = 256 };

static struct fetch *fetch_like(const struct target_fetches *target,
                                const struct location *location)
{
    struct fetch *fetch = target->first;
    for (int i = 0; fetch && i < COMPARED; i++, fetch = fetch->next)
        if (!fetch->request && fetch->location.start == location->start &&
            fetch->location.length == location->length &&
            fetch->location.element == location->element)
            return fetch;
    return NULL;
}

static struct location everywhere(const struct location *location)
{
    uint64_t all = board_key(location->window, 'E');
    return (struct location){.window = location->window,
                             .target = location->target,
                             .length = UINT64_C(1) << 62,
                             .reads = {all},
                             .nreads = 1};
}

static bool fetch_add(const struct location *location, uint64_t request, uint64_t own)
{
    struct target_fetches *target = target_make(location->window, location->target);
    if (!target)
        return false;
    struct location all = everywhere(location);
    bool full = target->count >= MOST_FETCHES && !request;
    if (full)
        location = &all;
    struct fetch *fetch = request ? NULL : fetch_like(target, location);
    if (!fetch) {
        fetch = spare;
        if (fetch)
            spare = fetch->next;
        else if (!(fetch = malloc(sizeof *fetch)))
            return false;
        *fetch = (struct fetch){.location = *location,
                                .request = request,
                                .to = target,
                                .next = target->first,
                                .link = &target->first};
        if (fetch->next)
            fetch->next->link = &fetch->next;
        target->first = fetch;
        target->count++;
        if (request)
            HASH_ADD(hh, by_request, request, sizeof fetch->request, fetch);
    }
    fetch->own = own;
    return true;
}

/* ---- what a fetch has seen ---- */

/* What a board said when it was read for these bytes last: as long as it says the same, there is
 * nothing to learn. Polling is cheap by that. */
struct read_before {
    uint64_t place, hash;
};

enum { READ_BEFORE = 1 << 10 };
static struct read_before read_before[READ_BEFORE];

static bool is_news(const struct location *location, uint64_t i, const unsigned char *bytes,
                    size_t size, bool locally)
{
    uint64_t place = name_mix(name_mix(location->reads[i], location->window + location->target),
                              name_mix(location->start, 2 * location->length + locally));
    struct read_before *entry = &read_before[place & (READ_BEFORE - 1)];
    struct read_before found = {place, hash_of(bytes, size)};
    bool news = entry->place != found.place || entry->hash != found.hash;
    *entry = found;
    return news;
}

/* The updates that were seen at these bytes are over. So are own ones before the fetch; that
 * matters only if the call did not complete them anyway. */
static void tell_seen(const struct fetch *fetch, uint64_t board, const struct entry *entries,
                      size_t count, bool locally)
{
    size_t most = 0, nstamps = 0, n = 0;
    for (size_t i = 0; i < count; i++)
        most += entries[i].nstamps;
    struct stamp *stamps = malloc((most + 1) * sizeof *stamps);
    struct update_seen *seen = malloc((most + 1) * sizeof *seen);
    for (size_t i = 0; stamps && seen && i < count; i++)
        for (uint64_t k = 0; k < entries[i].nstamps; k++)
            stamp_join(stamps, &nstamps, stamp_of(&entries[i], k));
    for (size_t i = 0; i < nstamps; i++) {
        uint64_t stamp = stamps[i].stamp;
        if (stamps[i].rank == (uint64_t)session.rank) {
            stamp = fetch->own < stamp ? fetch->own : stamp;
            if (!locally)
                continue;
        }
        seen[n++] = (struct update_seen){(uint32_t)stamps[i].rank, ACTOR, stamp};
    }
    if (!stamps || !seen)
        session_give_up_races("no memory left for the order of atomics");
    struct section bytes = bytes_of_board(&fetch->location, board);
    if (n)
        engine_updates_seen(session.engine, ACTOR, fetch->location.window, fetch->location.target,
                            &bytes, seen, n);
    free(stamps);
    free(seen);
}

/* `fetch` is NULL for an atomic of the language. */
static void acquire(const struct location *location, const struct fetch *fetch, bool locally)
{
    for (uint64_t i = 0; i < location->nreads; i++) {
        size_t size;
        void *bytes = board_read(location->target, location->reads[i], &size);
        struct entry entries[MOST_ENTRIES + 1];
        size_t count = read_entries(bytes, size, entries);
        if (count && is_news(location, i, bytes, size, locally)) {
            for (size_t k = 0; k < count; k++)
                engine_clock_receive(session.engine, ACTOR, entries[k].clock, entries[k].size);
            if (fetch)
                tell_seen(fetch, i, entries, count, locally);
            releases_outdate();
        }
        free(bytes);
    }
}

static void fetch_complete(struct fetch *fetch, bool locally)
{
    acquire(&fetch->location, fetch, locally);
    fetch_remove(fetch);
}

/* ---- operations ---- */

uint64_t release_prepare(void)
{
    return engine_update_begin(session.engine, ACTOR, false);
}

/* For requests that mean nothing to the engine: its own numbers are below. */
#define FETCH_REQUEST (UINT64_C(1) << 62)

uint64_t release_issued(const struct rma_op *op, uint64_t base, uint64_t stamp, uint64_t request,
                        bool has_request)
{
    static uint64_t last_request = FETCH_REQUEST, last_stamp;
    if (op->section_count == 0)
        return request;
    struct location location = location_of(op, base);
    bool repeats = false;
    if (access_writes_target(op->kind, op->op)) {
        repeats = stamp == last_stamp;
        last_stamp = stamp;
        publish(&location, stamp);
    }
    if (!access_reads_target(op->kind, op->op))
        return request;
    if (has_request && !request)
        request = ++last_request;
    /* A fetch that updates has not seen itself, but maybe earlier ones with the same stamp. */
    uint64_t own = access_writes_target(op->kind, op->op) && !repeats ? stamp - 1 : stamp;
    if (!fetch_add(&location, request, own))
        session_give_up_races("no memory for atomics under way");
    return request;
}

/* ---- atomics of the language ---- */

static struct location place_of(window_t window, uint32_t owner, uint64_t offset)
{
    struct location place = {.window = window, .target = owner, .nkeys = 1, .nreads = 1};
    place.keys[0] = place.reads[0] = board_key(name_mix(window, 'S'), offset / GRANULE);
    return place;
}

void release_publish_at(window_t window, uint32_t owner, uint64_t offset)
{
    struct location place = place_of(window, owner, offset);
    publish(&place, now.stamp);
}

void release_acquire_at(window_t window, uint32_t owner, uint64_t offset)
{
    struct location place = place_of(window, owner, offset);
    acquire(&place, NULL, true);
}

/* ---- completion ---- */

static void target_completed(struct target_fetches *target, bool locally)
{
    while (target && target->first)
        fetch_complete(target->first, locally);
}

static void complete(window_t window, uint32_t target, bool locally)
{
    if (target != RANK_ALL) {
        target_completed(target_find(window, target), locally);
        return;
    }
    struct window_fetches *of = window_find(window);
    for (struct target_fetches *each = of ? of->targets : NULL; each; each = each->next)
        target_completed(each, locally);
}

void releases_completed(window_t window, uint32_t target)
{
    complete(window, target, false);
}

void releases_completed_locally(window_t window, uint32_t target)
{
    complete(window, target, true);
}

void release_request_complete(uint64_t request)
{
    struct fetch *fetch;
    HASH_FIND(hh, by_request, &request, sizeof request, fetch);
    if (fetch)
        fetch_complete(fetch, true);
}

void releases_forget(window_t window)
{
    struct window_fetches *of = window_find(window);
    while (of && of->targets) {
        struct target_fetches *target = of->targets;
        of->targets = target->next;
        while (target->first)
            fetch_remove(target->first);
        HASH_DEL(targets, target);
        free(target);
    }
    if (of) {
        HASH_DEL(windows, of);
        free(of);
    }
    board_remove(session.rank, board_key(window, 'L'));
    board_remove(session.rank, board_key(window, 'E'));
}
