/* The program's own loads and stores in any memory, while several actors are at work: a call of MPI
 * that another one makes on these bytes later may not be ordered with them.
 *
 * Each actor gathers its accesses in runs, one per place in the code, and tells them before it
 * learns or gives anything (actors_settle): all that is told at once was done at one time. What is
 * told is kept, byte by byte, until every actor knows of it; and it is compared with what MPI did
 * with these bytes meanwhile (underway/uses.h). Two accesses of the program are not compared with
 * each other. */
#ifndef REGATTA_RUNTIME_ACCESS_LOG_H
#define REGATTA_RUNTIME_ACCESS_LOG_H

#include "accesses.h"
#include "actors.h"
#include "engine/event.h"

/* Notes an access of the current actor. Needs no lock. About 15 instructions for one that continues
 * a run. */
void access_log_note(const struct own_access *access);
/* Tells what the current actor did so far. Without the session's lock, and with it. */
void access_log_settle(void);
void access_log_tell(void);

/* Whether the current actor has done something there that it has not told. Needs no lock. */
bool access_log_has(uint64_t low, uint64_t high);
/* The memory is somebody else's from now on. Needs the session's lock. */
void access_log_erase(uint64_t low, uint64_t high);
/* Everybody knows everything. Needs the session's lock. */
void access_log_clear(void);

/* Every place from which one of these bytes was accessed, such that MPI's access of that kind
 * conflicts and the past does not know of it; once per place and actor. Needs the session's lock.
 */
struct logged_access {
    struct moment moment;
    bool store;
    site_t site;
    struct section common; /* the lowest run of shared bytes */
};
typedef void access_log_visitor(void *context, const struct logged_access *access);
void access_log_check(const struct section *sections, size_t n, enum buffer_access access,
                      const struct past *past, access_log_visitor *visit, void *context);

/* Pages are flagged, so that every access is told, while several actors are at work. */
void access_log_begin(void);
/* An access came though nobody else is at work: often enough, and the flags are taken back. */
void access_log_in_vain(void);

#endif
