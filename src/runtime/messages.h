/* Point-to-point messages: the sender's clock follows each one. Needs the session's lock.
 *
 * MPI matches each channel (communicator, source, tag) in order, so the n-th clock of a channel belongs to its
 * n-th message; the art is to know which message a receive got. A receive with source and tag gets the message after those
 * of all receives posted before it on that channel. A wildcard may have taken one of them: while such
 * a one is pending, the later clock is taken if it is there. Clocks of one channel only grow, so that can
 * order too much but never too little. */
#ifndef REGATTA_RUNTIME_MESSAGES_H
#define REGATTA_RUNTIME_MESSAGES_H

#include "comms.h"
#include "receive.h"

void message_send(MPI_Comm comm, int dest, int tag);
void message_partition_send(MPI_Comm comm, int dest, int tag);

void receive_post(struct receive *receive, MPI_Comm comm, int source, int tag);
/* It got a message of this channel (source and tag of the status). */
void receive_match(struct receive *receive, int source, int tag);
/* It is complete, after receive_match. */
void receive_complete(struct receive *receive);
/* Its request was freed: it still takes a message, but nobody learns of it. */
void receive_abandon(struct receive *receive);
/* It was cancelled or failed. */
void receive_forget(struct receive *receive);

static inline bool receive_is_wildcard(const struct receive *receive)
{
    return receive->source == MPI_ANY_SOURCE || receive->tag == MPI_ANY_TAG;
}

#endif
