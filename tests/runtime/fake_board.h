/* A board of updates of one location, as release_boards.c keeps it, without other processes. */
#ifndef REGATTA_TESTS_FAKE_BOARD_H
#define REGATTA_TESTS_FAKE_BOARD_H

#include <string.h>

#include "release_boards.h"

enum { UPDATES = 60 };

struct board {
    struct release_entry entries[RELEASE_MOST_ENTRIES + 1];
    struct release_stamp stamps[UPDATES + 1]; /* by number of the update, which is its stamp */
    size_t count;
};

static inline int number_of(const struct release_entry *entry)
{
    return (int)release_stamp_of(entry, 0).stamp;
}

/* As release_boards.c does it. */
static inline void publish_change(struct board *board, int writer, int number, struct release_change change)
{
    change.length = 4;
    board->stamps[number] =
        (struct release_stamp){actor_of((uint32_t)writer, 0), (uint64_t)number};
    struct release_entry own = {.writer = writer,
                                .nstamps = 1,
                                .published = release_count(board->entries, board->count) + 1,
                                .change = change,
                                .stamps = (const unsigned char *)&board->stamps[number]};
    size_t left = release_keep(board->entries, board->count, &own);
    memmove(board->entries + 1, board->entries, left * sizeof own);
    board->entries[0] = own;
    board->count = left + 1;
}

static inline void executed(struct board *board, int number, bool updated)
{
    for (size_t i = 0; i < board->count; i++) {
        struct release_entry *entry = &board->entries[i];
        if (number_of(entry) != number || !entry->change.value.known || entry->over)
            continue;
        if (updated) {
            entry->over = release_count(board->entries, board->count) + 1;
            entry->change.value.known = VALUE_KNOWN;
        } else {
            memmove(entry, entry + 1, (--board->count - i) * sizeof *entry);
        }
        return;
    }
}

#endif
