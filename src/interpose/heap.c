/* The heap of the runtime library, and of the stress layer's: malloc, calloc, realloc and free for
 * their own code and the engine's.
 *
 * The linker leads what the library's own code calls to them (--wrap), so the program and its
 * libraries go on with libc's heap, and find it as if Regatta were not there: our objects do not
 * lie between theirs, and no threshold of libc's moves because of us. It matters: Open MPI counts
 * the pages that a program attaches to dynamic windows, and a list whose elements lie twice as far
 * apart does not fit any more.
 *
 * Small objects come in size classes, four to a doubling, each with a list of the free ones; large
 * ones are mappings. What is small is never given back to the system: the engine takes it again
 * soon. */
#include "heap.h"

#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "engine/alloc.h"
#include "heap_sites.h"
#include "interpose_thread.h"

#define OURS(name) __wrap_##name

enum {
    ALIGNMENT = 16,
    LARGEST_SMALL = 256 << 10,
    CHUNK = 1 << 20,
    PAGE = 4096,
    CLASSES_PER_DOUBLING = 4,
    CLASSES = 64, /* more than there are up to LARGEST_SMALL */
    RESERVED = CLASSES + 1,
    LEAST_RESERVE = 32 << 20, /* addresses; memory only where it is used */
    LEAST_MARGIN = 64 << 20,
};

/* In front of every object. */
struct head {
    _Alignas(ALIGNMENT) size_t room; /* bytes that the object may have */
    size_t class;                    /* CLASSES: a mapping of its own; RESERVED: of the reserve */
};

static struct free_object {
    struct free_object *next;
} *free_objects[CLASSES];
static char *chunk, *chunk_end; /* the part of the newest chunk that nobody has had yet */

/* The smallest class for objects of this size, whose own size is put into *room: 16, 32, 48, 64,
 * 80, 96, 112, 128, 160, 192, 224, 256, 320 … */
static size_t class_of(size_t size, size_t *room)
{
    size_t steps = (size + ALIGNMENT - 1) / ALIGNMENT;
    if (steps <= CLASSES_PER_DOUBLING) {
        *room = steps * ALIGNMENT;
        return steps - 1;
    }
    unsigned shift = 61 - (unsigned)__builtin_clzl(steps - 1); /* steps - 1 has shift + 3 bits */
    size_t quarter = ((steps - 1) >> shift) + 1;               /* 5 to 8 */
    *room = (quarter << shift) * ALIGNMENT;
    return (shift + 1) * CLASSES_PER_DOUBLING + quarter - CLASSES_PER_DOUBLING - 1;
}

/* ---- the lock ---- */

/* Of the thread with this interpose_here. Recursive: exit() from a signal handler that interrupted
 * this very code must not wait. Not a mutex of POSIX: those are functions of the program, which the
 * detector stands in front of, and an object costs about 200 instructions more with one. It is held
 * for a few instructions, or for one mmap. */
static _Atomic(struct interpose_thread *) holder;
static unsigned held_again;

static void enter(void)
{
    struct interpose_thread *here = &interpose_here, *nobody = NULL;
    if (atomic_load_explicit(&holder, memory_order_relaxed) == here) {
        held_again++;
        return;
    }
    while (!atomic_compare_exchange_weak_explicit(&holder, &nobody, here, memory_order_acquire,
                                                  memory_order_relaxed)) {
        nobody = NULL;
        sched_yield();
    }
}

static void leave(void)
{
    if (held_again)
        held_again--;
    else
        atomic_store_explicit(&holder, NULL, memory_order_release);
}

/* ---- limits ---- */

atomic_bool heap_shortage, heap_over_cap;
static _Atomic size_t held, cap;
static atomic_bool is_passed;
static atomic_bool is_counted; /* by a test */
static _Atomic long allocations, failing;

void heap_note_shortage(void)
{
    atomic_store_explicit(&heap_shortage, true, memory_order_relaxed);
}

size_t heap_held(void)
{
    return atomic_load_explicit(&held, memory_order_relaxed);
}

static size_t margin(void)
{
    return cap / 4 > LEAST_MARGIN ? cap / 4 : LEAST_MARGIN;
}

/* Whether `more` bytes may be taken from the system. */
static bool is_within_cap(size_t more)
{
    size_t sum = atomic_fetch_add_explicit(&held, more, memory_order_relaxed) + more;
    if (!cap || sum <= cap)
        return true;
    if (!is_passed)
        atomic_store_explicit(&heap_over_cap, true, memory_order_relaxed);
    if (sum <= cap + margin())
        return true;
    atomic_fetch_sub_explicit(&held, more, memory_order_relaxed);
    return false;
}

static void no_longer_held(size_t bytes)
{
    atomic_fetch_sub_explicit(&held, bytes, memory_order_relaxed);
}

void heap_count_elsewhere(size_t bytes)
{
    if (!is_within_cap(bytes))
        atomic_fetch_add_explicit(&held, bytes,
                                  memory_order_relaxed); /* it is there all the same */
}

void heap_set_cap(size_t bytes)
{
    cap = bytes;
    is_within_cap(0);
}

void heap_mind_cap(void)
{
    atomic_store_explicit(&heap_over_cap, false, memory_order_relaxed);
}

size_t heap_room_above_cap(void)
{
    return margin() / 2;
}

void heap_pass_cap(void)
{
    is_passed = true;
    atomic_store_explicit(&heap_over_cap, false, memory_order_relaxed);
}

long heap_allocations(void)
{
    return allocations;
}

void heap_count(long number)
{
    failing = number;
    allocations = 0;
    atomic_store(&is_counted, true);
}

/* Counts an allocation; whether a test wants it to fail. */
static bool is_to_fail(void)
{
    if (__builtin_expect(!atomic_load_explicit(&is_counted, memory_order_relaxed), 1))
        return false;
    if (atomic_load_explicit(&heap_sites_watched, memory_order_relaxed) && heap_site_fails())
        return true;
    return atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed) + 1 == failing;
}

static void *failed(void)
{
    heap_note_shortage();
    return NULL;
}

static void *map_pages(size_t size)
{
    if (!is_within_cap(size))
        return NULL;
    void *pages = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages != MAP_FAILED)
        return pages;
    no_longer_held(size);
    return NULL;
}

/* ---- the reserve ---- */

static char *reserve, *reserve_end; /* what is left of it; under the lock */

static void lay_by(size_t bytes)
{
    if ((size_t)(reserve_end - reserve) >= bytes)
        return;
    void *pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (pages == MAP_FAILED)
        return;
    if (reserve)
        munmap(reserve, (size_t)(reserve_end - reserve));
    reserve = pages;
    reserve_end = reserve + bytes;
}

/* An array that grows is at most doubled: there is room for that while the reserve is as large as
 * twice the largest object. */
static void provide_for(size_t largest)
{
    if (largest <= LEAST_RESERVE / 2)
        return;
    enter();
    lay_by(2 * largest);
    leave();
}

static void *from_reserve(size_t size)
{
    struct head *head = NULL;
    size_t room = (size + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
    enter();
    if (size < PTRDIFF_MAX - PAGE && room + sizeof *head <= (size_t)(reserve_end - reserve)) {
        head = (struct head *)reserve;
        reserve += sizeof *head + room;
        *head = (struct head){room, RESERVED};
    }
    leave();
    return head ? head + 1 : NULL;
}

static void *insist(void *old, size_t size)
{
    void *object = from_reserve(size);
    if (object && old) {
        size_t room = ((struct head *)old - 1)->room;
        memcpy(object, old, size < room ? size : room);
        free(old);
    }
    return object;
}

void heap_prepare(void)
{
    enter();
    lay_by(LEAST_RESERVE);
    leave();
    allocate_last_resort(insist);
}

/* ---- objects ---- */

static size_t whole_pages(size_t size)
{
    return (size + PAGE - 1) & ~(size_t)(PAGE - 1);
}

static void *large_object(size_t size)
{
    if (size > PTRDIFF_MAX - PAGE)
        return NULL;
    size_t bytes = whole_pages(size + sizeof(struct head));
    struct head *head = map_pages(bytes);
    if (!head)
        return NULL;
    *head = (struct head){bytes - sizeof *head, CLASSES};
    provide_for(bytes);
    return head + 1;
}

/* An object that was never used before, so its bytes are 0. The lock is held. */
static void *new_object(size_t class, size_t room)
{
    size_t bytes = sizeof(struct head) + room;
    if ((size_t)(chunk_end - chunk) <
        bytes) { /* what is left of the old chunk is lost: a quarter at worst */
        char *fresh = map_pages(CHUNK);
        if (!fresh)
            return NULL;
        chunk = fresh;
        chunk_end = fresh + CHUNK;
    }
    struct head *head = (struct head *)chunk;
    chunk += bytes;
    *head = (struct head){room, class};
    return head + 1;
}

static void *take(size_t size, int *used)
{
    *used = 0;
    if (size > LARGEST_SMALL)
        return large_object(size);
    size_t room, class = class_of(size ? size : 1, &room);
    enter();
    void *object = free_objects[class];
    if (object) {
        free_objects[class] = free_objects[class]->next;
        *used = 1;
    } else {
        object = new_object(class, room);
    }
    leave();
    return object;
}

void *OURS(malloc)(size_t size)
{
    int used;
    void *object = is_to_fail() ? NULL : take(size, &used);
    return object ? object : failed();
}

void *OURS(calloc)(size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes))
        return failed();
    int used;
    void *object = is_to_fail() ? NULL : take(bytes, &used);
    if (!object)
        return failed();
    return used ? memset(object, 0, bytes) : object;
}

void OURS(free)(void *object)
{
    if (!object)
        return;
    struct head *head = (struct head *)object - 1;
    if (head->class == RESERVED)
        return;
    if (head->class == CLASSES) {
        size_t bytes = sizeof *head + head->room;
        munmap(head, bytes);
        no_longer_held(bytes);
        return;
    }
    enter();
    struct free_object *freed = object;
    freed->next = free_objects[head->class];
    free_objects[head->class] = freed;
    leave();
}

static void *resize(struct head *head, size_t bytes)
{
    size_t old = sizeof *head + head->room;
    if (is_to_fail() || (bytes > old && !is_within_cap(bytes - old)))
        return failed();
    struct head *moved = mremap(head, old, bytes, MREMAP_MAYMOVE);
    if (moved == MAP_FAILED) {
        if (bytes > old)
            no_longer_held(bytes - old);
        return failed();
    }
    if (bytes < old)
        no_longer_held(old - bytes);
    moved->room = bytes - sizeof *moved;
    provide_for(bytes);
    return moved + 1;
}

void *OURS(realloc)(void *old, size_t size)
{
    if (!old)
        return malloc(size);
    struct head *head = (struct head *)old - 1;
    if (size <= head->room && (head->class != CLASSES || size > head->room / 2))
        return old;
    if (head->class == CLASSES && size > LARGEST_SMALL && size <= PTRDIFF_MAX - PAGE)
        return resize(head, whole_pages(size + sizeof *head));
    void *object = malloc(size);
    if (!object)
        return NULL;
    memcpy(object, old, size < head->room ? size : head->room);
    free(old);
    return object;
}
