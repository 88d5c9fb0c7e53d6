/* The engine's own view of itself: one struct, and what its files offer each other.
 *
 *   threads.c   who knows what: times, clocks, world-wide synchronisation
 *   windows.c   windows, fences, post/start/complete/wait
 *   locks.c     lock epochs, the information they carry
 *   locksets.c  locks on own memory
 *   attached.c  memory of dynamic windows: when it was attached
 *   promises.c  what fences and posts assert, and who breaks it
 *   overlap.c   windows that are locked and exposed at the same time
 *   origin.c    operations from issue to completion, with origin_lots.c and origin_handover.c
 *   target.c    batches from arrival to history
 *   forget.c    operations that everybody knows to be over
 *   seen.c      updates that are over because somebody fetched what they wrote
 *   access.c    own loads and stores, buffers
 *   findings.c  races found, counted */
#ifndef REGATTA_ENGINE_INTERNAL_H
#define REGATTA_ENGINE_INTERNAL_H

#include "batch.h"
#include "encoding.h"
#include "engine.h"
#include "history.h"
#include "log.h"
#include "mutants.h"
#include "ranges.h"
#include "shadow.h"
#include "table.h"

/* With implicit_world: up to where thread 0 knew another thread of this rank when it entered the
 * synchronisation that starts `generation`. Kept only from the first time on that it did not know
 * all. */
struct boundary {
    uint64_t generation;
    time_point known;
};

struct thread_state {
    uint32_t number;
    bool ended;                /* it will do nothing any more */
    struct clock known;        /* without its own time */
    time_point now;            /* the time of its next event, */
    time_point last;           /* and of its last one that has a time at all */
    time_point issued;         /* the own time that operations issued so far know */
    struct snapshot *snapshot; /* of known and last; NULL: out of date */
    bool stamped;              /* nothing has happened since the last engine_update_begin */
    struct boundary *boundaries;
    size_t boundary_count, boundary_capacity;
};

/* One rank's partner in PSCW and how many epochs there were with it. */
struct partner {
    uint32_t rank;
    uint64_t epochs;
};

struct partners {
    struct partner *list; /* ascending by rank */
    size_t count, capacity;
};

struct fence_opening {
    uint64_t index;
    struct snapshot *clock;
    struct promise promise;
};

/* Memory of a dynamic window, from MPI_Win_attach to MPI_Win_detach (attached.c). */
struct attachment {
    struct span span; /* first: a span is its attachment */
    uint32_t thread;  /* that attached it, and when */
    time_point attached;
    uint32_t detacher;       /* the same of the detach; */
    time_point detached;     /* 0: it is attached */
    struct attachment *next; /* of those that are detached, newest first */
};

struct attachments {
    struct spans *spans;         /* NULL: nothing was ever attached */
    struct attachment *detached; /* that operations may still know as attached */
    size_t detached_count;
    bool forgotten; /* some of them: what is not covered may have been */
};

struct window_state {
    window_t id;
    uint64_t base;
    struct range *pieces; /* the memory of this rank, as it was attached; ascending by low end */
    size_t piece_count, piece_capacity;
    uint64_t longest_piece; /* that there ever was */
    struct ranges memory;   /* the same, where pieces that touch are one */
    struct ranges past;     /* detached, but operations on it may still arrive */
    bool freed;             /* the same for the whole window */
    bool dynamic;           /* its memory is attached */
    struct attachments attachments;
    time_point synchronised;         /* thread 0's last synchronisation call on it (promises.c) */
    struct promise exposure_promise; /* of the post */
    uint64_t locked_in, exposed_in;  /* generations + 1 with operations of either kind of epoch */
    bool same_op;
    uint32_t *members; /* NULL: all ranks */
    size_t member_count;
    uint64_t fences;
    struct fence_opening openings[2]; /* of the last two fences, where they did not synchronise */
    struct partners posts, starts;
    uint32_t *exposed_to; /* the post group while it is open */
    size_t exposed_count;
    struct snapshot *exposure; /* what was known at the post */
    uint32_t *access_group;    /* the start group while it is open */
    size_t access_count;
    bool locked_all;
    UT_hash_handle hh;
};

struct pair_key {
    window_t window;
    uint64_t target;
};

struct lock_epoch {
    struct pair_key key;
    enum lock_type type;
    bool by_lock_all;
    bool wrote;
    struct clock acquired; /* what a read in this epoch makes known */
    UT_hash_handle hh;
};

/* Operations of one place that the target has. An operation has as many ends as there are calls
 * that complete it: two threads that know of it may both flush, and whoever knows of one of the two
 * knows that it is over. */
struct sent_lot {
    uint64_t number;
    actor_t actor; /* who issued it, and when */
    time_point time;
    bool read;
    bool over;
    uint32_t *enders; /* threads that have completed it */
    size_t ender_count, ender_capacity;
    UT_hash_handle hh;
};

/* What has been issued to one target of one window. */
struct target_log {
    struct pair_key key;
    enum epoch_kind epoch;
    uint64_t epoch_index;
    enum lock_type lock;
    struct op_log reads, writes, direct;
    struct sent_lot *sent;                /* by number: that have no end yet, oldest first, */
    struct sent_lot *ended;               /* and that have one, and may get more */
    uint64_t open_writes;                 /* the lot of writes that was sent open last */
    enum lock_type direct_lock;           /* held when the pending direct accesses were made */
    size_t sent_since_floor;              /* records */
    struct request *unsent, *last_unsent; /* whose reads have not all been handed over */
    UT_hash_handle hh;
};

struct request {
    uint64_t id;
    struct target_log *to;
    struct op_log reads;
    uint64_t lot; /* once it is sent */
    bool listed;  /* as not sent */
    struct request *next, *before;
    UT_hash_handle hh;
};

struct parked {
    struct batch batch;
    struct parked *next;
};

/* "What `updater` issued at these bytes until `stamp` is over for whoever knows `time` of `seer`",
 * for updates that are yet to arrive (seen.c). */
struct sighting {
    struct span span; /* first: a span is its sighting */
    struct {
        actor_t updater, seer;
        uint64_t low, high;
    } key;
    time_point stamp;   /* the latest of several, */
    time_point time;    /* with the earliest time */
    uint64_t entered;   /* nodes with higher numbers came later, */
    time_point arrived; /* and so did accesses of thread 0 from this time on */
    UT_hash_handle hh;
};

struct sightings {
    struct sighting *table;
    struct spans spans;
};

/* A lock that this rank holds on its own memory. */
struct own_lock {
    window_t window;
    enum lock_type type;
};

/* Some of them, as a set with a number. Set 0 is empty. */
struct lockset {
    struct own_lock *locks; /* ascending by window */
    size_t count;
    uint64_t hash;
    uint32_t chain; /* another set of the same bucket; of unused numbers: another of these */
    bool used;
};

struct buffer {
    uint64_t id;
    struct node **nodes;
    size_t count;
    struct snapshot *start; /* what was known when it began */
    UT_hash_handle hh;
};

struct finding_key {
    uint32_t rule, first_kind, second_kind, first_rank, second_rank, spare;
    site_t first_site, second_site;
};

struct finding_entry {
    struct finding_key key;
    struct finding finding;
    UT_hash_handle hh;
};

struct engine {
    struct engine_config config;
    struct thread_state **threads;
    uint32_t thread_count;
    uint64_t generation; /* of times; thread 0's clock follows when it leaves */
    bool exhausted;

    struct window_state *windows;
    struct ranges memory;    /* of all windows: own accesses to it count */
    struct ranges reachable; /* and what was theirs: operations on it may still arrive */
    size_t windows_with_past;

    struct lock_epoch *locks;
    struct own_lock *own_locks; /* held now, ascending by window */
    size_t own_lock_count, own_lock_capacity;
    struct lockset *locksets; /* by number */
    size_t lockset_count, lockset_capacity, locksets_used;
    size_t recycle_locksets_at; /* that many used */
    uint32_t unused_locksets;   /* a chain; 0: none */
    uint32_t *lockset_buckets;  /* a power of two; 0: no set */
    size_t lockset_bucket_count;
    uint32_t lockset; /* the current one */

    struct target_log *logs;
    struct request *requests;
    uint64_t last_number; /* of lots, requests and buffers */
    bool direct_pending;

    struct history history;
    struct clock *floors; /* by rank: what all that it will send here knows; made when needed */
    size_t forget_at;     /* that many nodes in the history */
    struct parked *parked, **parked_end;
    struct sightings sightings;
    struct shadow shadow;
    struct buffer *buffers;

    struct finding_entry *findings;
    struct writer batch_out, clock_out;
    struct engine_counters counters;
};

/* ---- threads.c ---- */
struct thread_state *thread_of(struct engine *engine, uint32_t number);
/* The time of an event that happens now. */
time_point thread_label(struct thread_state *thread);
/* A time for an event that has to be later than everything that was issued or sent before it. */
time_point thread_end_event(struct engine *engine, struct thread_state *thread);
/* Everything from now on gets a later time than everything until now. */
void thread_advance(struct engine *engine, struct thread_state *thread);
struct snapshot *thread_snapshot(struct engine *engine, struct thread_state *thread);
/* The thread's knowledge leaves it: hands over direct accesses, gives its clock, advances. */
const struct clock *thread_release(struct engine *engine, struct thread_state *thread);
void thread_learn(struct engine *engine, struct thread_state *thread, const struct clock *clock);
/* Whether an event is known to this clock, or to this thread. */
bool clock_knows_event(const struct engine *engine, const struct clock *clock, actor_t actor,
                       time_point time);
bool thread_knows_event(const struct engine *engine, const struct thread_state *thread,
                        actor_t actor, time_point time);
/* Whether an event of an own thread is known to every rank, by the generations, and to every own
 * thread. */
bool generation_passed(const struct engine *engine, uint32_t thread, time_point time);
void threads_clear(struct engine *engine);

/* ---- windows.c ---- */
struct window_state *window_find(const struct engine *engine, window_t window);
/* Whether all of [low, high) is window memory, and of the same windows. */
bool windows_share_alike(const struct engine *engine, uint64_t low, uint64_t high);
/* Nothing that concerns detached memory can arrive any more. */
void windows_forget_past(struct engine *engine);
void windows_clear(struct engine *engine);
uint64_t partner_epochs(const struct partners *partners, uint32_t rank);

/* ---- attached.c ---- */
void attached_add(struct engine *engine, struct window_state *window, uint32_t thread, uint64_t low,
                  uint64_t high);
void attached_end(struct engine *engine, struct window_state *window, uint32_t thread,
                  uint64_t low);
/* An operation on a dynamic window arrives. */
void attached_check(struct engine *engine, const struct window_state *window,
                    const struct node *node, const struct clock *start);
/* Nothing that concerns detached memory can arrive any more. */
void attached_forget_past(struct window_state *window);
void attached_clear(struct window_state *window);

/* ---- promises.c ---- */
/* A synchronisation call of that thread, with what it promises (NULL: nothing). */
void promise_given(struct engine *engine, struct thread_state *thread, struct window_state *window,
                   const struct promise *promise);
/* An operation of an epoch that this promise opened. */
void promise_check(struct engine *engine, const struct promise *promise, const struct node *node);

/* ---- overlap.c ---- */
/* An operation arrives, that is not yet in the history. */
void overlap_check(struct engine *engine, struct window_state *window, const struct node *node,
                   const struct clock *start);

/* ---- locks.c ---- */
/* The lock that this rank holds on that target, NULL if none. */
struct lock_epoch *lock_held(struct engine *engine, const struct window_state *window,
                             uint32_t target);
void lock_noted_read(struct engine *engine, struct thread_state *thread, struct lock_epoch *lock);
/* Own accesses inside own locks: tell the locks of windows that show these bytes. */
void locks_note_own(struct engine *engine, struct thread_state *thread, uint64_t low, uint64_t high,
                    bool store);
void locks_clear(struct engine *engine);

/* ---- locksets.c ---- */
void locksets_init(struct engine *engine);
void locksets_clear(struct engine *engine);
enum lock_type lockset_type(const struct engine *engine, uint32_t lockset, window_t window);
/* This rank's lock on its own memory of that window: LOCK_NONE if it has none any more. */
void own_lock_changed(struct engine *engine, window_t window, enum lock_type type);

/* ---- origin.c ---- */
enum completion {
    COMPLETES_READS, /* flush_local: what reads, as far as the thread knows of it */
    COMPLETES_KNOWN, /* flush: what the thread knows of */
    COMPLETES_ALL,   /* the end of the epoch */
};
void origin_complete(struct engine *engine, struct thread_state *thread, window_t window,
                     uint32_t target, enum completion what);
void origin_drop_window(struct engine *engine, window_t window);
void origin_clear(struct engine *engine);

/* ---- origin_handover.c ---- */
void origin_hand_over_pending(struct engine *engine);
void origin_hand_over_direct(struct engine *engine);
/* Whether something that was issued to that target has not been handed over. */
bool origin_is_pending(const struct engine *engine, uint32_t target);

/* ---- forget.c ---- */
/* A batch of that origin was applied that says what all later ones know. */
void forget_note_floor(struct engine *engine, uint32_t origin, const struct clock *floor);
/* Drops operations that everybody knows to be over, if the history has grown enough. */
void forget_if_due(struct engine *engine);
/* Drops operations that were over before a world-wide synchronisation. */
void forget_generation(struct engine *engine);
void forget_clear(struct engine *engine);

/* ---- target.c ---- */
/* False if the batch must wait for an epoch that this rank has not opened yet. */
bool target_apply(struct engine *engine, const struct batch *batch);
void target_apply_or_park(struct engine *engine, const struct batch *batch);
void target_unpark(struct engine *engine);
/* One more access to own window memory, by a section of addresses: checked against everything that
 * is known, then entered. NULL if the rules make it superfluous. */
struct node *target_enter(struct engine *engine, const struct node *node,
                          const struct clock *start);
/* Checks an entered node once more: something that protected it is gone. */
void target_check_again(struct engine *engine, struct node *node, const struct clock *start);
/* Whether whoever knows this much, or the thread, knows that the node's operations are over. */
bool target_over_before(const struct engine *engine, const struct node *node,
                        const struct clock *start);
bool target_over_for(const struct engine *engine, const struct node *node,
                     const struct thread_state *thread);
void target_clear(struct engine *engine);

/* ---- seen.c ---- */
enum { SEEN_PIECES = 32 };
/* Takes away from a set of bytes (*count sections with room for SEEN_PIECES, at most) those where
 * the node's operations are known to be over because what they wrote was fetched: to `start`, or to
 * the thread. */
void seen_cut(const struct engine *engine, const struct node *node, const struct clock *start,
              const struct thread_state *thread, struct section *bytes, size_t *count);
/* Takes away those where the newcomer, which is late, was over before the older node started. */
void seen_cut_late(const struct engine *engine, const struct node *newcomer,
                   const struct node *older, struct section *bytes, size_t *count);
/* Whether it was over before that own access. */
bool seen_late_for_own(const struct engine *engine, const struct node *newcomer, uint32_t thread,
                       time_point time, uint64_t low, uint64_t high);
bool seen_known_to(const struct engine *engine, const struct node *node, const struct clock *start);
/* The node has been entered: what was told of its operations before they came holds for it. */
void seen_meet_late(struct engine *engine, struct node *node);
void seen_arrived(struct engine *engine, uint32_t seer, uint64_t base,
                  const struct batch_seen *seen, size_t count);
/* Nothing of earlier generations can arrive any more. */
void seen_forget_past(struct engine *engine);
void seen_clear(struct engine *engine);

/* ---- access.c ---- */
/* Checks an operation against own loads and stores. */
void access_check_operation(struct engine *engine, const struct node *node,
                            const struct clock *start);
/* Whether an own load or store is known to all who can still race with it; `engine` is the engine.
 */
bool access_obsolete(void *engine, const struct shadow_entry *entry);
void access_clear(struct engine *engine);

/* ---- findings.c ---- */
void findings_add(struct engine *engine, enum race_rule rule, const struct access *first,
                  const struct access *second, window_t window, const struct section *common);
void findings_clear(struct engine *engine);

#endif
