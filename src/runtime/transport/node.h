/* What the ranks of one node share: letters, blackboards and an alarm, in shared memory.
 *
 * Nothing here ever waits for another rank's program: the sender allocates the letter in a segment
 * of its own and pushes it onto the addressee's mailbox, a lock-free stack. A letter is in the
 * mailbox before node_letter_send returns; the addressee need not be in MPI, nor be running at all.
 *
 *     segment of rank s                          segment of rank t
 *     [ header: mailbox | chunk table ]          [ header: mailbox ----+ | … ]
 *     [ chunk 0: letter letter …      ] <------- (rank, chunk, offset)-+
 *     [ chunk 1 … grows as needed     ]
 *
 * A chunk is used again when all its letters have been read. Needs the session's lock. */
#ifndef REGATTA_RUNTIME_NODE_H
#define REGATTA_RUNTIME_NODE_H

#include "transport.h"

/* Collective over MPI_COMM_WORLD. `near[rank]`: that rank is on this node. False, on all ranks
 * alike, if a segment could not be made somewhere. */
bool node_open(const bool *near);
/* A name that all ranks of this MPI_COMM_WORLD share, and no other run. */
const char *node_world(void);

/* The letter's bytes come behind `prefix`. False if there is no memory for it. */
bool node_letter_send(uint32_t to, const struct letter *letter, const void *prefix,
                      size_t prefix_size);
void node_letters_read(letter_reader *read);
bool node_letters_pile_up(void);

/* Somebody on the node looks for races between ranks. Whoever learns of that by a chain of messages
 * sees it raised. */
void node_alarm_raise(void);
bool node_alarm_is_raised(void);

/* Order cannot be followed any more: whoever hears anything that was told after this, by a letter
 * or a board, hears of it first. Needs no memory. */
void node_stop_all(const char *why);

/* As board_take and so on in transport.h; owners are of this node. */
const void *node_board_take(uint32_t owner, uint64_t key, size_t *size);
void node_board_put_back(uint32_t owner, uint64_t key);
/* False if there is no room for it. */
bool node_board_replace(uint32_t owner, uint64_t key, const void *bytes, size_t size);
void node_board_remove(uint32_t owner, uint64_t key);

#endif
