/* Where a blackboard stands among the slots of its owner: a hash table that is looked at a group of
 * slots at a time, since across nodes each look is a message. Boards go when their window does, so
 * a search must not stop at a slot that was left: it stops at a group that has never been full. */
#ifndef REGATTA_RUNTIME_SLOTS_H
#define REGATTA_RUNTIME_SLOTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SLOT_GROUP = 8 };

/* Instead of a key: never used, or left while its group was full. */
enum { SLOT_FREE = 0, SLOT_LEFT = 1 };

struct slot_search {
    int found;  /* of the group: where the key is, or -1 */
    int vacant; /* one that may be taken, or -1 */
    bool last;  /* the key is in no group behind this one */
};

static inline struct slot_search slots_look(const uint64_t keys[SLOT_GROUP], uint64_t key)
{
    struct slot_search search = {-1, -1, false};
    for (int i = SLOT_GROUP; i-- > 0;) {
        if (keys[i] == key)
            search.found = i;
        if (keys[i] == SLOT_FREE || keys[i] == SLOT_LEFT)
            search.vacant = i;
        search.last |= keys[i] == SLOT_FREE;
    }
    return search;
}

/* What becomes of the key of a slot that is left. */
static inline uint64_t slots_left(const uint64_t keys[SLOT_GROUP])
{
    for (int i = 0; i < SLOT_GROUP; i++)
        if (keys[i] == SLOT_FREE)
            return SLOT_FREE;
    return SLOT_LEFT;
}

#endif
