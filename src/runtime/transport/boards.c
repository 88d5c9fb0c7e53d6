#include "boards.h"

#include <stdlib.h>
#include <string.h>

#include "interpose/pmpi.h"
#include "session.h"

enum {
    SLOTS = 1 << 14,
    GROUP = 8, /* slots that are read together */
    HEAP_BYTES = 16 << 20,
    LEAST_CAPACITY = 64,
};

struct slot {
    uint64_t key; /* 0: free */
    uint64_t place, size, capacity;
};

struct wall {
    uint64_t heap_used;
    uint64_t reserved[7];
    struct slot slots[SLOTS];
    char heap[HEAP_BYTES];
};

static MPI_Win window;

/* The board that is taken: at most one is at a time. */
static struct {
    struct slot slot;
    uint64_t number; /* of the slot; SLOTS if all are in use */
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

/* Finds the slot of the key, or a free one for it. */
static void find_slot(uint32_t owner, uint64_t key)
{
    struct slot group[GROUP];
    uint64_t first = key % (SLOTS / GROUP) * GROUP;
    fetch(owner, &taken.heap_used, offsetof(struct wall, heap_used), sizeof taken.heap_used);
    for (int tries = 0; tries < SLOTS / GROUP; tries++) {
        fetch(owner, group, slot_place(first), sizeof group);
        pmpi.Win_flush(owner, window);
        for (int i = 0; i < GROUP; i++)
            if (group[i].key == key || group[i].key == 0) {
                taken.slot = group[i];
                taken.slot.key = key;
                taken.number = first + i;
                return;
            }
        first = (first + GROUP) % SLOTS;
    }
    taken.slot = (struct slot){0};
    taken.number = SLOTS;
}

void *boards_take(uint32_t owner, uint64_t key, size_t *size)
{
    pmpi.Win_lock(MPI_LOCK_EXCLUSIVE, owner, 0, window);
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
    return taken.bytes;
}

void boards_put_back(uint32_t owner)
{
    pmpi.Win_unlock(owner, window);
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
    bool fits = make_room(owner, size);
    if (fits) {
        taken.slot.size = size;
        store(owner, &taken.slot, slot_place(taken.number), sizeof taken.slot);
        store(owner, bytes, offsetof(struct wall, heap) + taken.slot.place, size);
    }
    boards_put_back(owner);
    return fits;
}
