/* A memory barrier in all threads of the process at once: who seldom needs one pays, not who often
 * passes (membarrier(2), Linux 4.14). */
#ifndef REGATTA_PLATFORM_THREAD_BARRIER_H
#define REGATTA_PLATFORM_THREAD_BARRIER_H

#include <stdbool.h>

/* Once, before the first barrier. False: the kernel cannot do it. */
bool platform_barrier_prepare(void);
void platform_barrier(void);

#endif
