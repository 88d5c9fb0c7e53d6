#include "session.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "access_log.h"
#include "accesses.h"
#include "actor_state.h"
#include "comms.h"
#include "completers.h"
#include "crossings.h"
#include "ends.h"
#include "engine/engine.h"
#include "findings.h"
#include "engine/inuse.h"
#include "interpose/datatype_layout.h"
#include "interpose/regatta_options.h"
#include "pages.h"
#include "interpose/pmpi.h"
#include "interpose/process.h"
#include "race_records.h"
#include "recent.h"
#include "renewals.h"
#include "shortage.h"
#include "interpose/record.h"
#include "mpi/routine.h"
#include "platform/thread_barrier.h"
#include "transport.h"
#include "uses.h"
#include "window_accesses.h"

struct session session;
struct session_bias session_bias = {.mutex = PTHREAD_MUTEX_INITIALIZER};
__thread struct runtime_thread runtime_here;
atomic_bool session_is_quick;
atomic_bool session_active;

static bool was_started; /* MPI is initialised once in the life of a process */

bool session_admits(enum routine_id routine)
{
    return process_may_start(routine) && !was_started;
}

static bool was_finalized;

bool session_is_finalized(void)
{
    return was_finalized;
}

int session_thread(void)
{
    return (int)actor_thread_number();
}

/* fork leaves the child with a copy of everything, but it is not a rank: it must not write. */
static void become_bystander(void)
{
    atomic_store(&session_is_quick, false);
    atomic_store(&session_active, false);
    pages_clear_all();
    ends_forget();
    record_close();
    was_finalized = false;
}

/* exit() without MPI_Finalize. No lock: exit may be called from a signal handler or an MPI error
 * handler that interrupted a wrapper, and must not wait for anybody. At worst a count is one too
 * small. */
static __attribute__((destructor)) void leave(void)
{
    session_end("exited");
}

static bool unseen_has_come; /* a thread whose creator was not seen; under the mutex */

void session_lock_shared(void)
{
    pthread_mutex_lock(&session_bias.mutex);
    if (!actor_is_seen())
        unseen_has_come = true;
    if (atomic_load(&session_bias.shared)) {
        if (!window_runs_shared && !runtime_here.is_owner)
            window_runs_share(); /* after a while in which the owner was alone */
        return;
    }
    atomic_store(&session_is_quick, false);
    atomic_store(&session_bias.shared, true);
    platform_barrier();
    while (atomic_load(&session_bias.owner_inside))
        sched_yield();
    window_runs_share();
}

/* What threads do that nobody has seen begin is not told: once there is one, nobody is alone. */
bool session_is_alone_again(void)
{
    return runtime_here.is_owner && !actors_are_concurrent() && !unseen_has_come;
}

void session_pause(void)
{
    session_unlock();
}

/* Accesses of other threads that are not told yet are told with the next event: nothing orders them
 * with what this call learns or tells. */
void session_resume(void)
{
    session_lock();
}

/* ---- threads ---- */

static atomic_bool unseen_is_told;

void session_tell_unseen(void)
{
    if (atomic_exchange(&unseen_is_told, true))
        return;
    session_lock();
    record_limit("threads", "order between some threads of a process",
                 "who created them was not seen");
    session_unlock();
}

/* An actor is about to learn or to give something: what it did until now comes before that. */
static void settle_accesses(void)
{
    if (runtime_here.has_lock || !session_is_active())
        return;
    access_log_settle();
    if (!window_has_untold())
        return;
    session_lock();
    window_accesses_settle();
    session_unlock();
}

static void no_longer_alone(void)
{
    atomic_store(&session_is_quick, false);
    if (session_is_active())
        access_log_begin();
}

/* With the lock held if an MPI call has brought the news. */
static void calm_again(void)
{
    bool held = runtime_here.has_lock;
    if (!session_is_active())
        return;
    if (!held)
        session_lock();
    access_log_clear();
    uses_clear();
    renewals_clear();
    if (!held)
        session_unlock();
}

static void stack_dead(uint64_t low, uint64_t high)
{
    if (runtime_here.has_lock || !session_is_active())
        return;
    session_lock();
    memory_renewed(low, high);
    session_unlock();
}

/* ---- races between ranks ---- */

bool session_races;

static void deliver(void *context, uint32_t target, const void *batch, size_t size)
{
    (void)context;
    struct letter letter = {LETTER_BATCH, session.rank, 0, 0, batch, size};
    if (!letter_send(target, &letter))
        session_give_up_races("no shared memory left for operations");
}

bool session_several_call;

bool session_exchanges;

/* Spawned processes are ordered by way of their parents too, which are in another MPI_COMM_WORLD.
 */
static bool is_spawned(void)
{
    MPI_Comm parent = handles.comm_null;
    pmpi.Comm_get_parent(&parent);
    return parent != handles.comm_null;
}

/* Findings name sites of other ranks: readers must know which process of that rank is meant. */
static void record_world(void)
{
    struct record record;
    record_begin(&record, "world");
    record_string(&record, "name", transport_world());
    record_end(&record);
}

/* Every rank comes here, also one that cannot be checked: the others would wait for it. */
static void races_prepare(bool is_checked)
{
    const char *why = NULL;
    if (!options.races) {
        if (is_checked)
            record_limit("option", "races between ranks", "races=0");
        return;
    }
    int level = MPI_THREAD_MULTIPLE, own[2], all[2] = {0};
    pmpi.Query_thread(&level);
    own[0] = level < MPI_THREAD_SERIALIZED;
    own[1] = is_checked;
    pmpi.Allreduce(own, all, 2, handles.integer, handles.min, handles.comm_world);
    session_several_call = !all[0];
    if (!all[1])
        why = "a rank cannot be checked";
    else if (is_spawned())
        why = "spawned processes";
    else
        session_races = session_exchanges = transport_open(&why);
    if (session_races) {
        record_world();
        comms_start();
        if (transport_spans_nodes())
            session_look_for_races(true);
    } else if (is_checked) {
        record_limit("races", "races between ranks", why);
    }
}

void session_look_for_races(bool all_ranks_together)
{
    if (!session_races || session.engine)
        return;
    all_ranks_together = all_ranks_together && !transport_is_awake();
    session.implicit_world = all_ranks_together && !session_several_call;
    struct engine_config config = {.rank = session.rank,
                                   .ranks = session.ranks,
                                   .implicit_world = session.implicit_world,
                                   .strict_accumulate = options.strict_accumulate,
                                   .generations_left = options.generations_left,
                                   .deliver = deliver,
                                   .report = race_report};
    session.engine = engine_create(&config);
    /* The ranks that are not in this window pass on what happens to it. */
    if (!all_ranks_together && !transport_is_awake())
        transport_wake_all();
}

void session_give_up_races(const char *why)
{
    if (!session_races)
        return;
    record_limit("races", "races between ranks from some moment on", why);
    session_races = false;
    ends_channels_lost();
    /* Others would miss what is ordered by way of this rank. */
    transport_stop_all(why);
    /* The engine stays for now: we may be in one of its callbacks. It only reports no more. */
    race_reports_stop();
}

void session_close_engine(void)
{
    if (session.engine && !session_races)
        engine_close(session.engine);
}

void session_mind_limits(void)
{
    shortage_mind();
    if (session_races && session.engine && engine_is_exhausted(session.engine))
        session_give_up_races("more moments or combinations of locks than can be told apart");
}

void session_start(void)
{
    const char *directory = getenv("REGATTA_RECORDS");
    was_started = true;
    options_read();
    pmpi.Comm_rank(handles.comm_world, &session.rank);
    pmpi.Comm_size(handles.comm_world, &session.ranks);
    shortage_prepare();
    if (!directory || !record_open(directory)) {
        fprintf(stderr, "regatta: cannot write records to %s: %s; this process is not checked\n",
                directory ? directory : "(no directory)", strerror(errno));
        races_prepare(false);
        return;
    }
    session.inuse = inuse_create();
    session.layouts = layout_cache_create();
    actor_set_main_thread();
    crossings_start();
    actors_settle = settle_accesses;
    actors_concur = no_longer_alone;
    actors_calm = calm_again;
    actors_stack_dead = stack_dead;
    runtime_here.is_owner = true;
    if (!platform_barrier_prepare()) {
        atomic_store(&session_bias.shared, true); /* an old kernel: always the mutex */
        window_runs_share();
    }
    process_record(session.rank, session.ranks);
    ends_start(directory, record_name());
    accesses_start();
    if (!session.inuse || !session.layouts) {
        record_limit("process", "anything of a process", "no memory at the start");
        races_prepare(false);
        return;
    }
    pthread_atfork(NULL, NULL, become_bystander);
    races_prepare(true);
    atomic_store_explicit(&session_active, true, memory_order_release);
    session_lock();
    shortage_mind(); /* only now can the others be told */
    session_unlock();
    if (actors_are_concurrent())
        access_log_begin();
    atomic_store(&session_is_quick,
                 !pages && !atomic_load(&session_bias.shared) && !actors_are_watched());
}

void session_end(const char *state)
{
    if (!session_is_active())
        return;
    atomic_store(&session_is_quick, false);
    atomic_store(&session_active, false);
    pages_clear_all();
    if (session.engine) {
        window_accesses_settle();
        race_record_counts();
        recent_write();
        completers_write();
    }
    findings_record_counts();
    was_finalized = strcmp(state, "finalized") == 0;
    if (was_finalized) /* exit may have interrupted the loader */
        accesses_end();
    shortage_end();
    record_finish(state);
    if (!was_finalized) /* a call that comes too late is still reported */
        record_close();
    ends_finish(was_finalized                   ? PAGE_FINALIZED
                : strcmp(state, "aborted") == 0 ? PAGE_ABORTED
                                                : PAGE_EXITED);
}
