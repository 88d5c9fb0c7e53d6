#include "messages.h"

#include <stdlib.h>
#include <uthash.h>

#include "clocks.h"

struct channel_key {
    uint64_t comm;
    int32_t source, tag;
};

struct channel {
    struct channel_key key;
    uint64_t posted;         /* receives with this very source and tag, posted */
    uint64_t wildcards_done; /* wildcard receives that got a message of this channel */
    uint64_t collected;      /* clocks taken */
    UT_hash_handle hh;
};

static struct channel *channels;

static uint64_t topic_of(const struct comm *comm, int tag, bool partitioned)
{
    return name_mix(comm->id, (uint64_t)(uint32_t)tag << 1 | partitioned);
}

static struct channel *channel_get(const struct comm *comm, int source, int tag)
{
    struct channel_key key = {comm->id, source, tag};
    struct channel *channel;
    HASH_FIND(hh, channels, &key, sizeof key, channel);
    if (channel)
        return channel;
    channel = calloc(1, sizeof *channel);
    if (channel) {
        channel->key = key;
        HASH_ADD(hh, channels, key, sizeof key, channel);
    }
    return channel;
}

static void send_clock(MPI_Comm handle, int dest, int tag, bool partitioned)
{
    struct comm *comm = dest == MPI_PROC_NULL ? NULL : comm_find(handle);
    if (comm && !comm->foreign && dest >= 0 && dest < comm->remote_size)
        clock_post(comm->remote[dest], LETTER_MESSAGE, topic_of(comm, tag, partitioned), 0);
}

void message_send(MPI_Comm comm, int dest, int tag)
{
    send_clock(comm, dest, tag, false);
}

void message_partition_send(MPI_Comm comm, int dest, int tag)
{
    send_clock(comm, dest, tag, true);
}

void receive_post(struct receive *receive, MPI_Comm handle, int source, int tag)
{
    struct comm *comm = source == MPI_PROC_NULL ? NULL : comm_find(handle);
    *receive = (struct receive){.source = source, .tag = tag, .partitioned = receive->partitioned};
    if (!comm || comm->foreign)
        return;
    if (receive->partitioned) {
        receive->comm = comm_use(comm);
        return;
    }
    receive->position = comm->receives++;
    if (receive_is_wildcard(receive)) {
        struct receive **link = &comm->wildcards;
        while (*link) {
            receive->previous = *link;
            link = &(*link)->next;
        }
        *link = receive;
    } else {
        struct channel *channel = channel_get(comm, source, tag);
        if (!channel)
            return;
        receive->index = channel->posted++;
    }
    receive->comm = comm_use(comm);
}

static void unlink_wildcard(struct receive *receive)
{
    *(receive->previous ? &receive->previous->next : &receive->comm->wildcards) = receive->next;
    if (receive->next)
        receive->next->previous = receive->previous;
}

/* Wildcards that were posted before and may still turn out to have taken a message of this channel. */
static uint64_t earlier_wildcards(const struct receive *receive, int source, int tag)
{
    uint64_t n = 0;
    for (const struct receive *other = receive->comm->wildcards; other; other = other->next)
        n += other->position < receive->position &&
             (other->source == MPI_ANY_SOURCE || other->source == source) &&
             (other->tag == MPI_ANY_TAG || other->tag == tag);
    return n;
}

/* One clock came for each MPI_Pready. Those of the next round may be among them: that orders too much. */
static void partitions_complete(struct receive *receive)
{
    struct comm *comm = receive->comm;
    clocks_drain();
    while (clock_collect(comm->remote[receive->source], LETTER_MESSAGE,
                         topic_of(comm, receive->tag, true)))
        ;
    comm_unuse(comm);
    receive->comm = NULL;
}

void receive_match(struct receive *receive, int source, int tag)
{
    struct comm *comm = receive->comm;
    struct channel *channel = comm && !receive->partitioned ? channel_get(comm, source, tag) : NULL;
    if (!channel)
        return;
    if (receive_is_wildcard(receive)) {
        /* After those with source and tag that were posted before it. Some may have been posted after it: those
         * count too, which can only order too much. */
        unlink_wildcard(receive);
        receive->needed = channel->posted + ++channel->wildcards_done;
    } else {
        receive->needed = receive->index + 1 + channel->wildcards_done;
    }
    receive->needed += earlier_wildcards(receive, source, tag);
    receive->source = source;
    receive->tag = tag;
}

void receive_complete(struct receive *receive)
{
    struct comm *comm = receive->comm;
    if (!comm)
        return;
    if (receive->partitioned) {
        partitions_complete(receive);
        return;
    }
    clocks_drain();
    struct channel *channel = channel_get(comm, receive->source, receive->tag);
    if (channel && receive->source >= 0 && receive->source < comm->remote_size)
        while (channel->collected < receive->needed &&
               clock_collect(comm->remote[receive->source], LETTER_MESSAGE,
                             topic_of(comm, receive->tag, false)))
            channel->collected++;
    comm_unuse(comm);
    receive->comm = NULL;
}

void receive_abandon(struct receive *receive)
{
    if (receive_is_wildcard(receive) && !receive->partitioned)
        unlink_wildcard(receive);
    comm_unuse(receive->comm);
    receive->comm = NULL;
}

void receive_forget(struct receive *receive)
{
    if (!receive->comm)
        return;
    if (receive->partitioned) {
        /* nothing is counted */
    } else if (receive_is_wildcard(receive)) {
        unlink_wildcard(receive);
    } else {
        /* The message goes to the next one: the numbers behind it move up. */
        struct channel *channel = channel_get(receive->comm, receive->source, receive->tag);
        if (channel)
            channel->posted--;
    }
    comm_unuse(receive->comm);
    receive->comm = NULL;
}
