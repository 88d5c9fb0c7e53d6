/* The rest of ThreadSanitizer's interface: start, functions, annotations, fibers, mutexes. The
 * order of threads is taken from what they really do, so most of it has nothing to do here; it must
 * be there, because programs that know of ThreadSanitizer call it. */
#include "module.h"

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

void __tsan_init(void)
{
    access_attach();
}

/* Call stacks are unwound when they are needed. */
void __tsan_func_entry(const void *caller)
{
    (void)caller;
}

void __tsan_func_exit(void)
{
}

/* ---- what the program wants to be left alone ---- */

static void ignore(enum hook_kind kind, int change)
{
    if (access_hooks)
        access_hooks->ignore(kind, change);
}

void __tsan_ignore_thread_begin(void)
{
    ignore(HOOK_LOAD, 1);
    ignore(HOOK_STORE, 1);
}

void __tsan_ignore_thread_end(void)
{
    ignore(HOOK_LOAD, -1);
    ignore(HOOK_STORE, -1);
}

void AnnotateIgnoreReadsBegin(const char *file, int line)
{
    (void)file, (void)line;
    ignore(HOOK_LOAD, 1);
}

void AnnotateIgnoreReadsEnd(const char *file, int line)
{
    (void)file, (void)line;
    ignore(HOOK_LOAD, -1);
}

void AnnotateIgnoreWritesBegin(const char *file, int line)
{
    (void)file, (void)line;
    ignore(HOOK_STORE, 1);
}

void AnnotateIgnoreWritesEnd(const char *file, int line)
{
    (void)file, (void)line;
    ignore(HOOK_STORE, -1);
}

/* ---- nothing to do ---- */

#define NOTHING(name, ...)                                                                         \
    void name(__VA_ARGS__)                                                                         \
    {                                                                                              \
    }
#pragma GCC diagnostic ignored "-Wunused-parameter"

NOTHING(__tsan_ignore_thread_sync_begin, void)
NOTHING(__tsan_ignore_thread_sync_end, void)
NOTHING(AnnotateIgnoreSyncBegin, const char *file, int line)
NOTHING(AnnotateIgnoreSyncEnd, const char *file, int line)
NOTHING(__tsan_check_no_mutexes_held, void)
NOTHING(__tsan_acquire, void *address)
NOTHING(__tsan_release, void *address)
NOTHING(__tsan_flush_memory, void)

#define AT const char *file, int line
NOTHING(AnnotateHappensBefore, AT, const volatile void *address)
NOTHING(AnnotateHappensAfter, AT, const volatile void *address)
NOTHING(WTFAnnotateHappensBefore, AT, const volatile void *address)
NOTHING(WTFAnnotateHappensAfter, AT, const volatile void *address)
NOTHING(AnnotateCondVarSignal, AT, const volatile void *condition)
NOTHING(AnnotateCondVarSignalAll, AT, const volatile void *condition)
NOTHING(AnnotateCondVarWait, AT, const volatile void *condition, const volatile void *lock)
NOTHING(AnnotateMutexIsNotPHB, AT, const volatile void *mutex)
NOTHING(AnnotateMutexIsUsedAsCondVar, AT, const volatile void *mutex)
NOTHING(AnnotateRWLockCreate, AT, const volatile void *lock)
NOTHING(AnnotateRWLockCreateStatic, AT, const volatile void *lock)
NOTHING(AnnotateRWLockDestroy, AT, const volatile void *lock)
NOTHING(AnnotateRWLockAcquired, AT, const volatile void *lock, long writes)
NOTHING(AnnotateRWLockReleased, AT, const volatile void *lock, long writes)
NOTHING(AnnotatePCQCreate, AT, const volatile void *queue)
NOTHING(AnnotatePCQDestroy, AT, const volatile void *queue)
NOTHING(AnnotatePCQPut, AT, const volatile void *queue)
NOTHING(AnnotatePCQGet, AT, const volatile void *queue)
NOTHING(AnnotatePublishMemoryRange, AT, const volatile void *address, long size)
NOTHING(AnnotateUnpublishMemoryRange, AT, const volatile void *address, long size)
NOTHING(AnnotateNewMemory, AT, const volatile void *address, long size)
NOTHING(AnnotateNoOp, AT, const volatile void *address)
NOTHING(AnnotateFlushExpectedRaces, AT)
NOTHING(AnnotateFlushState, AT)
NOTHING(AnnotateEnableRaceDetection, AT, int enable)
NOTHING(AnnotateTraceMemory, AT, const volatile void *address)
NOTHING(AnnotateThreadName, AT, const char *name)
NOTHING(AnnotateExpectRace, AT, const volatile void *address, const char *description)
NOTHING(AnnotateBenignRace, AT, const volatile void *address, const char *description)
NOTHING(AnnotateBenignRaceSized, AT, const volatile void *address, long size,
        const char *description)
NOTHING(WTFAnnotateBenignRaceSized, AT, const volatile void *address, long size,
        const char *description)
NOTHING(AnnotateMemoryIsInitialized, AT, const volatile void *address, long size)
NOTHING(AnnotateMemoryIsUninitialized, AT, const volatile void *address, long size)

NOTHING(__tsan_mutex_create, void *mutex, unsigned flags)
NOTHING(__tsan_mutex_destroy, void *mutex, unsigned flags)
NOTHING(__tsan_mutex_pre_lock, void *mutex, unsigned flags)
NOTHING(__tsan_mutex_post_lock, void *mutex, unsigned flags, int recursion)
NOTHING(__tsan_mutex_post_unlock, void *mutex, unsigned flags)
NOTHING(__tsan_mutex_pre_signal, void *mutex, unsigned flags)
NOTHING(__tsan_mutex_post_signal, void *mutex, unsigned flags)
NOTHING(__tsan_mutex_pre_divert, void *mutex, unsigned flags)
NOTHING(__tsan_mutex_post_divert, void *mutex, unsigned flags)

int __tsan_mutex_pre_unlock(void *mutex, unsigned flags)
{
    return 1; /* levels of a recursive mutex that are unlocked */
}

/* A fiber is nothing but a name here: stacks are unwound from where they are. */
void *__tsan_get_current_fiber(void)
{
    static __thread char fiber;
    return &fiber;
}

void *__tsan_create_fiber(unsigned flags)
{
    static char fiber;
    return &fiber;
}

NOTHING(__tsan_destroy_fiber, void *fiber)
NOTHING(__tsan_switch_to_fiber, void *fiber, unsigned flags)
NOTHING(__tsan_set_fiber_name, void *fiber, const char *name)

/* Accesses that a library reports of its own objects: the program's memory is checked as it is. */
void *__tsan_external_register_tag(const char *object_type)
{
    return NULL;
}
NOTHING(__tsan_external_register_header, void *tag, const char *header)
NOTHING(__tsan_external_assign_tag, void *address, void *tag)
void __tsan_external_read(const void *address, void *caller, void *tag)
{
    CHECK_ALIGNED(address, 1, HOOK_LOAD);
}
void __tsan_external_write(const void *address, void *caller, void *tag)
{
    CHECK_ALIGNED(address, 1, HOOK_STORE);
}

/* Variants that are told the place in the program; used by runtimes, not by compilers. */
#define ACCESS_WITH_PLACE(size)                                                                    \
    void __tsan_read##size##_pc(const void *address, const void *caller)                           \
    {                                                                                              \
        if (access_is_flagged(address))                                                            \
            access_tell(address, size, HOOK_LOAD, caller, CALLER_FRAME);                           \
    }                                                                                              \
    void __tsan_write##size##_pc(const void *address, const void *caller)                          \
    {                                                                                              \
        if (access_is_flagged(address))                                                            \
            access_tell(address, size, HOOK_STORE, caller, CALLER_FRAME);                          \
    }
ACCESS_WITH_PLACE(1)
ACCESS_WITH_PLACE(2)
ACCESS_WITH_PLACE(4)
ACCESS_WITH_PLACE(8)
ACCESS_WITH_PLACE(16)

void __tsan_read_range_pc(const void *address, size_t bytes, const void *caller)
{
    if (access_range_is_flagged(address, bytes))
        access_tell(address, bytes, HOOK_LOAD, caller, CALLER_FRAME);
}

void __tsan_write_range_pc(const void *address, size_t bytes, const void *caller)
{
    if (access_range_is_flagged(address, bytes))
        access_tell(address, bytes, HOOK_STORE, caller, CALLER_FRAME);
}
