/* Atomic operations while several threads are at work: the runtime is told before and after each.
 */
#ifndef REGATTA_ACCESS_ATOMICS_H
#define REGATTA_ACCESS_ATOMICS_H

#include "module.h"

/* Compilers put more than the order into the number (hints for transactions). */
static inline unsigned atomic_acquires(int order)
{
    int plain = order & 0x7fff;
    return plain == __ATOMIC_RELAXED || plain == __ATOMIC_RELEASE ? 0 : ATOMIC_ACQUIRES;
}

static inline unsigned atomic_releases(int order)
{
    int plain = order & 0x7fff;
    return plain == __ATOMIC_RELEASE || plain == __ATOMIC_ACQ_REL || plain == __ATOMIC_SEQ_CST
               ? ATOMIC_RELEASES
               : 0;
}

static inline unsigned atomic_load_how(int order)
{
    return ATOMIC_READS | atomic_acquires(order);
}

static inline unsigned atomic_store_how(int order)
{
    return ATOMIC_WRITES | atomic_releases(order);
}

static inline unsigned atomic_update_how(int order)
{
    return atomic_load_how(order) | atomic_store_how(order);
}

static inline void *atomic_begin(const volatile void *address, unsigned how)
{
    return __builtin_expect(__atomic_load_n(access_threads, __ATOMIC_RELAXED), 0)
               ? access_hooks->atomic_begin((const void *)address, how)
               : NULL;
}

static inline void atomic_end(void *object, unsigned how)
{
    if (__builtin_expect(object != NULL, 0))
        access_hooks->atomic_end(object, how);
}

#endif
