/* The blackboards on which the clocks of updates stand (releases.h says why): which of them an
 * operation writes and reads, and what stands there. Needs the session's lock. */
#ifndef REGATTA_RUNTIME_RELEASE_BOARDS_H
#define REGATTA_RUNTIME_RELEASE_BOARDS_H

#include "engine/engine.h"

enum { RELEASE_SMALL = 4 }; /* elements of an operation that has a board for each, at most */

/* Where the clocks of an operation's bytes stand. */
struct release_location {
    window_t window;
    uint32_t target;
    uint64_t start, length; /* its bytes, from the start of the target's window memory */
    uint64_t element;       /* bytes per board of a small one */
    uint64_t keys[RELEASE_SMALL + 2], nkeys; /* where an update writes */
    uint64_t reads[RELEASE_SMALL + 1], nreads;
};

/* Keys are never 0: that is a free slot. */
uint64_t release_board_key(uint64_t what, uint64_t which);
struct release_location release_location_of(const struct rma_op *op, uint64_t base);
/* Of an atomic of the programming language. */
struct release_location release_word_of(window_t window, uint32_t owner, uint64_t offset);
/* The bytes of a location to which a board that it reads belongs. */
struct section release_bytes_of_board(const struct release_location *location, uint64_t i);

/* On a board each writer has an entry of its own, which it replaces: to join clocks costs several
 * times what it costs to copy them. With many writers that would be long, so theirs become one that
 * is nobody's, with the stamps of all.
 *
 *     [ entry | stamps … | clock | to a multiple of 32 bytes ] … */
enum { RELEASE_MOST_ENTRIES = 8 };

struct release_entry {
    int32_t writer;
    uint32_t size;    /* of the clock */
    uint64_t nstamps; /* 1 if it has a writer */
    const unsigned char *stamps, *clock;
};

/* Until this stamp the updates of that actor had been issued. */
struct release_stamp {
    actor_t actor;
    uint64_t stamp;
};

/* How many entries the board has; at most RELEASE_MOST_ENTRIES + 1. */
size_t release_read_entries(const unsigned char *bytes, size_t size, struct release_entry *entries);
struct release_stamp release_stamp_of(const struct release_entry *entry, uint64_t i);
/* The latest stamp of each actor, in a list that has room for one more. */
void release_stamp_join(struct release_stamp *stamps, size_t *count, struct release_stamp stamp);
uint64_t release_hash_of(const unsigned char *bytes, size_t size);

/* Writes what this process knows to the boards of the location. */
void release_publish(const struct release_location *location, uint64_t stamp);
/* The stamp with which that was done last. */
uint64_t release_last_stamp(void);

#endif
