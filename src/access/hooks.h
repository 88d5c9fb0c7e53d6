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
    ACCESS_VERSION = 1, /* of this contract: the program may be older than the runtime */

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

struct access_hooks {
    const unsigned char *flags;
    /* An access to a flagged page, told before it happens (a failed compare-and-exchange: after). `caller` is
     * the return address in the program, `frame` its stack pointer there. */
    void (*access)(const void *address, size_t bytes, enum hook_kind kind, const void *caller,
                   const void *frame);
    /* The program asked by an annotation to leave this thread's loads or stores alone (+1), or ends that (-1). */
    void (*ignore)(enum hook_kind kind, int change);
};

/* NULL if this process is not checked, or if the versions do not fit together. */
typedef const struct access_hooks *regatta_access_attach_function(unsigned version);
const struct access_hooks *regatta_access_attach(unsigned version);

#endif
