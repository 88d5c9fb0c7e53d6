#include "release_boards.h"

#include <stdlib.h>
#include <string.h>

#include "engine/clock.h"
#include "engine/encoding.h"
#include "clocks.h"
#include "crossings.h"
#include "comms.h"
#include "releases.h"
#include "session.h"
#include "transport.h"

/* ---- where ---- */

/* Small operations have a board for each element, named after its first 4 bytes (neighbouring words
 * often are different flags): atomics on the same bytes with elements of different sizes are not
 * atomic to each other anyway. Large ones share one board per window, which all fetches read; all
 * updates also write to a third, which large fetches read instead of many small ones. */
enum { GRANULE = 4 };
/* Locations this many granules apart share a board, which can only order too much: boards are few.
 */
enum { LOCATIONS = 1 << 12 };

/* Keys are never 0: that is a free slot. */
uint64_t release_board_key(uint64_t what, uint64_t which)
{
    return name_mix(what, which) | 1;
}

struct release_location release_location_of(const struct rma_op *op, uint64_t base)
{
    const struct section *front = &op->sections[0], *back = &op->sections[op->section_count - 1];
    uint64_t first = (base + front->start) / GRANULE;
    uint64_t last = (base + section_end(front) - 1) / GRANULE;
    uint64_t large = release_board_key(op->window, 'L'), all = release_board_key(op->window, 'E');
    uint64_t step = op->type_size > GRANULE ? op->type_size / GRANULE : 1;
    bool small = op->section_count == 1 && (last - first) / step < RELEASE_SMALL;
    struct release_location location = {.window = op->window,
                                        .target = op->target,
                                        .start = front->start,
                                        .length = section_end(back) - front->start,
                                        .address = base + front->start,
                                        .element = step * GRANULE};
    for (uint64_t granule = first; small && granule <= last; granule += step) {
        location.keys[location.nkeys++] = release_board_key('A', granule % LOCATIONS);
        location.reads[location.nreads++] = release_board_key('A', granule % LOCATIONS);
    }
    if (!small)
        location.keys[location.nkeys++] = large;
    location.keys[location.nkeys++] = all;
    location.reads[location.nreads++] = small ? large : all;
    return location;
}

/* The bytes of a location to which a board that it reads belongs. */
struct section release_bytes_of_board(const struct release_location *location, uint64_t i)
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

struct release_location release_word_of(window_t window, uint32_t owner, uint64_t offset)
{
    struct release_location place = {.window = window, .target = owner, .nkeys = 1, .nreads = 1};
    place.keys[0] = place.reads[0] = release_board_key(name_mix(window, 'S'), offset / GRANULE);
    return place;
}

/* ---- what this process knows ---- */

/* What a board has been told it keeps: what this process wrote there last need not be written
 * again, unless the value matters, too. Noted when it has been written: while a thread waits for a
 * board, others must not take it for written. */
struct written {
    uint64_t key, clock; /* a hash of the clock; 0: nothing, or an update whose value is known */
    uint32_t target;
};

enum { WRITTEN = 1 << 10 };
static struct written written[WRITTEN];

static struct written *written_at(uint32_t target, uint64_t key)
{
    return &written[(key >> 1 ^ target) & (WRITTEN - 1)];
}

static bool is_written(uint32_t target, uint64_t key, uint64_t clock)
{
    const struct written *entry = written_at(target, key);
    return entry->key == key && entry->target == target && entry->clock == clock;
}

uint64_t release_hash_of(const unsigned char *bytes, size_t size)
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
struct state {
    struct clock clock;
    unsigned char *bytes; /* the same, encoded */
    size_t size, room;
    uint64_t hash;
    uint64_t stamp;  /* of the updates that publish it (engine_update_begin) */
    uint32_t thread; /* whose it is, by the engine's number */
};
static struct state now;

/* Each actor that updates has an entry of its own on a board, and stamps of its own. */
static int32_t writer_of(const struct state *state)
{
    return (int32_t)((uint32_t)session.rank + (uint32_t)session.ranks * state->thread);
}

static struct release_stamp stamp_of(const struct state *state, uint64_t stamp)
{
    return (struct release_stamp){actor_of((uint32_t)session.rank, state->thread), stamp};
}

static bool reserve_bytes(struct state *state, size_t size)
{
    if (size <= state->room)
        return true;
    free(state->bytes);
    state->bytes = malloc(2 * size);
    state->room = state->bytes ? 2 * size : 0;
    return state->bytes != NULL;
}

static bool learn_now(uint64_t stamp)
{
    uint32_t thread = acting();
    if (releases_know_now && now.stamp == stamp && now.thread == thread)
        return true;
    now.thread = thread;
    size_t size;
    const void *bytes = acting_clock_send(&size);
    if (!reserve_bytes(&now, size))
        return false;
    memcpy(now.bytes, bytes, size);
    now.size = size;
    now.hash = name_mix(release_hash_of(bytes, size), stamp);
    now.stamp = stamp;
    releases_know_now = clock_decode(&now.clock, bytes, size);
    return releases_know_now;
}

uint64_t release_last_stamp(void)
{
    return now.stamp;
}

/* ---- what stands on a board ---- */

enum { NOBODY = -1 };

enum { ENTRY_HEAD = RELEASE_ENTRY_HEAD };

/* What an entry takes on the board: rounded up, so that a later clock, some bytes longer or
 * shorter, still fits. */
static size_t entry_room(size_t clock_size, size_t nstamps)
{
    return (ENTRY_HEAD + nstamps * sizeof(struct release_stamp) + clock_size + 31) & ~(size_t)31;
}

/* How many entries the board has; at most RELEASE_MOST_ENTRIES + 1. */
size_t release_read_entries(const unsigned char *bytes, size_t size, struct release_entry *entries)
{
    size_t count = 0;
    while (count <= RELEASE_MOST_ENTRIES && size >= ENTRY_HEAD) {
        struct release_entry *entry = &entries[count];
        memcpy(entry, bytes, ENTRY_HEAD);
        if (entry->nstamps > size || entry_room(entry->size, entry->nstamps) > size)
            break;
        entry->stamps = bytes + ENTRY_HEAD;
        entry->clock = entry->stamps + entry->nstamps * sizeof(struct release_stamp);
        bytes += entry_room(entry->size, entry->nstamps);
        size -= entry_room(entry->size, entry->nstamps);
        count++;
    }
    return count;
}

/* The board as it will be, by the thread that has it; for entries that are joined: the clock, and
 * the one that is joined to it. With the session's lock. */
static struct writer page, encoded;
static struct clock joined, other;

static void write_entry(struct release_entry entry, const void *stamps, const unsigned char *clock)
{
    size_t nstamps = entry.nstamps, size = entry.size;
    size_t before = ENTRY_HEAD + nstamps * sizeof(struct release_stamp);
    size_t room = entry_room(size, nstamps);
    write_reserve(&page, room);
    unsigned char *at = page.bytes + page.size;
    memcpy(at, &entry, ENTRY_HEAD);
    memcpy(at + ENTRY_HEAD, stamps, nstamps * sizeof(struct release_stamp));
    memcpy(at + before, clock, size);
    memset(at + before + size, 0, room - before - size);
    page.size += room;
}

static void write_again(const struct release_entry *entry)
{
    write_entry(*entry, entry->stamps, entry->clock);
}

/* The latest stamp of each actor, in a list that has room for one more. */
void release_stamp_join(struct release_stamp *stamps, size_t *count, struct release_stamp stamp)
{
    size_t i = 0;
    while (i < *count && stamps[i].actor != stamp.actor)
        i++;
    if (i == *count)
        stamps[(*count)++] = stamp;
    else if (stamps[i].stamp < stamp.stamp)
        stamps[i].stamp = stamp.stamp;
}

static bool write_joined(const struct state *state, const struct release_entry *entries,
                         size_t count)
{
    size_t most = 1, nstamps = 0;
    for (size_t i = 0; i < count; i++)
        most += entries[i].nstamps;
    struct release_stamp *stamps = malloc(most * sizeof *stamps);
    if (!stamps)
        return false;
    clock_copy(&joined, &state->clock);
    release_stamp_join(stamps, &nstamps, stamp_of(state, state->stamp));
    for (size_t i = 0; i < count; i++) {
        if (clock_decode(&other, entries[i].clock, entries[i].size))
            clock_join(&joined, &other);
        for (uint64_t k = 0; k < entries[i].nstamps; k++)
            release_stamp_join(stamps, &nstamps, release_stamp_of(&entries[i], k));
    }
    encoded.size = 0;
    write_reserve(&encoded, clock_encoded_bound(&joined));
    struct release_entry all = {.writer = NOBODY,
                                .size = (uint32_t)clock_encode(&joined, encoded.bytes),
                                .nstamps = nstamps,
                                .published = release_count(entries, count) + 1};
    write_entry(all, stamps, encoded.bytes);
    free(stamps);
    return true;
}

static bool write_board(uint32_t target, uint64_t key, uint64_t its_stamp,
                        const struct release_change *change)
{
    bool known = change->value.known;
    struct release_entry entries[RELEASE_MOST_ENTRIES + 1];
    size_t size;
    const void *bytes = board_take(target, key, &size);
    /* Another thread may have gone on while the board was waited for: what it knew is not less. */
    if (!learn_now(its_stamp)) {
        board_put_back(target, key);
        return false;
    }
    struct release_stamp stamp = stamp_of(&now, its_stamp);
    *written_at(target, key) = (struct written){key, known ? 0 : now.hash, target};
    size_t count = release_read_entries(bytes, size, entries);
    page.size = 0;
    if (count > (known ? RELEASE_MOST_ENTRIES : RELEASE_MOST_UNKNOWN)) {
        if (!write_joined(&now, entries, count)) {
            board_put_back(target, key);
            return false;
        }
        return board_replace(target, key, page.bytes, page.size);
    }
    struct release_entry own = {.writer = writer_of(&now),
                                .size = (uint32_t)now.size,
                                .nstamps = 1,
                                .published = release_count(entries, count) + 1,
                                .change = *change};
    const struct release_entry *last = NULL;
    size_t earlier = 0;
    for (size_t i = 0; i < count; i++)
        if (entries[i].writer == own.writer && !earlier++)
            last = &entries[i];
    if (earlier == 1 && !known && entry_room(last->size, 1) == entry_room(now.size, 1)) {
        write_entry(own, &stamp, now.bytes);
        if (board_overwrite(target, key, last->stamps - ENTRY_HEAD, page.bytes, page.size))
            return true;
        page.size = 0;
    }
    write_entry(own, &stamp, now.bytes);
    count = release_keep(entries, count, &own);
    for (size_t i = 0; i < count; i++)
        write_again(&entries[i]);
    return board_replace(target, key, page.bytes, page.size);
}

/* Elements have boards of their own; on those that stand for a whole window nobody can tell which
 * value was at which place. */
static bool is_of_element(const struct release_location *location, uint64_t i)
{
    return location->nkeys == 2 && location->nreads == 2 && i == 0 &&
           location->keys[0] == location->reads[0];
}

void release_publish(const struct release_location *location, uint64_t stamp,
                     const struct release_change *change)
{
    static const struct release_change unknown;
    if (!learn_now(stamp))
        return;
    for (uint64_t i = 0; i < location->nkeys; i++) {
        const struct release_change *told = is_of_element(location, i) ? change : &unknown;
        bool written =
            !told->value.known && is_written(location->target, location->keys[i], now.hash);
        if (!written && !write_board(location->target, location->keys[i], stamp, told)) {
            session_give_up_races("no memory left for the order of atomics");
            return;
        }
    }
}

/* ---- what it knew at fences ---- */

/* By the engine's number of an actor; NULL: it had no fence. Each stays where it is: it is read
 * while the actor waits for a board without the session's lock. */
static struct state **fenced;
static uint32_t nfenced;

static struct state *fenced_of(uint32_t thread)
{
    if (thread >= nfenced) {
        uint32_t more = 2 * thread + 8;
        struct state **larger = realloc(fenced, more * sizeof(struct state *));
        if (!larger)
            return NULL;
        memset(larger + nfenced, 0, (more - nfenced) * sizeof(struct state *));
        fenced = larger;
        nfenced = more;
    }
    if (!fenced[thread])
        fenced[thread] = calloc(1, sizeof(struct state));
    return fenced[thread];
}

void release_fence(void)
{
    struct state *state = fenced_of(acting());
    if (!state || !learn_now(release_last_stamp()) || !reserve_bytes(state, now.size)) {
        session_give_up_races("no memory left for the order of atomics");
        return;
    }
    memcpy(state->bytes, now.bytes, now.size);
    state->size = now.size;
    clock_copy(&state->clock, &now.clock);
    state->hash = now.hash;
    state->stamp = now.stamp;
    state->thread = now.thread;
}

/* Whoever finds an entry that knows the fence knows what was known there. */
static bool is_on_board(const struct state *state, const struct release_entry *entries,
                        size_t count)
{
    actor_t actor = actor_of((uint32_t)session.rank, state->thread);
    time_point time = clock_known(&state->clock, actor);
    for (size_t i = 0; time && i < count; i++)
        if (clock_decode(&other, entries[i].clock, entries[i].size) &&
            clock_covers(&other, actor, time))
            return true;
    return false;
}

static bool write_fenced(const struct state *state, uint32_t target, uint64_t key)
{
    struct release_entry entries[RELEASE_MOST_ENTRIES + 1];
    size_t size;
    const void *bytes = board_take(target, key, &size);
    size_t count = release_read_entries(bytes, size, entries);
    if (is_on_board(state, entries, count)) {
        board_put_back(target, key);
        return true;
    }
    struct release_stamp stamp = stamp_of(state, state->stamp);
    struct release_entry own = {.writer = writer_of(state),
                                .size = (uint32_t)state->size,
                                .nstamps = 1,
                                .published = release_count(entries, count) + 1};
    page.size = 0;
    if (count > RELEASE_MOST_UNKNOWN) {
        if (write_joined(state, entries, count))
            return board_replace(target, key, page.bytes, page.size);
        board_put_back(target, key);
        return false;
    }
    write_entry(own, &stamp, state->bytes);
    count = release_keep(entries, count, &own);
    for (size_t i = 0; i < count; i++)
        write_again(&entries[i]);
    return board_replace(target, key, page.bytes, page.size);
}

void release_publish_fenced(const struct release_location *location)
{
    uint32_t thread = acting();
    const struct state *state = thread < nfenced ? fenced[thread] : NULL;
    for (uint64_t i = 0; state && i < location->nkeys; i++)
        if (!write_fenced(state, location->target, location->keys[i])) {
            session_give_up_races("no memory left for the order of atomics");
            return;
        }
}

/* ---- what was executed ---- */

void release_executed(const struct release_location *location, const struct release_end *end)
{
    struct release_entry entries[RELEASE_MOST_ENTRIES + 1];
    uint32_t target = location->target;
    uint64_t key = location->keys[0];
    struct written *written = written_at(target, key);
    size_t size;
    if (!is_of_element(location, 0))
        return;
    const void *bytes = board_take(target, key, &size);
    size_t count = release_read_entries(bytes, size, entries), own = 0;
    while (own < count &&
           (entries[own].writer != writer_of(&now) || !entries[own].change.value.known ||
            entries[own].over || release_stamp_of(&entries[own], 0).stamp != end->stamp))
        own++;
    if (own == count || count > RELEASE_MOST_ENTRIES) {
        board_put_back(target, key);
        return;
    }
    struct release_entry *entry = &entries[own];
    entry->over = release_count(entries, count) + 1;
    if (entry->change.value.known == VALUE_LATER)
        entry->change.value = end->value;
    entry->change.value.known = VALUE_KNOWN;
    bool others = end->all && release_all_over(entries, count, writer_of(&now), entry->over);
    if (end->updated && !others &&
        board_overwrite(target, key, entry->stamps - ENTRY_HEAD, entry, RELEASE_ENTRY_HEAD))
        return;
    page.size = 0;
    for (size_t i = 0; i < count; i++)
        if (i != own || end->updated)
            write_again(&entries[i]);
    if (!end->updated && written->key == key && written->target == target)
        *written = (struct written){0};
    if (!board_replace(target, key, page.bytes, page.size))
        session_give_up_races("no memory left for the order of atomics");
}

/* ---- what is read ---- */

/* What a board said when it was read for these bytes last: as long as it says the same, there is
 * nothing to learn. Polling is cheap by that. */
struct read_before {
    uint64_t place, hash;
};

enum { READ_BEFORE = 1 << 10 };
static struct read_before read_before[READ_BEFORE];

static struct read_before *read_before_at(const struct release_location *location, uint64_t i,
                                          bool locally, uint64_t *its_place)
{
    uint64_t place = name_mix(name_mix(location->reads[i], location->window + location->target),
                              name_mix(location->start, 2 * location->length + locally));
    *its_place = name_mix(place, acting()); /* what one actor has learnt, another has not */
    return &read_before[*its_place & (READ_BEFORE - 1)];
}

bool release_is_news(const struct release_location *location, uint64_t i,
                     const unsigned char *bytes, size_t size, uint64_t value, bool locally)
{
    uint64_t place;
    struct read_before *entry = read_before_at(location, i, locally, &place);
    struct read_before found = {place, name_mix(release_hash_of(bytes, size), value)};
    bool news = entry->place != found.place || entry->hash != found.hash;
    *entry = found;
    return news;
}

void release_forget_reading(const struct release_location *location, uint64_t i, bool locally)
{
    uint64_t place;
    *read_before_at(location, i, locally, &place) = (struct read_before){0};
}

/* Whether this process has heard of nothing that came after the update was issued. */
bool release_is_unheard_of(const struct release_entry *entry)
{
    if (entry->nstamps != 1 || !entry->over || entry->change.value.known != VALUE_KNOWN)
        return false;
    actor_t actor = release_stamp_of(entry, 0).actor;
    struct clock clock = CLOCK_EMPTY;
    if (!clock_decode(&clock, entry->clock, entry->size))
        return false;
    time_point time = clock_known(&clock, actor);
    clock_clear(&clock);
    return time && !engine_knows(session.engine, acting(), actor, time);
}
