/* Lists and memory of the replay: what it needs is there, or the process ends. */
#ifndef REGATTA_REPLAY_ROWS_H
#define REGATTA_REPLAY_ROWS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline void *got(void *memory)
{
    if (memory)
        return memory;
    fputs("regatta: no memory left to replay the program\n", stderr);
    exit(70);
}

static inline void *zeroed(size_t count, size_t size)
{
    return got(calloc(count ? count : 1, size));
}

static inline void *longer(void *items, size_t count, size_t *room, size_t size)
{
    if (count >= *room) {
        *room = *room < 8 ? 8 : *room + *room / 2;
        items = got(realloc(items, *room * size));
    }
    return items;
}

static inline size_t number_of_last(size_t count)
{
    return count - 1;
}

#define ROW(type)                                                                                  \
    struct {                                                                                       \
        type *at;                                                                                  \
        size_t n, room;                                                                            \
    }
#define ADD(row, ...)                                                                              \
    ((row)->at = longer((row)->at, (row)->n, &(row)->room, sizeof *(row)->at),                     \
     (row)->at[(row)->n] = (__VA_ARGS__), number_of_last(++(row)->n))
#define EMPTY(row) (free((row)->at), (row)->at = NULL, (row)->n = (row)->room = 0)

#endif
