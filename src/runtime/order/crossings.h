/* Where order inside this process (threads/actors.h) and order between processes (engine.h) meet.
 *
 * Threads synchronise far more often than they call MPI or touch window memory. So the engine is
 * not told of their edges one by one: when an actor is about to do something that the engine is
 * told of, it catches up with what the actors that it has heard of since had told the engine until
 * then. And the other way round: a clock that comes back from other processes may say that an actor
 * of this process was heard of there; what that one knew when it sent is known then, too.
 *
 * Needs the session's lock. */
#ifndef REGATTA_RUNTIME_CROSSINGS_H
#define REGATTA_RUNTIME_CROSSINGS_H

#include <stddef.h>
#include <stdint.h>

/* MPI was initialised by the current actor: it is the engine's thread 0. */
void crossings_start(void);

/* The engine's number of the current actor, which has caught up. */
uint32_t acting(void);
/* The same for another actor, which does nothing meanwhile that this depends on. */
uint32_t acting_as(uint32_t actor);

/* The number of the system's thread that an engine's number of this process means, for reports. */
uint32_t acting_thread(uint32_t number);

/* What the current actor knows, to be sent away: engine_clock_send. */
const void *acting_clock_send(size_t *size);
/* Before the engine gives away otherwise what the current actor knows (engine_unlock). */
void crossing_leave(void);
/* The engine's thread may have learnt something from others: so does the actor. */
void crossing_return(void);

#endif
