/* The check that all functions of this library are made of. */
#ifndef REGATTA_ACCESS_MODULE_H
#define REGATTA_ACCESS_MODULE_H

#include <stdbool.h>

#include "hooks.h"

/* NULL before the runtime is attached, and for ever without it. Hidden: one load relative to the
 * program counter. */
#define HIDDEN __attribute__((visibility("hidden")))
extern HIDDEN const unsigned char *access_flags;
extern HIDDEN const struct access_hooks *access_hooks;

/* The same for the checks themselves, which have no time to ask whether it is NULL: before the
 * runtime is attached it is a table of one page, and all addresses are in that one. Named by
 * compiled-in code (clang_inline.cpp). */
extern HIDDEN const unsigned char *__regatta_flags;
extern HIDDEN uint64_t __regatta_page_mask;

/* Not 0 while several threads are at work (hooks.h); a byte that is 0 before the runtime is
 * attached. */
extern HIDDEN const unsigned char *access_threads;

/* Where the check stands in the program. Only in functions that the program calls directly. */
#define CALLER __builtin_return_address(0)
#define CALLER_FRAME __builtin_dwarf_cfa()

/* About 6 instructions, one of them a load that misses no cache. */
static inline unsigned char access_flags_at(const void *address)
{
    uint64_t page = (uintptr_t)address >> ACCESS_PAGE_BITS & __regatta_page_mask;
    return __atomic_load_n(&__regatta_flags[page], __ATOMIC_RELAXED);
}

static inline bool access_is_flagged(const void *address)
{
    return __builtin_expect(access_flags_at(address), 0);
}

/* About 12 instructions. */
static inline bool access_continues_run(const void *address, size_t bytes, enum hook_kind kind,
                                        const void *caller)
{
    uint64_t key = access_run_key(caller, kind);
    struct access_run *run = access_run_find(access_hooks->runs, key);
    if (__atomic_load_n(&run->key, __ATOMIC_RELAXED) != key || run->high != (uintptr_t)address)
        return false;
    __atomic_store_n(&run->high, (uintptr_t)address + bytes, __ATOMIC_RELAXED);
    return true;
}

/* The window that was accessed last, as one thread alone saw it. Whoever is in there need not ask
 * whether he is beside the windows: the answer would be no, and a search. Another thread may come
 * while it is written; then it may name bytes that are no window's, and the runtime is asked about
 * these in vain. */
extern HIDDEN struct access_window access_latest;

static inline bool access_is_in_latest(uint64_t address)
{
    uint64_t low = __atomic_load_n(&access_latest.low, __ATOMIC_RELAXED);
    return address - low < __atomic_load_n(&access_latest.high, __ATOMIC_RELAXED) - low &&
           __atomic_load_n(&access_latest.changes, __ATOMIC_RELAXED) ==
               __atomic_load_n(&access_hooks->windows->changes, __ATOMIC_RELAXED);
}

static inline void access_set_latest(const struct access_window *window)
{
    __atomic_store_n(&access_latest.low, window->low, __ATOMIC_RELAXED);
    __atomic_store_n(&access_latest.high, window->high, __ATOMIC_RELAXED);
    __atomic_store_n(&access_latest.changes, window->changes, __ATOMIC_RELAXED);
}

/* Whether no byte is window memory; false too if that cannot be said now. */
static inline bool access_is_off_windows(uint64_t address, size_t bytes)
{
    struct access_window found;
    if (access_is_in_latest(address))
        return false;
    if (access_is_outside_of(access_hooks->windows, address, address + bytes, &found))
        return true;
    if (!(found.changes & 1) && !*access_threads)
        access_set_latest(&found);
    return false;
}

/* Whether the runtime would find nothing in a flagged page: no buffers in use, no window memory
 * in these bytes, and one thread. */
static inline bool access_is_beside(const void *address, size_t bytes)
{
    if (access_is_in_latest((uintptr_t)address))
        return false;
    uint64_t last = access_page((const char *)address + bytes - 1);
    for (uint64_t page = access_page(address); page <= last; page++)
        if (__atomic_load_n(&access_flags[page], __ATOMIC_RELAXED) &
            (ACCESS_IN_USE | ACCESS_LOGGED))
            return false;
    return access_is_off_windows((uintptr_t)address, bytes);
}

/* Tells the runtime. */
static inline void access_tell(const void *address, size_t bytes, enum hook_kind kind,
                               const void *caller, const void *frame)
{
    if (!access_is_beside(address, bytes))
        access_hooks->access(address, bytes, kind, caller, frame, NULL);
}

/* An access that does not cross a page: aligned to its own size, or a byte. */
#define CHECK_ALIGNED(address, bytes, kind)                                                        \
    do {                                                                                           \
        unsigned char flags_ = access_flags_at(address);                                           \
        if (__builtin_expect(flags_, 0) &&                                                         \
            !(flags_ == ACCESS_WINDOW &&                                                           \
              access_continues_run((address), (bytes), (kind), CALLER)))                           \
            access_tell((address), (bytes), (kind), CALLER, CALLER_FRAME);                         \
    } while (0)

/* An access that may lie across two pages. */
#define CHECK_UNALIGNED(address, bytes, kind)                                                      \
    do {                                                                                           \
        if (access_is_flagged(address) ||                                                          \
            access_is_flagged((const char *)(address) + (bytes) - 1))                              \
            access_tell((address), (bytes), (kind), CALLER, CALLER_FRAME);                         \
    } while (0)

/* Any number of bytes, 0 too. */
#define CHECK_RANGE(address, bytes, kind)                                                          \
    do {                                                                                           \
        const void *start_ = (address);                                                            \
        size_t length_ = (bytes);                                                                  \
        if (access_range_is_flagged(start_, length_))                                              \
            access_tell(start_, length_, (kind), CALLER, CALLER_FRAME);                            \
    } while (0)

/* Most ranges lie in one page. */
static inline bool access_range_is_flagged(const void *address, size_t bytes)
{
    const char *end = (const char *)address + bytes - 1;
    if (access_is_flagged(address))
        return bytes != 0;
    if (__builtin_expect(((uintptr_t)address ^ (uintptr_t)end) >> ACCESS_PAGE_BITS == 0, 1))
        return false;
    const unsigned char *flags = access_flags;
    if (flags == NULL || bytes == 0)
        return false;
    for (uint64_t page = access_page(address), last = access_page(end); page <= last; page++)
        if (__builtin_expect(__atomic_load_n(&flags[page], __ATOMIC_RELAXED), 0))
            return true;
    return false;
}

/* Asks for the runtime, once. */
void access_attach(void);

#endif
