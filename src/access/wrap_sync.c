/* Locks, semaphores, barriers and conditions of POSIX that lie in a shared window: with
 * PTHREAD_PROCESS_SHARED they order processes there, as atomics of the language do. What comes
 * before an unlock or post is told before it, what a lock or wait has learnt after it; the
 * functions' own accesses to the object are atomic, and not told. Objects elsewhere cost one look
 * at the page's flag.
 *
 * Not with a libc that keeps these functions in a library of their own, as glibc did before 2.34:
 * programs refer to that weakly, and whether it is there must not depend on us. */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>

#include "wrap.h"

#if defined __GLIBC__ && __GLIBC_PREREQ(2, 34)

static inline bool is_in_window(const volatile void *object)
{
    return __builtin_expect(access_flags_at((const void *)object) & ACCESS_WINDOW, 0);
}

static inline void release(const volatile void *object)
{
    if (is_in_window(object))
        access_hooks->release((const void *)object);
}

static inline void acquire(const volatile void *object)
{
    if (is_in_window(object))
        access_hooks->acquire((const void *)object);
}

/* EOWNERDEAD: the holder of a robust mutex has died, and it is ours now. */
#define LOCKS(name, parameters, arguments, learn)                                                  \
    int REAL(name) parameters;                                                                     \
    int WRAP(name) parameters                                                                      \
    {                                                                                              \
        int result = REAL(name) arguments;                                                         \
        if (result == 0 || result == EOWNERDEAD)                                                   \
            learn(object);                                                                         \
        return result;                                                                             \
    }
#define RELEASES(name, parameters, arguments)                                                      \
    int REAL(name) parameters;                                                                     \
    int WRAP(name) parameters                                                                      \
    {                                                                                              \
        release(object);                                                                           \
        return REAL(name) arguments;                                                               \
    }
/* A plain store of the whole object. */
#define INITIALISES(name, parameters, arguments)                                                   \
    int REAL(name) parameters;                                                                     \
    int WRAP(name) parameters                                                                      \
    {                                                                                              \
        STORES((const void *)object, sizeof *object);                                              \
        return REAL(name) arguments;                                                               \
    }

typedef const struct timespec *instant;

/* ---- mutexes ---- */

INITIALISES(pthread_mutex_init, (pthread_mutex_t * object, const pthread_mutexattr_t *how),
            (object, how))
LOCKS(pthread_mutex_lock, (pthread_mutex_t * object), (object), acquire)
LOCKS(pthread_mutex_trylock, (pthread_mutex_t * object), (object), acquire)
LOCKS(pthread_mutex_timedlock, (pthread_mutex_t * object, instant end), (object, end), acquire)
LOCKS(pthread_mutex_clocklock, (pthread_mutex_t * object, clockid_t clock, instant end),
      (object, clock, end), acquire)
RELEASES(pthread_mutex_unlock, (pthread_mutex_t * object), (object))

INITIALISES(pthread_spin_init, (pthread_spinlock_t * object, int shared), (object, shared))
LOCKS(pthread_spin_lock, (pthread_spinlock_t * object), (object), acquire)
LOCKS(pthread_spin_trylock, (pthread_spinlock_t * object), (object), acquire)
RELEASES(pthread_spin_unlock, (pthread_spinlock_t * object), (object))

/* ---- locks for readers and writers ---- */

/* Readers are not ordered with each other: what they release stands elsewhere in the object, where
 * only writers look. */
static inline const char *readers_of(const pthread_rwlock_t *object)
{
    return (const char *)object + sizeof(int);
}

static inline void acquire_for_writing(const pthread_rwlock_t *object)
{
    acquire(object);
    acquire(readers_of(object));
}

INITIALISES(pthread_rwlock_init, (pthread_rwlock_t * object, const pthread_rwlockattr_t *how),
            (object, how))
LOCKS(pthread_rwlock_rdlock, (pthread_rwlock_t * object), (object), acquire)
LOCKS(pthread_rwlock_tryrdlock, (pthread_rwlock_t * object), (object), acquire)
LOCKS(pthread_rwlock_timedrdlock, (pthread_rwlock_t * object, instant end), (object, end), acquire)
LOCKS(pthread_rwlock_clockrdlock, (pthread_rwlock_t * object, clockid_t clock, instant end),
      (object, clock, end), acquire)
LOCKS(pthread_rwlock_wrlock, (pthread_rwlock_t * object), (object), acquire_for_writing)
LOCKS(pthread_rwlock_trywrlock, (pthread_rwlock_t * object), (object), acquire_for_writing)
LOCKS(pthread_rwlock_timedwrlock, (pthread_rwlock_t * object, instant end), (object, end),
      acquire_for_writing)
LOCKS(pthread_rwlock_clockwrlock, (pthread_rwlock_t * object, clockid_t clock, instant end),
      (object, clock, end), acquire_for_writing)

/* Who holds it is in glibc's part of the type: 0 as long as readers do. */
int REAL(pthread_rwlock_unlock)(pthread_rwlock_t *object);
int WRAP(pthread_rwlock_unlock)(pthread_rwlock_t *object)
{
    if (is_in_window(object))
        release(object->__data.__cur_writer ? (const char *)object : readers_of(object));
    return REAL(pthread_rwlock_unlock)(object);
}

/* ---- semaphores ---- */

INITIALISES(sem_init, (sem_t * object, int shared, unsigned value), (object, shared, value))
RELEASES(sem_post, (sem_t * object), (object))
LOCKS(sem_wait, (sem_t * object), (object), acquire)
LOCKS(sem_trywait, (sem_t * object), (object), acquire)
LOCKS(sem_timedwait, (sem_t * object, instant end), (object, end), acquire)
LOCKS(sem_clockwait, (sem_t * object, clockid_t clock, instant end), (object, clock, end), acquire)

/* ---- barriers ---- */

INITIALISES(pthread_barrier_init,
            (pthread_barrier_t * object, const pthread_barrierattr_t *how, unsigned count),
            (object, how, count))

/* Who leaves late may learn what others did before they came again: that orders too much, never too
 * little. */
int REAL(pthread_barrier_wait)(pthread_barrier_t *object);
int WRAP(pthread_barrier_wait)(pthread_barrier_t *object)
{
    release(object);
    int result = REAL(pthread_barrier_wait)(object);
    if (result == 0 || result == PTHREAD_BARRIER_SERIAL_THREAD)
        acquire(object);
    return result;
}

/* ---- conditions ---- */

INITIALISES(pthread_cond_init, (pthread_cond_t * object, const pthread_condattr_t *how),
            (object, how))
RELEASES(pthread_cond_signal, (pthread_cond_t * object), (object))
RELEASES(pthread_cond_broadcast, (pthread_cond_t * object), (object))

static void acquire_cancelled(void *mutex)
{
    acquire(mutex);
}

/* The mutex is held again after a timeout, too, and when the thread is cancelled, for its cleanup.
 */
#define WAITS(name, parameters, arguments)                                                         \
    int REAL(name) parameters;                                                                     \
    int WRAP(name) parameters                                                                      \
    {                                                                                              \
        if (!is_in_window(object) && !is_in_window(mutex))                                         \
            return REAL(name) arguments;                                                           \
        int result;                                                                                \
        release(mutex);                                                                            \
        pthread_cleanup_push(acquire_cancelled, mutex);                                            \
        result = REAL(name) arguments;                                                             \
        pthread_cleanup_pop(0);                                                                    \
        if (result == 0)                                                                           \
            acquire(object);                                                                       \
        if (result == 0 || result == ETIMEDOUT || result == EOWNERDEAD)                            \
            acquire(mutex);                                                                        \
        return result;                                                                             \
    }
WAITS(pthread_cond_clockwait,
      (pthread_cond_t * object, pthread_mutex_t *mutex, clockid_t clock, instant end),
      (object, mutex, clock, end))
WAITS(pthread_cond_timedwait, (pthread_cond_t * object, pthread_mutex_t *mutex, instant end),
      (object, mutex, end))
WAITS(pthread_cond_wait, (pthread_cond_t * object, pthread_mutex_t *mutex), (object, mutex))

#endif
