/* Frames that are left while MPI may still use an object in them: what the plug-ins compile into
 * functions that have such objects (clang_frames.cpp, gcc_frames.cpp), for each object in front of
 * every way out. A call and about 12 instructions. */
#include "module.h"

/* The prototypes exist in no header: the plug-ins know them. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

void __regatta_leave_return(const void *object, size_t bytes)
{
    CHECK_RANGE(object, bytes, HOOK_ENDS(ENDING_RETURN));
}

void __regatta_leave_exception(const void *object, size_t bytes)
{
    CHECK_RANGE(object, bytes, HOOK_ENDS(ENDING_EXCEPTION));
}

void __regatta_leave_longjmp(const void *object, size_t bytes)
{
    CHECK_RANGE(object, bytes, HOOK_ENDS(ENDING_LONGJMP));
}

/* What the stack has given out dynamically since it ended at `end`: alloca, arrays of variable
 * size. */
void __regatta_leave_stack(const void *end)
{
    const char *now = CALLER_FRAME;
    if (now < (const char *)end)
        CHECK_RANGE(now, (size_t)((const char *)end - now), HOOK_ENDS(ENDING_RETURN));
}

void __regatta_leave_scope(const void *end)
{
    const char *now = CALLER_FRAME;
    if (now < (const char *)end)
        CHECK_RANGE(now, (size_t)((const char *)end - now), HOOK_ENDS(ENDING_SCOPE));
}
