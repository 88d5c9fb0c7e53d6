/* Locks and the like in window memory: what their wrapped functions tell. */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "interface_check.h"

static void expect_release(const void *object)
{
    expect_access(object, 0, RECORDED_RELEASE);
}

static void expect_acquire(const void *object)
{
    expect_access(object, 0, RECORDED_ACQUIRE);
}

static const struct timespec long_ago;

static void mutexes(void **state)
{
    (void)state;
    recorder_flag(memory, ACCESS_WINDOW);
    pthread_mutex_t *mutex = (pthread_mutex_t *)memory;
    pthread_mutex_init(mutex, NULL);
    expect_access(mutex, sizeof *mutex, HOOK_STORE);
    assert_int_equal(pthread_mutex_lock(mutex), 0);
    expect_acquire(mutex);
    assert_int_equal(pthread_mutex_trylock(mutex), EBUSY);
    assert_int_equal(pthread_mutex_timedlock(mutex, &long_ago), ETIMEDOUT);
    assert_int_equal(pthread_mutex_clocklock(mutex, CLOCK_MONOTONIC, &long_ago), ETIMEDOUT);
    expect_nothing();
    assert_int_equal(pthread_mutex_unlock(mutex), 0);
    expect_release(mutex);
    assert_int_equal(pthread_mutex_trylock(mutex), 0);
    expect_acquire(mutex);
    pthread_spinlock_t *spin = (pthread_spinlock_t *)(memory + 64);
    pthread_spin_init(spin, PTHREAD_PROCESS_SHARED);
    expect_access((const void *)spin, sizeof *spin, HOOK_STORE);
    assert_int_equal(pthread_spin_lock(spin), 0);
    expect_acquire((const void *)spin);
    assert_int_equal(pthread_spin_trylock(spin), EBUSY);
    pthread_spin_unlock(spin);
    expect_release((const void *)spin);
    expect_nothing();
}

static void objects_elsewhere_are_not_told(void **state)
{
    (void)state; /* the page is flagged, but not for a window */
    pthread_mutex_t *mutex = (pthread_mutex_t *)memory;
    *mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(mutex);
    pthread_mutex_unlock(mutex);
    expect_nothing();
}

/* What readers release only writers acquire. */
static void locks_for_readers_and_writers(void **state)
{
    (void)state;
    recorder_flag(memory, ACCESS_WINDOW);
    pthread_rwlock_t *lock = (pthread_rwlock_t *)memory;
    *lock = (pthread_rwlock_t)PTHREAD_RWLOCK_INITIALIZER;
    assert_int_equal(pthread_rwlock_rdlock(lock), 0);
    expect_acquire(lock);
    assert_int_equal(pthread_rwlock_tryrdlock(lock), 0);
    expect_acquire(lock);
    assert_int_equal(pthread_rwlock_trywrlock(lock), EBUSY);
    assert_int_equal(pthread_rwlock_timedwrlock(lock, &long_ago), ETIMEDOUT);
    expect_nothing();
    for (int i = 0; i < 2; i++) {
        pthread_rwlock_unlock(lock);
        expect_release(memory + 4);
    }
    assert_int_equal(pthread_rwlock_wrlock(lock), 0);
    expect_acquire(lock);
    expect_acquire(memory + 4);
    pthread_rwlock_unlock(lock);
    expect_release(lock);
    expect_nothing();
}

static void semaphores_and_barriers(void **state)
{
    (void)state;
    recorder_flag(memory, ACCESS_WINDOW);
    sem_t *semaphore = (sem_t *)memory;
    sem_init(semaphore, 1, 0);
    expect_access(semaphore, sizeof *semaphore, HOOK_STORE);
    assert_int_equal(sem_trywait(semaphore), -1);
    assert_int_equal(errno, EAGAIN);
    assert_int_equal(sem_timedwait(semaphore, &long_ago), -1);
    assert_int_equal(errno, ETIMEDOUT);
    expect_nothing();
    sem_post(semaphore);
    expect_release(semaphore);
    assert_int_equal(sem_wait(semaphore), 0);
    expect_acquire(semaphore);
    pthread_barrier_t *barrier = (pthread_barrier_t *)(memory + 64);
    pthread_barrier_init(barrier, NULL, 1);
    expect_access(barrier, sizeof *barrier, HOOK_STORE);
    assert_int_equal(pthread_barrier_wait(barrier), PTHREAD_BARRIER_SERIAL_THREAD);
    expect_release(barrier);
    expect_acquire(barrier);
    expect_nothing();
}

static void clean_up(void *mutex)
{
    expect_release(mutex);
    expect_acquire(mutex);
    assert_int_equal(pthread_mutex_unlock(mutex), 0);
    expect_release(mutex);
}

static void *wait_until_cancelled(void *condition)
{
    pthread_mutex_t *mutex = (pthread_mutex_t *)(memory + 64);
    pthread_cleanup_push(clean_up, mutex);
    pthread_mutex_lock(mutex);
    expect_acquire(mutex);
    pthread_cond_wait(condition, mutex);
    pthread_cleanup_pop(0);
    return NULL;
}

static void conditions(void **state)
{
    (void)state;
    recorder_flag(memory, ACCESS_WINDOW);
    pthread_cond_t *condition = (pthread_cond_t *)memory;
    pthread_mutex_t *mutex = (pthread_mutex_t *)(memory + 64);
    *condition = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
    *mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(mutex);
    expect_acquire(mutex);
    assert_int_equal(pthread_cond_timedwait(condition, mutex, &long_ago), ETIMEDOUT);
    expect_release(mutex);
    expect_acquire(mutex);
    pthread_mutex_unlock(mutex);
    expect_release(mutex);
    pthread_cond_signal(condition);
    expect_release(condition);
    pthread_cond_broadcast(condition);
    expect_release(condition);
    pthread_t thread;
    void *end;
    assert_int_equal(pthread_create(&thread, NULL, wait_until_cancelled, condition), 0);
    pthread_cancel(thread);
    pthread_join(thread, &end);
    assert_ptr_equal(end, PTHREAD_CANCELED);
    expect_nothing();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(mutexes),
        TEST(objects_elsewhere_are_not_told),
        TEST(locks_for_readers_and_writers),
        TEST(semaphores_and_barriers),
        TEST(conditions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
