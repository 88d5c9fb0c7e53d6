#include "thread_pace.h"

#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <time.h>

#include "layer.h"
#include "settings.h"
#include "stress_thread.h"

#define EXPORTED __attribute__((visibility("default")))

/* In microseconds. A pause must outlast what the other threads do until they meet again, even if
 * they have to wait for a processor; all of a process together must not look like a hang. */
enum { PAUSE = 10000, ALL_PAUSES = 2000000 };

static pthread_t main_thread;
static _Atomic long paused;
__thread struct stress_thread stress_here;

/* Legal: neither MPI nor POSIX nor OpenMP promises anything about the speed of threads. */
static void hold_back(void)
{
    if (!layer_is_active() || stress_here.in_mpi || settings.threads == THREADS_NONE)
        return;
    bool is_main = pthread_equal(pthread_self(), main_thread);
    if (is_main != (settings.threads == THREADS_MAIN) || paused >= ALL_PAUSES)
        return;
    paused += PAUSE;
    nanosleep(&(struct timespec){.tv_nsec = PAUSE * 1000L}, NULL);
}

void thread_pace_start(void)
{
    main_thread = pthread_self();
}

void thread_pace_enter(void)
{
    hold_back();
    stress_here.in_mpi++;
}

void thread_pace_leave(void)
{
    if (stress_here.in_mpi > 0)
        stress_here.in_mpi--;
    hold_back();
}

/* ---- where threads meet: in front of the C library and of OpenMP's runtimes ---- */

/* The function that this library stands in front of. */
static void *behind(void **known, const char *name)
{
    if (!*known)
        *known = dlsym(RTLD_NEXT, name);
    return *known;
}
#define BEHIND(name)                                                                               \
    ({                                                                                             \
        static void *known;                                                                        \
        (__typeof__(&name))behind(&known, #name);                                                  \
    })

struct beginning {
    void *(*start)(void *);
    void *argument;
};

static void *begin_late(void *argument)
{
    struct beginning beginning = *(struct beginning *)argument;
    free(argument);
    hold_back();
    return beginning.start(beginning.argument);
}

EXPORTED int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                            void *(*start)(void *), void *argument)
{
    struct beginning *beginning = layer_is_active() && !stress_here.in_mpi && settings.threads
                                      ? malloc(sizeof *beginning)
                                      : NULL;
    if (!beginning)
        return BEHIND(pthread_create)(thread, attributes, start, argument);
    *beginning = (struct beginning){start, argument};
    int result = BEHIND(pthread_create)(thread, attributes, begin_late, beginning);
    if (result)
        free(beginning);
    else
        hold_back();
    return result;
}

EXPORTED int pthread_mutex_lock(pthread_mutex_t *mutex)
{
    hold_back();
    return BEHIND(pthread_mutex_lock)(mutex);
}

EXPORTED int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
    int result = BEHIND(pthread_mutex_unlock)(mutex);
    hold_back();
    return result;
}

EXPORTED int pthread_barrier_wait(pthread_barrier_t *barrier)
{
    int result = BEHIND(pthread_barrier_wait)(barrier);
    hold_back();
    return result;
}

EXPORTED int sem_post(sem_t *semaphore)
{
    int result = BEHIND(sem_post)(semaphore);
    hold_back();
    return result;
}

EXPORTED int sem_wait(sem_t *semaphore)
{
    int result = BEHIND(sem_wait)(semaphore);
    hold_back();
    return result;
}

/* The barriers of gcc's and of LLVM's OpenMP. */
EXPORTED void GOMP_barrier(void);
EXPORTED void GOMP_barrier(void)
{
    BEHIND(GOMP_barrier)();
    hold_back();
}

EXPORTED void __kmpc_barrier(void *place, int thread);
EXPORTED void __kmpc_barrier(void *place, int thread)
{
    BEHIND(__kmpc_barrier)(place, thread);
    hold_back();
}
