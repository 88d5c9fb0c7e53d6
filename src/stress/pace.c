#include "pace.h"

#include <time.h>

#include "layer.h"
#include "settings.h"

/* In microseconds: one rank behind the other, the last behind the first, all pauses of a process,
 * and between two polls. The first must outlast what a process does between two calls even if it
 * has to wait for a processor. */
enum { STEP = 8000, SPREAD_MOST = 40000, TOTAL_MOST = 2000000, POLL = 300 };
/* Pauses before operations: there may be very many. */
enum { OPERATIONS_MOST = 20 };

static long spent; /* with several threads about right, which is enough */

static long own_pause(void)
{
    int before = settings.stagger == STAGGER_ASCENDING ? layer.rank : layer.ranks - 1 - layer.rank;
    long step = layer.ranks > 1 && (layer.ranks - 1) * (long)STEP > SPREAD_MOST
                    ? SPREAD_MOST / (layer.ranks - 1)
                    : STEP;
    return before * step;
}

/* Where processes set out anew: after whatever may have brought them together, or ended an epoch.
 */
static bool is_start(const struct call *call)
{
    switch (call->routine->verb) {
    case VERB_opens:
    case VERB_closes:
    case VERB_flushes:
    case VERB_blocking:
    case VERB_completes:
        return true;
    case VERB_starts:
    case VERB_activates:
        /* A started operation is left alone with MPI for a while. */
        return true;
    case VERB_creates:
        return routine_has(call->routine, ROLE_new_win);
    default:
        return false;
    }
}

static long microseconds_since(const struct timespec *start)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (long)(now.tv_sec - start->tv_sec) * 1000000 + (now.tv_nsec - start->tv_nsec) / 1000;
}

/* Legal: MPI promises nothing about the speed of processes. It polls, because the others may need
 * this process in MPI for their operations to make progress, and they are to get ahead. */
static void hold_back(void)
{
    if (spent >= TOTAL_MOST)
        return;
    long pause = own_pause();
    struct timespec start;
    clock_gettime(CLOCK_MONOTONIC, &start);
    while (microseconds_since(&start) < pause) {
        int flag;
        /* Not on MPI_COMM_SELF, for which MPICH looks at nothing else. */
        pmpi.Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, handles.comm_world, &flag, MPI_STATUS_IGNORE);
        nanosleep(&(struct timespec){.tv_nsec = POLL * 1000L}, NULL);
    }
    spent += pause;
}

static int operations; /* held back so far; with several threads about right, too */

void pace_before_operation(void)
{
    if (settings.stagger && operations < OPERATIONS_MOST) {
        operations++;
        hold_back();
    }
}

void pace_after(const struct call *call)
{
    if (settings.stagger && is_start(call))
        hold_back();
}
