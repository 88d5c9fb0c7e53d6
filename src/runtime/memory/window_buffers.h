/* Buffers of MPI calls that lie in window memory: what MPI does to them is told to the race engine
 * as loads and stores of this process. Needs the session's lock. */
#ifndef REGATTA_RUNTIME_WINDOW_BUFFERS_H
#define REGATTA_RUNTIME_WINDOW_BUFFERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct call;
struct operation;
struct section;

/* A blocking call touches these bytes. */
void window_buffer_touched(const struct call *call, const struct section *sections, size_t n,
                           bool write);
/* MPI may touch these bytes until window_buffer_end; 0 if they are not window memory. The end is
 * told before this process can do anything else and before it learns anything by the completing
 * call; window_buffer_forget: it is not used any more, but when its use ended has not been seen. */
uint64_t window_buffer_begin(const struct operation *operation, const struct section *sections,
                             size_t n, bool write);
void window_buffer_end(uint64_t buffer);
void window_buffer_forget(uint64_t buffer);

#endif
