#include "overtakers.h"

#include <stdlib.h>

#include "channel.h"
#include "session.h"
#include "transport.h"

/* A wildcard that was posted before and may still turn out to have taken a message of this channel.
 */
bool wildcard_may_precede(const struct receive *other, uint64_t position, int source, int tag)
{
    return other->position < position &&
           (other->source == MPI_ANY_SOURCE || other->source == source) &&
           (other->tag == MPI_ANY_TAG || other->tag == tag);
}

uint64_t earlier_wildcards(const struct comm *comm, uint64_t position, int source, int tag)
{
    uint64_t n = 0;
    for (const struct receive *other = comm->wildcards; other; other = other->next)
        n += wildcard_may_precede(other, position, source, tag);
    return n;
}

/* A receive is done. Only wildcards posted before it and done after it will ask. */
void overtaker_note(const struct receive *receive)
{
    struct channel *channel = receive->channel;
    if (!receive->comm->wildcards)
        channel->novertakers = 0;
    if (!receive->unsure)
        return;
    if (channel->novertakers == channel->room) {
        size_t room = 2 * channel->room + 8;
        struct overtaker *larger = realloc(channel->overtakers, room * sizeof *larger);
        if (!larger)
            return; /* a wildcard's message is taken for a later one: too much order */
        channel->overtakers = larger;
        channel->room = room;
    }
    channel->overtakers[channel->novertakers++] = (struct overtaker){receive->position, UINT64_MAX};
}

/* The receive is complete: the program has gone on with the clocks that had come by then. */
void overtaker_completed(const struct receive *receive)
{
    const struct channel *channel = receive->channel;
    for (size_t i = 0; receive->unsure && i < channel->novertakers; i++)
        if (channel->overtakers[i].position == receive->position)
            channel->overtakers[i].learnt = channel->learnt;
}

/* How many receives of the channel that are known to take a message were posted between. */
static uint64_t receives_between(const struct channel *channel, uint64_t after, uint64_t before)
{
    uint64_t n = 0;
    for (const struct receive *other = channel->pending; other; other = other->next)
        n += other->position > after && other->position < before;
    for (size_t i = 0; i < channel->novertakers; i++)
        n += channel->overtakers[i].position > after && channel->overtakers[i].position < before;
    return n;
}

/* The wildcard is the one before all receives of the channel that were posted after it. */
uint64_t wildcard_takes(struct channel *channel, uint64_t position)
{
    uint64_t index = channel_count(channel), overtaken = 0;
    for (struct receive *other = channel->pending; other; other = other->next)
        if (other->position > position) {
            other->index++;
            index--;
        }
    for (size_t i = 0; i < channel->novertakers; i++)
        overtaken += channel->overtakers[i].position > position;
    index -= overtaken;
    for (size_t i = 0; transport_spans_nodes() && i < channel->novertakers; i++) {
        const struct overtaker *other = &channel->overtakers[i];
        if (other->position > position &&
            other->learnt <= index + 1 + receives_between(channel, position, other->position))
            session_give_up_races("which message a receive had got was known too late");
    }
    return index;
}
