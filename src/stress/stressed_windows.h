/* A window as the scheduler keeps it: the model that all share (interpose/windows.h: which epochs
 * are open), and behind it the operations that wait and what is exposed where. */
#ifndef REGATTA_STRESS_STRESSED_WINDOWS_H
#define REGATTA_STRESS_STRESSED_WINDOWS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "held_call.h"
#include "interpose/windows.h"

struct operation;

struct operation_list {
    struct operation **at;
    size_t count, room;
};

/* What a rank of the window's group exposes. */
struct exposed {
    int world_rank; /* -1: not in this MPI_COMM_WORLD */
    int64_t disp_unit;
};

/* Memory attached to a dynamic window. */
struct region {
    char *base;
    uint64_t size;
    int number; /* how many were attached before; the same in all runs */
    struct region *next;
};

struct stressed_window {
    struct window model;
    MPI_Comm
        comm; /* of the same processes, for the layer's own synchronisation; MPI_COMM_NULL: none */
    uint64_t id; /* the same in all processes */
    int rank, ranks;
    bool of_world;           /* of all processes of MPI_COMM_WORLD and no others */
    struct exposed *exposed; /* by rank */
    char *base;              /* own memory; NULL: none, or dynamic */
    uint64_t size;
    struct region *regions; /* of a dynamic one */
    int attached;
    uint64_t last_print; /* hash of its contents */
    unsigned long prints;
    bool unordered; /* info accumulate_ordering=none */

    /* By target: operations handed to MPI that are not known to be complete there. */
    unsigned *under_way;

    /* Held while operations are released and while the call that completes them runs, so that no
     * other thread's flush can overtake operations that are on their way. Recursive: error handlers
     * may call MPI. */
    pthread_mutex_t releasing;
    struct operation_list waiting; /* not yet handed to MPI, in program order */
    struct operation_list issued;  /* handed to MPI; their origin buffers may still be read */
};

/* The window, or NULL if it is not known (created before us, invalid). Takes the layer's lock, as
 * all here. */
struct stressed_window *stressed_find(MPI_Win handle);
/* All windows of this process; the list changes only with windows created and freed. */
struct stressed_window *stressed_first(void);
struct stressed_window *stressed_next(const struct stressed_window *window);
/* Whether the communicator is of all processes of MPI_COMM_WORLD and no others. */
bool comm_is_of_world(MPI_Comm comm);
/* Whether every process of MPI_COMM_WORLD has a window: the same answer for all of them. */
bool windows_everywhere(void);

/* After a window was created by the call: collective, as the creation is. */
void stressed_created(struct call *call);
void stressed_freed(struct stressed_window *window);

/* After memory was attached to a dynamic window, or detached. */
void window_memory(const struct call *call);

/* Whether some of this memory is that of a window. */
bool windows_show(uint64_t low, uint64_t high);
/* Whether another window shows some of the same memory of this process; to processes that this
 * one's are not. */
bool window_overlaps(const struct stressed_window *window);
bool window_is_shown_to_others(const struct stressed_window *window);

/* Whether an operation on the target is inside an epoch, and whether a flush may follow it there.
 */
bool window_in_epoch(struct stressed_window *window, int target);
bool window_may_flush(struct stressed_window *window, int target);

/* The epoch calls, after they succeeded. */
void stressed_epoch(struct stressed_window *window, const struct call *call);

#endif
