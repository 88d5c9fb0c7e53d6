/* What an actor knows of the other actors of its process: for each the latest time of which it has
 * heard. Dense, by the number of the actor: a process has few actors at a time, and numbers are
 * used again. (What it knows of other processes is the engine's, clock.h.) */
#ifndef REGATTA_RUNTIME_KNOWLEDGE_H
#define REGATTA_RUNTIME_KNOWLEDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct knowledge {
    uint32_t count, room; /* actors from `count` on: nothing is known */
    uint64_t *times;
};

static inline uint64_t knowledge_of(const struct knowledge *knowledge, uint32_t actor)
{
    return actor < knowledge->count ? knowledge->times[actor] : 0;
}

/* knowledge := what either knows. True if that is more than before. Without memory it stays as it
 * is: who calls it must not report anything any more then (heap_is_short). */
bool knowledge_join(struct knowledge *knowledge, const struct knowledge *other);
/* knowledge := other, whatever it was before. */
void knowledge_copy(struct knowledge *knowledge, const struct knowledge *other);
void knowledge_learn(struct knowledge *knowledge, uint32_t actor, uint64_t time);
void knowledge_clear(struct knowledge *knowledge);

#endif
