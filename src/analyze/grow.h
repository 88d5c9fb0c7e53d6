/* Growable arrays and checked allocation for the analyser. A command may stop when memory is
 * gone, so nobody checks for NULL. */
#ifndef REGATTA_ANALYZE_GROW_H
#define REGATTA_ANALYZE_GROW_H

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline void *checked(void *memory)
{
    if (!memory) {
        fputs("regatta: out of memory\n", stderr);
        exit(70);
    }
    return memory;
}

static inline void *grown(void *array, size_t count, size_t *room, size_t size)
{
    if (count < *room)
        return array;
    *room = *room ? *room * 2 : 8;
    return checked(realloc(array, *room * size));
}

/* LIST(type) is a struct with items, count, room; APPEND adds one item at its end. */
#define LIST(type)                                                                                 \
    struct {                                                                                       \
        type *items;                                                                               \
        size_t count, room;                                                                        \
    }
#define APPEND(list, ...)                                                                          \
    do {                                                                                           \
        (list)->items = grown((list)->items, (list)->count, &(list)->room, sizeof *(list)->items); \
        (list)->items[(list)->count++] = (__VA_ARGS__);                                            \
    } while (0)
#define EACH(item, list)                                                                           \
    (__typeof__(&*(list)->items) item = (list)->items; item < (list)->items + (list)->count; item++)
#define DROP(list) (free((list)->items), (list)->items = NULL, (list)->count = (list)->room = 0)

#endif
