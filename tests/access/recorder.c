#include "recorder.h"

#include <stdlib.h>
#include <sys/mman.h>

struct recorded recorded[RECORDED_MOST];
int recorded_count;
int recorded_ignored[2];
struct access_run recorder_runs[ACCESS_RUNS];

unsigned char recorder_threads;
unsigned recorded_begun, recorded_ended, recorded_fence;

static unsigned char *flags;
static struct access_windows windows;
static uint64_t watched;

static void record(const void *address, size_t bytes, enum hook_kind kind, const void *caller,
                   const void *frame, struct access_run *own)
{
    (void)own;
    if (recorded_count < RECORDED_MOST)
        recorded[recorded_count++] =
            (struct recorded){(uintptr_t)address, bytes, kind, caller, frame};
}

static void record_release(const void *object)
{
    record(object, 0, RECORDED_RELEASE, NULL, NULL, NULL);
}

static void record_acquire(const void *object)
{
    record(object, 0, RECORDED_ACQUIRE, NULL, NULL, NULL);
}

static void *begin_atomic(const void *address, unsigned how)
{
    recorded_begun = how;
    recorded_ended = 0;
    return (void *)address;
}

static void end_atomic(void *object, unsigned how)
{
    if (object)
        recorded_ended = how;
}

static void fence(unsigned how)
{
    recorded_fence = how;
}

static void detach(void)
{
}

static void ignore(enum hook_kind kind, int change)
{
    recorded_ignored[kind] += change;
}

__attribute__((visibility("default"))) const struct access_hooks *
regatta_access_attach(unsigned version)
{
    static struct access_hooks hooks = {
        .windows = &windows, .runs = recorder_runs, .access = record, .release = record_release,
        .acquire = record_acquire, .threads = &recorder_threads, .atomic_begin = begin_atomic,
        .atomic_end = end_atomic, .atomic_fence = fence, .detach = detach, .ignore = ignore};
    if (version != ACCESS_VERSION)
        return NULL;
    if (!flags) {
        flags = mmap(NULL, ACCESS_PAGES, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (flags == MAP_FAILED)
            abort();
        hooks.flags = flags;
    }
    return &hooks;
}

/* Two pairs, never more. */
void recorder_windows(uint64_t count, const uint64_t *pairs)
{
    static struct {
        uint64_t count, pairs[4];
    } bounds;
    bounds.count = count;
    for (uint64_t i = 0; i < 2 * count; i++)
        bounds.pairs[i] = pairs[i];
    windows.bounds = (const struct access_bounds *)&bounds;
    windows.changes += 2; /* even again, as the runtime leaves it */
}

void recorder_flag(const void *address, int as)
{
    flags[watched] = 0;
    watched = access_page(address);
    flags[watched] = (unsigned char)as;
    recorder_windows(1, (const uint64_t[]){0, UINT64_MAX});
    recorded_count = 0;
}

void recorder_watch(const void *address)
{
    recorder_flag(address, ACCESS_IN_USE);
}
