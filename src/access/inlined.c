/* What the checks that clang_inline.cpp compiles into the program call when the page is flagged and the access does not
 * prolong the run of its place. */
#include "module.h"

/* The prototypes exist in no header: the plug-in knows them. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

/* As access_is_beside, for an access that does not cross a page. */
static inline bool is_beside(const void *address, size_t bytes)
{
    return !(access_flags_at(address) & ACCESS_IN_USE) &&
           access_is_outside(access_hooks->windows, (uintptr_t)address, (uintptr_t)address + bytes);
}

#define INLINED_OF_SIZE(size)                                                                      \
    void __regatta_read##size(const void *address, struct access_run *own)                         \
    {                                                                                              \
        if (!is_beside(address, size))                                                             \
            access_hooks->access(address, size, HOOK_LOAD, CALLER, CALLER_FRAME, own);             \
    }                                                                                              \
    void __regatta_write##size(const void *address, struct access_run *own)                        \
    {                                                                                              \
        if (!is_beside(address, size))                                                             \
            access_hooks->access(address, size, HOOK_STORE, CALLER, CALLER_FRAME, own);            \
    }

INLINED_OF_SIZE(1)
INLINED_OF_SIZE(2)
INLINED_OF_SIZE(4)
INLINED_OF_SIZE(8)
