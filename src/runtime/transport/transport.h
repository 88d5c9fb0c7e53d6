/* How clocks and batches travel between ranks: letters. And what several ranks write in turns:
 * blackboards.
 *
 * The engine wants (engine.h, rules 2 and 3) that whoever learns of an operation's completion, by
 * any chain of messages, has its batch already. On a node that is simple: a letter is in the
 * addressee's mailbox before letter_send returns (node.h). Across nodes a letter is a message of
 * MPI (network.h), and nobody can wait until it has arrived: the addressee may compute for seconds
 * without calling MPI. There it holds for another reason:
 *
 *   1. Letters of one rank to another arrive in the order in which they were sent: MPI keeps the
 * order of messages on one communicator with one tag.
 *   2. Each letter tells which batches its sender knows of that went from any rank to any other
 * across nodes, as counts per pair (debts.h); only what changed since its last letter to the same
 * rank has to be said.
 *   3. A letter is not opened before the addressee has opened all batches that it tells of. So
 * batches are taken in by the engine, and clocks become known to it, in an order that respects
 * happens-before.
 *
 * A rank waits for letters only where it is certain that they have been sent: the clock of a
 * message that it has received, of a rank whose contribution to a collective it has got, a batch
 * that some letter told of. Letters are cut into pieces that every MPI sends eagerly, and sent
 * before the call that makes them matter goes on, so that a letter that has been sent arrives
 * without the help of its sender's program. Should one not come all the same (a network that ran
 * full and a sender that does not call MPI), the addressee waits for a limited time, says so and
 * stops to look for races, as do all others: a race may be missed, nothing hangs and nothing is
 * invented. No thread is needed, and no level of thread support.
 *
 * World-wide synchronisations carry no clocks, so they count: each rank tells how many letters it
 * sent to each other one since the last such synchronisation, summed up while the synchronisation
 * goes on (transport_world_enter and _leave). Afterwards everything has arrived, and all debts are
 * forgotten.
 *
 * Blackboards across nodes are in a window of our own (boards.h). Reaching a board waits for its
 * owner like an RMA operation on that owner would; it is done only in calls that operate on the
 * same rank.
 *
 * If the job is on one node there are no debts, nobody ever waits, and boards are in shared memory.
 *
 * Needs the session's lock. */
#ifndef REGATTA_RUNTIME_TRANSPORT_H
#define REGATTA_RUNTIME_TRANSPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a letter is about decides what its topic and number mean (clocks.h, rma.h). */
enum letter_kind {
    LETTER_BATCH,
    LETTER_MESSAGE, /* a send */
    LETTER_RECEIVE, /* a receive was posted: for synchronous senders */
    LETTER_COLLECTIVE,
    LETTER_POST,
    LETTER_COMPLETE,
    LETTER_STOP, /* the sender follows the order of events no more, so nobody can */
    LETTER_KINDS
};

struct letter {
    enum letter_kind kind;
    uint32_t from;
    uint64_t topic, number;
    const void *bytes;
    size_t size;
};

/* Collective over MPI_COMM_WORLD, in MPI_Init. False if the ranks cannot all reach each other: then
 * `why` says it in one line, on all ranks alike. */
bool transport_open(const char **why);
/* A name that all ranks of this MPI_COMM_WORLD share, and no other run. */
const char *transport_world(void);
/* Collective, before MPI_Finalize, whether races are still looked for or not. */
void transport_close(void);

/* Whether letters may be under way for a while: the ranks are on several nodes. */
bool transport_spans_nodes(void);

/* Tells all ranks, before they hear anything else from this one, that order cannot be followed any
 * more; needs no memory within a node. They read it as a letter of kind LETTER_STOP that says why.
 */
void transport_stop_all(const char *why);

/* False if there is no memory for it. Does not read letters. Where memory is short something may be
 * missing in what is sent: then the search is ended first. */
bool letter_send(uint32_t to, const struct letter *letter);

/* Opens all letters that have arrived and may be opened, oldest first. */
typedef void letter_reader(const struct letter *letter);
void letters_read(letter_reader *read);
/* Whether so many of them, within the node, have not been read that this should be done now. One
 * load: asked with every operation. */
bool letters_pile_up(void);

/* Tells all ranks, and asks whether somebody has told this one, that from now on order matters: a
 * window exists. Who learns of anything that happened after it was told, by whatever call, finds it
 * told. On several nodes nobody can be told in time: there order matters from the beginning. */
void transport_wake_all(void);
bool transport_is_awake(void);

/* At the entry of a world-wide synchronisation, and after it: true when all letters that others
 * sent before they entered it have been opened. To be asked, with letters_read in between, until it
 * is. */
void transport_world_enter(void);
bool transport_world_leave(void);

/* Collective over the world: whether all ranks have begun to ask this. Of use once. */
bool transport_all_arrived(void);

/* ---- blackboards: bytes that all ranks can read and replace ---- */

/* What is written under (owner, key), which is neither 0 nor 1: empty until somebody writes.
 * Between take and put back nobody else can take it. Bytes are valid until put back. */
const void *board_take(uint32_t owner, uint64_t key, size_t *size);
void board_put_back(uint32_t owner, uint64_t key);
/* Replaces the bytes and puts back. False if there is no room. */
bool board_replace(uint32_t owner, uint64_t key, const void *bytes, size_t size);
/* Writes over some of the bytes that were taken and puts back; false where that is not possible,
 * and nothing was done. A third of the cost of replacing all. */
bool board_overwrite(uint32_t owner, uint64_t key, const void *where, const void *bytes,
                     size_t size);

/* The board goes: nobody writes to it any more, and nobody has to read it. */
void board_remove(uint32_t owner, uint64_t key);

/* Whether all batches have been opened that the boards taken so far told of. */
bool boards_are_paid(void);

/* For loops that wait for something that is on its way: gives the processor away, and tells after a
 * limited time without success (false) that there is no sense in waiting any longer. Start with
 * {0}. */
struct patience {
    uint64_t turns, since;
};
bool patience_lasts(struct patience *patience);

#endif
