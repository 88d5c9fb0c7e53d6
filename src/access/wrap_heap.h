/* What functions that give memory back have in common. */
#ifndef REGATTA_ACCESS_WRAP_HEAP_H
#define REGATTA_ACCESS_WRAP_HEAP_H

#include "wrap.h"

/* How many bytes a block of the heap has at least that free is about to get. 1 if the program
 * brings an allocator of its own, whose blocks libc cannot measure. */
HIDDEN size_t access_block_bytes(const void *block);

#define GIVES_BACK(block, bytes, ending)                                                           \
    do {                                                                                           \
        if (access_is_watched() && (block))                                                        \
            CHECK_RANGE((block), (bytes), HOOK_ENDS(ending));                                      \
    } while (0)

#endif
