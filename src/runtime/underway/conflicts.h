/* Buffers of calls, loads and stores against the buffers in use: local-race findings. Needs the
 * session's lock. */
#ifndef REGATTA_RUNTIME_CONFLICTS_H
#define REGATTA_RUNTIME_CONFLICTS_H

#include "watched_call.h"
#include "engine/event.h"
#include "engine/inuse.h"

struct operation;
struct own_access;

/* Bytes that `newcomer` is about to use against everything in use. The newcomer is the operation
 * that `call` starts or activates, or a blocking call. Its stack is taken when it is needed, if
 * NULL. */
void conflicts_check(struct operation *newcomer, const struct call *call,
                     const struct section *sections, size_t n, enum buffer_access access);

/* The same against what other actors have done, and are not known to have done: with several
 * threads at work. */
void conflicts_check_threads(struct operation *newcomer, const struct call *call,
                             const struct section *sections, size_t n, enum buffer_access access);
/* Loads or stores that the current actor has made at its present time, against what others' calls
 * do and did; memory that it gives back. */
void conflicts_check_told(uint64_t low, uint64_t high, bool store, site_t site);
void conflicts_check_given_back(const struct own_access *own);

/* A load or store of the program against everything in use; true if there was a conflict. */
bool conflicts_check_own(const struct own_access *own);

#endif
