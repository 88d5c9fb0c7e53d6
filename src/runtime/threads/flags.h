/* Atomics of the language as synchronisation between the threads of this process, by the rules of
 * C11: a release store → an acquire load that sees it, or what a chain of read-modify-writes has
 * made of it; fences, which make neighbouring relaxed operations release or acquire. In any memory.
 *
 * The object of an address is held while the operation itself is done: so what a load has seen is
 * never in doubt. */
#ifndef REGATTA_RUNTIME_FLAGS_H
#define REGATTA_RUNTIME_FLAGS_H

/* Functions of access/hooks.h. */
void *flag_begin(const void *address, unsigned how);
void flag_end(void *object, unsigned how);
void flag_fence(unsigned how);

#endif
