/* Atomic operations: with -fsanitize=thread compilers leave them to these functions altogether. So
 * each does the real operation, with the order that was asked for, and counts as a load or store.
 * To MPI an atomic access is like any other; threads are ordered by it (atomics.h). */
#include "atomics.h"

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

/* Always the strongest order: any that the program can ask for is contained in it, and no
 * constant has to be told apart. One `lock` instruction either way on x86-64. */
enum { ORDER = __ATOMIC_SEQ_CST };

#define CHECK_ATOMIC(address, bits, how)                                                           \
    CHECK_ALIGNED((const void *)(address), (bits) / 8, HOOK_ATOMICALLY(how))

#define UPDATES(type, operation)                                                                   \
    void *object_ = atomic_begin(address, atomic_update_how(order));                               \
    type old_ = operation;                                                                         \
    atomic_end(object_, atomic_update_how(order));                                                 \
    return old_

/* Where it is looked at, a compare-and-exchange compares twice. What it releases has to be told
 * before others can see it, and one that fails releases nothing: so most of those that fail do so
 * here, as loads. */
#define COMPARE_FIRST(bits, type, expected, fail)                                                  \
    if (access_is_flagged((const void *)address)) {                                                \
        void *object_ = atomic_begin(address, atomic_load_how(if_failed));                         \
        type seen_ = __atomic_load_n(address, ORDER);                                              \
        bool same_ = seen_ == (expected);                                                          \
        atomic_end(object_, same_ ? 0 : atomic_load_how(if_failed));                               \
        if (same_) {                                                                               \
            CHECK_ATOMIC(address, bits, atomic_update_how(order));                                 \
        } else {                                                                                   \
            CHECK_ATOMIC(address, bits, atomic_load_how(if_failed));                               \
            fail;                                                                                  \
        }                                                                                          \
    }

#define FETCH(bits, type, name, builtin)                                                           \
    type __tsan_atomic##bits##_fetch_##name(volatile type *address, type value, int order)         \
    {                                                                                              \
        CHECK_ATOMIC(address, bits, atomic_update_how(order));                                     \
        UPDATES(type, builtin(address, value, ORDER));                                             \
    }

#define ATOMICS_OF_SIZE(bits, type)                                                                \
    type __tsan_atomic##bits##_load(const volatile type *address, int order)                       \
    {                                                                                              \
        CHECK_ATOMIC(address, bits, atomic_load_how(order));                                       \
        void *object = atomic_begin(address, atomic_load_how(order));                              \
        type value = order == __ATOMIC_RELAXED ? __atomic_load_n(address, __ATOMIC_RELAXED)        \
                                               : __atomic_load_n(address, ORDER);                  \
        atomic_end(object, atomic_load_how(order));                                                \
        return value;                                                                              \
    }                                                                                              \
    void __tsan_atomic##bits##_store(volatile type *address, type value, int order)                \
    {                                                                                              \
        CHECK_ATOMIC(address, bits, atomic_store_how(order));                                      \
        void *object = atomic_begin(address, atomic_store_how(order));                             \
        if (order == __ATOMIC_RELAXED)                                                             \
            __atomic_store_n(address, value, __ATOMIC_RELAXED);                                    \
        else if (order == __ATOMIC_RELEASE)                                                        \
            __atomic_store_n(address, value, __ATOMIC_RELEASE);                                    \
        else                                                                                       \
            __atomic_store_n(address, value, ORDER);                                               \
        atomic_end(object, atomic_store_how(order));                                               \
    }                                                                                              \
    type __tsan_atomic##bits##_exchange(volatile type *address, type value, int order)             \
    {                                                                                              \
        CHECK_ATOMIC(address, bits, atomic_update_how(order));                                     \
        UPDATES(type, __atomic_exchange_n(address, value, ORDER));                                 \
    }                                                                                              \
    FETCH(bits, type, add, __atomic_fetch_add)                                                     \
    FETCH(bits, type, sub, __atomic_fetch_sub)                                                     \
    FETCH(bits, type, and, __atomic_fetch_and)                                                     \
    FETCH(bits, type, or, __atomic_fetch_or)                                                       \
    FETCH(bits, type, xor, __atomic_fetch_xor)                                                     \
    FETCH(bits, type, nand, __atomic_fetch_nand)                                                   \
    COMPARE_EXCHANGE(bits, type, strong)                                                           \
    COMPARE_EXCHANGE(bits, type, weak)                                                             \
    type __tsan_atomic##bits##_compare_exchange_val(volatile type *address, type expected,         \
                                                    type value, int order, int if_failed)          \
    {                                                                                              \
        COMPARE_FIRST(bits, type, expected, return seen_);                                         \
        void *object = atomic_begin(address, atomic_update_how(order));                            \
        bool done = __atomic_compare_exchange_n(address, &expected, value, false, ORDER, ORDER);   \
        atomic_end(object, done ? atomic_update_how(order) : atomic_load_how(if_failed));          \
        if (!done)                                                                                 \
            CHECK_ATOMIC(address, bits, atomic_load_how(if_failed));                               \
        return expected;                                                                           \
    }

/* The expected value is told by the compiler as the plain access that it is. */
#define COMPARE_EXCHANGE(bits, type, strength)                                                     \
    int __tsan_atomic##bits##_compare_exchange_##strength(volatile type *address, type *expected,  \
                                                          type value, int order, int if_failed)    \
    {                                                                                              \
        COMPARE_FIRST(bits, type, *expected, *expected = seen_; return false);                     \
        void *object = atomic_begin(address, atomic_update_how(order));                            \
        bool done = __atomic_compare_exchange_n(address, expected, value, false, ORDER, ORDER);    \
        atomic_end(object, done ? atomic_update_how(order) : atomic_load_how(if_failed));          \
        if (!done)                                                                                 \
            CHECK_ATOMIC(address, bits, atomic_load_how(if_failed));                               \
        return done;                                                                               \
    }

ATOMICS_OF_SIZE(8, uint8_t)
ATOMICS_OF_SIZE(16, uint16_t)
ATOMICS_OF_SIZE(32, uint32_t)
ATOMICS_OF_SIZE(64, uint64_t)

void __tsan_atomic_thread_fence(int order)
{
    if (access_hooks) /* with one thread, too: a fence makes stores visible to other processes */
        access_hooks->atomic_fence(atomic_acquires(order) | atomic_releases(order));
    __atomic_thread_fence(ORDER);
}

void __tsan_atomic_signal_fence(int order)
{
    (void)order;
    __atomic_signal_fence(ORDER);
}
