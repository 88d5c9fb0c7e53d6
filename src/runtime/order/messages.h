/* Point-to-point messages: the sender's clock follows each one, and the receiver's clock goes back
 * to synchronous senders. Needs the session's lock.
 *
 * MPI matches each channel (communicator, source, tag) in order, so the n-th message of a channel
 * goes to the n-th receive that takes from it; the art is to know which that is. A receive with
 * source and tag takes the message after those of all receives posted before it. A wildcard may
 * have taken one of them: while such a one is pending, nobody knows, and the later clock is taken
 * if it is there. Clocks of one channel only grow, so that can order too much but never too little.
 * Messages and receives are counted from MPI_Init on, clocks travel when there is an engine.
 *
 *     sender                                 receiver
 *     message_send      -- clock, n ------>  (kept)                    start of the send →
 *                                            receive_complete          completion of the receive
 *     (kept)          <--- clock, n -------  receive_post              start of the receive →
 *     send_complete                                                    completion of a synchronous
 * send
 *
 * Where a wildcard is posted, the receiver does not know whom it answers. So it writes its clock on
 * a blackboard of its own, where whoever completes a synchronous send may have to take it for his
 * own (too much order), and sends it, as it was when the receive was posted, as soon as it knows.
 */
#ifndef REGATTA_RUNTIME_MESSAGES_H
#define REGATTA_RUNTIME_MESSAGES_H

#include "comms.h"
#include "receive.h"
#include "transport.h"

/* A send starts; `synchronous` remembers it if it is one (otherwise NULL). The number of its
 * message on its channel, from 1 on; 0: none. */
uint64_t message_send(MPI_Comm comm, int dest, int tag, struct synchronous_send *synchronous);
/* A synchronous one is complete (or, not complete, given up): what the receiver knew when it posted
 * its receive is known. */
void send_complete(struct synchronous_send *send);
void send_forget(struct synchronous_send *send);
/* A letter of kind LETTER_RECEIVE has come. */
void message_answered(const struct letter *letter);

/* A name for the next pair of ends of partitioned communication on that channel; both ends count
 * alike. 0 without memory. */
uint64_t message_pair(struct comm *comm, int tag, uint32_t peer, bool sends);

/* The communicator goes, and nothing points to it any more. */
void messages_comm_gone(struct comm *comm);

void receive_post(struct receive *receive, MPI_Comm comm, int source, int tag);
/* It got a message of this channel (source and tag of the status). */
void receive_match(struct receive *receive, int source, int tag);
/* It is complete, after receive_match. */
void receive_complete(struct receive *receive);
/* Its request was freed: it still takes a message, but nobody learns of it. */
void receive_abandon(struct receive *receive);
/* MPI_Cancel was called: whether it still takes a message will be known later. */
void receive_cancel(struct receive *receive);
/* It was cancelled or failed. */
void receive_forget(struct receive *receive);

/* MPI_Probe has seen a message of this channel, which the next receive there is going to get. */
void message_probed(MPI_Comm comm, int source, int tag);
/* MPI_Mprobe has taken one out; its receive starts when message_receive is called. */
void message_matched(struct receive *receive, MPI_Comm comm, int source, int tag);
void message_receive(struct receive *receive);

static inline bool receive_is_wildcard(const struct receive *receive)
{
    return !receive->matched && (receive->source == MPI_ANY_SOURCE || receive->tag == MPI_ANY_TAG);
}

#endif
