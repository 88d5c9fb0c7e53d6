/* What the checks that clang_inline.cpp compiles into the program call when the page is flagged and
 * the access does not prolong the run of its place; and what loops call in front of a sweep with
 * gaps (clang_hoist.cpp, gcc_hoist.cpp). */
#include "module.h"

/* The prototypes exist in no header: the plug-in knows them. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

/* Whether nothing is left to tell of an access that does not cross a page: it prolongs the run of
 * its place, or as access_is_beside. */
static inline bool is_done(const void *address, size_t bytes, struct access_run *own)
{
    unsigned char flags = access_flags_at(address);
    if (!flags) /* that was looked at earlier, or of bytes near by */
        return true;
    if (flags == ACCESS_WINDOW && own->high == (uintptr_t)address) {
        own->high = (uintptr_t)address + bytes;
        return true;
    }
    return !(flags & (ACCESS_IN_USE | ACCESS_LOGGED)) &&
           access_is_off_windows((uintptr_t)address, bytes);
}

#define INLINED_OF_SIZE(size)                                                                      \
    void __regatta_read##size(const void *address, struct access_run *own)                         \
    {                                                                                              \
        if (!is_done(address, size, own))                                                          \
            access_hooks->access(address, size, HOOK_LOAD, CALLER, CALLER_FRAME, own);             \
    }                                                                                              \
    void __regatta_write##size(const void *address, struct access_run *own)                        \
    {                                                                                              \
        if (!is_done(address, size, own))                                                          \
            access_hooks->access(address, size, HOOK_STORE, CALLER, CALLER_FRAME, own);            \
    }

INLINED_OF_SIZE(1)
INLINED_OF_SIZE(2)
INLINED_OF_SIZE(4)
INLINED_OF_SIZE(8)

/* For several accesses that shared one look at the flags, within ACCESS_GROUP bytes: whether there
 * is nothing to tell of any of them. */
int __regatta_beside(const void *low, size_t bytes)
{
    return (!access_flags_at(low) && !access_flags_at((const char *)low + bytes - 1)) ||
           access_is_beside(low, bytes);
}

/* ---- sweeps with gaps ---- */

struct steps {
    const char *first;
    size_t bytes, count;
    ptrdiff_t step; /* from one access to the next */
};

/* All bytes from the lowest to the highest, gaps too. */
struct hull {
    const char *low;
    size_t bytes;
};

static inline struct hull hull_of(const struct steps *steps)
{
    size_t step = steps->step < 0 ? -(size_t)steps->step : (size_t)steps->step;
    size_t way = (steps->count - 1) * step;
    return (struct hull){steps->step < 0 ? steps->first - way : steps->first, way + steps->bytes};
}

/* With steps longer than a page it takes no longer to look at each access. */
static inline bool are_far_apart(const struct steps *steps)
{
    const ptrdiff_t page = (ptrdiff_t)1 << ACCESS_PAGE_BITS;
    return steps->step > page || steps->step < -page;
}

static inline bool may_be_flagged(const struct steps *steps)
{
    struct hull hull = hull_of(steps);
    return are_far_apart(steps) ? access_flags != NULL
                                : access_range_is_flagged(hull.low, hull.bytes);
}

static inline bool are_beside(const struct steps *steps)
{
    struct hull hull = hull_of(steps);
    return !are_far_apart(steps) && access_is_beside(hull.low, hull.bytes);
}

static void tell_each(struct steps steps, enum hook_kind kind, const void *caller,
                      const void *frame)
{
    if (are_beside(&steps))
        return;
    for (; steps.count > 0; steps.count--, steps.first += steps.step)
        if (access_range_is_flagged(steps.first, steps.bytes))
            access_tell(steps.first, steps.bytes, kind, caller, frame);
}

void __regatta_read_steps(const void *first, size_t bytes, size_t count, ptrdiff_t step)
{
    struct steps steps = {first, bytes, count, step};
    if (may_be_flagged(&steps))
        tell_each(steps, HOOK_LOAD, CALLER, CALLER_FRAME);
}

void __regatta_write_steps(const void *first, size_t bytes, size_t count, ptrdiff_t step)
{
    struct steps steps = {first, bytes, count, step};
    if (may_be_flagged(&steps))
        tell_each(steps, HOOK_STORE, CALLER, CALLER_FRAME);
}
