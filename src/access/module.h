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

/* Whether the runtime would find nothing in a flagged page: no buffers in use, no window memory
 * in these bytes, and one thread. */
static inline bool access_is_beside(const void *address, size_t bytes)
{
    uint64_t last = access_page((const char *)address + bytes - 1);
    for (uint64_t page = access_page(address); page <= last; page++)
        if (__atomic_load_n(&access_flags[page], __ATOMIC_RELAXED) &
            (ACCESS_IN_USE | ACCESS_LOGGED))
            return false;
    return access_is_outside(access_hooks->windows, (uintptr_t)address, (uintptr_t)address + bytes);
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

static inline bool access_range_is_flagged(const void *address, size_t bytes)
{
    const unsigned char *flags = access_flags;
    if (__builtin_expect(flags == NULL, 0) || bytes == 0)
        return false;
    uint64_t last = access_page((const char *)address + bytes - 1);
    for (uint64_t page = access_page(address); page <= last; page++)
        if (__builtin_expect(__atomic_load_n(&flags[page], __ATOMIC_RELAXED), 0))
            return true;
    return false;
}

/* Asks for the runtime, once. */
void access_attach(void);

#endif
