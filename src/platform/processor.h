/* What Regatta knows about the processor. A port answers each of these, and shows by tests/access
 * and tests/programs that the answers are right. */
#ifndef REGATTA_PLATFORM_PROCESSOR_H
#define REGATTA_PLATFORM_PROCESSOR_H

#include <stddef.h>
#include <stdint.h>

#if !defined __x86_64__ || defined __ILP32__
#error "this processor is not known: platform/processor.h has to say where return addresses stand"
#endif

enum {
    /* Of user space: beyond are addresses that no program has. */
    PLATFORM_ADDRESS_BITS = 47,
};

/* Where the return address of a function stands, given its canonical frame address
 * (__builtin_dwarf_cfa): `call` pushes it right below. While a frame is unwound, libgcc's CFA is
 * that of the frame it called, so it holds there, too. */
static inline const void *const *platform_return_slot(const void *frame)
{
    return (const void *const *)frame - 1;
}

/* Functions that exchange 16 bytes at once need it. */
#define PLATFORM_WIDE_ATOMICS __attribute__((target("cx16")))

/* The stack pointer in a jmp_buf (`words`: its __jmpbuf); NULL if this libc's way of hiding it is
 * not known. glibc turns it by 17 bits and mixes it with a number of the thread's. */
static inline const char *platform_kept_stack_pointer(const long *words)
{
#ifdef __GLIBC__
    enum { RSP = 6 };
    uintptr_t hidden = (uintptr_t)words[RSP], secret;
    __asm__("mov %%fs:0x30, %0" : "=r"(secret));
    return (const char *)((hidden >> 17 | hidden << 47) ^ secret);
#else
    (void)words;
    return NULL;
#endif
}

#endif
