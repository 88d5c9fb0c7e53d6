#include "pages.h"

#include <sys/mman.h>

unsigned char *pages;

/* The table is mapped for reading only, and made writable in chunks where flags are set: so it does
 * not count as memory where the system gives out no more than it has (vm.overcommit_memory=2). */
enum { CHUNK_BITS = 16 };
#define CHUNK (UINT64_C(1) << CHUNK_BITS)
#define CHUNKS (ACCESS_PAGES >> CHUNK_BITS)

static unsigned char writable[CHUNKS];

bool pages_reserve(void)
{
    void *table =
        mmap(NULL, ACCESS_PAGES, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (table == MAP_FAILED)
        return false;
    madvise(table, ACCESS_PAGES, MADV_DONTDUMP);
    madvise(table, ACCESS_PAGES,
            MADV_NOHUGEPAGE); /* 2 MiB at a time would be memory that nobody needs */
    pages = table;
    return true;
}

static bool make_writable(uint64_t page)
{
    uint64_t chunk = page >> CHUNK_BITS;
    if (!writable[chunk])
        writable[chunk] = mprotect(pages + chunk * CHUNK, CHUNK, PROT_READ | PROT_WRITE) == 0;
    return writable[chunk];
}

/* The first page whose flags tell about this byte. */
static uint64_t first_page(uint64_t low)
{
    return access_page((const void *)(uintptr_t)(low > PAGES_AHEAD ? low - PAGES_AHEAD : 0));
}

void pages_mark_range(uint64_t low, uint64_t high, enum access_flag flag)
{
    if (!pages || low >= high)
        return;
    uint64_t last = access_page((const void *)(uintptr_t)(high - 1));
    for (uint64_t page = first_page(low); page <= last; page++)
        if ((pages[page] & flag) != flag && make_writable(page))
            __atomic_store_n(&pages[page], pages[page] | flag, __ATOMIC_RELAXED);
}

void pages_clear(uint64_t address, enum access_flag flag)
{
    uint64_t page = access_page((const void *)(uintptr_t)address);
    if (pages && pages[page] & flag)
        __atomic_store_n(&pages[page], pages[page] & ~flag, __ATOMIC_RELAXED);
}

void pages_clear_range(uint64_t low, uint64_t high, enum access_flag flag)
{
    if (!pages || low >= high)
        return;
    uint64_t last = access_page((const void *)(uintptr_t)(high - 1));
    for (uint64_t page = first_page(low); page <= last; page++)
        if (pages[page] & flag)
            __atomic_store_n(&pages[page], pages[page] & ~flag, __ATOMIC_RELAXED);
}

void pages_clear_all(void)
{
    if (pages)
        madvise(pages, ACCESS_PAGES, MADV_DONTNEED);
}
