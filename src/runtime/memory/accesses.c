/* From a compiled-in check to the question whether MPI still uses these bytes.
 *
 * Comes here: every access to a 64 KiB page that holds bytes in use. Most of them are to other
 * bytes of that page. So each thread remembers, per 4 KiB of memory (a block), the free bytes
 * around its last access there; while nothing new comes into use in that block an access inside is
 * dismissed without lock and search, in about 3 ns. What the thread itself brings into use it takes
 * out of what it remembers: so an array that is filled and put word by word is not searched for
 * each word. */
#include "accesses.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "access_log.h"
#include "conflicts.h"
#include "engine/inuse.h"
#include "flags.h"
#include "outline.h"
#include "pages.h"
#include "pending.h"
#include "reach.h"
#include "renewals.h"
#include "interpose/imports.h"
#include "interpose/record.h"
#include "session.h"
#include "window_accesses.h"
#include "window_atomics.h"

/* ---- what a thread remembers ---- */

enum { GAPS = THREAD_GAPS, BLOCK_BITS = 12 };

/* How often something came into use in the blocks that share this place. Written with the session's
 * lock held. */
static atomic_ullong changes[GAPS];

static inline size_t place_of(uint64_t address)
{
    return address >> BLOCK_BITS & (GAPS - 1);
}

static inline unsigned long long change_at(size_t place)
{
    return atomic_load_explicit(&changes[place], memory_order_relaxed) + 1;
}

static inline bool is_in_gap(const struct own_access *access)
{
    size_t place = place_of(access->address);
    const struct gap *gap = &runtime_here.gaps[access->store][place];
    return gap->change == change_at(place) && access->address >= gap->low &&
           access->address + access->bytes <= gap->high;
}

static void remember_gap(const struct own_access *access)
{
    uint64_t start = access->address, end = access->address + access->bytes,
             block = start >> BLOCK_BITS;
    if ((end - 1) >> BLOCK_BITS != block)
        return;
    size_t place = place_of(start);
    struct gap *gap = &runtime_here.gaps[access->store][place];
    gap->low = block << BLOCK_BITS;
    gap->high = (block + 1) << BLOCK_BITS;
    inuse_gap(session.inuse, start, end, access->store ? BUFFER_WRITE : BUFFER_READ, &gap->low,
              &gap->high);
    gap->change = change_at(place);
}

/* The bytes [low, high), all in one block, are in use from now on: the larger rest of the gap
 * remains. */
static void narrow_own_gap(struct gap *gap, uint64_t low, uint64_t high)
{
    if (high <= gap->low || low >= gap->high)
        return;
    if (gap->high > high && (low <= gap->low || gap->high - high >= low - gap->low))
        gap->low = high;
    else
        gap->high = low;
}

static void forget_gaps_around(const struct section *section)
{
    uint64_t low = section->start, high = section_end(section);
    if (low >= high)
        return;
    uint64_t first = low >> BLOCK_BITS, last = (high - 1) >> BLOCK_BITS;
    for (uint64_t block = first; block <= last && block < first + GAPS; block++) {
        size_t place = block & (GAPS - 1);
        unsigned long long before = change_at(place);
        atomic_store_explicit(&changes[place], before, memory_order_relaxed);
        for (int store = 0; store < 2 && first == last; store++) {
            struct gap *gap = &runtime_here.gaps[store][place];
            if (gap->change == before) {
                narrow_own_gap(gap, low, high);
                gap->change = before + 1;
            }
        }
    }
}

/* ---- one access ---- */

static void dismiss_page(uint64_t address)
{
    uint64_t low = address >> ACCESS_PAGE_BITS << ACCESS_PAGE_BITS;
    uint64_t high = low + (UINT64_C(1) << ACCESS_PAGE_BITS);
    if (!inuse_near(session.inuse, low, high + PAGES_AHEAD))
        pages_clear(address, ACCESS_IN_USE);
}

static void check_in_use(const struct own_access *access)
{
    session_lock();
    if (!conflicts_check_own(access)) {
        dismiss_page(access->address);
        dismiss_page(access->address + access->bytes - 1);
        remember_gap(access);
    }
    session_unlock();
}

/* Where nothing is in use the program has dismissed accesses beside windows by itself. */
static inline bool is_window(const struct own_access *access, unsigned flags)
{
    return flags & ACCESS_WINDOW &&
           !(flags & ACCESS_IN_USE &&
             access_is_outside(&outline_windows, access->address, access->address + access->bytes));
}

static void check_window(const struct own_access *access, struct access_run *own)
{
    if (window_access_alone(access))
        return;
    session_lock();
    window_access(access, own);
    session_unlock();
}

/* The accesses that MPI makes the program do, in reduction functions above all, are MPI's: it calls
 * the function when it owns the buffers. */
static inline bool is_inside_mpi(const void *frame)
{
    return runtime_here.mpi_frame && (uintptr_t)frame < (uintptr_t)runtime_here.mpi_frame &&
           session_mpi_is_open();
}

static const char *const givers[ENDINGS] = {
    [ENDING_RETURN] = "return",       [ENDING_SCOPE] = "end of scope", [ENDING_LONGJMP] = "longjmp",
    [ENDING_EXCEPTION] = "exception", [ENDING_FREE] = "free",          [ENDING_REALLOC] = "realloc",
    [ENDING_DELETE] = "delete",       [ENDING_MUNMAP] = "munmap",      [ENDING_MREMAP] = "mremap",
    [ENDING_SHMDT] = "shmdt",
};

/* Memory that is given back is compared as what it is, a store; but what it was used for by its old
 * owner is no business of the next one's. */
static void log_access(const struct own_access *access)
{
    if (!access->given_back_by) {
        access_log_note(access);
        return;
    }
    uint64_t low = access->address, high = low + access->bytes;
    session_lock();
    access_log_tell();
    conflicts_check_given_back(access);
    memory_renewed(low, high);
    renewal_is_done(low);
    session_unlock();
}

static void observe(const void *address, size_t bytes, enum hook_kind kind, const void *caller,
                    const void *frame, struct access_run *own)
{
    struct own_access access = {.address = (uintptr_t)address,
                                .bytes = bytes,
                                .store = kind & HOOK_STORE,
                                .atomic = kind & HOOK_ATOMIC,
                                .how = kind >> HOOK_HOW_SHIFT & (ATOMIC_HOWS - 1),
                                .given_back_by = givers[kind >> HOOK_ENDING_SHIFT],
                                .caller = caller,
                                .frame = frame};
    if (!session_is_active() || runtime_here.ignored[access.store] || is_inside_mpi(frame))
        return;
    unsigned flags = pages_flags(address, bytes);
    bool window = session.engine && is_window(&access, flags);
    bool dismissed = !(flags & ACCESS_IN_USE) || is_in_gap(&access);
    bool logged = flags & ACCESS_LOGGED;
    if (dismissed && !window && !logged)
        return;
    /* A signal handler that interrupted the runtime itself: cannot be looked at now. */
    if (runtime_here.has_lock)
        return;
    if (!actor_is_seen()) {
        session_tell_unseen();
        logged = false;
    }
    if (window)
        check_window(&access, own);
    if (!dismissed)
        check_in_use(&access);
    if (logged && actors_are_concurrent())
        log_access(&access);
    else if (logged)
        access_log_in_vain();
}

/* ---- objects that order processes ---- */

static void order_at(const void *object, void tell(uint64_t address))
{
    if (!session_is_active() || !session.engine || runtime_here.has_lock ||
        is_inside_mpi(__builtin_frame_address(0)))
        return;
    int error = errno;
    session_lock();
    tell((uintptr_t)object);
    session_unlock();
    errno = error;
}

static void release(const void *object)
{
    order_at(object, window_object_released);
}

static void acquire(const void *object)
{
    order_at(object, window_object_acquired);
}

/* A fence of the language: for threads, for processes with a shared window, and for what they see
 * of each other's stores. */
static void fence(unsigned how)
{
    flag_fence(how);
    if (!reach_has_shared || !session_is_active() || !session.engine || runtime_here.has_lock ||
        is_inside_mpi(__builtin_frame_address(0)))
        return;
    session_lock();
    window_fence(how);
    session_unlock();
}

/* ---- what the program wants to be left alone ---- */

/* What the program did so far is told, and nothing is prolonged. */
static void tell_all_runs(void)
{
    if (!session_is_active() || !session.engine || runtime_here.has_lock)
        return;
    session_lock();
    window_accesses_settle();
    session_unlock();
}

static void ignore(enum hook_kind kind, int change)
{
    runtime_here.ignored[kind & HOOK_STORE] += change;
    tell_all_runs();
}

void accesses_bytes_in_use(const struct section *sections, size_t n)
{
    if (!pages)
        return;
    window_runs_halt(); /* the program looks at flags again */
    pages_mark(sections, n, ACCESS_IN_USE);
    for (size_t i = 0; i < n; i++)
        forget_gaps_around(&sections[i]);
}

/* ---- modules with checks ---- */

/* Why accesses are not checked, until it can be recorded. */
static const char *trouble;

static bool some_have_no_plugin; /* modules whose compiler had no plug-in of ours */

/* Modules tell of themselves before the program's main (module.c of src/access): whether the
 * executable is among them is known when MPI is started. */
static bool executable_has_checks;
enum { MODULES = 64 };
static uintptr_t modules_with_checks[MODULES]; /* where they were loaded; the last ones, if more */
static size_t nmodules;

static void note_module(const void *code)
{
    Dl_info info;
    struct link_map *map = NULL;
    if (!dladdr1(code, &info, (void **)&map, RTLD_DL_LINKMAP) || !map)
        return;
    executable_has_checks |= !map->l_name[0];
    modules_with_checks[nmodules++ % MODULES] = map->l_addr;
}

static bool has_checks(const struct imports *module)
{
    for (size_t i = 0; i < nmodules && i < MODULES; i++)
        if (modules_with_checks[i] == module->bias)
            return true;
    return false;
}

/* Libraries that call MPI, and so are likely to touch what MPI uses. Those that do not, libc above
 * all, have no checks either, and are wrapped where they are given memory. */
static void tell_of_module(void *context, const struct imports *module)
{
    (void)context;
    char what[300];
    const char *name = module->name[0] ? module->name : program_invocation_name;
    if (module->pmpi && module->name[0]) { /* of the program the command tells */
        snprintf(what, sizeof what, "calls by PMPI_ names in %s", name);
        record_limit("calls", what, "they reach MPI past Regatta");
    }
    if (module->mpi && module->name[0] && executable_has_checks && !has_checks(module)) {
        snprintf(what, sizeof what, "loads and stores of %s", name);
        record_limit("accesses", what, "not built by regatta cc");
    }
}

static bool is_told;             /* what has no checks, when MPI was started */
static unsigned loads_when_told; /* modules that had been loaded then, ever */

void accesses_start(void)
{
    char what[300];
    snprintf(what, sizeof what, "loads and stores of %s", program_invocation_name);
    if (trouble)
        record_limit("accesses", what, trouble);
    else if (!executable_has_checks && !is_told)
        record_limit("accesses", what, "not built by regatta cc");
    if (!is_told)
        imports_visit(tell_of_module, NULL);
    is_told = true;
    loads_when_told = imports_loads();
    trouble = NULL;
    if (some_have_no_plugin)
        record_limit("plugin", "some loads and stores",
                     "no plug-in for the compiler that was used");
    some_have_no_plugin = false;
}

/* What was loaded since. One that is unloaded before is not seen. */
void accesses_end(void)
{
    if (is_told && imports_loads() != loads_when_told)
        imports_visit(tell_of_module, NULL); /* the same limit twice is one */
}

static struct access_hooks hooks = {.windows = &outline_windows,
                                    .runs = window_run_table,
                                    .access = observe,
                                    .release = release,
                                    .acquire = acquire,
                                    .threads = (const unsigned char *)&actors_concurrent,
                                    .atomic_begin = flag_begin,
                                    .atomic_end = flag_end,
                                    .atomic_fence = fence,
                                    .detach = tell_all_runs,
                                    .ignore = ignore};

static void mark_range(void *context, uint64_t low, uint64_t high)
{
    (void)context;
    pages_mark_range(low, high, ACCESS_IN_USE);
}

static void reserve_pages(void)
{
    if (!getenv("REGATTA_RECORDS"))
        return;
    if (pages_reserve())
        hooks.flags = pages;
    else
        trouble = "no address space for page flags";
}

static pthread_once_t reserve_once = PTHREAD_ONCE_INIT;

/* Called by the first module before MPI is started; by modules that the program loads later at any
 * time. */
__attribute__((visibility("default"))) const struct access_hooks *
regatta_access_attach(unsigned version)
{
    note_module(__builtin_return_address(0));
    some_have_no_plugin |= (version & ACCESS_WITHOUT_PLUGIN) != 0;
    version &= ~(unsigned)ACCESS_WITHOUT_PLUGIN;
    if (version != ACCESS_VERSION) {
        trouble = "part of it was built by another version of Regatta";
        return NULL;
    }
    bool late = session_is_active() && !pages;
    if (late)
        session_lock();
    pthread_once(&reserve_once, reserve_pages);
    if (late) {
        atomic_store(&session_is_quick, false);
        pending_settle();
        if (pages) {
            inuse_ranges(session.inuse, mark_range, NULL);
            reach_mark_pages();
        }
        session_unlock();
    }
    if (session_is_active())
        accesses_start();
    return hooks.flags ? &hooks : NULL;
}
