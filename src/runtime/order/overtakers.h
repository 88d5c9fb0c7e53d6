/* Which message of a channel a receive gets, where a wildcard that was posted before it is not
 * done: messages of a channel go to its receives in the order in which those were posted, and the
 * wildcard may turn out later to have taken one of them. Of interest to messages.c only. Needs the
 * session's lock. */
#ifndef REGATTA_RUNTIME_OVERTAKERS_H
#define REGATTA_RUNTIME_OVERTAKERS_H

#include <stdbool.h>
#include <stdint.h>

#include "receive.h"

bool wildcard_may_precede(const struct receive *other, uint64_t position, int source, int tag);
uint64_t earlier_wildcards(const struct comm *comm, uint64_t position, int source, int tag);

/* A receive whose message is known overtakes wildcards that are not done; and it is complete: the
 * program goes on with the clocks that have come by then. */
void overtaker_note(const struct receive *receive);
void overtaker_completed(const struct receive *receive);

/* The wildcard takes a message of this channel: its number. Those of pending receives that were
 * posted after it move up. Ends the search if a receive that overtook it had not got all clocks. */
uint64_t wildcard_takes(struct channel *channel, uint64_t position);

#endif
