#include "knowledge.h"

#include <stdlib.h>
#include <string.h>

static bool reserve(struct knowledge *knowledge, uint32_t count)
{
    if (count > knowledge->room) {
        uint32_t room = count + count / 2 + 4;
        uint64_t *larger = realloc(knowledge->times, room * sizeof *larger);
        if (!larger)
            return false;
        knowledge->times = larger;
        knowledge->room = room;
    }
    if (count > knowledge->count) {
        memset(knowledge->times + knowledge->count, 0,
               (count - knowledge->count) * sizeof *knowledge->times);
        knowledge->count = count;
    }
    return true;
}

bool knowledge_join(struct knowledge *knowledge, const struct knowledge *other)
{
    bool more = false;
    if (!reserve(knowledge, other->count))
        return false;
    for (uint32_t i = 0; i < other->count; i++)
        if (other->times[i] > knowledge->times[i]) {
            knowledge->times[i] = other->times[i];
            more = true;
        }
    return more;
}

void knowledge_copy(struct knowledge *knowledge, const struct knowledge *other)
{
    if (!reserve(knowledge, other->count))
        return;
    knowledge->count = other->count;
    if (other->count)
        memcpy(knowledge->times, other->times, other->count * sizeof *other->times);
}

void knowledge_learn(struct knowledge *knowledge, uint32_t actor, uint64_t time)
{
    if (reserve(knowledge, actor + 1) && knowledge->times[actor] < time)
        knowledge->times[actor] = time;
}

void knowledge_clear(struct knowledge *knowledge)
{
    free(knowledge->times);
    *knowledge = (struct knowledge){0};
}
