/* The program's own loads and stores, as compiled-in checks tell them (src/access). */
#ifndef REGATTA_RUNTIME_ACCESSES_H
#define REGATTA_RUNTIME_ACCESSES_H

#include <stdbool.h>
#include <stdint.h>

#include "access/hooks.h"
#include "engine/section.h"

/* A load or store to a flagged page. */
struct own_access {
    uint64_t address, bytes;
    bool store, atomic;
    unsigned how;               /* if it is atomic: of enum hook_atomic */
    const char *given_back_by;  /* "free", "return" …: a store as good as any; else NULL */
    const void *caller, *frame; /* for stack_take */
};

/* The session has started: what went wrong before can be recorded. */
void accesses_start(void);
/* MPI is finalised: tells of modules that were loaded meanwhile. */
void accesses_end(void);

/* From now on MPI may access these bytes. Needs the session's lock. */
void accesses_bytes_in_use(const struct section *sections, size_t n);

#endif
