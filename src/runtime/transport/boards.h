/* Blackboards of ranks on several nodes: in a window of our own, under exclusive locks.
 *
 *     window memory of the owner
 *     [ end of the heap | slots: key, place, size, capacity … | heap: bytes of boards, growing
 * upwards ]
 *
 * A board that outgrows its capacity moves to a place of twice the size; the old place is lost, so
 * at most half of the heap is. The place of a board that goes is used by the next one in its slot.
 * The memory costs nothing until it is used. Taking a board waits until the owner, or its network
 * card, serves the window: as long as any RMA operation on that rank would take. The session's lock
 * is free while this process waits, for that and for putting back. Between the two other threads
 * that want a board wait for a lock of their own, which nobody waits for with the session's. */
#ifndef REGATTA_RUNTIME_BOARDS_H
#define REGATTA_RUNTIME_BOARDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Collective over MPI_COMM_WORLD. */
bool boards_open(void);
void boards_close(void);

/* As in transport.h; the bytes may be written to. */
void *boards_take(uint32_t owner, uint64_t key, size_t *size);
void boards_put_back(uint32_t owner);
bool boards_replace(uint32_t owner, const void *bytes, size_t size); /* the board that was taken */
void boards_remove(uint32_t owner, uint64_t key);

#endif
