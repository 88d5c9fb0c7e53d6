/* POSIX threads and C11 threads of the program: the functions themselves, in front of the C
 * library's. So it does not matter how the program was compiled, nor who calls them for it (C++'s
 * threads, other libraries).
 *
 * What comes before an unlock or post is given to the object before it, what a lock or wait has
 * learnt is taken afterwards. Before there is a second thread each costs one test. */
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <threads.h>

#include "actor_state.h"
#include "in_front.h"
#include "own_calls.h"

#define CALLER __builtin_return_address(0)

/* Whether the call is to be looked at: a load and a test, if not. */
#define IS_WATCHED (__builtin_expect(actors_are_concurrent(), 0) && call_is_programs(CALLER))

typedef const struct timespec *instant;

/* ---- threads ---- */

/* A thread of the program from its creation until it is joined, or has ended detached. */
struct thread {
    pthread_t id;
    bool has_id, ended, detached;
    uint32_t actor, number;
    void *(*start)(void *);
    thrd_start_t start_c11;
    void *argument;
    struct thread *next;
};

static struct {
    _Atomic uint32_t lock;
    struct thread *oldest, **end;
} all = {.end = &all.oldest};

static pthread_key_t at_exit;
static pthread_once_t key_once = PTHREAD_ONCE_INIT;

/* The lock is held. */
static void forget(struct thread *thread)
{
    for (struct thread **link = &all.oldest; *link; link = &(*link)->next)
        if (*link == thread) {
            *link = thread->next;
            if (all.end == &thread->next)
                all.end = link;
            break;
        }
    actor_keep(thread->actor, false);
    free(thread);
}

/* The thread's keys are deleted, its own objects of C++ have been destroyed. Destructors of the
 * program's keys may still do something, so ours comes again until there is no further round. */
static void leave(void *thread)
{
    if (++runtime_here.exit_rounds < PTHREAD_DESTRUCTOR_ITERATIONS) {
        pthread_setspecific(at_exit, thread);
        return;
    }
    struct thread *leaving = thread;
    actor_thread_ends();
    actor_end(leaving->actor);
    spin_lock(&all.lock);
    leaving->ended = true;
    if (leaving->detached)
        forget(leaving);
    spin_unlock(&all.lock);
}

static void begin_as(struct thread *thread)
{
    spin_lock(&all.lock);
    thread->id = pthread_self();
    thread->has_id = true;
    spin_unlock(&all.lock);
    actor_set_thread_number(thread->number);
    actor_run(thread->actor);
    pthread_setspecific(at_exit, thread);
}

static void *run(void *argument)
{
    struct thread *thread = argument;
    begin_as(thread);
    return thread->start(thread->argument);
}

static int run_c11(void *argument)
{
    struct thread *thread = argument;
    begin_as(thread);
    return thread->start_c11(thread->argument);
}

static void prepare_key(void)
{
    pthread_key_create(&at_exit, leave);
}

/* NULL: the thread is not seen. */
static struct thread *prepare_thread(void)
{
    own_calls_renew();
    if (!actor_is_seen() || !getenv("REGATTA_RECORDS"))
        return NULL;
    struct thread *thread = calloc(1, sizeof *thread);
    if (!thread)
        return NULL;
    REAL(pthread_once)(&key_once, prepare_key);
    thread->actor = actor_fork();
    thread->number = actor_new_thread_number();
    if (thread->actor == ACTOR_NONE) {
        free(thread);
        return NULL;
    }
    actor_keep(thread->actor, true);
    spin_lock(&all.lock);
    *all.end = thread;
    all.end = &thread->next;
    spin_unlock(&all.lock);
    return thread;
}

static void creation_failed(struct thread *thread)
{
    actor_end(thread->actor);
    spin_lock(&all.lock);
    forget(thread);
    spin_unlock(&all.lock);
}

/* The thread says who it is, too, but may not have begun when it is detached. By now it may have
 * been joined or have ended, and its record be another one's. */
static void created(const struct thread *thread, uint32_t number, pthread_t id)
{
    spin_lock(&all.lock);
    for (struct thread *other = all.oldest; other; other = other->next)
        if (other == thread && other->number == number) {
            other->id = id;
            other->has_id = true;
        }
    spin_unlock(&all.lock);
}

static bool creates_detached(const pthread_attr_t *how)
{
    int state = PTHREAD_CREATE_JOINABLE;
    return how && pthread_attr_getdetachstate(how, &state) == 0 && state == PTHREAD_CREATE_DETACHED;
}

EXPORTED int pthread_create(pthread_t *id, const pthread_attr_t *how, void *(*start)(void *),
                            void *argument)
{
    struct thread *thread = call_is_programs(CALLER) ? prepare_thread() : NULL;
    if (!thread)
        return REAL(pthread_create)(id, how, start, argument);
    thread->start = start;
    thread->argument = argument;
    thread->detached = creates_detached(how);
    uint32_t number = thread->number;
    int result = REAL(pthread_create)(id, how, run, thread);
    if (result != 0)
        creation_failed(thread);
    else
        created(thread, number, *id);
    return result;
}

EXPORTED int thrd_create(thrd_t *id, thrd_start_t start, void *argument)
{
    struct thread *thread = call_is_programs(CALLER) ? prepare_thread() : NULL;
    if (!thread)
        return REAL(thrd_create)(id, start, argument);
    thread->start_c11 = start;
    thread->argument = argument;
    uint32_t number = thread->number;
    int result = REAL(thrd_create)(id, run_c11, thread);
    if (result != thrd_success)
        creation_failed(thread);
    else
        created(thread, number, *id);
    return result;
}

/* The identifier may have been given to a new thread already, which comes later in the list. */
static void joined(pthread_t id)
{
    spin_lock(&all.lock);
    struct thread *thread = all.oldest;
    while (thread && !(thread->has_id && pthread_equal(thread->id, id) && !thread->detached))
        thread = thread->next;
    uint32_t actor = thread ? thread->actor : ACTOR_NONE;
    spin_unlock(&all.lock);
    if (!thread)
        return;
    actor_end(actor); /* it did so itself, unless a key's destructor was in our way */
    actor_learn(actor);
    spin_lock(&all.lock);
    forget(thread);
    spin_unlock(&all.lock);
}

#define JOINS(name, parameters, arguments, success)                                                \
    EXPORTED int name parameters                                                                   \
    {                                                                                              \
        int result = REAL(name) arguments;                                                         \
        if (result == success && actors_are_watched())                                             \
            joined(id);                                                                            \
        return result;                                                                             \
    }
JOINS(pthread_join, (pthread_t id, void **value), (id, value), 0)
JOINS(pthread_tryjoin_np, (pthread_t id, void **value), (id, value), 0)
JOINS(pthread_timedjoin_np, (pthread_t id, void **value, instant end), (id, value, end), 0)
JOINS(pthread_clockjoin_np, (pthread_t id, void **value, clockid_t clock, instant end),
      (id, value, clock, end), 0)
JOINS(thrd_join, (thrd_t id, int *value), (id, value), thrd_success)

static void detaching(pthread_t id)
{
    spin_lock(&all.lock);
    for (struct thread *thread = all.oldest; thread; thread = thread->next)
        if (thread->has_id && pthread_equal(thread->id, id) && !thread->detached) {
            thread->detached = true;
            if (thread->ended)
                forget(thread);
            break;
        }
    spin_unlock(&all.lock);
}

/* Before the call: afterwards the identifier may be another thread's. */
EXPORTED int pthread_detach(pthread_t id)
{
    if (actors_are_watched())
        detaching(id);
    return REAL(pthread_detach)(id);
}

EXPORTED int thrd_detach(thrd_t id)
{
    if (actors_are_watched())
        detaching(id);
    return REAL(thrd_detach)(id);
}

/* ---- locks ---- */

/* EOWNERDEAD: the holder of a robust mutex has died, and it is ours now. */
#define GOT(result) ((result) == 0 || (result) == EOWNERDEAD)
#define GOT_C11(result) ((result) == thrd_success)

/* Nobody can become concurrent with this actor while it waits here, if nobody was before. */
#define LOCKS(name, parameters, arguments, got, learn)                                             \
    EXPORTED int name parameters                                                                   \
    {                                                                                              \
        if (!IS_WATCHED)                                                                           \
            return REAL(name) arguments;                                                           \
        int result = REAL(name) arguments;                                                         \
        if (got(result))                                                                           \
            learn(object);                                                                         \
        return result;                                                                             \
    }
#define RELEASES(name, parameters, give)                                                           \
    EXPORTED int name parameters                                                                   \
    {                                                                                              \
        if (IS_WATCHED)                                                                            \
            give(object);                                                                          \
        return REAL(name)(object);                                                                 \
    }
/* Another object begins or ends at this address. */
#define RENEWS(name, parameters, arguments)                                                        \
    EXPORTED int name parameters                                                                   \
    {                                                                                              \
        if (IS_WATCHED)                                                                            \
            renew(object);                                                                         \
        return REAL(name) arguments;                                                               \
    }

static void renew(const void *object)
{
    sync_renew(object);
}

static void locked(const volatile void *object)
{
    lock_acquired(sync_at((const void *)object, SYNC_LOCK));
}

static void unlocking(const volatile void *object)
{
    lock_released(sync_at((const void *)object, SYNC_LOCK));
}

RENEWS(pthread_mutex_init, (pthread_mutex_t * object, const pthread_mutexattr_t *how),
       (object, how))
RENEWS(pthread_mutex_destroy, (pthread_mutex_t * object), (object))
LOCKS(pthread_mutex_lock, (pthread_mutex_t * object), (object), GOT, locked)
LOCKS(pthread_mutex_trylock, (pthread_mutex_t * object), (object), GOT, locked)
LOCKS(pthread_mutex_timedlock, (pthread_mutex_t * object, instant end), (object, end), GOT, locked)
LOCKS(pthread_mutex_clocklock, (pthread_mutex_t * object, clockid_t clock, instant end),
      (object, clock, end), GOT, locked)
RELEASES(pthread_mutex_unlock, (pthread_mutex_t * object), unlocking)

LOCKS(pthread_spin_lock, (pthread_spinlock_t * object), (object), GOT, locked)
LOCKS(pthread_spin_trylock, (pthread_spinlock_t * object), (object), GOT, locked)
RELEASES(pthread_spin_unlock, (pthread_spinlock_t * object), unlocking)

RENEWS(mtx_init, (mtx_t * object, int type), (object, type))
LOCKS(mtx_lock, (mtx_t * object), (object), GOT_C11, locked)
LOCKS(mtx_trylock, (mtx_t * object), (object), GOT_C11, locked)
LOCKS(mtx_timedlock, (mtx_t *restrict object, instant restrict end), (object, end), GOT_C11, locked)
RELEASES(mtx_unlock, (mtx_t * object), unlocking)

/* ---- locks for readers and writers ---- */

/* Readers are not ordered with each other: what they leave only writers take. */
static void locked_for_reading(pthread_rwlock_t *object)
{
    lock_acquired(sync_at(object, SYNC_LOCK));
}

static void locked_for_writing(pthread_rwlock_t *object)
{
    struct sync *sync = sync_at(object, SYNC_LOCK);
    lock_acquired(sync);
    sync_acquire(sync_at(object, SYNC_READERS));
    if (sync)
        sync->writer = true; /* nobody else has the lock */
}

static void unlocking_any(pthread_rwlock_t *object)
{
    struct sync *sync = sync_at(object, SYNC_LOCK);
    bool writer = sync && sync->writer;
    if (writer)
        sync->writer = false;
    if (writer) {
        lock_released(sync);
    } else {
        lock_dropped(sync);
        sync_release(sync_at(object, SYNC_READERS));
    }
}

RENEWS(pthread_rwlock_init, (pthread_rwlock_t * object, const pthread_rwlockattr_t *how),
       (object, how))
LOCKS(pthread_rwlock_rdlock, (pthread_rwlock_t * object), (object), GOT, locked_for_reading)
LOCKS(pthread_rwlock_tryrdlock, (pthread_rwlock_t * object), (object), GOT, locked_for_reading)
LOCKS(pthread_rwlock_timedrdlock, (pthread_rwlock_t * object, instant end), (object, end), GOT,
      locked_for_reading)
LOCKS(pthread_rwlock_clockrdlock, (pthread_rwlock_t * object, clockid_t clock, instant end),
      (object, clock, end), GOT, locked_for_reading)
LOCKS(pthread_rwlock_wrlock, (pthread_rwlock_t * object), (object), GOT, locked_for_writing)
LOCKS(pthread_rwlock_trywrlock, (pthread_rwlock_t * object), (object), GOT, locked_for_writing)
LOCKS(pthread_rwlock_timedwrlock, (pthread_rwlock_t * object, instant end), (object, end), GOT,
      locked_for_writing)
LOCKS(pthread_rwlock_clockwrlock, (pthread_rwlock_t * object, clockid_t clock, instant end),
      (object, clock, end), GOT, locked_for_writing)
RELEASES(pthread_rwlock_unlock, (pthread_rwlock_t * object), unlocking_any)

/* ---- semaphores ---- */

static void waited(sem_t *object)
{
    sync_acquire(sync_at(object, SYNC_SEMAPHORE));
}

static void posting(sem_t *object)
{
    sync_release(sync_at(object, SYNC_SEMAPHORE));
}

RENEWS(sem_init, (sem_t * object, int shared, unsigned value), (object, shared, value))
LOCKS(sem_wait, (sem_t * object), (object), GOT, waited)
LOCKS(sem_trywait, (sem_t * object), (object), GOT, waited)
LOCKS(sem_timedwait, (sem_t *restrict object, instant restrict end), (object, end), GOT, waited)
LOCKS(sem_clockwait, (sem_t *restrict object, clockid_t clock, instant restrict end),
      (object, clock, end), GOT, waited)
RELEASES(sem_post, (sem_t * object), posting)

/* ---- barriers ---- */

/* How many come is told here only, so it is kept whether a second thread exists or not. */
EXPORTED int pthread_barrier_init(pthread_barrier_t *object, const pthread_barrierattr_t *how,
                                  unsigned count)
{
    if (call_is_programs(CALLER))
        barrier_prepare(object, count);
    return REAL(pthread_barrier_init)(object, how, count);
}

EXPORTED int pthread_barrier_wait(pthread_barrier_t *object)
{
    struct sync *phase = IS_WATCHED ? barrier_arrive(object) : NULL;
    int result = REAL(pthread_barrier_wait)(object);
    if (result == 0 || result == PTHREAD_BARRIER_SERIAL_THREAD)
        sync_acquire(phase);
    return result;
}

/* ---- conditions ---- */

/* A signal orders nothing by itself: who waits may wake without one, and looks at what the mutex
 * protects. The mutex is held again after a timeout, too, and when the thread is cancelled. */
static void locked_again(void *mutex)
{
    locked(mutex);
}

#define WAITS(name, parameters, arguments)                                                         \
    EXPORTED int name parameters                                                                   \
    {                                                                                              \
        if (!IS_WATCHED)                                                                           \
            return REAL(name) arguments;                                                           \
        int result;                                                                                \
        unlocking(mutex);                                                                          \
        pthread_cleanup_push(locked_again, mutex);                                                 \
        result = REAL(name) arguments;                                                             \
        pthread_cleanup_pop(1);                                                                    \
        return result;                                                                             \
    }
WAITS(pthread_cond_wait, (pthread_cond_t * object, pthread_mutex_t *mutex), (object, mutex))
WAITS(pthread_cond_timedwait, (pthread_cond_t * object, pthread_mutex_t *mutex, instant end),
      (object, mutex, end))
WAITS(pthread_cond_clockwait,
      (pthread_cond_t * object, pthread_mutex_t *mutex, clockid_t clock, instant end),
      (object, mutex, clock, end))
WAITS(cnd_wait, (cnd_t * object, mtx_t *mutex), (object, mutex))
WAITS(cnd_timedwait, (cnd_t *restrict object, mtx_t *restrict mutex, instant restrict end),
      (object, mutex, end))

/* ---- once ---- */

struct once_call {
    void (*routine)(void);
    const void *control;
    struct once_call *outer;
};

static void run_once(void)
{
    struct once_call *call = runtime_here.once_calls;
    call->routine(); /* may leave by an exception: then it was not done */
    sync_release(sync_at(call->control, SYNC_ONCE));
}

static void end_once(struct once_call *call)
{
    runtime_here.once_calls = call->outer;
}

#define ONCE(real)                                                                                 \
    struct once_call call                                                                          \
        __attribute__((cleanup(end_once))) = {routine, control, runtime_here.once_calls};          \
    runtime_here.once_calls = &call;                                                               \
    real(control, run_once);                                                                       \
    sync_acquire(sync_at(control, SYNC_ONCE))

EXPORTED int pthread_once(pthread_once_t *control, void (*routine)(void))
{
    if (!IS_WATCHED)
        return REAL(pthread_once)(control, routine);
    ONCE(REAL(pthread_once));
    return 0;
}

EXPORTED void call_once(once_flag *control, void (*routine)(void))
{
    if (!IS_WATCHED) {
        REAL(call_once)(control, routine);
        return;
    }
    ONCE(REAL(call_once));
}

/* Objects with static storage in functions of C++. The program looks at the first byte itself,
 * atomically; so what was done is left there, too. */
int __cxa_guard_acquire(char *guard);
void __cxa_guard_release(char *guard);

EXPORTED int __cxa_guard_acquire(char *guard)
{
    int mine = REAL(__cxa_guard_acquire)(guard);
    if (!mine && IS_WATCHED)
        sync_acquire(sync_at(guard, SYNC_ATOMIC));
    return mine;
}

EXPORTED void __cxa_guard_release(char *guard)
{
    if (IS_WATCHED)
        sync_release(sync_at(guard, SYNC_ATOMIC));
    REAL(__cxa_guard_release)(guard);
}
