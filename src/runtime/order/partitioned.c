#include "partitioned.h"

#include <stdlib.h>

#include "clocks.h"
#include "messages.h"
#include "session.h"

/* Numbers of the clocks: they grow with the rounds, and name the number of the sender's partitions.
 */
static uint64_t number_of(const struct partitioned *end, uint32_t partitions)
{
    return end->round << 32 | partitions;
}

static uint64_t topic_of_partition(const struct partitioned *end, uint64_t partition)
{
    return name_mix(end->topic, partition + 1);
}

void partitioned_prepare(struct partitioned *end, const struct call *call, bool sends)
{
    *end = (struct partitioned){.partitions = (uint32_t)call->partitions};
    struct comm *comm = comm_find(call->comm);
    /* MPI-4.0 calls the source `dest`, too. */
    if (!comm || comm->foreign || call->partitions < 1 || call->dest < 0 ||
        call->dest >= comm->remote_size)
        return;
    end->peer = comm->remote[call->dest];
    end->topic = message_pair(comm, call->tag, end->peer, sends);
}

void partitioned_start(struct partitioned *end)
{
    end->round++;
    end->announced = false;
}

void partitioned_ready(struct partitioned *end, int partition)
{
    if (!end->topic || !session.engine || partition < 0 || (uint32_t)partition >= end->partitions)
        return;
    uint64_t number = number_of(end, end->partitions);
    if (!end->announced)
        clock_post(end->peer, LETTER_MESSAGE, end->topic, number);
    end->announced = true;
    clock_post(end->peer, LETTER_MESSAGE, topic_of_partition(end, (uint64_t)partition), number);
}

/* Waits for a clock of this round, unless `known`: threads may ask for partitions of one receive at
 * once, and the first one to see the clock takes it. */
static void await_clock(const struct partitioned *end, uint64_t topic, const bool *known)
{
    struct patience patience = {0};
    if (*known)
        return;
    clocks_drain();
    while (!*known && !clock_has_come(end->peer, LETTER_MESSAGE, topic, number_of(end, 0)) &&
           clocks_wait(&patience))
        ;
}

/* Finds out how many partitions the sender has; none if it made them ready before anybody looked
 * for races. */
static void meet_sender(struct partitioned *end)
{
    uint64_t number = 0;
    await_clock(end, end->topic, &end->announced);
    if (end->announced)
        return;
    while (clock_number(end->peer, LETTER_MESSAGE, end->topic, &number) &&
           number >> 32 <= end->round) {
        end->announced = number >> 32 == end->round;
        clock_discard(end->peer, LETTER_MESSAGE, end->topic);
    }
    if (!end->announced)
        return;
    free(end->learnt);
    end->theirs = (uint32_t)number;
    end->learnt = calloc(end->theirs, sizeof *end->learnt);
    if (!end->learnt) {
        end->theirs = 0;
        session_give_up_races("no memory for clocks");
    }
}

static void learn(struct partitioned *end, uint64_t first, uint64_t behind)
{
    for (uint64_t i = first; i < behind; i++) {
        uint64_t topic = topic_of_partition(end, i);
        if (end->learnt[i])
            continue;
        await_clock(end, topic, &end->learnt[i]);
        clocks_collect_through(end->peer, LETTER_MESSAGE, topic, number_of(end, UINT32_MAX), NULL);
        end->learnt[i] = true;
    }
}

void partitioned_arrived(struct partitioned *end, int partition)
{
    if (!end->topic || !session.engine || partition < 0 || (uint32_t)partition >= end->partitions)
        return;
    meet_sender(end);
    /* Both ends cut the same data into equal pieces: those of the sender that mine overlaps. */
    uint64_t theirs = end->announced ? end->theirs : 0, mine = end->partitions;
    learn(end, (uint64_t)partition * theirs / mine,
          (((uint64_t)partition + 1) * theirs + mine - 1) / mine);
}

void partitioned_complete(struct partitioned *end)
{
    if (!end->topic || !session.engine)
        return;
    meet_sender(end);
    learn(end, 0, end->announced ? end->theirs : 0);
}

void partitioned_free(struct partitioned *end)
{
    free(end->learnt);
    end->learnt = NULL;
}
