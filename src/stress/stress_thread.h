/* All that the scheduler keeps of one thread of the system (interpose/interpose_thread.h has the
 * rest). Nobody but the thread itself reads or writes it, so it needs no lock. It begins as zeros.
 * No other variable of src/stress is thread-local (tests/rooms/thread_state). */
#ifndef REGATTA_STRESS_STRESS_THREAD_H
#define REGATTA_STRESS_STRESS_THREAD_H

#include <mpi.h>
#include <stdbool.h>

struct stress_thread {
    int in_mpi; /* calls: what MPI does with threads of its own is its business */
    /* The last probe with MPI_ANY_SOURCE found a message: a receive with the same arguments must
     * get that very one (MPI-4.0 §3.8.1), which MPI itself sees to. */
    bool has_probed;
    MPI_Comm probed_comm;
    int refusals;
    /* A probe has found a message that no receive was called for yet: it is there, and a further
     * probe must say so. */
    bool knows_message;
};
extern __thread struct stress_thread stress_here;

#endif
