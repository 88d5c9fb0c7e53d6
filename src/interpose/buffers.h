/* From the buffer arguments of a call to the bytes that it touches. */
#ifndef REGATTA_INTERPOSE_BUFFERS_H
#define REGATTA_INTERPOSE_BUFFERS_H

#include "call.h"
#include "engine/section.h"

struct layout_cache;

/* The bytes of one buffer. The sections belong to the runtime and are overwritten by the next
 * call of buffer_sections with the same index. */
struct buffer_bytes {
    const struct section *sections;
    size_t n;
    enum buffer_access access;
};

/* The bytes that buffer i of the call touches on this process: none if the argument is not
 * significant here, is MPI_IN_PLACE, empty, or goes to MPI_PROC_NULL. Needs the session's lock (in
 * src/stress: the layer's). */
struct buffer_bytes buffer_sections(struct layout_cache *layouts, const struct call *call, int i);

/* The bytes of one partition of a partitioned operation's buffer. */
struct buffer_bytes buffer_partition(struct layout_cache *layouts, const struct call *call,
                                     int partition);

uint64_t sections_bytes(const struct section *sections, size_t n);

#endif
