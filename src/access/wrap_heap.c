/* Memory that is given back while MPI may still use it: as good as a store, since anybody may have
 * it next. */
#include <dlfcn.h>
#include <malloc.h>
#include <stdlib.h>

#include "wrap_heap.h"

void REAL(free)(void *block);
void *REAL(realloc)(void *block, size_t bytes);
void *REAL(reallocarray)(void *block, size_t count, size_t bytes);

size_t access_block_bytes(const void *block)
{
    static int is_known = -1; /* a second thread finds out the same */
    /* By malloc, since the runtime stands in front of free. */
    if (is_known < 0) {
        Dl_info giver, measure;
        is_known = dladdr((const void *)malloc, &giver) &&
                   dladdr((const void *)malloc_usable_size, &measure) &&
                   giver.dli_fbase == measure.dli_fbase;
    }
    return is_known ? malloc_usable_size((void *)block) : 1;
}

void WRAP(free)(void *block)
{
    GIVES_BACK(block, access_block_bytes(block), ENDING_FREE);
    REAL(free)(block);
}

/* The old block ends here, even if the new one begins at the same address. */
void *WRAP(realloc)(void *block, size_t bytes)
{
    GIVES_BACK(block, access_block_bytes(block), ENDING_REALLOC);
    return REAL(realloc)(block, bytes);
}

void *WRAP(reallocarray)(void *block, size_t count, size_t bytes)
{
    GIVES_BACK(block, access_block_bytes(block), ENDING_REALLOC);
    return REAL(reallocarray)(block, count, bytes);
}
