/* The program's own loads and stores to window memory on their way to the race engine.
 *
 * Programs sweep over memory. So adjacent accesses from one place in the code are gathered into a
 * run, and the engine is told of the run as a whole when it ends: at the latest before anything
 * else is told to the engine, so that the order of events is kept. Between two events of
 * synchronisation it does not matter in which order a process made its own accesses. Needs the
 * session's lock. */
#ifndef REGATTA_RUNTIME_WINDOW_ACCESSES_H
#define REGATTA_RUNTIME_WINDOW_ACCESSES_H

#include <stddef.h>

#include "access/hooks.h"
#include "accesses.h"
#include "engine/event.h"
#include "window_logs.h"

struct stack;

/* `own`: the run that the place has in the program (access/hooks.h), or NULL. */
void window_access(const struct own_access *access, struct access_run *own);

/* The same without the session's lock, while several actors are at work; false: it has to be
 * taken. */
bool window_access_alone(const struct own_access *access);

extern struct access_run window_run_table[ACCESS_RUNS];
/* Before a flag is set: no run goes on without looking at it. */
void window_runs_halt(void);
/* A second thread has come: no access is added to a run any more unless it comes through
 * window_access. */
extern bool window_runs_shared;
void window_runs_share(void);
/* The thread that initialised MPI is alone again: it may. */
void window_runs_alone(void);

/* Tells the engine of all runs. Before every other event. */
extern size_t window_untold; /* runs and acquisitions */
void window_accesses_tell(void);
static inline bool window_has_untold(void)
{
    return window_untold || atomic_load_explicit(&window_logs_untold, memory_order_relaxed);
}
static inline void window_accesses_settle(void)
{
    if (window_has_untold())
        window_accesses_tell();
}

/* One section that MPI touches for the program: as loads or stores of the program. */
void window_touched(const struct section *section, bool store, site_t site);

/* The site of an access, as findings know it; `fixed`: it is the same for all accesses of that
 * return address. 0 without memory. */
site_t window_site_of(const struct own_access *access, bool *fixed);

/* What findings say of a place in the code; NULL if the site is none of that kind. */
struct window_place {
    const struct stack *stack; /* of an access from there, as it was seen last */
    bool polls; /* loads came to the same bytes again and again, to wait for a value */
    const char *given_back_by; /* a store that gives memory back: "free" and the like */
    uint64_t recent;           /* how many events came before the last one (report/recent.h) */
};
const struct window_place *window_place(site_t site);

#endif
