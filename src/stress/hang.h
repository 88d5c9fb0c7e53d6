/* Where a process hangs, aborts or crashes: it writes its stack into the records, a hanging one on
 * a signal from the command. */
#ifndef REGATTA_STRESS_HANG_H
#define REGATTA_STRESS_HANG_H

/* The signal: one that programs hardly use and that ends nobody who did not ask for it. The command
 * uses the same. */
#define HANG_SIGNAL (SIGRTMIN + 11)

void hang_prepare(void);
/* Writes where this thread is: "hang", "abort", "crash", "mpi-abort". */
void hang_tell(const char *state);

#endif
