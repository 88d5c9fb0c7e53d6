/* Plain loads and stores, as gcc and clang call them with -fsanitize=thread. */
#include "module.h"

/* The prototypes exist in no header: compilers know them. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

#define ACCESS_OF_SIZE(size)                                                                       \
    void __tsan_read##size(const void *address)                                                    \
    {                                                                                              \
        CHECK_ALIGNED(address, size, HOOK_LOAD);                                                   \
    }                                                                                              \
    void __tsan_write##size(const void *address)                                                   \
    {                                                                                              \
        CHECK_ALIGNED(address, size, HOOK_STORE);                                                  \
    }                                                                                              \
    void __tsan_volatile_read##size(const void *address)                                           \
    {                                                                                              \
        CHECK_ALIGNED(address, size, HOOK_LOAD);                                                   \
    }                                                                                              \
    void __tsan_volatile_write##size(const void *address)                                          \
    {                                                                                              \
        CHECK_ALIGNED(address, size, HOOK_STORE);                                                  \
    }                                                                                              \
    /* A load and a store of the same bytes, told at once: the store conflicts with more. */       \
    void __tsan_read_write##size(const void *address)                                              \
    {                                                                                              \
        CHECK_ALIGNED(address, size, HOOK_STORE);                                                  \
    }

/* clang counts a 16-byte access as aligned if it is to 8 bytes. */
#define ACCESS_OF_SIZE_16(size)                                                                    \
    void __tsan_read##size(const void *address)                                                    \
    {                                                                                              \
        CHECK_UNALIGNED(address, size, HOOK_LOAD);                                                 \
    }                                                                                              \
    void __tsan_write##size(const void *address)                                                   \
    {                                                                                              \
        CHECK_UNALIGNED(address, size, HOOK_STORE);                                                \
    }                                                                                              \
    void __tsan_volatile_read##size(const void *address)                                           \
    {                                                                                              \
        CHECK_UNALIGNED(address, size, HOOK_LOAD);                                                 \
    }                                                                                              \
    void __tsan_volatile_write##size(const void *address)                                          \
    {                                                                                              \
        CHECK_UNALIGNED(address, size, HOOK_STORE);                                                \
    }                                                                                              \
    void __tsan_read_write##size(const void *address)                                              \
    {                                                                                              \
        CHECK_UNALIGNED(address, size, HOOK_STORE);                                                \
    }

#define UNALIGNED_OF_SIZE(size)                                                                    \
    void __tsan_unaligned_read##size(const void *address)                                          \
    {                                                                                              \
        CHECK_UNALIGNED(address, size, HOOK_LOAD);                                                 \
    }                                                                                              \
    void __tsan_unaligned_write##size(const void *address)                                         \
    {                                                                                              \
        CHECK_UNALIGNED(address, size, HOOK_STORE);                                                \
    }                                                                                              \
    void __tsan_unaligned_volatile_read##size(const void *address)                                 \
    {                                                                                              \
        CHECK_UNALIGNED(address, size, HOOK_LOAD);                                                 \
    }                                                                                              \
    void __tsan_unaligned_volatile_write##size(const void *address)                                \
    {                                                                                              \
        CHECK_UNALIGNED(address, size, HOOK_STORE);                                                \
    }                                                                                              \
    void __tsan_unaligned_read_write##size(const void *address)                                    \
    {                                                                                              \
        CHECK_UNALIGNED(address, size, HOOK_STORE);                                                \
    }

ACCESS_OF_SIZE(1)
ACCESS_OF_SIZE(2)
ACCESS_OF_SIZE(4)
ACCESS_OF_SIZE(8)
ACCESS_OF_SIZE_16(16)
UNALIGNED_OF_SIZE(1)
UNALIGNED_OF_SIZE(2)
UNALIGNED_OF_SIZE(4)
UNALIGNED_OF_SIZE(8)
UNALIGNED_OF_SIZE(16)

/* Structures, and whatever has another size. */
void __tsan_read_range(const void *address, size_t bytes)
{
    CHECK_RANGE(address, bytes, HOOK_LOAD);
}

void __tsan_write_range(const void *address, size_t bytes)
{
    CHECK_RANGE(address, bytes, HOOK_STORE);
}

/* A C++ object's pointer to its virtual functions. Constructors write the value that is there; that
 * is a store all the same. */
void __tsan_vptr_read(const void *address)
{
    CHECK_ALIGNED(address, sizeof(void *), HOOK_LOAD);
}

void __tsan_vptr_update(const void *address, const void *value)
{
    (void)value;
    CHECK_ALIGNED(address, sizeof(void *), HOOK_STORE);
}
