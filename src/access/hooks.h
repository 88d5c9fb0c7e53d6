/* The contract between compiled-in checks (this room) and the runtime library.
 *
 * The runtime exports one function, regatta_access_attach. Each executable or shared library with
 * checks calls it once when it is loaded, and is given the page flags and the functions to call.
 *
 * Page flags: one byte per 64 KiB of address space, in one flat table. It takes 2 GiB of *addresses* for the 47 bits
 * that user space has on x86-64, but memory only where pages are flagged: 4 KiB per 256 MiB of the program's
 * memory that is looked up. So a check is a shift, a mask and a compare with memory that stays in the
 * first-level cache. Zero: no byte of that page is of interest. Flags are hints on the safe side; what
 * exactly lies in the page only the runtime knows. */
#ifndef REGATTA_ACCESS_HOOKS_H
#define REGATTA_ACCESS_HOOKS_H

#include <stddef.h>
#include <stdint.h>

enum {
    ACCESS_VERSION = 2, /* of this contract: the program may be older than the runtime */

    ACCESS_PAGE_BITS = 16,
#ifdef __x86_64__
    ACCESS_ADDRESS_BITS = 47,
#else
    ACCESS_ADDRESS_BITS = 48,
#endif
};
#define ACCESS_PAGES (UINT64_C(1) << (ACCESS_ADDRESS_BITS - ACCESS_PAGE_BITS))

/* The index of an address in the table. Addresses that no program has wrap around, so that a wild
 * pointer fails in the program and not here. */
static inline uint64_t access_page(const void *address)
{
    return (uintptr_t)address >> ACCESS_PAGE_BITS & (ACCESS_PAGES - 1);
}

/* What is in a page. */
enum access_flag {
    ACCESS_IN_USE = 1, /* buffers that MPI may still access */
    ACCESS_WINDOW = 2, /* window memory */
};

/* What the program does. */
enum hook_kind {
    HOOK_LOAD = 0,
    HOOK_STORE = 1,
    HOOK_ATOMIC = 2, /* or-ed to the others */
};

/* Programs sweep over memory, and calling the runtime for each element of a window takes several times as long as
 * everything else. So the runtime opens a run for each place in the code that accesses window memory, and the thread that
 * it has given its runs to may prolong them by itself, upwards, as long as the page has no flag but ACCESS_WINDOW.
 * The runtime closes them by taking the keys away; it does that before anything that accesses are ordered by. */
struct access_run {
    uint64_t key;       /* access_run_key; 0: closed */
    uint64_t low, high; /* the bytes accessed so far */
};
enum { ACCESS_RUN_BITS = 6, ACCESS_RUNS = 1 << ACCESS_RUN_BITS };

static inline uint64_t access_run_key(const void *caller, enum hook_kind kind)
{
    return (uint64_t)(uintptr_t)caller * 2 + (kind & HOOK_STORE);
}

static inline unsigned access_run_slot(uint64_t key)
{
    return (unsigned)(key * UINT64_C(0x9e3779b97f4a7c15) >> (64 - ACCESS_RUN_BITS));
}

struct access_hooks {
    const unsigned char *flags;
    /* An access to a flagged page, told before it happens (a failed compare-and-exchange: after). `caller` is
     * the return address in the program, `frame` its stack pointer there. Returns the ACCESS_RUNS runs that this thread may
     * prolong, or NULL. */
    struct access_run *(*access)(const void *address, size_t bytes, enum hook_kind kind,
                                 const void *caller, const void *frame);
    /* The program asked by an annotation to leave this thread's loads or stores alone (+1), or ends that (-1). */
    void (*ignore)(enum hook_kind kind, int change);
};

/* NULL if this process is not checked, or if the versions do not fit together. */
typedef const struct access_hooks *regatta_access_attach_function(unsigned version);
const struct access_hooks *regatta_access_attach(unsigned version);

#endif
