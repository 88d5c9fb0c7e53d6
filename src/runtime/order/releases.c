#include "releases.h"

#include <stdlib.h>
#include <string.h>

#include "engine/encoding.h"
#include "engine/clock.h"
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

struct release {
    window_t window;
    uint32_t target;
    uint64_t request;
    bool updates, fetches;
    uint64_t keys[SMALL + 2], nkeys; /* where it writes */
    uint64_t reads[SMALL + 1], nreads;
};

static struct release *releases;
static size_t nreleases, room;

/* Keys are never 0: that is a free slot. */
static uint64_t board_key(uint64_t what, uint64_t which)
{
    return name_mix(what, which) | 1;
}

static void choose_boards(struct release *release, const struct rma_op *op, uint64_t base)
{
    uint64_t first = (base + op->sections[0].start) / GRANULE;
    uint64_t last = (base + section_end(&op->sections[0]) - 1) / GRANULE;
    uint64_t large = board_key(op->window, 'L'), all = board_key(op->window, 'E');
    uint64_t step = op->type_size > GRANULE ? op->type_size / GRANULE : 1;
    bool small = op->section_count == 1 && (last - first) / step < SMALL;
    for (uint64_t granule = first; small && granule <= last; granule += step) {
        release->keys[release->nkeys++] = board_key('A', granule % LOCATIONS);
        release->reads[release->nreads++] = board_key('A', granule % LOCATIONS);
    }
    if (!small)
        release->keys[release->nkeys++] = large;
    release->keys[release->nkeys++] = all;
    release->reads[release->nreads++] = small ? large : all;
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
    uint64_t hash = size + 1;
    for (size_t i = 0; i < size; i++)
        hash = name_mix(hash, bytes[i]);
    return hash;
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
} now;

static bool learn_now(void)
{
    if (releases_know_now)
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
    now.hash = hash_of(bytes, size);
    releases_know_now = clock_decode(&now.clock, bytes, size);
    return releases_know_now;
}

/* On a board each writer has an entry of its own, which it replaces: to join clocks costs several
 * times what it costs to copy them. With many writers that would be long, so theirs become one that
 * is nobody's. */
enum { MOST_ENTRIES = 8, NOBODY = -1 };

struct entry {
    int32_t writer;
    uint32_t size;
    const unsigned char *clock;
};

/* What an entry takes on the board: rounded up, so that a later clock, some bytes longer or
 * shorter, still fits. */
static size_t entry_room(size_t clock_size)
{
    return (offsetof(struct entry, clock) + clock_size + 31) & ~(size_t)31;
}

/* How many entries the board has; at most MOST_ENTRIES + 1. */
static size_t read_entries(const unsigned char *bytes, size_t size, struct entry *entries)
{
    size_t count = 0, head = offsetof(struct entry, clock);
    while (count <= MOST_ENTRIES && size >= head) {
        struct entry *entry = &entries[count];
        memcpy(entry, bytes, head);
        if (entry_room(entry->size) > size)
            break;
        entry->clock = bytes + head;
        bytes += entry_room(entry->size);
        size -= entry_room(entry->size);
        count++;
    }
    return count;
}

static struct writer page; /* the board as it will be */

static void write_entry(int32_t writer, const unsigned char *clock, size_t size)
{
    struct entry entry = {writer, (uint32_t)size, NULL};
    size_t head = offsetof(struct entry, clock), room = entry_room(size);
    write_reserve(&page, room);
    memcpy(page.bytes + page.size, &entry, head);
    memcpy(page.bytes + page.size + head, clock, size);
    memset(page.bytes + page.size + head + size, 0, room - head - size);
    page.size += room;
}

static void write_joined(const struct entry *entries, size_t count)
{
    static struct clock joined, other;
    clock_copy(&joined, &now.clock);
    for (size_t i = 0; i < count; i++)
        if (clock_decode(&other, entries[i].clock, entries[i].size))
            clock_join(&joined, &other);
    static struct writer encoded;
    encoded.size = 0;
    write_reserve(&encoded, clock_encoded_bound(&joined));
    write_entry(NOBODY, encoded.bytes, clock_encode(&joined, encoded.bytes));
}

static bool write_board(uint32_t target, uint64_t key)
{
    struct entry entries[MOST_ENTRIES + 1];
    size_t size;
    const void *bytes = board_take(target, key, &size);
    size_t count = read_entries(bytes, size, entries);
    page.size = 0;
    if (count > MOST_ENTRIES) {
        write_joined(entries, count);
    } else {
        write_entry(session.rank, now.bytes, now.size);
        for (size_t i = 0; i < count; i++)
            if (entries[i].writer == session.rank && entry_room(entries[i].size) == page.size &&
                board_overwrite(target, key, entries[i].clock - offsetof(struct entry, clock),
                                page.bytes, page.size))
                return true;
        for (size_t i = 0; i < count; i++)
            if (entries[i].writer != session.rank)
                write_entry(entries[i].writer, entries[i].clock, entries[i].size);
    }
    return board_replace(target, key, page.bytes, page.size);
}

static void publish(const struct release *release)
{
    if (!learn_now())
        return;
    for (uint64_t i = 0; i < release->nkeys; i++)
        if (!is_written(release->target, release->keys[i], now.hash) &&
            !write_board(release->target, release->keys[i])) {
            session_give_up_races("no memory left for the order of atomics");
            return;
        }
}

static void acquire(const struct release *release)
{
    for (uint64_t i = 0; i < release->nreads; i++) {
        size_t size;
        void *bytes = board_read(release->target, release->reads[i], &size);
        struct entry entries[MOST_ENTRIES + 1];
        size_t count = read_entries(bytes, size, entries);
        for (size_t k = 0; k < count; k++)
            engine_clock_receive(session.engine, ACTOR, entries[k].clock, entries[k].size);
        free(bytes);
    }
    releases_outdate();
}

/* ---- own bytes that were read atomically ---- */

struct fetched {
    uint64_t granule;
    UT_hash_handle hh;
};

static struct fetched *fetched;

static void note_fetched(const struct rma_op *op, uint64_t base)
{
    uint64_t first = (base + op->sections[0].start) / GRANULE;
    uint64_t last = (base + section_end(&op->sections[0]) - 1) / GRANULE;
    for (uint64_t granule = first; granule <= last && granule < first + SMALL; granule++) {
        struct fetched *known;
        HASH_FIND(hh, fetched, &granule, sizeof granule, known);
        if (known || !(known = malloc(sizeof *known)))
            continue;
        known->granule = granule;
        HASH_ADD(hh, fetched, granule, sizeof granule, known);
    }
}

bool release_was_fetched(uint64_t address)
{
    uint64_t granule = address / GRANULE;
    struct fetched *known;
    HASH_FIND(hh, fetched, &granule, sizeof granule, known);
    return known != NULL;
}

/* ---- operations ---- */

void release_issued(const struct rma_op *op, uint64_t base, uint64_t request)
{
    if (op->section_count == 0)
        return;
    struct release release = {.window = op->window,
                              .target = op->target,
                              .request = request,
                              .updates = access_writes_target(op->kind, op->op),
                              .fetches = access_reads_target(op->kind, op->op)};
    choose_boards(&release, op, base);
    if (release.fetches && op->target == (uint32_t)session.rank)
        note_fetched(op, base);
    if (release.updates)
        publish(&release);
    if (nreleases == room) {
        size_t more = 2 * room + 16;
        struct release *larger = realloc(releases, more * sizeof *larger);
        if (!larger) {
            session_give_up_races("no memory for atomics under way");
            return;
        }
        releases = larger;
        room = more;
    }
    releases[nreleases++] = release;
}

/* ---- atomics of the language ---- */

static struct release place_of(window_t window, uint32_t owner, uint64_t offset)
{
    struct release place = {.window = window, .target = owner, .nkeys = 1, .nreads = 1};
    place.keys[0] = place.reads[0] = board_key(name_mix(window, 'S'), offset / GRANULE);
    return place;
}

void release_publish_at(window_t window, uint32_t owner, uint64_t offset)
{
    struct release place = place_of(window, owner, offset);
    publish(&place);
}

void release_acquire_at(window_t window, uint32_t owner, uint64_t offset)
{
    struct release place = place_of(window, owner, offset);
    acquire(&place);
}

/* ---- completion ---- */

static bool concerns(const struct release *release, window_t window, uint32_t target)
{
    return release->window == window && (target == RANK_ALL || release->target == target);
}

/* First all fetches learn, then the updates publish what is known now. */
void releases_completed(window_t window, uint32_t target)
{
    releases_completed_locally(window, target);
    size_t kept = 0;
    for (size_t i = 0; i < nreleases; i++) {
        if (!concerns(&releases[i], window, target)) {
            releases[kept++] = releases[i];
            continue;
        }
        if (releases[i].updates)
            publish(&releases[i]);
    }
    nreleases = kept;
}

void releases_completed_locally(window_t window, uint32_t target)
{
    for (size_t i = 0; i < nreleases; i++)
        if (releases[i].fetches && concerns(&releases[i], window, target)) {
            acquire(&releases[i]);
            releases[i].fetches = false;
        }
}

void release_request_complete(uint64_t request)
{
    for (size_t i = 0; i < nreleases; i++)
        if (releases[i].request == request && releases[i].fetches) {
            acquire(&releases[i]);
            releases[i].fetches = false;
        }
}

void releases_forget(window_t window)
{
    size_t kept = 0;
    for (size_t i = 0; i < nreleases; i++)
        if (releases[i].window != window)
            releases[kept++] = releases[i];
    nreleases = kept;
    board_remove(session.rank, board_key(window, 'L'));
    board_remove(session.rank, board_key(window, 'E'));
}
