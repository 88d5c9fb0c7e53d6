/* C++: every operator delete of the standard library. Named as the linker knows them: this is C. */
#include <dlfcn.h>
#include <string.h>

#include "wrap_heap.h"

void REAL(_ZdlPv)(void *block);
void REAL(_ZdaPv)(void *block);

static bool is_standard(const void *operator_delete)
{
    Dl_info library;
    return dladdr(operator_delete, &library) && (strstr(library.dli_fname, "/libstdc++.so") ||
                                                 strstr(library.dli_fname, "/libc++abi.so"));
}

/* The standard library's operators hand the block to free; a program's own may do whatever they
 * like. */
static size_t block_bytes(const void *block)
{
    static int is_known = -1;
    if (is_known < 0)
        is_known =
            is_standard((const void *)REAL(_ZdlPv)) && is_standard((const void *)REAL(_ZdaPv));
    return is_known ? access_block_bytes(block) : 1;
}

#define DELETES(name)                                                                              \
    void WRAP(name)(void *block)                                                                   \
    {                                                                                              \
        GIVES_BACK(block, block_bytes(block), ENDING_DELETE);                                      \
        REAL(name)(block);                                                                         \
    }
/* The second parameter is an alignment, or a std::nothrow_t by address. */
#define DELETES_SOMEHOW(name)                                                                      \
    void REAL(name)(void *block, size_t how);                                                      \
    void WRAP(name)(void *block, size_t how)                                                       \
    {                                                                                              \
        GIVES_BACK(block, block_bytes(block), ENDING_DELETE);                                      \
        REAL(name)(block, how);                                                                    \
    }
#define DELETES_BYTES(name)                                                                        \
    void REAL(name)(void *block, size_t bytes);                                                    \
    void WRAP(name)(void *block, size_t bytes)                                                     \
    {                                                                                              \
        GIVES_BACK(block, bytes, ENDING_DELETE);                                                   \
        REAL(name)(block, bytes);                                                                  \
    }
#define DELETES_ALIGNED_BYTES(name)                                                                \
    void REAL(name)(void *block, size_t bytes, size_t alignment);                                  \
    void WRAP(name)(void *block, size_t bytes, size_t alignment)                                   \
    {                                                                                              \
        GIVES_BACK(block, bytes, ENDING_DELETE);                                                   \
        REAL(name)(block, bytes, alignment);                                                       \
    }

DELETES(_ZdlPv)
DELETES(_ZdaPv)
DELETES_SOMEHOW(_ZdlPvRKSt9nothrow_t)
DELETES_SOMEHOW(_ZdaPvRKSt9nothrow_t)
DELETES_SOMEHOW(_ZdlPvSt11align_val_t)
DELETES_SOMEHOW(_ZdaPvSt11align_val_t)
DELETES_BYTES(_ZdlPvm)
DELETES_BYTES(_ZdaPvm)
DELETES_ALIGNED_BYTES(_ZdlPvmSt11align_val_t)
DELETES_ALIGNED_BYTES(_ZdaPvmSt11align_val_t)
