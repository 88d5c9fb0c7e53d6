/* Allocation that cannot fail: a command that runs out of memory says so and ends with 70. */
#ifndef REGATTA_FINDINGS_CHECKED_H
#define REGATTA_FINDINGS_CHECKED_H

#include <obstack.h>
#include <stddef.h>

void *checked_malloc(size_t bytes);
void *checked_realloc(void *old, size_t bytes);
char *checked_strdup(const char *text);
char *checked_printf(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Makes room for one more element in an array that grows by doubling; `capacity` starts at 0. */
void *checked_grow(void *array, size_t used, size_t *capacity, size_t element);

#define obstack_chunk_alloc checked_malloc
#define obstack_chunk_free free

#endif
