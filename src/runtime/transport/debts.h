/* Debts: batches that went from one rank to another across nodes and may still be under way.
 *
 * For each pair (origin, target) the number of batches sent so far, as far as it is known here. The
 * knowledge travels with every letter, as news: what has changed since the last letter to the same
 * rank. A target that learns of more batches than it has opened knows that it has to wait for them.
 * The table is sparse: it has pairs that communicated since the last world-wide synchronisation, an
 * era, since at its end everything has arrived. This is causal delivery by matrix clocks (Raynal,
 * Schiper and Toueg 1991) with incremental updates. */
#ifndef REGATTA_RUNTIME_DEBTS_H
#define REGATTA_RUNTIME_DEBTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct reader;
struct writer;

/* Batches 1 to `count` of the origin have to be opened first. */
struct need {
    uint32_t origin;
    uint64_t count;
};

struct needs {
    struct need *list;
    size_t count, capacity;
};

void debts_start(uint32_t rank, uint32_t ranks);

/* This rank has sent one more batch to that one; this rank has opened one more batch of that one.
 */
void debts_sent(uint32_t to);
void debts_opened(uint32_t from);
bool debt_is_paid(const struct need *need);

/* Appends what `to` has not been told by this rank yet. */
void debts_write_news(struct writer *out, uint32_t to);
/* Appends all. */
void debts_write_all(struct writer *out);
/* Learns either, up to the end of the input, and adds what this rank itself has to wait for to
 * `needs`. Returns the era of the writer. */
uint64_t debts_read(struct reader *in, struct needs *needs);

/* Everything of this era has arrived everywhere. */
void debts_next_era(void);

#endif
