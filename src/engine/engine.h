/* The race engine: everything that one rank knows and everything that happens to its window memory.
 *
 * One `struct engine` per rank. It takes events, in the order in which they happen on that rank,
 * and reports races on the rank's own window memory. It knows no MPI, has no globals, no threads,
 * does no I/O and never blocks; the caller makes its calls one at a time (a lock per engine). What
 * has to travel between ranks are plain bytes, of two kinds: clocks and batches.
 *
 * Glossary
 *   actor       (rank, thread): one line of program order. Thread 0 is the one of MPI_Init.
 *   time        (generation, tick) of an actor. Orders the events of one actor.
 *   clock       what an actor knows: for each actor the latest time of which it has heard.
 *   generation  how many world-wide synchronisations a rank is past. Everybody in generation g
 * knows everything that anybody did in generations below g, so no message has to say it. section a
 * regular set of bytes (section.h). site        a place in the program (event.h). operation   an
 * RMA operation. It starts when it is issued (or when its target opens the epoch, if that is later)
 * and is over at its remote completion, semantics page section 2. epoch       what an operation
 * belongs to: a lock of (window, target), the span between two fences, or start … complete towards
 * post … wait. log         the operations that this rank has issued and not yet handed to their
 * target. batch       operations of one origin, as bytes on their way to one target. history the
 * operations that the rank's own window memory has seen. shadow      the rank's own loads and
 * stores to its own window memory. finding     a race (event.h).
 *
 * What the caller must do for the engine to be exact
 *   1. Call engine_… at the entry of the MPI call it belongs to, if nothing else is said; what the
 *      call makes known (clocks received, locks granted, waits over) is told when it has returned.
 *   2. A batch passed to `deliver` must be in the target's mailbox before the MPI call during which
 *      it was passed returns – and before any clock or lock state that the engine gives out later
 *      becomes visible to anybody. Batches of one origin to one target stay in order. Mailbox order
 * must respect happens-before: that follows if delivery is complete before the call returns.
 *   3. A rank empties its mailbox (engine_take_in for each batch) before it tells its engine
 * anything that was learnt from others: engine_clock_receive, engine_world_leave, engine_wait,
 *      engine_lock_acquired. It may do so at any other time too.
 *   4. Own loads and stores are told in the order in which they happen relative to the other calls.
 *
 * How MPI is told in these terms
 *   messages      engine_clock_send at the (start of the) send; engine_clock_receive with those
 * bytes when the receive is complete. Synchronous sends also the other way: clock_send at the start
 * of the matched receive, clock_receive at the completion of the send. collectives   by data flow:
 * clock_send at entry (or start), clock_receive at completion with the clocks of all ranks whose
 * contribution arrives there. One call per clock, or one with their join (clock.h). Communicator,
 * window and file constructors, Win_free: all to all. world-wide    a *blocking* all-to-all
 * synchronisation of the whole world needs no clocks at all: engine_world_enter and
 * engine_world_leave, on every rank in the same order. Only with config.implicit_world; see there.
 *   fence         engine_fence at entry, then the all-to-all synchronisation in either form –
 * unless MPI_MODE_NOPRECEDE, then none. PSCW          engine_post, engine_start, engine_complete at
 * entry. Each complete also does clock_send; engine_wait at the target, when wait (or a successful
 * test) is over, is followed by clock_receive of the clocks of all origins in the post group. And
 * each post does clock_send: an origin that fetched from T in the epoch (get, fetching accumulate)
 * does clock_receive with it after its complete, since what it fetched came after the post. No
 * other edges. locks         engine_lock, engine_lock_acquired, engine_unlock: see there. atomics
 * see "Atomics" below. threads       engine_release / engine_acquire on a clock object per mutex,
 * thread, barrier …: create: parent releases, child acquires – at once, by the creating call,
 * whenever the child begins to run; join: child released, parent acquires; mutex: unlock releases,
 * lock acquires. Request_free  engine_request_free: completion will never be seen through this
 * request. Win_sync      not told: a happens-before edge alone orders loads and stores. Finalize
 * all to all, like a barrier.
 *
 * Atomics (release and acquire). For every byte of window memory the caller keeps the join of the
 * clocks of the updates that have been executed there, in the order in which the target executes
 * them, and the latest stamp of each updater:
 *   - an accumulate-family operation gets a stamp from engine_update_begin, *before* engine_rma;
 *   - one that changes the bytes (not ACC_NO_OP, not a compare-and-swap that failed) adds the clock
 *     of engine_clock_send at its issue, *after* engine_rma, and its stamp; hence everything before
 *     it in program order, but not its own remote completion, and nothing that its origin completes
 *     later;
 *   - a fetching one (Get_accumulate, Fetch_and_op, Compare_and_swap, any op) takes the join for
 *     its bytes, as it was when it was executed at the target, and does clock_receive with it at
 *     its *local* completion, then engine_updates_seen with the stamps: those updates are over.
 * A caller that does not know the exact order of execution may add clocks and stamps early and take
 * them late: that orders more and misses races, it never invents one. */
#ifndef REGATTA_ENGINE_ENGINE_H
#define REGATTA_ENGINE_ENGINE_H

#include "clock.h"
#include "event.h"

struct engine;

/* A batch of `size` bytes has to get to rank `target` (never this rank itself). */
typedef void engine_deliver(void *context, uint32_t target, const void *batch, size_t size);

/* A finding, told when it is seen for the first time; engine_findings gives all with counts. */
typedef void engine_report(void *context, const struct finding *finding);

struct engine_config {
    uint32_t rank;
    uint32_t ranks;

    /* World-wide synchronisations are told by engine_world_enter/leave. This is exact if on every
     * rank only thread 0 ever makes MPI calls (levels SINGLE and FUNNELED) and reaches into other
     * ranks' segments (engine_direct); other threads may load and store own memory and have thread
     * edges. Otherwise it must be false on all ranks, and world-wide synchronisations are told like
     * any other collective, by clocks. (Where another thread does use engine_direct all the same
     * and is not joined before its process synchronises, races with what happened on the other side
     * of that synchronisation are missed; none is invented.) */
    bool implicit_world;

    bool strict_accumulate; /* compare-and-swap is not atomic with other accumulates */

    /* For tests: so many generations until there are no numbers left for them (0: all there are).
     */
    uint64_t generations_left;

    engine_deliver *deliver;
    engine_report *report; /* may be NULL */
    void *context;
};

struct engine *engine_create(const struct engine_config *config);
void engine_destroy(struct engine *engine);

/* Whether something ran out of bits, a time or the number of a combination of locks: nothing is
 * checked any more here, and what others are told from now on may say too much, never too little.
 */
bool engine_is_exhausted(const struct engine *engine);

/* Forgets all accesses to this rank's memory that are over. Races with them are not found any more.
 * None is invented: a race is always one of a newcomer with an access that is remembered, and what
 * orders the two (clocks, epochs, locks, operations under way) stays. Not from within a callback.
 */
void engine_forget_past(struct engine *engine);

/* Nothing is checked any more, and all memory but that of the findings is given back. Calls and
 * batches may go on to come, and do nothing. Not from within a callback. */
void engine_close(struct engine *engine);

/* ---- Windows: own memory ----------------------------------------------------------------------
 */

struct window_info {
    bool same_op; /* accumulate_ops=same_op; the default, same_op_no_op, is false */
    bool dynamic; /* its memory is attached */
    /* Who can reach this rank's memory by the window, as ranks in the world; NULL: everybody. Only
     * memory depends on it: what all of them know to be over is forgotten. */
    const uint32_t *members;
    size_t member_count;
};

/* This rank is a member of `window` and shows `size` bytes at `base` in it (0 bytes is fine).
 * Several windows may show the same memory: bytes are told apart by address, not by window. For a
 * dynamic window base and size are 0, and engine_window_attach names its memory (offset = address).
 * Told before the mailbox is emptied for the constructor's synchronisation: operations may be in
 * it. */
void engine_window_create(struct engine *engine, window_t window, uint64_t base, uint64_t size,
                          const struct window_info *info);
/* An operation on a dynamic window must know that all its bytes are attached, and must not know
 * that they are detached (MISUSE_UNATTACHED). A detach that it is concurrent with is another
 * matter: the caller tells it as a store. */
void engine_window_attach(struct engine *engine, uint32_t thread, window_t window, uint64_t base,
                          uint64_t size);
void engine_window_detach(struct engine *engine, uint32_t thread, window_t window, uint64_t base);

/* At entry of Win_free, which is all to all (told separately). Completes what was pending. The
 * window stays known, since batches of others may still arrive, until engine_window_gone: when
 * Win_free is over, its synchronisation told and the mailbox empty. That only gives memory back. */
void engine_window_free(struct engine *engine, uint32_t thread, window_t window);
void engine_window_gone(struct engine *engine, window_t window);

/* ---- Operations at the origin -----------------------------------------------------------------
 */

/* An operation is issued. The engine knows the epoch it is in from the calls below: the lock held
 * on that window and target if there is one, else a start that names the target, else the fence
 * epoch. With `with_request` the result names it for engine_request_complete; it is 0 where
 * completing the request would mean nothing to the engine (puts, updates), and 0 may be passed
 * there. */
uint64_t engine_rma(struct engine *engine, uint32_t thread, const struct rma_op *op,
                    bool with_request);

/* Wait or successful test on the request: local completion. For gets and ACC_NO_OP that is remote
 * completion too; for everything else it completes nothing at the target. */
void engine_request_complete(struct engine *engine, uint32_t thread, uint64_t request);
void engine_request_free(struct engine *engine, uint64_t request);

/* Win_flush, Win_flush_all (target RANK_ALL): remote completion of all that this process has issued
 * and this thread knows of (of two threads that do not know of each other, neither completes the
 * other's operations but by luck). An operation may have several ends: whoever knows one knows that
 * it is over. */
void engine_flush(struct engine *engine, uint32_t thread, window_t window, uint32_t target);

/* Win_flush_local(_all): completes gets and ACC_NO_OP at the target, nothing else. */
void engine_flush_local(struct engine *engine, uint32_t thread, window_t window, uint32_t target);

/* A stamp for the accumulates (of any kind) that the thread issues from here on: whoever has seen
 * one of them has seen those with equal and lower stamps. Unless they have to be told `apart`, the
 * stamp is the one of before as long as nothing has happened that others could get to know. */
uint64_t engine_update_begin(struct engine *engine, uint32_t thread, bool apart);

/* Hands over what has been issued to that target, and ends nothing. An update that a fetch may see
 * should be with its target before it can be executed, or races between it and accesses that came
 * after that fetch may be missed. None is invented, and all of them merge better. */
void engine_hand_over(struct engine *engine, window_t window, uint32_t target);

/* A fetch of these bytes (from the start of the target's window memory) is locally complete. It has
 * seen what these actors wrote there until these stamps: that is over, for this thread from now on
 * and for whoever hears of it. To be delivered like any batch, before the call returns. */
struct update_seen {
    uint32_t rank, thread;
    uint64_t stamp;
};
void engine_updates_seen(struct engine *engine, uint32_t thread, window_t window, uint32_t target,
                         const struct section *bytes, const struct update_seen *seen, size_t count);

/* A direct load or store in the segment of rank `owner` of a shared-memory window (offsets from the
 * start of that segment). `owner` is not this rank: own memory is told by engine_load/engine_store.
 * Two processes' loads and stores must be ordered like those of two threads (RACE_SHARED). */
void engine_direct(struct engine *engine, uint32_t thread, window_t window, uint32_t owner,
                   const struct section *section, bool store, site_t site);

/* ---- Epochs -----------------------------------------------------------------------------------
 */

/* What a fence or post asserts about this rank's window memory, and where (MPI-4.0 §12.5.5). */
struct promise {
    bool no_store; /* not written by this process since its last synchronisation of the window */
    bool no_put;   /* no put or accumulate comes in the epoch that the call opens */
    site_t site;
};

/* A synchronisation call on the window that has no function of its own here, or whose function does
 * not count as one: what is stored from now on is stored since then (promise.no_store). */
void engine_synchronised(struct engine *engine, uint32_t thread, window_t window);

/* Win_fence. Closes the epoch before it (all its operations are remotely complete) and opens the
 * next. All members of a window call it equally often; the engine counts them to pair an operation
 * with its target's opening fence. `no_precede`: MPI_MODE_NOPRECEDE was given (no synchronisation).
 * `promise` may be NULL: nothing is promised. */
void engine_fence(struct engine *engine, uint32_t thread, window_t window, bool no_precede,
                  const struct promise *promise);

/* Win_post and Win_start with the ranks of their groups. The n-th start of O that names T belongs
 * to the n-th post of T that names O. A batch may arrive before the post it belongs to. */
void engine_post(struct engine *engine, uint32_t thread, window_t window, const uint32_t *origins,
                 size_t count, const struct promise *promise);
void engine_start(struct engine *engine, uint32_t thread, window_t window, const uint32_t *targets,
                  size_t count);

/* Win_complete: local completion at this origin, so gets are over. Puts and accumulates are over at
 * the target's engine_wait: that event is their remote completion, for everybody. */
void engine_complete(struct engine *engine, uint32_t thread, window_t window);

/* Win_wait or successful Win_test is over; the mailbox is empty. */
void engine_wait(struct engine *engine, uint32_t thread, window_t window);

/* Win_lock and Win_lock_all (target RANK_ALL, LOCK_SHARED), told when the call returns. Own loads
 * and stores to one's own window memory count as inside a lock of (window, own rank).
 *
 * Two accesses of two processes in lock epochs of the same window and target, one of them
 * exclusive, never race. Locks order in addition where information can pass. For that the caller
 * keeps a state per (window, target), as bytes: engine_unlock (for each target) gives a
 * contribution that the caller merges into the state (engine_lock_state_merge) before the lock can
 * be granted to anybody else, and engine_lock_acquired hands the state, as it was when the lock was
 * granted, to the engine. It may come any time after engine_lock and before the first read in that
 * epoch.
 *
 * The edge from an earlier epoch E1 that wrote (put, accumulate but ACC_NO_OP, own store) to a
 * later epoch E2 that reads (get, fetching accumulate, own load), one of them exclusive, ends at
 * the *first read* of E2 (its issue): what E2 did before it did not depend on E1 and is not ordered
 * by luck. */
void engine_lock(struct engine *engine, uint32_t thread, window_t window, uint32_t target,
                 enum lock_type type);
bool engine_lock_acquired(struct engine *engine, uint32_t thread, window_t window, uint32_t target,
                          const void *state, size_t size);

/* Win_unlock, at entry: remote completion of the epoch's operations. The contribution to the lock's
 * state is given back (size 0: none); it stays valid until the next call to this engine.
 * For unlock_all: engine_unlock_all once, which calls `contribute` for each target that needs it.
 */
const void *engine_unlock(struct engine *engine, uint32_t thread, window_t window, uint32_t target,
                          size_t *size);
typedef void engine_contribute(void *context, uint32_t target, const void *contribution,
                               size_t size);
void engine_unlock_all(struct engine *engine, uint32_t thread, window_t window,
                       engine_contribute *contribute, void *context);

/* state := state joined with contribution, as bytes in a fresh allocation (free with free); either
 * may be empty. NULL with *merged_size 0 if both are empty, NULL with SIZE_MAX if one is malformed.
 */
void *engine_lock_state_merge(const void *state, size_t size, const void *contribution,
                              size_t contribution_size, size_t *merged_size);

/* Whether it tells of an exclusive epoch that wrote (or of nothing that can be read). */
bool engine_lock_state_has_exclusive(const void *state, size_t size);

/* ---- Clocks -----------------------------------------------------------------------------------
 */

/* What the thread knows, to be sent away; valid until the next call to this engine. */
const void *engine_clock_send(struct engine *engine, uint32_t thread, size_t *size);

/* What others knew is now known here. False if the bytes are no clock: then nothing has changed. */
bool engine_clock_receive(struct engine *engine, uint32_t thread, const void *clock, size_t size);

/* Whether the thread knows of an actor as much as that. */
bool engine_knows(struct engine *engine, uint32_t thread, actor_t actor, time_point time);

/* Edges between threads of this rank: object := object joined with the thread's clock, and back. */
void engine_release(struct engine *engine, uint32_t thread, struct clock *object);
void engine_acquire(struct engine *engine, uint32_t thread, const struct clock *object);

/* A moment of the thread that nothing else has: later than all that it did and let go before, and
 * part of what it lets go next. And the latest time of thread `other` of this rank that the thread
 * has heard of (of this generation; 0: none): by it, whoever knows more of the threads of this
 * process than the engine does recognises what has come back from others. */
time_point engine_mark(struct engine *engine, uint32_t thread);
time_point engine_known(struct engine *engine, uint32_t thread, uint32_t other);

/* The thread will do nothing any more. Only memory depends on it: what a thread may still race with
 * is kept. A number may be used for another thread if that one's creator knows everything of the
 * old one. */
void engine_thread_end(struct engine *engine, uint32_t thread);

/* A blocking all-to-all synchronisation of the world (thread 0 only). Between enter and leave, but
 * after the real call has returned, the mailbox is emptied. Enter also hands over the operations
 * that are still pending, so that afterwards nothing older can arrive anywhere. */
void engine_world_enter(struct engine *engine);
void engine_world_leave(struct engine *engine);

/* ---- At the target ----------------------------------------------------------------------------
 */

/* A batch arrives. False if it is malformed or not for this rank: then nothing of it is used. */
bool engine_take_in(struct engine *engine, const void *batch, size_t size);

/* Own loads and stores. Bytes that no window shows are ignored, at the cost of a table look-up. */
void engine_load(struct engine *engine, uint32_t thread, uint64_t address, uint64_t size,
                 site_t site);
void engine_store(struct engine *engine, uint32_t thread, uint64_t address, uint64_t size,
                  site_t site);

/* The same for an atomic access of the language: it does not race with other atomic ones of this
 * process. */
void engine_atomic(struct engine *engine, uint32_t thread, uint64_t address, uint64_t size,
                   bool store, site_t site);

/* The memory has been given back, and is somebody else's from now on: what this process and others
 * did there before is forgotten. No window shows it any more. */
void engine_memory_renewed(struct engine *engine, uint64_t low, uint64_t high);

/* MPI may read (write) these bytes of this rank from now on, until engine_buffer_end: the buffers
 * of nonblocking calls and the origin buffers of RMA operations. Here they are checked against what
 * other ranks (and this one, by RMA) do to window memory; own loads, stores and buffers
 * against each other are the business of inuse.h. 0 if no byte is window memory: nothing to end. */
uint64_t engine_buffer_begin(struct engine *engine, uint32_t thread, const struct section *sections,
                             size_t count, bool write, site_t site);
void engine_buffer_end(struct engine *engine, uint32_t thread, uint64_t buffer);

/* ---- Results ----------------------------------------------------------------------------------
 */

typedef bool engine_finding_visitor(void *context, const struct finding *finding);
void engine_findings(const struct engine *engine, engine_finding_visitor *visit, void *context);

struct engine_counters {
    uint64_t operations;   /* engine_rma and engine_direct calls */
    uint64_t records_sent; /* what merging left of them */
    uint64_t batches_sent, batch_bytes_sent;
    uint64_t clocks_sent, clock_bytes_sent;
    uint64_t records_taken_in;
    uint64_t history_nodes, history_peak;
    uint64_t shadow_pages;
    uint64_t shadow_slow;   /* own accesses that missed the fast path */
    uint64_t known_entries; /* entries of the largest clock of a thread, now */
    uint64_t memory_bytes;  /* all memory the engine holds now */
    bool exhausted;         /* a time ran out of bits: nothing is checked any more */
};
void engine_count(const struct engine *engine, struct engine_counters *counters);

#endif
