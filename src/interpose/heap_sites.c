#include "heap_sites.h"

#include <execinfo.h>
#include <stddef.h>

enum {
    CALLS = 3,
    FRAMES = 16,
    SITES = 4096,                   /* a power of two, several times what there are */
    MOST_SITES = 500 * 1000 * 1000, /* what an option can say */
};

struct site {
    _Atomic uint32_t number;
    uint32_t calls[CALLS];
};

atomic_bool heap_sites_watched;
static struct site sites[SITES]; /* by number, open addressing; entries only come */
static atomic_uint_fast32_t failing;
static atomic_bool has_failed;

/* The linker's: where this library begins and where its code ends. */
extern const char __ehdr_start[] __attribute__((visibility("hidden")));
extern const char etext[] __attribute__((visibility("hidden")));

void heap_sites_watch(uint32_t number)
{
    void *frames[FRAMES];
    backtrace(frames, FRAMES); /* the first one loads a library */
    failing = number;
    atomic_store(&heap_sites_watched, true);
}

/* The innermost calls in this library, without the heap itself: the first four frames. */
static __attribute__((noinline)) uint32_t site_here(uint32_t calls[CALLS])
{
    void *frames[FRAMES];
    int depth = backtrace(frames, FRAMES), found = 0;
    uint32_t number = 2166136261u; /* FNV-1a */
    for (int i = 4; i < depth && found < CALLS; i++) {
        if ((const char *)frames[i] < __ehdr_start || (const char *)frames[i] >= etext)
            break;
        calls[found] = (uint32_t)((const char *)frames[i] - __ehdr_start);
        for (int byte = 0; byte < 4; byte++)
            number = (number ^ (calls[found] >> 8 * byte & 0xff)) * 16777619u;
        found++;
    }
    return number % MOST_SITES + 1;
}

bool heap_site_fails(void)
{
    uint32_t calls[CALLS] = {0}, number = site_here(calls);
    for (uint32_t i = 0; i < SITES; i++) {
        struct site *site = &sites[(number + i) % SITES];
        uint32_t there = 0;
        if (atomic_compare_exchange_strong(&site->number, &there, number)) {
            for (int k = 0; k < CALLS; k++)
                site->calls[k] = calls[k];
            break;
        }
        if (there == number)
            break;
    }
    return number == failing && !atomic_exchange(&has_failed, true);
}

void heap_sites_each(void (*tell)(uint32_t site, const uint32_t calls[CALLS], bool has_failed))
{
    for (size_t i = 0; i < SITES; i++)
        if (sites[i].number)
            tell(sites[i].number, sites[i].calls, has_failed && sites[i].number == failing);
}
