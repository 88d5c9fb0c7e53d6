#include "messages.h"

#include <stdlib.h>
#include <string.h>

#include "channel.h"
#include "clocks.h"
#include "crossings.h"
#include "engine/assertions.h"
#include "engine/encoding.h"
#include "engine/engine.h"
#include "interpose/pmpi.h"
#include "platform/own_memory.h"
#include "overtakers.h"
#include "session.h"
#include "engine/table.h"

/* How long to wait for letters of which it is not certain that they have been sent. Those about an
 * answer have a way to go; the clock of a message that has come is older than the message. */
enum { TURNS_FOR_ANSWER = 2000, TURNS_FOR_CLOCK = 200 };

/* What stands before the clock in an answer: the channel by name. */
struct answer_head {
    uint64_t comm;
    int32_t tag, doubtful;
};

/* Keys of blackboards are never 0. */
static uint64_t wildcard_board(const struct comm *comm)
{
    return name_mix(comm->id, 'W') | 1;
}

static void remember_quick(struct comm *comm, int peer, int tag, struct channel *channel)
{
    if (!session.engine)
        *quick_channel(peer, tag, channel->key.sends) =
            (struct quick_channel){comm->handle, comm, peer, tag, channel};
}

/* All receives that were posted on it have their message, and whoever sent one synchronously has
 * been told so by a letter, which within a node has arrived: nobody needs the board. */
void messages_comm_gone(struct comm *comm)
{
    channels_comm_gone(comm);
    if (comm->has_board && session.engine && !transport_spans_nodes())
        board_remove(session.rank, wildcard_board(comm));
}

static struct comm *comm_of(MPI_Comm handle, int peer)
{
    struct comm *comm = peer == MPI_PROC_NULL ? NULL : comm_find(handle);
    return comm && !comm->foreign && peer < comm->remote_size ? comm : NULL;
}

static struct channel *receiving(struct comm *comm, int source, int tag)
{
    if (source < 0 || source >= comm->remote_size)
        return NULL;
    return channel_of(comm, tag, false, comm->remote[source], false);
}

/* The receive has to do with this channel, which stays until the receive is over. */
static void receive_uses(struct receive *receive, struct channel *channel)
{
    receive->channel = channel;
    if (channel)
        channel->users++;
}

/* ---- sending ---- */

/* Answers to messages that no synchronous send waits for. */
static void drop_answers(struct channel *channel)
{
    uint64_t wanted = channel->waiting ? channel->oldest : channel->count;
    struct answer *answer;
    while ((answer = channel->answers) && answer->first + answer->more < wanted) {
        channel->answers = answer->next;
        free(answer);
    }
    if (!channel->answers)
        channel->last_answer = NULL;
}

/* ---- several threads ---- */

/* Messages of two threads on one channel match in the order of the calls, where there is one
 * (MPI-4.1 section 3.5). Where there is none, whoever receives one of them may have got any that
 * was sent: it learns what all of them tell. The sender says so by a letter under this topic. */
static uint64_t mixed_topic(const struct channel *channel)
{
    return name_mix(channel->key.topic, 'M');
}

static void note_user(struct channel *channel)
{
    if (!actors_are_watched())
        return;
    bool was_mixed = channel->mixed;
    channel->mixed |= !actor_knows(channel->user);
    channel->user = actor_moment();
    if (channel->mixed && !was_mixed && session.engine) {
        if (channel->key.sends)
            clock_post(channel->key.peer, LETTER_MESSAGE, mixed_topic(channel), 0);
        if (transport_spans_nodes())
            session_give_up_races(
                "several threads send or receive the same kind of message, and the "
                "ranks are on several nodes");
    }
}

static bool is_mixed(const struct channel *channel)
{
    uint64_t number;
    return channel->mixed ||
           clock_number(channel->key.peer, LETTER_MESSAGE, mixed_topic(channel), &number);
}

uint64_t message_send(MPI_Comm handle, int dest, int tag, struct synchronous_send *synchronous)
{
    struct comm *comm = dest < 0 ? NULL : comm_of(handle, dest);
    struct channel *channel = comm ? channel_of(comm, tag, false, comm->remote[dest], true) : NULL;
    if (!channel)
        return 0;
    remember_quick(comm, dest, tag, channel);
    uint64_t index = channel_count(channel);
    if (synchronous) {
        *synchronous = (struct synchronous_send){channel, index};
        channel->board = wildcard_board(comm);
        if (channel->waiting++ == 0)
            channel->oldest = index;
    }
    drop_answers(channel);
    if (!session.engine)
        return index + 1;
    note_user(channel);
    clock_post(channel->key.peer, LETTER_MESSAGE, channel->key.topic, index);
    if (index % 64 == 0) /* who only sends would let the answers pile up */
        clocks_drain();
    return index + 1;
}

/* A communicator that is not known is not yet known, or gone. */
static struct channel *answered_channel(const struct letter *letter, const struct answer_head *head)
{
    struct comm *comm = comm_by_id(head->comm);
    return comm ? channel_of(comm, head->tag, false, letter->from, true)
                : channel_by_topic(letter->topic, letter->from, true);
}

void message_answered(const struct letter *letter)
{
    struct answer_head head;
    memcpy(&head, letter->bytes, sizeof head);
    size_t size = letter->size - sizeof head;
    struct channel *channel = answered_channel(letter, &head);
    struct answer *answer = channel ? malloc(sizeof *answer + size) : NULL;
    if (!answer)
        return;
    *answer = (struct answer){.first = letter->number >> 16,
                              .more = letter->number & 0xffff,
                              .doubtful = head.doubtful,
                              .size = size};
    memcpy(answer->bytes, (const char *)letter->bytes + sizeof head, size);
    *(channel->last_answer ? &channel->last_answer->next : &channel->answers) = answer;
    channel->last_answer = answer;
    drop_answers(channel);
}

/* Which answers tell of a message: certainly, perhaps, or that what seems certain is not, because a
 * receive was cancelled. */
enum fit { FITS_EXACTLY, FITS_PERHAPS, FITS_DOUBTFULLY };

static bool answer_fits(const struct answer *answer, uint64_t index, enum fit fit)
{
    bool perhaps = answer->first <= index && index <= answer->first + answer->more;
    return fit == FITS_PERHAPS      ? perhaps
           : fit == FITS_DOUBTFULLY ? perhaps && answer->doubtful
                                    : answer->first == index && answer->more == 0;
}

static bool is_answered(const struct channel *channel, uint64_t index, enum fit fit)
{
    for (const struct answer *answer = channel->answers; answer; answer = answer->next)
        if (answer_fits(answer, index, fit))
            return true;
    return false;
}

static bool learn_answers(const struct channel *channel, uint64_t index, enum fit fit)
{
    for (const struct answer *answer = channel->answers; answer; answer = answer->next)
        if (channel->mixed || answer_fits(answer, index, fit))
            engine_clock_receive(session.engine, acting(), answer->bytes, answer->size);
    return is_answered(channel, index, fit);
}

/* Whether what has come tells all there is to know of this message: the answer that counts up to
 * it, because one that only includes it may be about an earlier message, and the right one still be
 * on its way. After an answer that a cancelled receive makes doubtful, only one that was given
 * later, when that receive was gone. Answers of one channel come in the order in which they were
 * given. */
static bool is_settled(const struct channel *channel, uint64_t index)
{
    bool settled = false;
    for (const struct answer *answer = channel->answers; answer; answer = answer->next)
        if (answer_fits(answer, index, FITS_PERHAPS))
            settled = !answer->doubtful && answer->first == index;
    return settled;
}

/* The receive has been posted. If it has source and tag the answer is here, or comes at once; if
 * not, there is only the board until the message is known over there. */
static void await_answer(const struct channel *channel, uint64_t index)
{
    struct patience patience = {0};
    clocks_drain();
    while (transport_spans_nodes() && !is_settled(channel, index) &&
           patience.turns < TURNS_FOR_ANSWER && clocks_wait(&patience))
        ;
}

void send_complete(struct synchronous_send *send)
{
    struct channel *channel = send->channel;
    if (!channel)
        return;
    if (session.engine) {
        size_t size = 0;
        await_answer(channel, send->index);
        bool doubtful = is_answered(channel, send->index, FITS_DOUBTFULLY);
        /* Within a node every answer is there before the message can be taken. */
        if (doubtful && transport_spans_nodes() && !is_settled(channel, send->index))
            session_give_up_races("a receive was cancelled, and which one took its message is not "
                                  "known");
        void *board = !doubtful && is_answered(channel, send->index, FITS_EXACTLY)
                          ? NULL
                          : board_read(channel->key.peer, channel->board, &size);
        if (doubtful || !learn_answers(channel, send->index, FITS_EXACTLY)) {
            learn_answers(channel, send->index, FITS_PERHAPS);
            if (size)
                engine_clock_receive(session.engine, acting(), board, size);
        }
        free(board);
    }
    send_forget(send);
}

void send_forget(struct synchronous_send *send)
{
    if (!send->channel)
        return;
    send->channel->waiting--;
    drop_answers(send->channel);
    send->channel = NULL;
}

uint64_t message_pair(struct comm *comm, int tag, uint32_t peer, bool sends)
{
    struct channel *channel = channel_of(comm, tag, true, peer, sends);
    return channel ? name_mix(channel->key.topic, ++channel->count) : 0;
}

/* ---- which message a receive gets ---- */

static void link_receive(struct receive **list, struct receive *receive)
{
    receive->previous = NULL;
    receive->next = *list;
    if (*list)
        (*list)->previous = receive;
    *list = receive;
}

static void unlink_receive(struct receive **list, struct receive *receive)
{
    *(receive->previous ? &receive->previous->next : list) = receive->next;
    if (receive->next)
        receive->next->previous = receive->previous;
    receive->previous = receive->next = NULL;
}

static void unlink_pending(struct receive *receive)
{
    unlink_receive(&receive->channel->pending, receive);
    receive->channel->cancelling -= receive->cancelling;
}

/* ---- receiving ---- */

static struct writer answer_out;

static void answer(const struct receive *receive, const void *clock, size_t size)
{
    const struct channel *channel = receive->channel;
    uint64_t before = channel->cancelling < receive->index ? channel->cancelling : receive->index;
    uint64_t more = receive->unsure + before;
    struct answer_head head = {receive->comm->id, receive->tag, channel->cancelling > 0};
    answer_out.size = 0;
    write_reserve(&answer_out, sizeof head + size);
    memcpy(answer_out.bytes, &head, sizeof head);
    memcpy(answer_out.bytes + sizeof head, clock, size);
    struct letter letter = {
        LETTER_RECEIVE,     session.rank,
        channel->key.topic, (receive->index - before) << 16 | (more < 0xffff ? more : 0xffff),
        answer_out.bytes,   sizeof head + size};
    if (!letter_send(channel->key.peer, &letter))
        session_give_up_races("no shared memory left for clocks");
}

static void answer_now(const struct receive *receive)
{
    size_t size;
    const void *clock = acting_clock_send(&size);
    answer(receive, clock, size);
}

/* It may be anybody's: everybody who may need it finds the clock here. */
static void post_wildcard(struct receive *receive)
{
    size_t size;
    const void *clock = acting_clock_send(&size);
    receive->clock = malloc(size);
    if (!receive->clock) {
        session_give_up_races("no memory for clocks");
        return;
    }
    memcpy(receive->clock, clock, size);
    receive->clock_size = size;
    uint64_t key = wildcard_board(receive->comm);
    board_take(session.rank, key, &size);
    receive->comm->has_board = true;
    if (!board_replace(session.rank, key, receive->clock, receive->clock_size))
        session_give_up_races("no room left for the clocks of receives from anybody");
}

void receive_post(struct receive *receive, MPI_Comm handle, int source, int tag)
{
    struct comm *comm = comm_of(handle, source);
    *receive = (struct receive){.source = source, .tag = tag};
    if (!comm)
        return;
    receive->position = comm->receives++;
    if (receive_is_wildcard(receive)) {
        receive->comm = comm_use(comm);
        link_receive(&comm->wildcards, receive);
        if (session.engine)
            post_wildcard(receive);
        return;
    }
    receive_uses(receive, receiving(comm, source, tag));
    if (!receive->channel)
        return;
    remember_quick(comm, source, tag, receive->channel);
    receive->comm = comm_use(comm);
    receive->index = channel_count(receive->channel);
    receive->unsure = earlier_wildcards(comm, receive->position, source, tag);
    link_receive(&receive->channel->pending, receive);
    if (session.engine) {
        note_user(receive->channel);
        answer_now(receive);
    }
}

static void match(struct receive *receive, int source, int tag)
{
    struct comm *comm = receive->comm;
    if (receive_is_wildcard(receive)) {
        unlink_receive(&comm->wildcards, receive);
        receive_uses(receive, receiving(comm, source, tag));
        if (receive->channel)
            receive->index = wildcard_takes(receive->channel, receive->position);
    } else {
        unlink_pending(receive);
    }
    receive->matched = true;
    receive->source = source;
    receive->tag = tag;
    if (!receive->channel)
        return;
    receive->unsure = earlier_wildcards(comm, receive->position, source, tag);
    overtaker_note(receive);
    if (receive->clock && session.engine)
        answer(receive, receive->clock, receive->clock_size);
}

/* Whether the request can still be asked about: a program may have completed it by PMPI_Wait, which
 * nobody sees here, and then the handle is gone. */
static bool has_request(const struct receive *receive)
{
    MPI_Request found;
    return receive->can_be_asked && platform_peek(&found, receive->variable, sizeof found) &&
           found == receive->request;
}

/* Wildcards that were posted earlier and would have fitted have got a message, though nobody has
 * waited for them, or this one would be theirs (MPI-4.1 section 3.5, order). Whose it is MPI tells
 * when it is there as a whole (MPI_Request_get_status, section 3.7.6, which leaves the request as
 * it is). The oldest first, so that each one's number is right. Only across nodes: within a node
 * the clocks of all messages that can be meant are there. Not with several threads: another one may
 * just have completed the request, so that its handle is gone. */
static void ask_earlier_wildcards(struct comm *comm, uint64_t position, int source, int tag)
{
    struct receive *other = comm->wildcards, *younger;
    if (!other || !transport_spans_nodes() || atomic_load(&session_bias.shared))
        return;
    while (other->next)
        other = other->next;
    for (; other; other = younger) {
        MPI_Status status;
        int flag = 0;
        younger = other->previous;
        if (wildcard_may_precede(other, position, source, tag) && has_request(other) &&
            pmpi.Request_get_status(other->request, &flag, &status) == MPI_SUCCESS && flag)
            match(other, status.MPI_SOURCE, status.MPI_TAG);
    }
}

void receive_match(struct receive *receive, int source, int tag)
{
    if (!receive->comm || receive->matched)
        return;
    ask_earlier_wildcards(receive->comm, receive->position, source, tag);
    match(receive, source, tag);
}

static void receive_end(struct receive *receive)
{
    assert_cheap(!receive->channel || receive->channel->users > 0);
    if (receive->channel)
        receive->channel->users--;
    receive->channel = NULL;
    comm_unuse(receive->comm); /* with it the channel may go */
    receive->comm = NULL;
    free(receive->clock);
    receive->clock = NULL;
}

static bool has_clock(const struct channel *channel, uint64_t index)
{
    return channel->learnt > index ||
           clock_has_come(channel->key.peer, LETTER_MESSAGE, channel->key.topic, index);
}

/* What the senders of all messages up to the one of that number knew, and of `unsure` more: up to
 * `index` they have certainly been sent. For the others it is not waited long: a wildcard that MPI
 * is still receiving into (a large message) has taken one of this channel, or of another. Should it
 * turn out later that it had, and the clock came too late, the search ends (wildcard_takes). */
static void learn_through(struct channel *channel, uint64_t index, uint64_t unsure)
{
    struct patience patience = {0}, little = {0};
    if (channel->learnt <= index + unsure)
        clocks_drain();
    /* An earlier receive that was unsure too, or another thread's, may have taken that clock. */
    while (!has_clock(channel, index) && clocks_wait(&patience))
        ;
    while (unsure && !has_clock(channel, index + unsure) && little.turns < TURNS_FOR_CLOCK &&
           clocks_wait(&little))
        ;
    bool several = actors_are_watched(), mixed = is_mixed(channel);
    bool is_taken = channel->learnt > index;
    uint64_t learnt = clocks_collect_through(channel->key.peer, LETTER_MESSAGE, channel->key.topic,
                                             mixed ? UINT64_MAX : index + unsure,
                                             several ? &channel->taken : NULL);
    if (several && (mixed || is_taken))
        engine_acquire(session.engine, acting(), &channel->taken);
    if (learnt > channel->learnt)
        channel->learnt = learnt;
}

void receive_complete(struct receive *receive)
{
    if (!receive->comm)
        return;
    if (receive->channel && session.engine)
        learn_through(receive->channel, receive->index, receive->unsure);
    if (receive->channel)
        overtaker_completed(receive);
    receive_end(receive);
}

void receive_abandon(struct receive *receive)
{
    if (!receive->comm)
        return;
    if (receive->matched) {
        receive_end(receive);
    } else if (receive_is_wildcard(receive)) {
        /* Which message it takes will never be known: it stays a wildcard that may have taken any.
         */
        unlink_receive(&receive->comm->wildcards, receive);
        struct receive *copy = malloc(sizeof *copy);
        if (copy) {
            *copy = *receive;
            copy->can_be_asked = false;
            link_receive(&copy->comm->wildcards, copy);
        } else {
            session_give_up_races("no memory for a receive");
        }
        receive->comm = NULL;
        receive->clock = NULL;
    } else {
        unlink_pending(receive);
        overtaker_note(receive);
        receive_end(receive);
    }
}

void receive_cancel(struct receive *receive)
{
    if (!receive->comm || receive->matched || receive_is_wildcard(receive))
        return;
    struct channel *channel = receive->channel;
    channel->cancelling += !receive->cancelling;
    receive->cancelling = true;
    /* Its message goes to another one, and those posted after it may get one message earlier each:
     * the answers that they gave are wrong then. */
    if (session.engine) {
        struct receive later = *receive;
        later.unsure = channel->count - receive->index;
        answer_now(&later);
    }
}

void receive_forget(struct receive *receive)
{
    if (!receive->comm)
        return;
    if (receive->matched) {
        /* nothing is counted, or it cannot be undone */
    } else if (receive_is_wildcard(receive)) {
        unlink_receive(&receive->comm->wildcards, receive);
    } else {
        /* The message goes to the next one: the numbers behind it move up. */
        unlink_pending(receive);
        channel_uncount(receive->channel);
        for (struct receive *other = receive->channel->pending; other; other = other->next)
            other->index -= other->position > receive->position;
    }
    receive_end(receive);
}

void quick_receive_end(struct quick_message receive, bool success)
{
    if (!success) {
        channel_uncount(receive.channel);
        for (struct receive *other = receive.channel->pending; other; other = other->next)
            other->index -= other->index > receive.index;
    } else if (session.engine) {
        learn_through(receive.channel, receive.index, 0);
    }
}

/* ---- probing ---- */

void message_probed(MPI_Comm handle, int source, int tag)
{
    struct comm *comm = comm_of(handle, source);
    struct channel *channel = comm ? receiving(comm, source, tag) : NULL;
    if (!channel || !session.engine)
        return;
    channel->users++; /* letters that come meanwhile must not settle it */
    ask_earlier_wildcards(comm, UINT64_MAX, source, tag);
    learn_through(channel, channel->count, earlier_wildcards(comm, UINT64_MAX, source, tag));
    channel->users--;
}

void message_matched(struct receive *receive, MPI_Comm handle, int source, int tag)
{
    struct comm *comm = comm_of(handle, source);
    *receive = (struct receive){.source = source, .tag = tag, .matched = true};
    receive_uses(receive, comm ? receiving(comm, source, tag) : NULL);
    if (!receive->channel)
        return;
    receive->comm = comm_use(comm);
    receive->position = comm->receives++;
    ask_earlier_wildcards(comm, receive->position, source, tag);
    receive->index = channel_count(receive->channel);
    receive->unsure = earlier_wildcards(comm, receive->position, source, tag);
    overtaker_note(receive);
    if (session.engine)
        learn_through(receive->channel, receive->index, receive->unsure);
}

void message_receive(struct receive *receive)
{
    if (receive->comm && session.engine)
        answer_now(receive);
}
