/* Files in memory that the processes of a node share (/dev/shm). They have a name only until all
 * have opened them, so that a crash leaves nothing behind. */
#ifndef REGATTA_PLATFORM_SHARED_FILE_H
#define REGATTA_PLATFORM_SHARED_FILE_H

#include <stdbool.h>
#include <stdint.h>

/* A new one; a file descriptor out of the way of the program's own, or -1. */
int platform_shared_create(const char *name);
int platform_shared_open(const char *name);
void platform_shared_unname(const char *name);

/* Room in the file, really allocated: full memory is an error here and not a SIGBUS later. */
bool platform_shared_reserve(int file, uint64_t offset, uint64_t bytes);
/* NULL: no memory. */
void *platform_shared_map(int file, uint64_t offset, uint64_t bytes);

/* A number that no other run has. Those of processes are not unique where several name spaces share
 * /dev/shm. */
uint64_t platform_unique_number(void);

#endif
