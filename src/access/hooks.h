/* The contract between compiled-in checks (this room) and the runtime library.
 *
 * The runtime exports one function, regatta_access_attach. Each executable or shared library with
 * checks calls it once when it is loaded, and is given the page flags and the functions to call.
 *
 * Page flags: one byte per 64 KiB of address space, in one flat table. It takes 2 GiB of
 * *addresses* for the 47 bits that user space has on x86-64, but memory only where pages are
 * flagged: 4 KiB per 256 MiB of the program's memory that is looked up. So a check is a shift, a
 * mask and a compare with memory that stays in the first-level cache. Zero: no byte of that page is
 * of interest, nor the first ACCESS_GROUP - 1 bytes of the next: so one look does for a few
 * variables side by side. Flags are hints on the safe side; what exactly lies in the page only the
 * runtime knows. */
#ifndef REGATTA_ACCESS_HOOKS_H
#define REGATTA_ACCESS_HOOKS_H

#include <stddef.h>
#include <stdint.h>

#include "platform/processor.h"

enum {
    ACCESS_VERSION = 10, /* of this contract: the program may be older than the runtime */
    ACCESS_WITHOUT_PLUGIN = 1 << 16, /* or-ed to it: the compiler had no plug-in of ours */

    ACCESS_PAGE_BITS = 16,
    ACCESS_GROUP = 256, /* a page's flags tell about that many bytes from any address in it on */
    ACCESS_ADDRESS_BITS = PLATFORM_ADDRESS_BITS,
};
#define ACCESS_PAGES (UINT64_C(1) << (ACCESS_ADDRESS_BITS - ACCESS_PAGE_BITS))

/* The index of an address in the table. Addresses that no program has wrap around, so that a wild
 * pointer fails in the program and not here. */
static inline uint64_t access_page(const void *address)
{
    return (uintptr_t)address >> ACCESS_PAGE_BITS & (ACCESS_PAGES - 1);
}

/* What is in a page. */
enum access_flag {
    ACCESS_IN_USE = 1,  /* buffers that MPI may still access */
    ACCESS_WINDOW = 2,  /* window memory */
    ACCESS_THREADS = 4, /* window memory, and several threads: every access must be told */
    ACCESS_LOGGED = 8,  /* any memory, while several threads are at work: the same */
};

/* What the program does. */
enum hook_kind {
    HOOK_LOAD = 0,
    HOOK_STORE = 1,
    HOOK_ATOMIC = 2,       /* or-ed to the others */
    HOOK_HOW_SHIFT = 2,    /* of an atomic one, from this bit on: of enum hook_atomic */
    HOOK_ENDING_SHIFT = 8, /* from this bit on: an enum access_ending */
};

/* What an atomic operation does, and what its memory order says. */
enum hook_atomic {
    ATOMIC_READS = 1,
    ATOMIC_WRITES = 2,
    ATOMIC_ACQUIRES = 4,
    ATOMIC_RELEASES = 8,
    ATOMIC_HOWS = 16, /* all are below */
};
#define HOOK_ATOMICALLY(how)                                                                       \
    ((enum hook_kind)(HOOK_ATOMIC | ((how) & ATOMIC_WRITES ? HOOK_STORE : HOOK_LOAD) |             \
                      (how) << HOOK_HOW_SHIFT))

/* How memory was given back: as good as a store to all of it, since anybody may have it next, but
 * named as what it is. */
enum access_ending {
    ENDING_NONE,
    /* of frames */
    ENDING_RETURN,
    ENDING_SCOPE, /* of an array whose size was not known when compiling: its block gives it back */
    ENDING_LONGJMP,
    ENDING_EXCEPTION,
    /* of blocks of the heap */
    ENDING_FREE,
    ENDING_REALLOC,
    ENDING_DELETE,
    /* of mappings */
    ENDING_MUNMAP,
    ENDING_MREMAP,
    ENDING_SHMDT,
    ENDINGS,
};
#define HOOK_ENDS(ending) ((enum hook_kind)(HOOK_STORE | (ending) << HOOK_ENDING_SHIFT))

/* Programs sweep over memory, and calling the runtime for each element of a window takes several
 * times as long as everything else. So the runtime opens a run for each place in the code that
 * accesses window memory, and the program may prolong it by itself, upwards, as long as the page
 * has no flag but ACCESS_WINDOW. The runtime closes runs before anything that accesses are ordered
 * by. When a second thread comes it closes them for good and flags the pages with ACCESS_THREADS;
 * at most the access that the first thread is at in that moment is lost.
 *
 * Where the compiler gave each place memory of its own (clang_inline.cpp, as.c), the run is kept
 * there. Otherwise places share the runtime's table.
 *
 * `next` spares even the look at the flag: an access at that address may prolong the run by moving
 * `next`, unless the address begins a page. The runtime sets it only while the page has no flag but
 * ACCESS_WINDOW, and takes it back before another flag is set. */
struct access_run {
    uint64_t key;       /* access_run_key; 0: closed */
    uint64_t low, high; /* the bytes so far; closed: 0. If `next` is above `high`, up to there */
    uint64_t next;      /* 0: none */
    uint64_t index;     /* the runtime's */
};
enum { ACCESS_RUN_BITS = 8, ACCESS_RUNS = 1 << ACCESS_RUN_BITS };

static inline uint64_t access_run_key(const void *caller, enum hook_kind kind)
{
    return (uint64_t)(uintptr_t)caller * 2 + (kind & HOOK_STORE);
}

/* A run is in this slot or in the other one of the pair, slot ^ 1: places that take the slot from
 * each other with every access would cost a hundred times as much as runs save. */
static inline unsigned access_run_slot(uint64_t key)
{
    return (unsigned)(key * UINT64_C(0x9e3779b97f4a7c15) >> (64 - ACCESS_RUN_BITS));
}

/* Where the run of this place is, if it is open. */
static inline struct access_run *access_run_find(struct access_run *runs, uint64_t key)
{
    unsigned slot = access_run_slot(key);
    return __atomic_load_n(&runs[slot].key, __ATOMIC_RELAXED) == key ? &runs[slot]
                                                                     : &runs[slot ^ 1];
}

/* Where window memory is. One window of a few bytes flags a page of 64 KiB, in which there may be
 * the busiest variables of the program: accesses beside it are dismissed where they are made, in
 * about 20 instructions. Written with the runtime's lock held, read without one: it may change
 * meanwhile. */
struct access_bounds {
    uint64_t count;
    uint64_t pairs[]; /* low, high; disjoint, ascending */
};
struct access_windows {
    uint64_t changes;                   /* odd while it is being changed */
    const struct access_bounds *bounds; /* never freed */
};

/* One of the pairs as it was at that number of changes. */
struct access_window {
    uint64_t changes, low, high;
};

/* Whether none of the bytes [low, high) is window memory; false too if that cannot be said now.
 * `found`: if false, the last pair that begins in front of the end of the bytes, or an odd number
 * of changes. */
static inline int access_is_outside_of(const struct access_windows *windows, uint64_t low,
                                       uint64_t high, struct access_window *found)
{
    uint64_t changes = __atomic_load_n(&windows->changes, __ATOMIC_ACQUIRE);
    const struct access_bounds *bounds = __atomic_load_n(&windows->bounds, __ATOMIC_RELAXED);
    uint64_t first = 0, last = __atomic_load_n(&bounds->count, __ATOMIC_RELAXED);
    while (first < last) { /* the first window that begins behind the bytes */
        uint64_t middle = (first + last) / 2;
        if (__atomic_load_n(&bounds->pairs[2 * middle], __ATOMIC_RELAXED) < high)
            first = middle + 1;
        else
            last = middle;
    }
    found->changes = 1;
    if (!first)
        found->low = found->high = 0;
    else {
        found->low = __atomic_load_n(&bounds->pairs[2 * first - 2], __ATOMIC_RELAXED);
        found->high = __atomic_load_n(&bounds->pairs[2 * first - 1], __ATOMIC_RELAXED);
    }
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    if (changes & 1 || __atomic_load_n(&windows->changes, __ATOMIC_RELAXED) != changes)
        return 0;
    found->changes = changes;
    return found->high <= low;
}

static inline int access_is_outside(const struct access_windows *windows, uint64_t low,
                                    uint64_t high)
{
    struct access_window found;
    return access_is_outside_of(windows, low, high, &found);
}

struct access_hooks {
    const unsigned char *flags;
    const struct access_windows *windows;
    /* The runtime's table of ACCESS_RUNS runs. */
    struct access_run *runs;
    /* An access to a flagged page, told before it happens (a failed compare-and-exchange: after,
     * maybe also before, as a successful one).
     * `caller` is the return address in the program, `frame` its stack pointer there. `own` is the
     * run of this place, NULL if it has none. */
    void (*access)(const void *address, size_t bytes, enum hook_kind kind, const void *caller,
                   const void *frame, struct access_run *own);
    /* A lock, semaphore or the like in a page with window memory. Told before this thread gives it
     * away: what it did so far is ordered before whatever comes behind `acquire` of the same
     * object. errno is left alone. */
    void (*release)(const void *object);
    /* Told after this thread got it. */
    void (*acquire)(const void *object);
    /* Not 0 while several threads are at work: atomic operations on any memory are told. The
     * operation itself is done between the two, so that it is certain which one has seen which;
     * other threads wait meanwhile. `how`: of enum hook_atomic; a compare-and-exchange that fails
     * ends as a load. The result of atomic_begin is handed to atomic_end; NULL: nothing to end. */
    const unsigned char *threads;
    void *(*atomic_begin)(const void *address, unsigned how);
    void (*atomic_end)(void *object, unsigned how);
    void (*atomic_fence)(unsigned how); /* always told, before it happens */
    /* The module goes, and the runs of its places with it. */
    void (*detach)(void);
    /* The program asked by an annotation to leave this thread's loads or stores alone (+1), or ends
     * that (-1). */
    void (*ignore)(enum hook_kind kind, int change);
};

/* NULL if this process is not checked, or if the versions do not fit together. */
typedef const struct access_hooks *regatta_access_attach_function(unsigned version);
const struct access_hooks *regatta_access_attach(unsigned version);

#endif
