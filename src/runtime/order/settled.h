/* How many messages idle channels have had. Needs the session's lock.
 *
 * Both ends count the messages of a channel for as long as the communicator lives, also of a tag
 * that is never used again. Programs that use ever new tags would fill the memory with channels, so
 * of those where nothing is under way only the count is kept: a byte each, in pages of 256 tags,
 * and pages whose tags have all had the same number are that number alone. */
#ifndef REGATTA_RUNTIME_SETTLED_H
#define REGATTA_RUNTIME_SETTLED_H

#include <stdbool.h>
#include <stdint.h>

enum { SETTLED_LIMIT = 255 }; /* larger counts are not taken */

/* All channels of one communicator. Starts as NULL. */
struct settled;

/* One of them, but for its tag: the peer, and what sort of channel it is. */
struct settled_key {
    uint32_t peer, sort;
};

/* Keeps the count of a channel that has none here. False if it cannot. */
bool settled_put(struct settled **settled, struct settled_key key, int tag, uint64_t count);
/* Gives it back: 0 if there is none. */
uint64_t settled_take(struct settled **settled, struct settled_key key, int tag);
void settled_clear(struct settled **settled);

#endif
