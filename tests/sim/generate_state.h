/* The program under construction and what its ranks are in the middle of; for generate*.c only. */
#ifndef REGATTA_SIM_GENERATE_STATE_H
#define REGATTA_SIM_GENERATE_STATE_H

#include "generate.h"
#include "random.h"

enum window_mode { MODE_FENCES, MODE_GROUPS, MODE_LOCKS };
/* Lock windows are either held for long, shared only, with anything happening meanwhile; or
 * shortly, also two at a time, with nothing inside that could wait for anybody. */
enum lock_style { STYLE_LONG, STYLE_SHORT };

#define HOT_SPOTS 4
#define MAX_OPEN_REQUESTS 8

struct rank_window {
    bool fence_open; /* there was a fence: operations may be issued */
    bool operations; /* since that fence */
    uint8_t held;    /* targets under a long lock */
    bool locked_all;
    uint8_t started;  /* targets of the start that is open */
    uint8_t users;    /* threads, other than 0, that rely on the open epoch */
    uint8_t reserved; /* a thread, other than 0, that alone locks here; 0: nobody */
};

struct open_request {
    uint8_t slot, thread;
    uint32_t group;
};

struct thread_barrier {
    uint8_t members; /* 0: not used yet */
    uint32_t rounds;
};

struct generator {
    struct random random;
    struct program *program;
    unsigned flags;
    bool threads, buffers, atomics;
    uint32_t site, group, tag;
    uint32_t hot[HOT_SPOTS];
    uint8_t favourite_type, favourite_op;
    enum window_mode mode[MAX_WINDOWS];
    enum lock_style style[MAX_WINDOWS];
    uint8_t live; /* windows */
    struct rank_window windows[MAX_WINDOWS][MAX_RANKS];
    bool groups_open[MAX_WINDOWS];
    uint32_t groups_number[MAX_WINDOWS]; /* the steps' group */
    uint8_t posted[MAX_WINDOWS][MAX_RANKS];
    uint32_t lock_group[MAX_WINDOWS][MAX_RANKS];
    uint32_t busy;              /* a rank that many operations go to */
    uint32_t flag;              /* where in the memory hand-offs keep their flags */
    uint32_t flag_site;         /* one place in the program that looks at them */
    uint8_t alive[MAX_RANKS];   /* threads besides 0, as bits */
    uint8_t created[MAX_RANKS]; /* ever: numbers are not used twice */
    uint8_t flags_used[MAX_RANKS];
    struct thread_barrier barriers[MAX_RANKS][MAX_BARRIERS];
    uint8_t slots[MAX_RANKS];
    struct open_request requests[MAX_RANKS][MAX_OPEN_REQUESTS];
    uint32_t request_count[MAX_RANKS];
};

static inline uint32_t below(struct generator *g, uint32_t limit)
{
    return random_below(&g->random, limit);
}

static inline bool chance(struct generator *g, uint32_t percent)
{
    return random_chance(&g->random, percent);
}

static inline bool order_free(const struct generator *g)
{
    return g->flags & GENERATE_ORDER_FREE;
}

struct step *append(struct generator *g, uint32_t rank, uint32_t thread, struct step step);
uint32_t any_member(struct generator *g, uint8_t members);
uint32_t any_thread(struct generator *g, uint32_t rank); /* that is alive */
uint32_t mpi_thread(struct generator *g, uint32_t rank); /* that may call MPI */
uint8_t new_slot(struct generator *g, uint32_t rank);    /* 0: none left */

/* generate_access.c */
void own_access(struct generator *g, uint32_t rank, uint32_t thread);
bool remote_access(struct generator *g, uint32_t rank, uint32_t thread); /* if in an epoch */
void operation(struct generator *g, uint32_t rank, uint32_t thread, uint32_t window,
               uint32_t target, bool in_lock);
void some_accesses(struct generator *g, uint32_t count);
/* The targets that a thread may issue operations to, in epochs that are open. */
uint8_t reachable(const struct generator *g, uint32_t rank, uint32_t thread, uint32_t window);
void own_buffer(struct generator *g, struct section *bytes);
void direct_access_to(struct generator *g, uint32_t rank, uint32_t thread, uint32_t window,
                      uint32_t target);

/* generate_sync.c */
void message(struct generator *g);
void wildcard_messages(struct generator *g);
/* A nonblocking message to or from elsewhere, whose buffer is in use from now on; it waits for
 * nothing. */
void buffer_from_here(struct generator *g, uint32_t rank, uint32_t thread);
void collective(struct generator *g);
void settle_request(struct generator *g, uint32_t rank); /* waits for one, if there is any */
void settle_requests_of(struct generator *g, uint32_t rank, uint32_t thread);
void thread_begins(struct generator *g, uint32_t rank);
void thread_ends(struct generator *g, uint32_t rank, uint32_t child);
void mutex_section(struct generator *g);

/* generate_epoch.c */
void windows_begin(struct generator *g);
void window_ends(struct generator *g, uint32_t window);
void epoch_action(struct generator *g);
void close_epochs(struct generator *g);
bool fence(struct generator *g, uint32_t window); /* false: it cannot be now */
bool window_idle(const struct generator *g, uint32_t window);
bool may_lock_shortly(const struct generator *g, uint32_t window, uint32_t rank, uint32_t thread);
enum lock_type short_lock_type(struct generator *g, uint32_t window);

/* generate_threads.c: true if something was done */
bool with_threads(const struct generator *g);
bool thread_signal(struct generator *g, uint32_t rank, uint32_t from, uint32_t to);
bool thread_barrier(struct generator *g, uint32_t rank, uint8_t members);
bool word_to_thread(struct generator *g, uint32_t rank, uint32_t from, uint32_t to);
uint32_t waiting_thread(struct generator *g, uint32_t rank, uint32_t owner);
void thread_action(struct generator *g, uint32_t rank);

/* generate_handoff.c */
void handoff(struct generator *g);

#endif
