/* Window memory that this process can touch by loads and stores: its own, and other ranks' segments
 * of shared-memory windows. Needs the session's lock. */
#ifndef REGATTA_RUNTIME_REACH_H
#define REGATTA_RUNTIME_REACH_H

#include "engine/event.h"

struct reach {
    uint64_t low, high; /* addresses in this process; never empty */
    window_t window;
    uint32_t owner; /* rank in the world */
    bool shared;    /* other processes can load and store there too */
};

/* Memory joins; compiled-in checks are told of accesses to it from now on. */
void reach_add(const struct reach *reach);
extern bool reach_has_shared; /* some has been */
/* All memory of a window goes, or one attached piece of a dynamic one. */
void reach_remove_window(window_t window);
void reach_remove_piece(window_t window, uint64_t low);

/* Calls `visit` for each piece that shares a byte with [low, high) until it returns false. */
typedef bool reach_visitor(void *context, const struct reach *reach);
void reach_visit(uint64_t low, uint64_t high, reach_visitor *visit, void *context);
bool reach_touches(uint64_t low, uint64_t high);

/* What one who asks again and again remembers: begins as zeros. */
struct reach_memory {
    const struct reach *piece; /* the one that was found; NULL: there was none like that */
    uint64_t changes;          /* when, plus one */
};
extern uint64_t reach_changes; /* how often pieces came or went */
const struct reach *reach_find_only(uint64_t low, uint64_t high, struct reach_memory *memory);

/* The piece that all of [low, high) lies in, if no other piece has a byte of that one; NULL if
 * there is none, or if it has not been found. */
static inline const struct reach *reach_only(uint64_t low, uint64_t high,
                                             struct reach_memory *memory)
{
    const struct reach *piece = memory->piece;
    if (memory->changes == reach_changes + 1 &&
        (!piece || (low >= piece->low && high <= piece->high)))
        return piece;
    return reach_find_only(low, high, memory);
}

/* Flags the pages of all window memory: a module with compiled-in checks has come, or a second
 * thread. */
void reach_mark_pages(void);
/* They are one thread's again: ACCESS_THREADS is taken off. */
void reach_unmark_threads(void);

#endif
