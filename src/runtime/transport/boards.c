#include "boards.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "interpose/pmpi.h"
#include "session.h"
#include "slots.h"

enum {
    SLOTS = 1 << 14,
    HEAP_BYTES = 16 << 20,
    LEAST_CAPACITY = 64,
};

/* One that is left keeps its place in the heap for the next board there. */
struct slot {
    uint64_t key;
    uint64_t place, size, capacity;
};

struct wall {
    uint64_t heap_used;
    uint64_t reserved[7];
    struct slot slots[SLOTS];
    char heap[HEAP_BYTES];
};

static MPI_Win window;

/* The board that is taken: at most one is at a time, by the thread that has `turn`, which is taken
 * and given back without the session's lock. */
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static struct {
    struct slot slot;
    uint64_t number; /* of the slot; SLOTS if all are in use */
    bool exists;     /* it had been written to */
    uint64_t left;   /* what its key becomes if it is left */
    uint64_t heap_used;
    char *bytes;
    size_t room;
} taken;

bool boards_open(void)
{
    void *base;
    return pmpi.Win_allocate(sizeof(struct wall), 1, handles.info_null, handles.comm_world, &base,
                             &window) == MPI_SUCCESS;
}

void boards_close(void)
{
    pmpi.Win_free(&window);
}

static void fetch(uint32_t owner, void *to, size_t where, size_t size)
{
    pmpi.Get(to, (int)size, handles.byte, owner, where, (int)size, handles.byte, window);
}

static void store(uint32_t owner, const void *from, size_t where, size_t size)
{
    pmpi.Put(from, (int)size, handles.byte, owner, where, (int)size, handles.byte, window);
}

static size_t slot_place(uint64_t number)
{
    return offsetof(struct wall, slots) + number * sizeof(struct slot);
}

static struct slot_search look_at_group(uint32_t owner, struct slot *group, uint64_t first,
                                        uint64_t key)
{
    uint64_t keys[SLOT_GROUP];
    fetch(owner, group, slot_place(first), SLOT_GROUP * sizeof *group);
    pmpi.Win_flush(owner, window);
    for (int i = 0; i < SLOT_GROUP; i++)
        keys[i] = group[i].key;
    taken.left = slots_left(keys);
    return slots_look(keys, key);
}

static void choose_slot(const struct slot *group, uint64_t first, int which, uint64_t key)
{
    taken.slot = group[which];
    taken.exists = taken.slot.key == key;
    taken.slot.key = key;
    taken.slot.size = taken.exists ? taken.slot.size : 0;
    taken.number = first + (uint64_t)which;
}

/* Finds the slot of the key, or one for it. */
static void find_slot(uint32_t owner, uint64_t key)
{
    struct slot group[SLOT_GROUP];
    uint64_t first = key % (SLOTS / SLOT_GROUP) * SLOT_GROUP;
    fetch(owner, &taken.heap_used, offsetof(struct wall, heap_used), sizeof taken.heap_used);
    taken.slot = (struct slot){0};
    taken.number = SLOTS;
    taken.exists = false;
    for (int tries = 0; tries < SLOTS / SLOT_GROUP; tries++) {
        struct slot_search search = look_at_group(owner, group, first, key);
        if (search.found >= 0) {
            choose_slot(group, first, search.found, key);
            return;
        }
        if (search.vacant >= 0 && taken.number == SLOTS)
            choose_slot(group, first, search.vacant, key);
        if (search.last)
            return;
        first = (first + SLOT_GROUP) % SLOTS;
    }
}

static void take_turn(uint32_t owner)
{
    pthread_mutex_lock(&turn);
    pmpi.Win_lock(MPI_LOCK_EXCLUSIVE, owner, 0, window);
}

static void end_turn(uint32_t owner)
{
    pmpi.Win_unlock(owner, window);
    pthread_mutex_unlock(&turn);
}

void *boards_take(uint32_t owner, uint64_t key, size_t *size)
{
    session_pause();
    take_turn(owner);
    find_slot(owner, key);
    *size = taken.slot.size;
    if (*size > taken.room) {
        free(taken.bytes);
        taken.room = 2 * *size;
        taken.bytes = malloc(taken.room);
        if (!taken.bytes)
            *size = taken.room = 0;
    }
    if (*size > 0) {
        fetch(owner, taken.bytes, offsetof(struct wall, heap) + taken.slot.place, *size);
        pmpi.Win_flush(owner, window);
    }
    session_resume();
    return taken.bytes;
}

void boards_put_back(uint32_t owner)
{
    session_pause();
    end_turn(owner);
    session_resume();
}

static bool make_room(uint32_t owner, size_t size)
{
    uint64_t capacity = taken.slot.capacity ? taken.slot.capacity : LEAST_CAPACITY;
    if (taken.number == SLOTS)
        return false;
    while (capacity < size)
        capacity *= 2;
    if (capacity == taken.slot.capacity)
        return true;
    if (capacity > HEAP_BYTES - taken.heap_used)
        return false;
    taken.slot.place = taken.heap_used;
    taken.slot.capacity = capacity;
    taken.heap_used += capacity;
    store(owner, &taken.heap_used, offsetof(struct wall, heap_used), sizeof taken.heap_used);
    return true;
}

bool boards_replace(uint32_t owner, const void *bytes, size_t size)
{
    session_pause();
    bool fits = make_room(owner, size);
    if (fits) {
        taken.slot.size = size;
        store(owner, &taken.slot, slot_place(taken.number), sizeof taken.slot);
        store(owner, bytes, offsetof(struct wall, heap) + taken.slot.place, size);
    }
    end_turn(owner);
    session_resume();
    return fits;
}

void boards_remove(uint32_t owner, uint64_t key)
{
    session_pause();
    take_turn(owner);
    find_slot(owner, key);
    if (taken.exists) {
        taken.slot.key = taken.left;
        taken.slot.size = 0;
        store(owner, &taken.slot, slot_place(taken.number), sizeof taken.slot);
    }
    end_turn(owner);
    session_resume();
}
