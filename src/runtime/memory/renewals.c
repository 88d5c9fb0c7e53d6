#include "renewals.h"

#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "access_log.h"
#include "actors.h"
#include "engine/engine.h"
#include "in_front.h"
#include "reach.h"
#include "session.h"
#include "uses.h"
#include "window_accesses.h"

/* ---- where something is remembered ---- */

/* A bit for each page of 4 KiB, which pages 128 MiB apart share. Written with the session's lock
 * held, read without one: a block is given back by who has it, and what others did there has been
 * told before they could hand it on. */
enum { MARK_SHIFT = 12, MARKS = 1 << 15, WORD = 64, LOOKED_AT = 64 };
static _Atomic uint64_t marks[MARKS / WORD];

void renewals_mark(uint64_t low, uint64_t high)
{
    uint64_t page = low >> MARK_SHIFT, last = (high - 1) >> MARK_SHIFT;
    if (low >= high)
        return;
    for (uint64_t n = 0; page <= last && n < MARKS; page++, n++) {
        _Atomic uint64_t *word = &marks[page % MARKS / WORD];
        uint64_t bit = UINT64_C(1) << page % WORD;
        uint64_t before = atomic_load_explicit(word, memory_order_relaxed);
        if (!(before & bit))
            atomic_store_explicit(word, before | bit, memory_order_relaxed);
    }
}

void renewals_clear(void)
{
    for (size_t i = 0; i < MARKS / WORD; i++)
        atomic_store_explicit(&marks[i], 0, memory_order_relaxed);
}

static bool is_marked(uint64_t low, uint64_t high)
{
    uint64_t page = low >> MARK_SHIFT, last = (high - 1) >> MARK_SHIFT;
    if (last - page >= LOOKED_AT)
        return true;
    for (; page <= last; page++)
        if (atomic_load_explicit(&marks[page % MARKS / WORD], memory_order_relaxed) >> page % WORD &
            1)
            return true;
    return false;
}

/* ---- forgetting it ---- */

void memory_renewed(uint64_t low, uint64_t high)
{
    access_log_erase(low, high);
    uses_erase(low, high);
    /* Memory that a window still shows has not changed hands: the program is wrong, and whoever
     * accesses it through the window still does. */
    if (session.engine && !reach_touches(low, high)) {
        window_accesses_settle();
        engine_memory_renewed(session.engine, low, high);
    }
}

void renewal_is_done(uint64_t low)
{
    runtime_here.renewed = low;
}

static void given_back(uint64_t low, uint64_t bytes)
{
    bool is_done = runtime_here.renewed == low;
    runtime_here.renewed = 0;
    if (!bytes || is_done || runtime_here.has_lock || !session_is_active() ||
        !(is_marked(low, low + bytes) || access_log_has(low, low + bytes)))
        return;
    int error = errno;
    session_lock();
    access_log_tell(); /* what this actor did there until now */
    memory_renewed(low, low + bytes);
    session_unlock();
    errno = error;
}

/* ---- the functions ---- */

/* Found by whoever comes first; others find the same. */
static __typeof__(&free) known_free;
static _Atomic int measures_blocks = -1; /* whether libc can measure them: not asked yet */

/* NULL within itself: looking the function up may free the words of an earlier error of dlsym,
 * which are kept then. */
static __typeof__(&free) real_free(void)
{
    __typeof__(&free) real = __atomic_load_n(&known_free, __ATOMIC_RELAXED);
    if (__builtin_expect(real != NULL, 1) || runtime_here.looks_up_free)
        return real;
    runtime_here.looks_up_free = true;
    *(void **)&real = dlsym(RTLD_NEXT, "free");
    __atomic_store_n(&known_free, real, __ATOMIC_RELAXED);
    runtime_here.looks_up_free = false;
    return real;
}

/* 1 if the program brings an allocator of its own, whose blocks libc cannot measure. */
static size_t block_bytes(void *block)
{
    if (measures_blocks < 0) {
        Dl_info giver, measure;
        measures_blocks = dladdr((const void *)real_free(), &giver) &&
                          dladdr((const void *)malloc_usable_size, &measure) &&
                          giver.dli_fbase == measure.dli_fbase;
    }
    return measures_blocks ? malloc_usable_size(block) : 1;
}

static inline void block_given_back(void *block)
{
    if (__builtin_expect(actors_are_concurrent(), 0) && block && !runtime_here.has_lock)
        given_back((uintptr_t)block, block_bytes(block));
}

EXPORTED void free(void *block)
{
    __typeof__(&free) real = real_free();
    if (!real)
        return;
    block_given_back(block);
    real(block);
}

EXPORTED void *realloc(void *block, size_t bytes)
{
    block_given_back(block);
    return REAL(realloc)(block, bytes);
}

EXPORTED void *reallocarray(void *block, size_t count, size_t bytes)
{
    block_given_back(block);
    return REAL(reallocarray)(block, count, bytes);
}

/* What this library itself maps is nobody else's business (--wrap). */
int __wrap_munmap(void *low, size_t bytes);
void *__wrap_mremap(void *low, size_t bytes, size_t new_bytes, int how);

int __wrap_munmap(void *low, size_t bytes)
{
    return REAL(munmap)(low, bytes);
}

void *__wrap_mremap(void *low, size_t bytes, size_t new_bytes, int how)
{
    return REAL(mremap)(low, bytes, new_bytes, how);
}

EXPORTED int munmap(void *low, size_t bytes)
{
    if (__builtin_expect(actors_are_concurrent(), 0))
        given_back((uintptr_t)low, bytes);
    return REAL(munmap)(low, bytes);
}

EXPORTED void *mremap(void *low, size_t bytes, size_t new_bytes, int how, ...)
{
    va_list more;
    va_start(more, how);
    void *to = how & MREMAP_FIXED ? va_arg(more, void *) : NULL;
    va_end(more);
    if (__builtin_expect(actors_are_concurrent(), 0))
        given_back((uintptr_t)low, bytes);
    return REAL(mremap)(low, bytes, new_bytes, how, to);
}
