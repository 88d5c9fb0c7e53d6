/* Atomic operations on 16 bytes, all made of one compare-and-exchange: the builtins would call libatomic, which
 * the program may not be linked to. (On x86-64 this is cmpxchg16b, so a load is a store to the processor, as
 * in libatomic before gcc 13: memory that is only readable cannot be loaded atomically.) */
#include "module.h"
#include "platform/processor.h"

#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#pragma GCC diagnostic ignored "-Wpedantic"

#define WIDE PLATFORM_WIDE_ATOMICS

typedef unsigned __int128 wide;

#define CHECK_WIDE(address, kind)                                                                  \
    CHECK_ALIGNED((const void *)(address), sizeof(wide), (kind) | HOOK_ATOMIC)

WIDE static inline wide exchange_if_equal(volatile wide *address, wide expected, wide value)
{
    return __sync_val_compare_and_swap(address, expected, value);
}

/* Replaces the value by an expression of it, `old`; gives the old one. */
#define UPDATE(address, expression)                                                                \
    wide old = 0;                                                                                  \
    for (;;) {                                                                                     \
        wide seen = exchange_if_equal((address), old, (expression));                               \
        if (seen == old)                                                                           \
            return old;                                                                            \
        old = seen;                                                                                \
    }

WIDE wide __tsan_atomic128_load(const volatile wide *address, int order)
{
    (void)order;
    CHECK_WIDE(address, HOOK_LOAD);
    return exchange_if_equal((volatile wide *)address, 0, 0);
}

#define FETCH(name, expression)                                                                    \
    WIDE wide __tsan_atomic128_##name(volatile wide *address, wide value, int order)         \
    {                                                                                              \
        (void)order;                                                                               \
        CHECK_WIDE(address, HOOK_STORE);                                                         \
        UPDATE(address, expression)                                                                \
    }

FETCH(exchange, value)
FETCH(fetch_add, old + value)
FETCH(fetch_sub, old - value)
FETCH(fetch_and, old &value)
FETCH(fetch_or, old | value)
FETCH(fetch_xor, old ^ value)
FETCH(fetch_nand, ~(old & value))

static WIDE wide replace(volatile wide *address, wide value)
{
    UPDATE(address, value)
}

WIDE void __tsan_atomic128_store(volatile wide *address, wide value, int order)
{
    (void)order;
    CHECK_WIDE(address, HOOK_STORE);
    replace(address, value);
}

WIDE wide __tsan_atomic128_compare_exchange_val(volatile wide *address, wide expected,
                                                      wide value, int order, int if_failed)
{
    (void)order, (void)if_failed;
    wide seen = exchange_if_equal(address, expected, value);
    CHECK_WIDE(address, seen == expected ? HOOK_STORE : HOOK_LOAD);
    return seen;
}

#define COMPARE_EXCHANGE(strength)                                                                 \
    WIDE int __tsan_atomic128_compare_exchange_##strength(                                   \
        volatile wide *address, wide *expected, wide value, int order, int if_failed)              \
    {                                                                                              \
        (void)order, (void)if_failed;                                                              \
        wide seen = exchange_if_equal(address, *expected, value);                                  \
        bool done = seen == *expected;                                                             \
        CHECK_WIDE(address, done ? HOOK_STORE : HOOK_LOAD);                                    \
        *expected = seen;                                                                          \
        return done;                                                                               \
    }

COMPARE_EXCHANGE(strong)
COMPARE_EXCHANGE(weak)
