#include "shared_lock.h"

bool platform_lock_make(struct platform_lock *lock)
{
    pthread_mutexattr_t kind;
    return pthread_mutexattr_init(&kind) == 0 &&
           pthread_mutexattr_setpshared(&kind, PTHREAD_PROCESS_SHARED) == 0 &&
           pthread_mutexattr_setrobust(&kind, PTHREAD_MUTEX_ROBUST) == 0 &&
           pthread_mutex_init(&lock->mutex, &kind) == 0;
}
