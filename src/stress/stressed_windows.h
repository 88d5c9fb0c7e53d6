/* Windows: which epochs are open, and the operations that wait in them. */
#ifndef REGATTA_STRESS_STRESSED_WINDOWS_H
#define REGATTA_STRESS_STRESSED_WINDOWS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "held_call.h"

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

struct window {
    MPI_Win handle;
    MPI_Comm
        comm; /* of the same processes, for the layer's own synchronisation; MPI_COMM_NULL: none */
    uint64_t id;      /* the same in all processes */
    enum object kind; /* OBJECT_window, OBJECT_allocated_window, … */
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

    /* Access epochs of this process, by rank of the target where they differ. */
    bool fence, lock_all;
    bool *locked, *started;
    unsigned
        *under_way; /* operations handed to MPI that are not known to be complete at the target */

    /* Held while operations are released and while the call that completes them runs, so that no
     * other thread's flush can overtake operations that are on their way. Recursive: error handlers
     * may call MPI. */
    pthread_mutex_t releasing;
    struct operation_list waiting; /* not yet handed to MPI, in program order */
    struct operation_list issued;  /* handed to MPI; their origin buffers may still be read */
    struct window *next;
};

/* The window, or NULL if it is not known (created before us, invalid). */
struct window *window_find(MPI_Win handle);
/* All windows of this process; the list changes only with windows created and freed. */
struct window *windows_all(void);
/* Whether the communicator is of all processes of MPI_COMM_WORLD and no others. */
bool comm_is_of_world(MPI_Comm comm);
/* Whether every process of MPI_COMM_WORLD has a window: the same answer for all of them. */
bool windows_everywhere(void);

/* After a window was created by the call: collective, as the creation is. */
void window_created(struct call *call);
void window_freed(struct window *window);

/* After memory was attached to a dynamic window, or detached. */
void window_memory(const struct call *call);

/* Whether some of this memory is that of a window. */
bool windows_show(uint64_t low, uint64_t high);
/* Whether another window shows some of the same memory of this process; to processes that this
 * one's are not. */
bool window_overlaps(const struct window *window);
bool window_is_shown_to_others(const struct window *window);

/* Whether an operation on the target is inside an epoch, and whether a flush may follow it there.
 */
bool window_in_epoch(const struct window *window, int target);
bool window_may_flush(const struct window *window, int target);

/* The epoch calls, after they succeeded. */
void window_epoch(struct window *window, const struct call *call);

#endif
