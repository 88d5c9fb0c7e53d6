#include "channel.h"

#include <stdlib.h>
#include <string.h>

#include "ends.h"
#include "engine/assertions.h"
#include "session.h"
#include "settled.h"

#ifndef CHANNELS_SETTLED_AT /* tests shrink it */
#define CHANNELS_SETTLED_AT 1024
#endif

/* The channels asked for last: every message asks, and most programs use few. */
enum { RECENT = 32 };

/* With the session's lock; the quick path (channel.h) too. */
static struct {
    struct channel *all;
    unsigned settle_at; /* that many */
    struct channel *recent[RECENT];
} channels = {.settle_at = CHANNELS_SETTLED_AT};

static uint64_t topic_of(const struct comm *comm, int tag, bool partitioned)
{
    return name_mix(comm->id, (uint64_t)(uint32_t)tag << 1 | partitioned);
}

static struct channel **recent_slot(const struct channel_key *key)
{
    return &channels.recent[(key->topic ^ (2 * key->peer + key->sends)) & (RECENT - 1)];
}

static struct settled_key settled_key_of(const struct channel *channel)
{
    return (struct settled_key){channel->key.peer,
                                channel->key.sends | (uint32_t)channel->partitioned << 1};
}

static void channel_leave_comm(struct channel *channel)
{
    if (!channel->comm)
        return;
    *(channel->previous ? &channel->previous->next : &channel->comm->channels) = channel->next;
    if (channel->next)
        channel->next->previous = channel->previous;
    channel->comm = NULL;
    channel->told = &ends_uncounted;
}

static void channel_delete(struct channel *channel)
{
    assert_cheap(!channel->users && !channel->waiting && !channel->pending && !channel->answers);
    channel_leave_comm(channel);
    if (*recent_slot(&channel->key) == channel)
        *recent_slot(&channel->key) = NULL;
    HASH_DEL(channels.all, channel);
    free(channel->overtakers);
    clock_clear(&channel->taken);
    free(channel);
}

/* Whether nothing is under way there: then its count is all that there is to know. */
static bool channel_is_idle(const struct channel *channel)
{
    return !channel->mixed && actors_all_know(channel->user) && channel->named && !channel->quick &&
           !channel->users && !channel->waiting && !channel->answers && !channel->pending &&
           !channel->cancelling &&
           (!channel->novertakers || !channel->comm || !channel->comm->wildcards) &&
           channel->learnt <= channel->count;
}

/* Forgets idle channels but for their counts. Whoever works with one while letters are read must
 * be a user of it. */
static void channels_settle(void)
{
    struct channel *channel, *next;
    quick_channels_forget();
    HASH_ITER(hh, channels.all, channel, next)
    {
        if (channel_is_idle(channel) &&
            (!channel->comm || settled_put(&channel->comm->settled, settled_key_of(channel),
                                           channel->tag, channel->count)))
            channel_delete(channel);
    }
}

static struct channel *channel_look_up(const struct channel_key *key)
{
    struct channel *channel;
    HASH_FIND(hh, channels.all, key, sizeof *key, channel);
    if (channel)
        return channel;
    if (HASH_COUNT(channels.all) >= channels.settle_at) {
        channels_settle();
        channels.settle_at = CHANNELS_SETTLED_AT + 2 * HASH_COUNT(channels.all);
    }
    channel = calloc(1, sizeof *channel);
    if (channel) {
        channel->key = *key;
        channel->told = &ends_uncounted;
        HASH_ADD(hh, channels.all, key, sizeof channel->key, channel);
    } else {
        session_give_up_races("no memory to count messages");
    }
    return channel;
}

struct channel *channel_by_topic(uint64_t topic, uint32_t peer, bool sends)
{
    struct channel_key key = {topic, peer, sends};
    struct channel **slot = recent_slot(&key), *channel = *slot;
    if (!channel || channel->key.topic != topic || channel->key.peer != peer ||
        channel->key.sends != sends)
        *slot = channel = channel_look_up(&key);
    return channel;
}

struct channel *channel_of(struct comm *comm, int tag, bool partitioned, uint32_t peer, bool sends)
{
    struct channel *channel = channel_by_topic(topic_of(comm, tag, partitioned), peer, sends);
    if (!channel || channel->named)
        return channel;
    channel->named = true;
    channel->comm = comm;
    channel->tag = tag;
    channel->partitioned = partitioned;
    channel->next = comm->channels;
    if (channel->next)
        channel->next->previous = channel;
    comm->channels = channel;
    channel->count = settled_take(&comm->settled, settled_key_of(channel), tag);
    if (!partitioned)
        channel->told = ends_channel_known(comm, tag, peer, sends);
    *channel->told = channel->count;
    return channel;
}

void channels_comm_gone(struct comm *comm)
{
    if (comm->channels)
        quick_channels_forget();
    while (comm->channels) {
        struct channel *channel = comm->channels;
        channel_leave_comm(channel);
        if (channel_is_idle(channel))
            channel_delete(channel);
    }
    settled_clear(&comm->settled);
}

/* ---- the quick path ---- */

struct quick_channel quick_channels[QUICK_CHANNELS];

void quick_channels_forget(void)
{
    memset(quick_channels, 0, sizeof quick_channels);
}
