/* Loads and stores to window memory while several actors are at work: each actor gathers its own in
 * runs, so that threads that sweep over a window do not wait for each other. A log has a lock of
 * its own, which is held for a few instructions and only ever contended by who tells the engine.
 *
 * What is told, and when, is as without threads (window_accesses.h): everything of all actors,
 * before every other event. */
#ifndef REGATTA_RUNTIME_WINDOW_LOGS_H
#define REGATTA_RUNTIME_WINDOW_LOGS_H

#include <stdatomic.h>

#include "accesses.h"
#include "engine/event.h"
#include "polling.h"

struct window_log_run {
    uint64_t low, high;
    const void *caller;
    site_t site;
    bool store;
    struct polling polling;
    bool polls;
    uint64_t recent; /* how many events came before it (report/recent.h) */
};

/* Notes an access of the current actor. False: it cannot be gathered here, and has to be told with
 * the session's lock. Without that lock. */
bool window_log_note(const struct own_access *access);

/* Logs that are not empty. */
extern atomic_uint window_logs_untold;
/* Empties all logs. Needs the session's lock. */
typedef void window_log_teller(uint32_t actor, const struct window_log_run *run);
void window_logs_tell(window_log_teller *teller);

#endif
