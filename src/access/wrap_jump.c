/* longjmp: all frames between the jump and where it goes are left. */
#include <pthread.h>
#include <setjmp.h>

#include "platform/processor.h"
#include "wrap.h"

/* Whether both are on the stack that the thread began with: who jumps from one stack to another
 * leaves no frame, or not the ones between. */
static bool is_own_stack(const char *low, const char *high)
{
    static __thread const char *bottom, *top;
    if (!top) {
        pthread_attr_t attributes;
        void *start;
        size_t bytes;
        if (pthread_getattr_np(pthread_self(), &attributes) != 0)
            return false;
        if (pthread_attr_getstack(&attributes, &start, &bytes) == 0) {
            bottom = start;
            top = bottom + bytes;
        }
        pthread_attr_destroy(&attributes);
    }
    return low >= bottom && high <= top;
}

static void leave_frames(const struct access_place *place, const struct __jmp_buf_tag *target)
{
    const char *low = place->frame, *high = platform_kept_stack_pointer(target->__jmpbuf);
    if (low < high && (size_t)(high - low) < (size_t)1 << 32 &&
        access_range_is_flagged(low, (size_t)(high - low)) && is_own_stack(low, high))
        access_tell(low, (size_t)(high - low), HOOK_ENDS(ENDING_LONGJMP), place->caller,
                    place->frame);
}

#define JUMPS(name)                                                                                \
    __attribute__((noreturn)) void REAL(name)(struct __jmp_buf_tag * target, int value);           \
    __attribute__((noreturn)) void WRAP(name)(struct __jmp_buf_tag * target, int value);           \
    void WRAP(name)(struct __jmp_buf_tag * target, int value)                                      \
    {                                                                                              \
        if (access_is_watched())                                                                   \
            leave_frames(&HERE, target);                                                           \
        REAL(name)(target, value);                                                                 \
    }

JUMPS(longjmp)
JUMPS(_longjmp)
JUMPS(siglongjmp)
JUMPS(__longjmp_chk)
