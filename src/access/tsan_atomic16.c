/* Atomic operations on 16 bytes, all made of one compare-and-exchange: the builtins would call
 * libatomic, which the program may not be linked to. (On x86-64 this is cmpxchg16b, so a load is a
 * store to the processor, as in libatomic before gcc 13: memory that is only readable cannot be
 * loaded atomically.) */
#include "atomics.h"
#include "platform/processor.h"

#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#pragma GCC diagnostic ignored "-Wpedantic"

#define WIDE PLATFORM_WIDE_ATOMICS

typedef unsigned __int128 wide;

#define CHECK_WIDE(address, how)                                                                   \
    CHECK_ALIGNED((const void *)(address), sizeof(wide), HOOK_ATOMICALLY(how))

WIDE static inline wide exchange_if_equal(volatile wide *address, wide expected, wide value)
{
    return __sync_val_compare_and_swap(address, expected, value);
}

/* Replaces the value by an expression of it, `old`; gives the old one. */
#define UPDATE(address, expression, how)                                                           \
    void *object = atomic_begin(address, how);                                                     \
    wide old = 0;                                                                                  \
    for (;;) {                                                                                     \
        wide seen = exchange_if_equal((address), old, (expression));                               \
        if (seen == old)                                                                           \
            break;                                                                                 \
        old = seen;                                                                                \
    }                                                                                              \
    atomic_end(object, how);                                                                       \
    return old

WIDE wide __tsan_atomic128_load(const volatile wide *address, int order)
{
    CHECK_WIDE(address, atomic_load_how(order));
    void *object = atomic_begin(address, atomic_load_how(order));
    wide value = exchange_if_equal((volatile wide *)address, 0, 0);
    atomic_end(object, atomic_load_how(order));
    return value;
}

#define FETCH(name, expression)                                                                    \
    WIDE wide __tsan_atomic128_##name(volatile wide *address, wide value, int order)               \
    {                                                                                              \
        CHECK_WIDE(address, atomic_update_how(order));                                             \
        UPDATE(address, expression, atomic_update_how(order));                                     \
    }

FETCH(exchange, value)
FETCH(fetch_add, old + value)
FETCH(fetch_sub, old - value)
FETCH(fetch_and, old &value)
FETCH(fetch_or, old | value)
FETCH(fetch_xor, old ^ value)
FETCH(fetch_nand, ~(old &value))

static WIDE wide replace(volatile wide *address, wide value, int order)
{
    UPDATE(address, value, atomic_store_how(order));
}

WIDE void __tsan_atomic128_store(volatile wide *address, wide value, int order)
{
    CHECK_WIDE(address, atomic_store_how(order));
    replace(address, value, order);
}

/* As in tsan_atomic.c. */
#define COMPARE_FIRST(expected, fail)                                                              \
    if (access_is_flagged((const void *)address)) {                                                \
        void *object_ = atomic_begin(address, atomic_load_how(if_failed));                         \
        wide seen_ = exchange_if_equal(address, 0, 0);                                             \
        bool same_ = seen_ == (expected);                                                          \
        atomic_end(object_, same_ ? 0 : atomic_load_how(if_failed));                               \
        if (same_) {                                                                               \
            CHECK_WIDE(address, atomic_update_how(order));                                         \
        } else {                                                                                   \
            CHECK_WIDE(address, atomic_load_how(if_failed));                                       \
            fail;                                                                                  \
        }                                                                                          \
    }

WIDE wide __tsan_atomic128_compare_exchange_val(volatile wide *address, wide expected, wide value,
                                                int order, int if_failed)
{
    COMPARE_FIRST(expected, return seen_);
    void *object = atomic_begin(address, atomic_update_how(order));
    wide seen = exchange_if_equal(address, expected, value);
    atomic_end(object, seen == expected ? atomic_update_how(order) : atomic_load_how(if_failed));
    if (seen != expected)
        CHECK_WIDE(address, atomic_load_how(if_failed));
    return seen;
}

#define COMPARE_EXCHANGE(strength)                                                                 \
    WIDE int __tsan_atomic128_compare_exchange_##strength(volatile wide *address, wide *expected,  \
                                                          wide value, int order, int if_failed)    \
    {                                                                                              \
        COMPARE_FIRST(*expected, *expected = seen_; return false);                                 \
        void *object = atomic_begin(address, atomic_update_how(order));                            \
        wide seen = exchange_if_equal(address, *expected, value);                                  \
        bool done = seen == *expected;                                                             \
        atomic_end(object, done ? atomic_update_how(order) : atomic_load_how(if_failed));          \
        if (!done)                                                                                 \
            CHECK_WIDE(address, atomic_load_how(if_failed));                                       \
        *expected = seen;                                                                          \
        return done;                                                                               \
    }

COMPARE_EXCHANGE(strong)
COMPARE_EXCHANGE(weak)
