/* Buffers that MPI used and uses no more, as long as there are actors of this process that do not
 * know it: what they do with these bytes may come at the same time in another run. Only while
 * several actors are at work. Needs the session's lock. */
#ifndef REGATTA_RUNTIME_USES_H
#define REGATTA_RUNTIME_USES_H

#include "actors.h"
#include "operations.h"
#include "engine/inuse.h"

struct use {
    struct operation_place from; /* where it began */
    const struct routine *routine;
    int thread;
    uint64_t start, bytes;
    struct past *past;          /* what was known when it began, */
    struct moment began, ended; /* by whom and when */
    struct inuse_buffer *inuse;
    struct use *next, *previous;
    struct use_lane *lane; /* others like it; NULL: without memory for that */
    struct use *earlier, *later;
};

/* The use of this buffer by an operation ends now. */
void use_ended(const struct operation_buffer *buffer);
/* A blocking call uses these bytes, all at once. */
void use_made(const struct call *call, const struct section *sections, size_t n,
              enum buffer_access access);

/* Those that conflict with an access. */
typedef bool use_visitor(void *context, const struct use *use, enum buffer_access access,
                         const struct section *common);
void uses_conflicts(const struct section *sections, size_t n, enum buffer_access access,
                    use_visitor *visit, void *context);

/* The memory is somebody else's from now on. */
void uses_erase(uint64_t low, uint64_t high);
/* Everybody knows everything. */
void uses_clear(void);

#endif
