/* The heap of the runtime library, and of the stress layer's: malloc, calloc, realloc and free for
 * their own code and the engine's.
 *
 * exports.map keeps these names inside the library, so the program and its libraries go on with
 * libc's heap, and find it as if Regatta were not there: our objects do not lie between theirs, and
 * no threshold of libc's moves because of us. It matters: Open MPI counts the pages that a program
 * attaches to dynamic windows, and a list whose elements lie twice as far apart does not fit any
 * more.
 *
 * Small objects come in size classes, four to a doubling, each with a list of the free ones; large
 * ones are mappings. What is small is never given back to the system: the engine takes it again
 * soon. */
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
    ALIGNMENT = 16,
    LARGEST_SMALL = 256 << 10,
    CHUNK = 1 << 20,
    PAGE = 4096,
    CLASSES_PER_DOUBLING = 4,
    CLASSES = 64, /* more than there are up to LARGEST_SMALL */
};

/* In front of every object. */
struct head {
    _Alignas(ALIGNMENT) size_t room; /* bytes that the object may have */
    size_t class;                    /* CLASSES: a mapping of its own */
};

/* Recursive: exit() from a signal handler that interrupted this very code must not wait. */
static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
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

static void *map_pages(size_t size)
{
    void *pages = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return pages == MAP_FAILED ? NULL : pages;
}

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
    pthread_mutex_lock(&lock);
    void *object = free_objects[class];
    if (object) {
        free_objects[class] = free_objects[class]->next;
        *used = 1;
    } else {
        object = new_object(class, room);
    }
    pthread_mutex_unlock(&lock);
    return object;
}

void *malloc(size_t size)
{
    int used;
    return take(size, &used);
}

void *calloc(size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes))
        return NULL;
    int used;
    void *object = take(bytes, &used);
    return object && used ? memset(object, 0, bytes) : object;
}

void free(void *object)
{
    if (!object)
        return;
    struct head *head = (struct head *)object - 1;
    if (head->class == CLASSES) {
        munmap(head, sizeof *head + head->room);
        return;
    }
    pthread_mutex_lock(&lock);
    struct free_object *freed = object;
    freed->next = free_objects[head->class];
    free_objects[head->class] = freed;
    pthread_mutex_unlock(&lock);
}

void *realloc(void *old, size_t size)
{
    if (!old)
        return malloc(size);
    struct head *head = (struct head *)old - 1;
    if (size <= head->room && (head->class < CLASSES || size > head->room / 2))
        return old;
    if (head->class == CLASSES && size > LARGEST_SMALL && size <= PTRDIFF_MAX - PAGE) {
        size_t bytes = whole_pages(size + sizeof *head);
        head = mremap(head, sizeof *head + head->room, bytes, MREMAP_MAYMOVE);
        if (head == MAP_FAILED)
            return NULL;
        head->room = bytes - sizeof *head;
        return head + 1;
    }
    void *object = malloc(size);
    if (!object)
        return NULL;
    memcpy(object, old, size < head->room ? size : head->room);
    free(old);
    return object;
}
