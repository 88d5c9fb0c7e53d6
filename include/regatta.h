/* Annotations for programs that Regatta checks. Without Regatta each is one test of an address that is 0: they may stay in.
 *
 *   REGATTA_IGNORE(address, bytes)      races on these bytes of this process are known and meant
 *   REGATTA_NOTICE(address, bytes)      … no longer
 *   REGATTA_HAPPENS_BEFORE(key, rank)   what this process has done comes before what `rank` does after its
 *   REGATTA_HAPPENS_AFTER(key, rank)    … with the same key and the rank (of MPI_COMM_WORLD) of the other: for synchronisation that
 *                                       Regatta cannot see, such as a file, a socket or memory of the system. Call the first before
 *                                       that synchronisation and the second after it.
 *   REGATTA_NAME_WINDOW(win, name)      what reports call this window: the same as MPI_Win_set_name
 *
 * C and C++; Fortran programs call the subroutines regatta_ignore(buffer, bytes), … (see docs/annotations.md). */
#ifndef REGATTA_H
#define REGATTA_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

void regatta_ignore(const void *address, size_t bytes) __attribute__((weak));
void regatta_notice(const void *address, size_t bytes) __attribute__((weak));
void regatta_happens_before(uint64_t key, int rank) __attribute__((weak));
void regatta_happens_after(uint64_t key, int rank) __attribute__((weak));

#ifdef __cplusplus
}
#endif

#define REGATTA_IGNORE(address, bytes) (regatta_ignore ? regatta_ignore((address), (bytes)) : (void)0)
#define REGATTA_NOTICE(address, bytes) (regatta_notice ? regatta_notice((address), (bytes)) : (void)0)
#define REGATTA_HAPPENS_BEFORE(key, rank)                                                          \
    (regatta_happens_before ? regatta_happens_before((key), (rank)) : (void)0)
#define REGATTA_HAPPENS_AFTER(key, rank)                                                           \
    (regatta_happens_after ? regatta_happens_after((key), (rank)) : (void)0)
#define REGATTA_NAME_WINDOW(win, name) MPI_Win_set_name((win), (name))

#endif
