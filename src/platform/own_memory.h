/* This process: memory that may not be there any more, and its program. */
#ifndef REGATTA_PLATFORM_OWN_MEMORY_H
#define REGATTA_PLATFORM_OWN_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* Copies bytes from an address that may be gone: false then. A system call. */
bool platform_peek(void *to, const void *from, size_t bytes);

/* The file that the program was started from; "" if it cannot be known. */
void platform_program_path(char *path, size_t room);
#define PLATFORM_PROGRAM "/proc/self/exe" /* the same, to be opened */

#endif
