#include "own_calls.h"

#include <link.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#include "session.h"

/* Runtimes whose order is told otherwise, and what MPI brings along. */
static const char *const libraries[] = {
    "libomp.so",   "libomp-",   "libgomp.so",   "libiomp5.so", "libmpi.so",   "libmpich",
    "libopen-rte", "libucm.so", "libopen-pal",  "libpmix.so",  "libevent",    "libucs.so",
    "libucp.so",   "libuct.so", "libfabric.so", "libpsm",      "libhwloc.so", "libprrte",
};

struct range {
    uintptr_t low, high;
};

enum { RANGES = 64 };
static struct range ranges[RANGES]; /* only grows; libraries of this kind do not go */
static _Atomic unsigned nranges;

static bool is_known(uintptr_t low)
{
    for (unsigned i = 0; i < nranges; i++)
        if (ranges[i].low == low)
            return true;
    return false;
}

static bool is_runtime(const char *path)
{
    const char *name = strrchr(path, '/');
    name = name ? name + 1 : path;
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++)
        if (strncmp(name, libraries[i], strlen(libraries[i])) == 0)
            return true;
    return false;
}

static int look_at(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size, (void)context;
    uintptr_t here = (uintptr_t)look_at;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        uintptr_t low = info->dlpi_addr + segment->p_vaddr, high = low + segment->p_memsz;
        if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X))
            continue;
        bool own = here >= low && here < high;
        if ((own || is_runtime(info->dlpi_name)) && nranges < RANGES && !is_known(low)) {
            ranges[nranges] = (struct range){low, high};
            atomic_fetch_add(&nranges, 1);
        }
    }
    return 0;
}

static _Atomic bool busy; /* one at a time; who comes meanwhile does without */

void own_calls_renew(void)
{
    if (!atomic_exchange(&busy, true)) {
        dl_iterate_phdr(look_at, NULL);
        atomic_store(&busy, false);
    }
}

static bool is_of_runtime(uintptr_t at, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        if (at >= ranges[i].low && at < ranges[i].high)
            return true;
    return false;
}

bool call_is_programs(const void *caller)
{
    uintptr_t at = (uintptr_t)caller, place = at >> 2 & (THREAD_CALLERS - 1);
    unsigned n = atomic_load_explicit(&nranges, memory_order_acquire);
    if (runtime_here.callers[place].at != at || runtime_here.callers[place].ranges != n) {
        if (is_of_runtime(at, n))
            return false;
        runtime_here.callers[place].at = at;
        runtime_here.callers[place].ranges = n;
    }
    return !runtime_here.has_lock && !session_mpi_is_open();
}
