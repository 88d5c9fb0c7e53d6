/* Clocks on their way: what is received, kept until the call that it belongs to asks for it.
 * Needs the session's lock, and gives it away where it waits. */
#ifndef REGATTA_RUNTIME_CLOCKS_H
#define REGATTA_RUNTIME_CLOCKS_H

#include "engine/clock.h"
#include "transport.h"

/* Sends what the current actor knows to a rank. */
void clock_post(uint32_t to, enum letter_kind kind, uint64_t topic, uint64_t number);

/* A copy of a blackboard; NULL and 0 if it is empty, to be freed. All batches that its writers knew
 * of have come in. */
void *board_read(uint32_t owner, uint64_t key, size_t *size);

/* Empties the mailbox: batches go to the engine, clocks are kept. */
void clocks_drain(void);
/* The same once in 64 times, or when much has come: who only locks, puts and flushes never has to
 * ask what others did, and what they send would pile up. */
void clocks_drain_sometimes(void);

/* Empties the mailbox until a clock with that number or a later one is in it, which has certainly
 * been sent. On one node it is there at once. The session's lock is free in between: only where no
 * other thread can collect that clock. Else see clocks_wait. */
void clock_await(uint32_t from, enum letter_kind kind, uint64_t topic, uint64_t number);
/* Whether such a clock is in the mailbox: on one node there is nothing to wait for. */
bool clock_has_come(uint32_t from, enum letter_kind kind, uint64_t topic, uint64_t number);
/* One turn of waiting for letters, without the session's lock, and empties the mailbox. False:
 * there is no sense in waiting any longer, races are not looked for any more. */
bool clocks_wait(struct patience *patience);
/* The same for everything that others sent before a world-wide synchronisation that is over. */
void clocks_await_world(void);
/* All ranks are in MPI_Finalize. However long that takes: it is a collective call. */
void clocks_await_all_ranks(void);

/* The oldest clock that came from that rank under that topic becomes known here, or is thrown away.
 * False if there is none. */
bool clock_collect(uint32_t from, enum letter_kind kind, uint64_t topic);
bool clock_discard(uint32_t from, enum letter_kind kind, uint64_t topic);
/* The number of the oldest clock; false if there is none. */
bool clock_number(uint32_t from, enum letter_kind kind, uint64_t topic, uint64_t *number);
/* All clocks of that rank and topic whose numbers are not above `last`; numbers only grow. Returns
 * the number behind the last one that was there, or 0. They are joined into `also`, unless NULL. */
uint64_t clocks_collect_through(uint32_t from, enum letter_kind kind, uint64_t topic, uint64_t last,
                                struct clock *also);
/* All clocks of that kind and topic that have come, from whomever. */
void clocks_collect_topic(enum letter_kind kind, uint64_t topic);

#endif
