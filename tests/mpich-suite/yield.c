/* Preloaded into test programs, with and without Regatta, so that waiting ranks give the processor away: there are more
 * ranks than processors. MPICH 4.0 never does while it waits; Open MPI, told to yield, only yields to spin again.
 * Yielding comes first, since most waits are short: a sleep takes 70 us at least, and a program that waits for every
 * operation (rma/acc_flush_get) took 7 s with sleeps alone and 0.5 s so. Sleeping comes next: without it, and with many
 * ranks, those that wait hand the processor round among themselves. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
    SPINS = 20,   /* polls without an event until it is better to yield */
    YIELDS = 100, /* ... and until it is better to sleep */
};

static _Thread_local unsigned in_vain; /* polls since the last event */

static void let_others_work(void)
{
    if (in_vain < YIELDS)
        syscall(SYS_sched_yield);
    else
        nanosleep(&(struct timespec){.tv_nsec = 50 * 1000}, NULL);
}

/* The real one. The library may be one that Python loaded, which RTLD_NEXT does not know. */
static void *real(const char *function, const char *library)
{
    void *found = dlsym(RTLD_NEXT, function);
    return found ? found : dlsym(dlopen(library, RTLD_LAZY | RTLD_NOLOAD), function);
}

/* Open MPI calls this whenever it polled in vain. */
int sched_yield(void)
{
    in_vain++;
    let_others_work();
    return 0;
}

/* Open MPI's poll. It does not say whether there was an event, but yields only if there was none. */
void opal_progress(void)
{
    static void (*progress)(void);
    if (!progress)
        progress = (void (*)(void))real("opal_progress", "libopen-pal.so.40");
    unsigned before = in_vain;
    progress();
    if (in_vain == before)
        in_vain = 0;
}

/* MPICH's poll. */
unsigned ucp_worker_progress(void *worker)
{
    static unsigned (*progress)(void *);
    if (!progress)
        progress = (unsigned (*)(void *))real("ucp_worker_progress", "libucp.so.0");
    unsigned events = progress(worker);
    in_vain = events > 0 ? 0 : in_vain + 1;
    if (in_vain > SPINS)
        let_others_work();
    return events;
}
