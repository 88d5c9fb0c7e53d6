/* Atomics of the language in shared windows, and locks and the like there: they order processes as
 * they order threads (threads/flags.h), by the memory orders of C11, and do not race with each
 * other. Needs the session's lock.
 *
 * What a process knew at its release stands on a blackboard of the place until it releases there
 * again; a store of somebody else that begins anew takes nothing away. That orders too much, never
 * too little. */
#ifndef REGATTA_RUNTIME_WINDOW_ATOMICS_H
#define REGATTA_RUNTIME_WINDOW_ATOMICS_H

#include <stdbool.h>
#include <stddef.h>

#include "accesses.h"
#include "engine/event.h"

struct atomic_place {
    window_t window;
    uint32_t owner;
    uint64_t offset;
    uint32_t actor; /* who loads there */
};

/* False if the access is not to a shared window. */
bool window_atomic_place(const struct own_access *access, struct atomic_place *place);
/* It is about to happen. If it writes: what it releases is told. */
void window_atomic_stores(const struct own_access *access, const struct atomic_place *place);
/* If it reads: what it sees may have been released in between. So it acquires later: before the
 * next event. */
void window_atomic_loads(const struct own_access *access, const struct atomic_place *place);

extern size_t window_acquires; /* that wait */
void window_atomics_acquire(void);

/* `how`: of enum hook_atomic. */
void window_fence(unsigned how);

/* The process is about to give away a lock or the like at this address, or has got it. */
void window_object_released(uint64_t address);
void window_object_acquired(uint64_t address);

#endif
