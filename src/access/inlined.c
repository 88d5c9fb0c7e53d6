/* What the checks that clang_inline.cpp compiles into the program call when the page is flagged and the access does not
 * prolong the run of its place. */
#include "module.h"

/* The prototypes exist in no header: the plug-in knows them. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

#define INLINED_OF_SIZE(size)                                                                      \
    void __regatta_read##size(const void *address, struct access_run *own)                         \
    {                                                                                              \
        access_hooks->access(address, size, HOOK_LOAD, CALLER, CALLER_FRAME, own);                 \
    }                                                                                              \
    void __regatta_write##size(const void *address, struct access_run *own)                        \
    {                                                                                              \
        access_hooks->access(address, size, HOOK_STORE, CALLER, CALLER_FRAME, own);                \
    }

INLINED_OF_SIZE(1)
INLINED_OF_SIZE(2)
INLINED_OF_SIZE(4)
INLINED_OF_SIZE(8)
