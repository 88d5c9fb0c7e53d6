/* What the kernels share: phases, their CPU time, and the line that the runner reads.
 *
 * MPI processes spin while they wait, so the CPU time of a whole run says more about the other processes of the machine than
 * about the kernel. Therefore each iteration is cut into numbered phases. Before each phase the ranks meet in a barrier that
 * sleeps (a process-shared one of pthreads, which is not timed), so that all begin with the same work before them, and what
 * counts is the median CPU time of a phase over all iterations, times the iterations. For phases that communicate it is
 * the 5th percentile: a rank that is preempted lets its partner spin, and that is not a cost of the kernel.
 *
 * MPI must not need this rank for another's progress when it goes to sleep: a phase that communicates ends with something
 * that all ranks have to reach (barrier, fence), or with the completion of everything that the rank takes part in. */
#ifndef REGATTA_BENCH_KERNEL_H
#define REGATTA_BENCH_KERNEL_H

#include <mpi.h>
#include <stddef.h>

enum phase_kind {
    COMPUTES,
    COMMUNICATES,
    PHASE_KINDS
};
enum { PHASES = 4 };

extern int kernel_rank, kernel_ranks;
/* Set by the kernel: bytes of window memory of this rank. */
extern size_t kernel_window_bytes;

/* MPI_Init, and the arguments: ITERATIONS SIZE, both > 0. */
void kernel_start(int argc, char **argv, int *iterations, int *size);
/* The rest of it, for Fortran, where both are done already. */
void kernel_begin(int iterations, int size);

/* Phase 0 … PHASES-1 of an iteration. */
void phase_begin(void);
void phase_end(int phase, enum phase_kind kind);

/* Prints `ok|wrong CPU_COMPUTE CPU_COMMUNICATE PEAK_KIB WINDOW_KIB` by rank 0: CPU seconds of the slowest, memory of the
 * largest rank. Then MPI_Finalize. Returns the exit code. */
int kernel_end(int right);

/* The rank before or after this one, in a ring. */
static inline int kernel_before(void)
{
    return (kernel_rank + kernel_ranks - 1) % kernel_ranks;
}

static inline int kernel_after(void)
{
    return (kernel_rank + 1) % kernel_ranks;
}

#endif
