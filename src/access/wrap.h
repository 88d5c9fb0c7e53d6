/* Functions of libraries that load and store on behalf of the program.
 *
 * The linker is told to wrap them (--wrap=NAME): what the module's objects call as NAME becomes
 * __wrap_NAME, which is here, and __real_NAME is the library's. Only calls from the module itself:
 * MPI and other libraries go on as they are. The list that is handed to the linker is made from the
 * names that are defined here. Members that nothing refers to are not linked, but for wrap_sync.c:
 * threads are what programs and libraries refer to weakly, and a weak reference takes nothing from
 * an archive. */
#ifndef REGATTA_ACCESS_WRAP_H
#define REGATTA_ACCESS_WRAP_H

#include "module.h"

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

#define REAL(name) __real_##name
#define WRAP(name) __wrap_##name

/* Whether it is worth while to find out what a function is going to touch. */
static inline bool access_is_watched(void)
{
    return __builtin_expect(access_flags != NULL, 0);
}

/* For code that is not called by the program itself. */
struct access_place {
    const void *caller, *frame;
};
#define HERE ((struct access_place){CALLER, CALLER_FRAME})

static inline void check_at(const struct access_place *place, const void *address, size_t bytes,
                            enum hook_kind kind)
{
    if (access_range_is_flagged(address, bytes))
        access_tell(address, bytes, kind, place->caller, place->frame);
}

#define LOADS(address, bytes) CHECK_RANGE(address, bytes, HOOK_LOAD)
#define STORES(address, bytes) CHECK_RANGE(address, bytes, HOOK_STORE)

#endif
