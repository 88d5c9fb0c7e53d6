#include "node.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "interpose/heap.h"
#include "interpose/pmpi.h"
#include "platform/shared_file.h"
#include "platform/shared_lock.h"
#include "session.h"
#include "slots.h"

enum {
    CHUNKS = 1024, /* per rank; with doubling sizes that is never reached */
    CHUNK_BYTES = 1 << 18,
    BOARDS = 1 << 14, /* slots for blackboards, per rank */
    HEADER_ROOM = 1 << 20,
};

/* Where something stands: rank (24 bits), chunk (10), offset in units of 16 bytes (30: 16 GiB). 0:
 * nowhere, because offset 0 of a chunk is never given out. */
typedef uint64_t reference;

static reference reference_make(uint32_t rank, uint32_t chunk, uint64_t offset)
{
    return (uint64_t)rank << 40 | (uint64_t)chunk << 30 | offset / 16;
}

struct chunk_entry {
    uint64_t offset, size; /* in the segment's file */
    _Atomic uint64_t live; /* allocations that have not been freed */
};

struct board {
    uint64_t key;
    reference bytes; /* a block with room for at least that many */
    uint64_t size;
};

enum { NOT_STOPPED, BEING_STOPPED, STOPPED };

struct segment {
    _Atomic reference mailbox;
    _Atomic uint64_t unread; /* bytes in the mailbox, about */
    atomic_int stop;         /* and the reason, once it is STOPPED */
    atomic_bool alarm;
    char stop_reason[128];
    _Atomic uint32_t nchunks;
    struct chunk_entry chunks[CHUNKS];
    struct platform_lock boards_lock; /* one for all boards of a rank */
    struct board boards[BOARDS];
};
_Static_assert(sizeof(struct segment) <= HEADER_ROOM, "the header has its room");

/* An allocation; the payload follows, 16-byte aligned. */
struct block {
    reference next; /* in a mailbox */
    uint32_t kind, from;
    uint64_t topic, number, size, reserved;
};
_Static_assert(sizeof(struct block) % 16 == 0, "payloads are aligned");

/* A rank's segment as this process sees it; chunks are mapped when first needed. */
struct view {
    int file;
    struct segment *segment;
    char *chunks[CHUNKS];
};

static struct view *views; /* by rank; those of other nodes stay empty */
static char job[64];
static uint32_t current_chunk;
static uint64_t current_used, next_chunk_bytes = CHUNK_BYTES;

static void segment_name(char *name, size_t room, uint32_t rank)
{
    snprintf(name, room, "regatta-%s-%u", job, rank);
}

static bool view_open(uint32_t rank)
{
    struct view *view = &views[rank];
    if (view->segment)
        return true;
    char name[100];
    segment_name(name, sizeof name, rank);
    view->file = platform_shared_open(name);
    if (view->file < 0)
        return false;
    view->segment = platform_shared_map(view->file, 0, HEADER_ROOM);
    return view->segment;
}

static char *chunk_map(uint32_t rank, uint32_t chunk)
{
    struct view *view = &views[rank];
    if (view->chunks[chunk])
        return view->chunks[chunk];
    if (!view_open(rank))
        return NULL;
    struct chunk_entry *entry = &view->segment->chunks[chunk];
    return view->chunks[chunk] = platform_shared_map(view->file, entry->offset, entry->size);
}

static struct block *block_at(reference where)
{
    char *chunk = chunk_map(where >> 40, where >> 30 & (CHUNKS - 1));
    return chunk ? (struct block *)(chunk + (where & ((1u << 30) - 1)) * 16) : NULL;
}

static void block_free(reference where)
{
    struct segment *segment = views[where >> 40].segment;
    atomic_fetch_sub_explicit(&segment->chunks[where >> 30 & (CHUNKS - 1)].live, 1,
                              memory_order_release);
}

/* ---- allocation in the own segment ---- */

/* Makes a chunk with room for `bytes` the current one: an old one that is free again, or a new one.
 */
static bool chunk_choose(uint64_t bytes)
{
    struct view *own = &views[session.rank];
    uint32_t n = atomic_load(&own->segment->nchunks);
    for (uint32_t i = 0; i < n; i++) {
        struct chunk_entry *entry = &own->segment->chunks[i];
        if (entry->size >= bytes + 16 &&
            atomic_load_explicit(&entry->live, memory_order_acquire) == 0) {
            current_chunk = i;
            current_used = 16;
            return true;
        }
    }
    if (n == CHUNKS)
        return false;
    while (next_chunk_bytes < bytes + 16)
        next_chunk_bytes *= 2;
    struct chunk_entry *entry = &own->segment->chunks[n];
    entry->offset =
        n ? own->segment->chunks[n - 1].offset + own->segment->chunks[n - 1].size : HEADER_ROOM;
    entry->size = next_chunk_bytes;
    heap_count_elsewhere(next_chunk_bytes);
    if (!platform_shared_reserve(own->file, entry->offset, entry->size))
        return false;
    atomic_store(&own->segment->nchunks, n + 1);
    if (!chunk_map(session.rank, n))
        return false;
    if (n % 8 == 7 && next_chunk_bytes < 1 << 26)
        next_chunk_bytes *= 2;
    current_chunk = n;
    current_used = 16;
    return true;
}

static struct block *block_allocate(size_t payload, reference *where)
{
    uint64_t bytes = (sizeof(struct block) + payload + 15) & ~(uint64_t)15;
    struct view *own = &views[session.rank];
    bool none = atomic_load(&own->segment->nchunks) == 0;
    if (none || current_used + bytes > own->segment->chunks[current_chunk].size)
        if (!chunk_choose(bytes))
            return NULL;
    *where = reference_make(session.rank, current_chunk, current_used);
    current_used += bytes;
    atomic_fetch_add_explicit(&own->segment->chunks[current_chunk].live, 1, memory_order_relaxed);
    struct block *block = block_at(*where);
    block->size = payload;
    return block;
}

/* ---- life ---- */

static bool own_segment_create(void)
{
    struct view *own = &views[session.rank];
    char name[100];
    segment_name(name, sizeof name, session.rank);
    own->file = platform_shared_create(name);
    if (own->file < 0 || !platform_shared_reserve(own->file, 0, HEADER_ROOM))
        return false;
    own->segment = platform_shared_map(own->file, 0, HEADER_ROOM);
    return own->segment && platform_lock_make(&own->segment->boards_lock);
}

static void name_job(void)
{
    snprintf(job, sizeof job, "%ld-%016llx", (long)getpid(),
             (unsigned long long)platform_unique_number());
}

bool node_open(const bool *near)
{
    if (session.rank == 0)
        name_job();
    pmpi.Bcast(job, sizeof job, handles.byte, 0, handles.comm_world);
    views = calloc(session.ranks, sizeof *views);
    int ok = views && own_segment_create(), all_ok = 0;
    pmpi.Allreduce(&ok, &all_ok, 1, handles.integer, handles.min, handles.comm_world);
    for (int rank = 0; all_ok && rank < session.ranks; rank++)
        if (near[rank])
            ok = ok && view_open(rank);
    int everybody = 0;
    pmpi.Allreduce(&ok, &everybody, 1, handles.integer, handles.min, handles.comm_world);
    /* All have it open: the name is not needed any more, and nothing is left behind by a crash. */
    char name[100];
    segment_name(name, sizeof name, session.rank);
    platform_shared_unname(name);
    return all_ok && everybody;
}

const char *node_world(void)
{
    return job;
}

/* ---- the alarm ---- */

void node_alarm_raise(void)
{
    for (int rank = 0; rank < session.ranks; rank++)
        if (views[rank].segment)
            atomic_store_explicit(&views[rank].segment->alarm, true, memory_order_release);
}

bool node_alarm_is_raised(void)
{
    return atomic_load_explicit(&views[session.rank].segment->alarm, memory_order_acquire);
}

/* ---- the end of the search ---- */

void node_stop_all(const char *why)
{
    for (int rank = 0; rank < session.ranks; rank++) {
        struct segment *segment = views[rank].segment;
        int before = NOT_STOPPED;
        if (!segment || !atomic_compare_exchange_strong(&segment->stop, &before, BEING_STOPPED))
            continue;
        snprintf(segment->stop_reason, sizeof segment->stop_reason, "%s", why);
        atomic_store_explicit(&segment->stop, STOPPED, memory_order_release);
    }
}

static void read_stop(letter_reader *read)
{
    struct segment *own = views[session.rank].segment;
    int state = atomic_load_explicit(&own->stop, memory_order_acquire);
    if (state == NOT_STOPPED || !session_can_look_for_races())
        return;
    /* Two may stop at once: the reason of the first is still being written then. */
    const char *why = state == STOPPED ? own->stop_reason : "given up by several ranks";
    struct letter letter = {LETTER_STOP, session.rank, 0, 0, why, strlen(why)};
    read(&letter);
}

/* ---- letters ---- */

bool node_letter_send(uint32_t to, const struct letter *letter, const void *prefix,
                      size_t prefix_size)
{
    reference where;
    struct block *block = block_allocate(prefix_size + letter->size, &where);
    if (!block)
        return false;
    block->kind = letter->kind;
    block->from = session.rank;
    block->topic = letter->topic;
    block->number = letter->number;
    if (prefix_size)
        memcpy(block + 1, prefix, prefix_size);
    memcpy((char *)(block + 1) + prefix_size, letter->bytes, letter->size);
    _Atomic reference *mailbox = &views[to].segment->mailbox;
    reference head = atomic_load_explicit(mailbox, memory_order_relaxed);
    do
        block->next = head;
    while (!atomic_compare_exchange_weak_explicit(mailbox, &head, where, memory_order_release,
                                                  memory_order_relaxed));
    atomic_fetch_add_explicit(&views[to].segment->unread, sizeof *block + letter->size,
                              memory_order_relaxed);
    return true;
}

bool node_letters_pile_up(void)
{
    return atomic_load_explicit(&views[session.rank].segment->unread, memory_order_relaxed) >
           CHUNK_BYTES / 4;
}

void node_letters_read(letter_reader *read)
{
    _Atomic reference *mailbox = &views[session.rank].segment->mailbox;
    reference newest = 0, oldest = 0;
    if (atomic_load_explicit(mailbox, memory_order_relaxed)) {
        newest = atomic_exchange_explicit(mailbox, 0, memory_order_acquire);
        atomic_store_explicit(&views[session.rank].segment->unread, 0, memory_order_relaxed);
    }
    read_stop(read); /* before what was sent after it */
    while (newest) { /* the stack gives the newest first: turn it round */
        struct block *block = block_at(newest);
        if (!block) { /* no memory to map it: what is older is lost */
            heap_note_shortage();
            break;
        }
        reference next = block->next;
        block->next = oldest;
        oldest = newest;
        newest = next;
    }
    while (oldest) {
        struct block *block = block_at(oldest);
        reference next = block->next;
        struct letter letter = {block->kind,   block->from, block->topic,
                                block->number, block + 1,   block->size};
        read(&letter);
        block_free(oldest);
        oldest = next;
    }
}

/* ---- blackboards ---- */

/* A process that died inside may have left its board half written. */
static void boards_lock(struct segment *segment)
{
    if (!platform_lock(&segment->boards_lock))
        session_give_up_races("a rank ended while it wrote what others read");
}

/* The board of that key; with `claim` one that becomes it, if there is none. */
static struct board *board_find(struct segment *segment, uint64_t key, bool claim)
{
    struct board *vacant = NULL;
    uint64_t first = key % (BOARDS / SLOT_GROUP) * SLOT_GROUP, keys[SLOT_GROUP];
    for (int tries = 0; tries < BOARDS / SLOT_GROUP; tries++) {
        struct board *group = &segment->boards[first];
        for (int i = 0; i < SLOT_GROUP; i++)
            keys[i] = group[i].key;
        struct slot_search search = slots_look(keys, key);
        if (search.found >= 0)
            return &group[search.found];
        if (search.vacant >= 0 && !vacant)
            vacant = &group[search.vacant];
        if (search.last)
            break;
        first = (first + SLOT_GROUP) % BOARDS;
    }
    if (vacant && claim)
        vacant->key = key;
    return claim ? vacant : NULL;
}

const void *node_board_take(uint32_t owner, uint64_t key, size_t *size)
{
    struct segment *segment = views[owner].segment;
    boards_lock(segment);
    struct board *board = board_find(segment, key, false);
    struct block *block = board && board->bytes ? block_at(board->bytes) : NULL;
    if (board && board->bytes && !block)
        heap_note_shortage();
    *size = block ? board->size : 0;
    return block ? block + 1 : NULL;
}

void node_board_put_back(uint32_t owner, uint64_t key)
{
    (void)key;
    platform_unlock(&views[owner].segment->boards_lock);
}

/* A block with room for that many bytes: the board's own if it has, so that boards that are written
 * to again and again do not keep ever other chunks from being used again. */
static struct block *board_block(struct board *board, size_t size)
{
    struct block *block = board->bytes ? block_at(board->bytes) : NULL;
    reference where;
    if (block && block->size >= size)
        return block;
    block = block_allocate(size + size / 2 + 64, &where);
    if (!block)
        return NULL;
    if (board->bytes)
        block_free(board->bytes);
    board->bytes = where;
    return block;
}

bool node_board_replace(uint32_t owner, uint64_t key, const void *bytes, size_t size)
{
    struct board *board = board_find(views[owner].segment, key, true);
    struct block *block = board ? board_block(board, size) : NULL;
    if (block) {
        memmove(block + 1, bytes, size);
        board->size = size;
    }
    node_board_put_back(owner, key);
    return block != NULL;
}

void node_board_remove(uint32_t owner, uint64_t key)
{
    struct segment *segment = views[owner].segment;
    uint64_t keys[SLOT_GROUP];
    boards_lock(segment);
    struct board *board = board_find(segment, key, false);
    if (board) {
        struct board *group = &segment->boards[(board - segment->boards) / SLOT_GROUP * SLOT_GROUP];
        for (int i = 0; i < SLOT_GROUP; i++)
            keys[i] = group[i].key;
        if (board->bytes)
            block_free(board->bytes);
        *board = (struct board){.key = slots_left(keys)};
    }
    node_board_put_back(owner, key);
}
