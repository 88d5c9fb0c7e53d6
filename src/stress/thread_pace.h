/* Pace of threads: some threads of a process are kept back where threads meet, and around their MPI
 * calls, so that what nothing orders happens in another order. */
#ifndef REGATTA_STRESS_THREAD_PACE_H
#define REGATTA_STRESS_THREAD_PACE_H

/* The calling thread is the main one, as MPI means it (MPI-4.0 §11.6.2). */
void thread_pace_start(void);
/* The calling thread goes into an MPI call, and comes back. */
void thread_pace_enter(void);
void thread_pace_leave(void);

#endif
