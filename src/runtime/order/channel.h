/* One end of a channel (communicator, peer, tag), and the few that the quick path of blocking
 * messages (quick.h) knows. Of interest to channels.c, messages.c and the
 * quick path only. */
#ifndef REGATTA_RUNTIME_CHANNEL_H
#define REGATTA_RUNTIME_CHANNEL_H

#include "actors.h"
#include "comms.h"
#include "engine/clock.h"
#include "receive.h"
#include "engine/table.h"

/* A clock of the receiver: message number `first`, or one of the `more` after it, went to a receive
 * posted then. */
struct answer {
    struct answer *next;
    uint64_t first, more;
    bool doubtful; /* a receive was cancelled: those that fit exactly may be about another one */
    size_t size;
    char bytes[];
};

struct overtaker {
    uint64_t position; /* of the receive */
    uint64_t learnt;   /* the channel's, when the receive was complete; UINT64_MAX: it is not yet */
};

struct channel_key {
    uint64_t topic; /* communicator and tag */
    uint32_t peer;  /* in MPI_COMM_WORLD */
    uint32_t sends; /* from here to the peer, or from there */
};

/* One end of a channel. It goes when nothing is under way there; then the communicator keeps its
 * count (settled.h). */
struct channel {
    struct channel_key key;
    uint64_t count; /* messages sent, or receives known to take one */
    uint64_t *told; /* the same, for whoever looks from outside (ends.h) */

    struct comm *comm; /* NULL: only letters have named it so far, or the communicator is gone */
    int tag;
    bool partitioned;
    bool named;                      /* by a call: the count is right */
    bool quick;                      /* the quick path may be working with it: stays */
    uint32_t users;                  /* receives that point here */
    struct channel *next, *previous; /* of the communicator */

    /* At the sender: synchronous sends under way, the oldest of them (or an older one), and what
     * has come back. */
    uint64_t waiting, oldest;
    uint64_t board; /* where the receiver writes when it posts a wildcard */
    struct answer *answers, *last_answer;

    /* At the receiver: receives with this source and tag that are pending, how many of them may be
     * cancelled, and those that were done while an earlier wildcard was pending that may have
     * taken a message of this channel. */
    struct receive *pending;
    uint64_t cancelling;
    uint64_t learnt; /* clocks of messages below this number have been taken */
    struct overtaker *overtakers;
    size_t novertakers, room;

    /* With several threads: who used it last; whether two that nothing orders use it, so that which
     * message is whose is not certain; and what all clocks said that were taken so far, for whoever
     * finds his own taken. */
    struct moment user;
    bool mixed;
    struct clock taken;

    UT_hash_handle hh;
};

/* One more message, or one less; two instructions beyond the count. */
static inline uint64_t channel_count(struct channel *channel)
{
    uint64_t index = channel->count++;
    *channel->told = channel->count;
    return index;
}

static inline void channel_uncount(struct channel *channel)
{
    *channel->told = --channel->count;
}

/* The channel that a call names, and one that only a letter has named so far. NULL without memory.
 */
struct channel *channel_of(struct comm *comm, int tag, bool partitioned, uint32_t peer, bool sends);
struct channel *channel_by_topic(uint64_t topic, uint32_t peer, bool sends);
/* The communicator goes, and nothing points to it any more. */
void channels_comm_gone(struct comm *comm);

/* Channels by the arguments of the call, filled while there is no engine; emptied when a
 * communicator goes. */
struct quick_channel {
    MPI_Comm handle;
    struct comm *comm; /* NULL: empty */
    int peer, tag;     /* as in the call */
    struct channel *channel;
};

enum { QUICK_CHANNELS = 16 };
extern struct quick_channel quick_channels[QUICK_CHANNELS];

static inline struct quick_channel *quick_channel(int peer, int tag, bool sends)
{
    return &quick_channels[(unsigned)(2 * (peer + 3 * tag) + sends) % QUICK_CHANNELS];
}

void quick_channels_forget(void);

/* A message that was only counted; `channel` is NULL if it has to go the long way. */
struct quick_message {
    struct channel *channel;
    uint64_t index;
};

/* The receive failed, or there is an engine by now. Needs the session's lock. */
void quick_receive_end(struct quick_message receive, bool success);

#endif
