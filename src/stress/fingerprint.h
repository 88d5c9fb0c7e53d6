/* Fingerprints: what windows hold and what was received, to be compared between runs.
 *
 * Contents count only where a race-free program cannot see them change: after all processes of the
 * window have arrived at a synchronisation that they all take part in and none has left it, and no
 * operation is pending. The layer adds a reduction and a barrier of its own there; a program cannot
 * tell, as every such call may synchronise. */
#ifndef REGATTA_STRESS_FINGERPRINT_H
#define REGATTA_STRESS_FINGERPRINT_H

#include "delayed.h"

/* MPI has been initialised; collective. */
void fingerprint_prepare(void);

/* The result of a get has arrived. */
void fingerprint_operation(const struct operation *operation);
/* `bytes` of data were received from the source with that tag, at this place. */
void fingerprint_received(struct site *site, const struct routine *routine, int source, int tag,
                          const struct bytes *bytes);

/* A collective call on the window (fence, or before it is freed: the last one) has been made by
 * this process. */
void fingerprint_window(struct stressed_window *window, bool last);
/* An exposure epoch of the window is over: nobody but this process touches its part. */
void fingerprint_exposed(struct stressed_window *window);
/* This process has been through a collective call that every process of the communicator takes part
 * in. */
void fingerprint_collective(MPI_Comm comm);

/* The program chose by timing, as MPI permits: from now on differences may be meant. */
void fingerprint_choice(void);

#endif
