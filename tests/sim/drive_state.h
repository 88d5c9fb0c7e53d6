/* What a runtime keeps between calls; shared by the drive*.c files. */
#ifndef REGATTA_SIM_DRIVE_STATE_H
#define REGATTA_SIM_DRIVE_STATE_H

#include "drive.h"
#include "engine.h"
#include "execute.h"
#include "random.h"

#define EPOCHS 64

struct bytes {
    void *data;
    size_t size;
};

struct mail {
    uint32_t target;
    struct bytes batch;
};

struct mail_queue {
    struct mail *mails;
    size_t count, capacity;
};

/* The clock of an update, where a fetch can find it. */
struct release {
    uint32_t operation;
    struct bytes clock;
};

struct driven_operation {
    uint64_t request;
    struct bytes issue_clock;
    uint64_t stamp;
    uint32_t thread;
    size_t seen; /* releases that were there when it was executed */
    bool issued, executed, acquired, over;
};

struct lock_memory {
    struct bytes state;                  /* as it is now */
    struct bytes granted[MAX_RANKS];     /* as it was when this rank got the lock … */
    bool to_hand_over[MAX_RANKS];        /* … and the engine has not been told yet */
    struct bytes contributed[MAX_RANKS]; /* by an unlock that has not returned */
};

struct driver {
    const struct trace *trace;
    const struct program *program;
    struct random random;
    uint32_t laziness; /* percent: how often optional deliveries are left for later */
    struct drive_result *result;
    struct engine *engines[MAX_RANKS];
    struct mail_queue under_way[MAX_RANKS]; /* by origin */
    struct mail_queue mailboxes[MAX_RANKS];
    bool constructing[MAX_RANKS]; /* mail may be about a window that the engine does not know yet */
    struct bytes *send_clocks, *receive_clocks, *collective_clocks;
    struct driven_operation *operations;
    struct release *releases;
    size_t release_count, release_capacity;
    uint64_t *buffers;
    struct bytes create_clocks[MAX_WINDOWS][MAX_RANKS], free_clocks[MAX_WINDOWS][MAX_RANKS];
    struct bytes fence_clocks[MAX_WINDOWS][MAX_RANKS][EPOCHS];
    uint32_t fences[MAX_WINDOWS][MAX_RANKS];
    struct bytes post_clocks[MAX_WINDOWS][MAX_RANKS][MAX_RANKS][EPOCHS];     /* [target][origin] */
    struct bytes complete_clocks[MAX_WINDOWS][MAX_RANKS][MAX_RANKS][EPOCHS]; /* [origin][target] */
    uint32_t posts[MAX_WINDOWS][MAX_RANKS][MAX_RANKS], starts[MAX_WINDOWS][MAX_RANKS][MAX_RANKS];
    uint8_t started[MAX_WINDOWS][MAX_RANKS], posted[MAX_WINDOWS][MAX_RANKS];
    uint8_t fetched[MAX_WINDOWS][MAX_RANKS];
    struct lock_memory locks[MAX_WINDOWS][MAX_RANKS];
    struct clock thread_clocks[MAX_RANKS][MAX_THREADS], end_clocks[MAX_RANKS][MAX_THREADS];
    struct clock mutex_clocks[MAX_RANKS][MAX_MUTEXES + MAX_FLAGS];
    struct clock flag_clocks[MAX_RANKS][MAX_FLAGS];
    struct clock round_clocks[MAX_RANKS][MAX_BARRIERS * MAX_ROUNDS];
};

static inline window_t window_name(uint32_t window)
{
    return 0x5000 + window;
}

/* drive.c */
struct bytes bytes_copy(const void *data, size_t size);
void bytes_set(struct bytes *bytes, const void *data, size_t size);
void settle(struct driver *d, uint32_t rank);  /* batches under way arrive */
void take_in(struct driver *d, uint32_t rank); /* the mailbox is emptied */
struct bytes clock_of(struct driver *d, uint32_t rank, uint32_t thread);
void learn(struct driver *d, uint32_t rank, uint32_t thread, const struct bytes *clocks,
           size_t count);
void drive_complain(struct driver *d, const char *complaint);

/* drive_rma.c: operations, flushes, locks, atomics, own accesses, buffers */
void drive_access(struct driver *d, const struct trace_event *event);
void drive_rma(struct driver *d, const struct trace_event *event);
void drive_executed(struct driver *d, const struct trace_event *event);
void drive_request(struct driver *d, const struct trace_event *event);
void drive_returned(struct driver *d, const struct trace_event *event, uint32_t target, bool remote,
                    bool closing);
void drive_lock(struct driver *d, const struct trace_event *event);
void drive_buffer(struct driver *d, const struct trace_event *event);

#endif
