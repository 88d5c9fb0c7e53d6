/* Mappings that are given back, or moved, while MPI may still use memory in them. */
#include <stdio.h>
#include <sys/mman.h>
#include <sys/shm.h>

#include "wrap.h"

#define ENDS(address, bytes, ending)                                                               \
    do {                                                                                           \
        if (access_is_watched())                                                                   \
            CHECK_RANGE((address), (bytes), HOOK_ENDS(ending));                                    \
    } while (0)

int REAL(munmap)(void *start, size_t bytes);
int WRAP(munmap)(void *start, size_t bytes)
{
    ENDS(start, bytes, ENDING_MUNMAP);
    return REAL(munmap)(start, bytes);
}

/* One that may grow may move, and then MPI has the old address. One that shrinks stays, and gives
 * back its end. */
void *REAL(mremap)(void *old, size_t bytes, size_t wanted, int flags, void *target);
void *WRAP(mremap)(void *old, size_t bytes, size_t wanted, int flags, void *target)
{
    bool moves = flags & MREMAP_FIXED || (flags & MREMAP_MAYMOVE && wanted > bytes);
    if (moves)
        ENDS(old, bytes, ENDING_MREMAP);
    else if (wanted < bytes)
        ENDS((char *)old + wanted, bytes - wanted, ENDING_MREMAP);
    if (flags & MREMAP_FIXED) /* whatever was there */
        ENDS(target, wanted, ENDING_MREMAP);
    return REAL(mremap)(old, bytes, wanted, flags, target);
}

/* The system knows how large the segment is. */
static size_t mapping_bytes(const void *start)
{
    char line[256];
    size_t bytes = 0;
    FILE *maps = fopen("/proc/self/maps", "re");
    while (maps && !bytes && fgets(line, sizeof line, maps)) {
        unsigned long low, high;
        if (sscanf(line, "%lx-%lx", &low, &high) == 2 && low == (uintptr_t)start)
            bytes = high - low;
    }
    if (maps)
        fclose(maps);
    return bytes;
}

int REAL(shmdt)(const void *start);
int WRAP(shmdt)(const void *start)
{
    if (access_is_watched())
        ENDS(start, mapping_bytes(start), ENDING_SHMDT);
    return REAL(shmdt)(start);
}
