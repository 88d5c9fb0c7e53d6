/* usage: test_runtime_order LIBRARY [PROGRAMS [SEED]]
 * Random programs of messages and collectives between four ranks in one process. After each
 * completion a rank must know what happens-before says (a vector clock, kept here), and, where no
 * wildcard and no cancelled receive blurs it, nothing else. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake_rank.h"

enum { EVENTS = 4096, ITEMS = 600, COMMS = 2 };

/* What a rank knows by the rules: how many events of each. */
struct knowledge {
    uint32_t events[FAKE_RANKS];
};

enum stage { FREE, WAITING, MATCHED, OVER };

struct message {
    int from, to, tag, comm;
    bool synchronous;
    enum stage stage; /* WAITING: nobody has taken it */
    int taken_by;     /* a number of a posting */
    struct knowledge sent;
    struct synchronous_send send;
};

struct posting {
    int rank, source, tag, comm;
    enum stage stage;
    int takes; /* a number of a message */
    bool slow; /* its message comes in parts: MPI does not call it complete for long */
    struct knowledge posted;
    struct receive receive;
};

static struct fake_world world;
static struct fake_rank ranks[FAKE_RANKS];
static struct knowledge known[FAKE_RANKS];
static time_point times[FAKE_RANKS][EVENTS]; /* of each event, as the engine has it */
static struct message messages[ITEMS];
static struct posting postings[ITEMS];
static int nmessages, npostings;
static MPI_Comm comms[COMMS] = {FAKE_COMM_WORLD, 0x2000 | FAKE_COMM_WORLD};
static uint64_t dups; /* so far: a name for the next */
static bool exact;
static uint64_t program;

static void join(struct knowledge *to, const struct knowledge *from)
{
    for (int i = 0; i < FAKE_RANKS; i++)
        if (from->events[i] > to->events[i])
            to->events[i] = from->events[i];
}

static struct clock decoded(const void *bytes, size_t size)
{
    struct clock clock = CLOCK_EMPTY;
    if (!clock_decode(&clock, bytes, size))
        abort();
    return clock;
}

/* Something happens on the rank that others may have to know of. */
static void event(int rank)
{
    size_t size;
    const void *bytes = ranks[rank].fake_rank_event(&size);
    struct clock clock = decoded(bytes, size);
    uint32_t number = ++known[rank].events[rank];
    if (number >= EVENTS)
        abort();
    times[rank][number] = clock_known(&clock, actor_of((uint32_t)rank, 0));
    clock_clear(&clock);
}

static void fail(const char *what, int rank, int other)
{
    fprintf(stderr, "program %llu: %s: rank %d about rank %d\n", (unsigned long long)program, what,
            rank, other);
    exit(1);
}

static void check(int rank)
{
    size_t size;
    const void *bytes = ranks[rank].fake_rank_clock(&size);
    struct clock clock = decoded(bytes, size);
    if (world.gave_up)
        fail(world.gave_up, rank, rank);
    for (int other = 0; other < FAKE_RANKS; other++) {
        uint32_t must = known[rank].events[other];
        actor_t actor = actor_of((uint32_t)other, 0);
        if (must && !clock_covers(&clock, actor, times[other][must]))
            fail("an edge is missing", rank, other);
        if (exact && must < known[other].events[other] &&
            clock_covers(&clock, actor, times[other][must + 1]))
            fail("an edge too much", rank, other);
    }
    clock_clear(&clock);
}

/* ---- what MPI does: the oldest message that fits goes to the oldest receive that fits ---- */

static bool fits(const struct message *message, const struct posting *posting)
{
    return message->to == posting->rank && message->comm == posting->comm &&
           (posting->source == MPI_ANY_SOURCE || posting->source == message->from) &&
           (posting->tag == MPI_ANY_TAG || posting->tag == message->tag);
}

static void match(int message, int posting)
{
    messages[message].stage = postings[posting].stage = MATCHED;
    messages[message].taken_by = posting;
    postings[posting].takes = message;
}

static int random_rank(void)
{
    return (int)random_below(&world.random, FAKE_RANKS);
}

static void send(struct message as)
{
    if (nmessages == ITEMS)
        return;
    struct message *message = &messages[nmessages];
    *message = as;
    message->stage = WAITING;
    event(message->from);
    message->sent = known[message->from];
    ranks[message->from].message_send(comms[message->comm], message->to, message->tag,
                                      message->synchronous ? &message->send : NULL);
    for (int i = 0; i < npostings; i++)
        if (postings[i].stage == WAITING && fits(message, &postings[i])) {
            match(nmessages, i);
            break;
        }
    nmessages++;
}

static void start_send(int tags)
{
    send((struct message){.from = random_rank(),
                          .to = random_rank(),
                          .tag = (int)random_below(&world.random, (uint32_t)tags),
                          .comm = (int)random_below(&world.random, COMMS),
                          .synchronous = random_chance(&world.random, 40)});
}

static void start_receive(int tags)
{
    if (npostings == ITEMS)
        return;
    struct posting *posting = &postings[npostings];
    *posting = (struct posting){.rank = random_rank(),
                                .source = random_rank(),
                                .tag = (int)random_below(&world.random, (uint32_t)tags),
                                .comm = (int)random_below(&world.random, COMMS),
                                .stage = WAITING};
    if (!exact && random_chance(&world.random, 30))
        posting->source = MPI_ANY_SOURCE;
    if (!exact && random_chance(&world.random, 20))
        posting->tag = MPI_ANY_TAG;
    event(posting->rank);
    posting->posted = known[posting->rank];
    ranks[posting->rank].receive_post(&posting->receive, comms[posting->comm], posting->source,
                                      posting->tag);
    posting->slow = random_chance(&world.random, 20);
    posting->receive.request = npostings;
    posting->receive.variable = &posting->receive.request;
    posting->receive.can_be_asked = true;
    for (int i = 0; i < nmessages; i++)
        if (messages[i].stage == WAITING && fits(&messages[i], posting)) {
            match(i, npostings);
            break;
        }
    npostings++;
}

static bool has_received(int request, int *source, int *tag)
{
    const struct posting *posting = &postings[request];
    if (posting->stage == OVER)
        abort(); /* the handle is gone */
    *source = messages[posting->takes].from;
    *tag = messages[posting->takes].tag;
    return posting->stage == MATCHED && !posting->slow;
}

static void complete_receive(struct posting *posting)
{
    const struct message *message = &messages[posting->takes];
    event(posting->rank);
    ranks[posting->rank].receive_match(&posting->receive, message->from, message->tag);
    ranks[posting->rank].receive_complete(&posting->receive);
    join(&known[posting->rank], &message->sent);
    posting->stage = OVER;
    check(posting->rank);
}

static void complete_send(struct message *message)
{
    event(message->from);
    ranks[message->from].send_complete(&message->send);
    join(&known[message->from], &postings[message->taken_by].posted);
    message->stage = OVER;
    check(message->from);
}

/* Across nodes that would end the search for races. */
static void cancel(struct posting *posting)
{
    ranks[posting->rank].receive_cancel(&posting->receive);
    ranks[posting->rank].receive_forget(&posting->receive);
    posting->stage = OVER;
}

static void probe(const struct message *message)
{
    for (const struct message *older = messages; older < message; older++)
        if (older->stage == WAITING && older->from == message->from && older->to == message->to &&
            older->tag == message->tag && older->comm == message->comm)
            return; /* it would be seen instead */
    event(message->to);
    ranks[message->to].message_probed(comms[message->comm], message->from, message->tag);
    join(&known[message->to], &message->sent);
    check(message->to);
}

/* Completes, cancels or probes something, if what was picked is so far. */
static void go_on(void)
{
    uint32_t which = random_below(&world.random, 100);
    if (which < 50 && npostings) {
        struct posting *posting =
            &postings[random_below(&world.random, (uint32_t)npostings)];
        if (posting->stage == MATCHED)
            complete_receive(posting);
        else if (posting->stage == WAITING && !exact && !world.spans_nodes && which < 2)
            cancel(posting);
    } else if (nmessages) {
        struct message *message =
            &messages[random_below(&world.random, (uint32_t)nmessages)];
        if (message->stage == MATCHED && message->synchronous)
            complete_send(message);
        else if (message->stage == WAITING && which >= 90)
            probe(message);
    }
}

/* Everything that can complete does; the second communicator, if nothing is left on it, goes and
 * comes again. */
static void settle(void)
{
    bool left = false;
    for (int i = 0; i < npostings; i++)
        if (postings[i].stage == MATCHED)
            complete_receive(&postings[i]);
    for (int i = 0; i < nmessages; i++) {
        if (messages[i].stage == MATCHED && messages[i].synchronous)
            complete_send(&messages[i]);
        left |= messages[i].stage == WAITING;
    }
    for (int i = 0; i < npostings; i++)
        left |= postings[i].stage == WAITING;
    if (left)
        return;
    nmessages = npostings = 0;
    dups++;
    for (int i = 0; i < FAKE_RANKS; i++) {
        ranks[i].comm_freed(comms[1]);
        ranks[i].comm_created(comms[1], 1000 + dups);
    }
}

/* Receives that nobody has sent anything for get a message, or are cancelled. */
static void send_all_missing(void)
{
    for (int i = 0; i < npostings; i++) {
        const struct posting *posting = &postings[i];
        if (posting->stage == WAITING && (exact || world.spans_nodes))
            send((struct message){.from = posting->source < 0 ? random_rank() : posting->source,
                                  .to = posting->rank,
                                  .tag = posting->tag < 0 ? 0 : posting->tag,
                                  .comm = posting->comm});
        else if (posting->stage == WAITING)
            cancel(&postings[i]);
    }
}

static void receive_all_left(void)
{
    for (int i = 0; i < nmessages; i++) {
        struct message *message = &messages[i];
        if (message->stage != WAITING || npostings == ITEMS)
            continue;
        struct posting *posting = &postings[npostings];
        *posting = (struct posting){.rank = message->to,
                                    .source = message->from,
                                    .tag = message->tag,
                                    .comm = message->comm};
        event(posting->rank);
        posting->posted = known[posting->rank];
        ranks[posting->rank].receive_post(&posting->receive, comms[posting->comm], posting->source,
                                          posting->tag);
        match(i, npostings++);
        complete_receive(posting);
    }
}

static void play_messages(void)
{
    static const int tags[] = {1, 3, 3000};
    int among = tags[random_below(&world.random, 3)];
    int steps = 30 + (int)random_below(&world.random, 300);
    for (int i = 0; i < steps; i++) {
        if (random_chance(&world.random, 30))
            start_send(among);
        else if (random_chance(&world.random, 40))
            start_receive(among);
        else
            go_on();
    }
    send_all_missing();
    receive_all_left();
    settle();
}

/* ---- collectives ---- */

enum { FLOWS = 5 };
static const int flows[FLOWS] = {ROUTINE_Ibarrier, ROUTINE_Ibcast, ROUTINE_Ireduce, ROUTINE_Iscan,
                                 ROUTINE_Iallreduce};

/* Whether data flows between two members of the communicator, by their ranks in it. */
static bool flows_to(int flow, int root, int from, int to)
{
    switch (flows[flow]) {
    case ROUTINE_Ibcast:
        return from == root;
    case ROUTINE_Ireduce:
        return to == root;
    case ROUTINE_Iscan:
        return from < to;
    default:
        return true;
    }
}

/* One nonblocking collective of a random subset: members enter in any order, things happen in
 * between, they leave in any order. */
static void play_collective(int number)
{
    int mask = 1 + (int)random_below(&world.random, (1 << FAKE_RANKS) - 1);
    MPI_Comm comm = 0x4000 + (number << 5) + mask;
    int members[FAKE_RANKS], size = 0;
    for (int i = 0; i < FAKE_RANKS; i++)
        if (mask >> i & 1)
            members[size++] = i;
    int flow = (int)random_below(&world.random, FLOWS);
    int root = (int)random_below(&world.random, (uint32_t)size);
    struct collective *entered[FAKE_RANKS];
    struct knowledge at_entry[FAKE_RANKS];
    int first = (int)random_below(&world.random, (uint32_t)size);
    for (int i = 0; i < size; i++)
        ranks[members[i]].comm_created(comm, 5000 + (uint64_t)number);
    for (int k = 0; k < size; k++) {
        int i = (first + k) % size;
        struct watched_call call;
        event(members[i]);
        at_entry[i] = known[members[i]];
        ranks[members[i]].fake_fill_call(&call, flows[flow], comm, root);
        entered[i] = ranks[members[i]].collective_enter(&call.call, false);
        event(members[i]); /* not known by the collective */
    }
    for (int k = 0; k < size; k++) {
        int i = (first + 3 * k + 1) % size, seen = 0;
        for (; !entered[i] && seen < size; seen++)
            i = (i + 1) % size;
        ranks[members[i]].collective_leave(entered[i]);
        entered[i] = NULL;
        for (int from = 0; from < size; from++)
            if (from != i && flows_to(flow, root, from, i))
                join(&known[members[i]], &at_entry[from]);
        check(members[i]);
    }
    for (int i = 0; i < size; i++)
        ranks[members[i]].comm_freed(comm);
}

/* A barrier of the world that needs no clocks: what was before it is known to all. */
static void play_world(void)
{
    struct collective *entered[FAKE_RANKS];
    struct knowledge all = {{0}};
    for (int i = 0; i < FAKE_RANKS; i++) {
        event(i);
        join(&all, &known[i]);
        entered[i] = ranks[i].collective_enter_all(FAKE_COMM_WORLD, true);
    }
    for (int i = 0; i < FAKE_RANKS; i++) {
        ranks[i].collective_leave(entered[i]);
        known[i] = all;
        check(i);
    }
}

/* ---- programs ---- */

static void play(const char *library, uint64_t seed)
{
    program = seed;
    memset(&world, 0, sizeof world);
    memset(known, 0, sizeof known);
    world.random.state = seed;
    world.spans_nodes = seed % 2;
    world.has_received = has_received;
    exact = seed / 2 % 2;
    bool implicit_world = seed / 4 % 2;
    nmessages = npostings = 0;
    fake_world_start(&world, ranks, library, implicit_world);
    for (int i = 0; i < FAKE_RANKS; i++)
        ranks[i].comm_created(comms[1], 1000 + dups);
    for (int part = 0; part < 4; part++) {
        play_messages();
        for (int i = 0; i < 5; i++)
            play_collective(part * 5 + i);
        if (implicit_world)
            play_world();
    }
    fake_world_stop(&world, ranks);
}

int main(int argc, char **argv)
{
    uint64_t programs = argc > 2 ? strtoull(argv[2], NULL, 10) : 200;
    uint64_t seed = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
    if (argc < 2) {
        fprintf(stderr, "usage: %s LIBRARY [PROGRAMS [SEED]]\n", argv[0]);
        return 2;
    }
    for (uint64_t i = 0; i < programs; i++)
        play(argv[1], seed + i);
    printf("%llu programs\n", (unsigned long long)programs);
    return 0;
}
