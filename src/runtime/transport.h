/* How clocks and batches travel between ranks: letters.
 *
 * On a node they go through shared memory and never wait for anybody: the sender allocates the letter in a
 * segment of its own and pushes it onto the addressee's mailbox, a lock-free stack. A letter is in the
 * mailbox before letter_send returns; the addressee need not be in MPI, nor be running at all.
 *
 *     segment of rank s                          segment of rank t
 *     [ header: mailbox | chunk table ]          [ header: mailbox ----+ | … ]
 *     [ chunk 0: letter letter …      ] <------- (rank, chunk, offset)-+
 *     [ chunk 1 … grows as needed     ]
 *
 * A chunk is used again when all its letters have been read. Needs the session's lock. */
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
    LETTER_COMPLETE
};

struct letter {
    enum letter_kind kind;
    uint32_t from;
    uint64_t topic, number;
    const void *bytes;
    size_t size;
};

/* Collective over MPI_COMM_WORLD, in MPI_Init. False if the ranks cannot all reach each other: then `why` says
 * it in one line, on all ranks alike. */
bool transport_open(const char **why);
void transport_close(void);

/* False if there is no memory for it. */
bool letter_send(uint32_t to, const struct letter *letter);

/* Reads all letters that have arrived, oldest first. */
typedef void letter_reader(const struct letter *letter);
void letters_read(letter_reader *read);

/* Tells all ranks, and asks whether somebody has told this one, that from now on order matters: a window exists. Who
 * learns of anything that happened after it was told, by whatever call, finds it told. */
void transport_wake_all(void);
bool transport_is_awake(void);

/* ---- blackboards: bytes that all ranks of the node can read and replace ---- */

/* What is written under (owner, key): empty until somebody writes. Between take and put back nobody else
 * can take it. Bytes are valid until put back. */
const void *board_take(uint32_t owner, uint64_t key, size_t *size);
void board_put_back(uint32_t owner, uint64_t key);
/* Replaces the bytes and puts back. */
void board_replace(uint32_t owner, uint64_t key, const void *bytes, size_t size);

#endif
