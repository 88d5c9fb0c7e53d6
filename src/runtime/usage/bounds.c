#include "bounds.h"

#include "usage.h"

/* Bytes from the start of the part as numbers with a sign: displacements and lower bounds of
 * datatypes may be negative. */
struct extent {
    int64_t low, high;
};

static struct extent extent_of(const struct section *section)
{
    return (struct extent){(int64_t)section->start, (int64_t)section_end(section)};
}

static bool is_inside(struct extent extent, uint64_t size)
{
    return extent.low >= 0 && extent.high >= extent.low && (uint64_t)extent.high <= size;
}

void bounds_check(const struct call *call, const struct stack *stack,
                  const struct window_part *part, const struct section *sections, size_t n)
{
    size_t inside = 0;
    while (inside < n && is_inside(extent_of(&sections[inside]), part->size))
        inside++;
    if (inside == n)
        return;
    struct extent all = {INT64_MAX, INT64_MIN};
    for (size_t i = 0; i < n; i++) {
        struct extent extent = extent_of(&sections[i]);
        all.low = extent.low < all.low ? extent.low : all.low;
        all.high = extent.high > all.high ? extent.high : all.high;
    }
    const struct number_record numbers[FINDING_NUMBERS + 1] = {{"low", all.low},
                                                               {"high", all.high - 1},
                                                               {"size", (int64_t)part->size},
                                                               {"displacement", call->target_disp},
                                                               {"unit", (int64_t)part->disp_unit}};
    usage_report_numbers(
        call, stack, CASE_OUTSIDE_WINDOW,
        &(struct usage_numbers){numbers,
                                {.is_window = true,
                                 .rank = part->rank,
                                 .offset = (uint64_t)all.low,
                                 .bytes = (uint64_t)(all.high - all.low),
                                 .window = part->window[0] ? part->window : NULL}});
}
