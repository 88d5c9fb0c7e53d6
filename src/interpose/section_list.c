#include "section_list.h"

#include <stdlib.h>

void section_list_free(struct section_list *list)
{
    free(list->at);
    *list = (struct section_list){0};
}

static bool make_room(struct section_list *list)
{
    size_t room = list->room ? 2 * list->room : 4;

    if (room > SECTION_LIST_MAX)
        return false;
    struct section *at = realloc(list->at, room * sizeof *at);
    if (!at)
        return false;
    list->at = at;
    list->room = room;
    return true;
}

static void append(struct section_list *list, uint64_t start, uint64_t length, uint64_t stride,
                   uint64_t count)
{
    if (list->failed)
        return;
    if (list->count >= list->room && !list->fixed && !make_room(list)) {
        list->failed = true;
        return;
    }
    if (list->count < list->room)
        list->at[list->count] = (struct section){start, length, stride, count};
    list->count++;
}

/* `copies` sections of one shape, `step` bytes apart. */
static void append_copies(struct section_list *list, struct section shape, uint64_t copies,
                          uint64_t step)
{
    if (list->fixed && list->count >= list->room) {
        list->count += copies;
        return;
    }
    for (uint64_t i = 0; i < copies && !list->failed; i++)
        append(list, shape.start + i * step, shape.length, shape.stride, shape.count);
}

/* Whether the copies of `pattern` all lie within signed 64-bit addresses. Only then does the
 * unsigned arithmetic below not wrap around. */
static bool addressable(const struct section *pattern, uint64_t times, int64_t distance)
{
    int64_t reach, first, last;

    if (times > INT64_MAX || __builtin_mul_overflow((int64_t)times - 1, distance, &reach) ||
        __builtin_add_overflow((int64_t)pattern->start, reach, &first) ||
        __builtin_add_overflow((int64_t)section_end(pattern), reach, &last))
        return false;
    /* The distance between the outer ends must fit as well: it may become a block's length. */
    int64_t low = reach < 0 ? first : (int64_t)pattern->start;
    int64_t high = reach < 0 ? (int64_t)section_end(pattern) : last;
    return !__builtin_sub_overflow(high, low, &reach);
}

/* A two-dimensional pattern: blocks at i * inner + j * outer, where both steps leave gaps. */
static void append_grid(struct section_list *list, uint64_t start, uint64_t length, uint64_t inner,
                        uint64_t rows, uint64_t outer, uint64_t columns)
{
    if (inner > outer) {
        uint64_t step = inner, steps = rows;
        inner = outer, rows = columns;
        outer = step, columns = steps;
    }
    if (outer % inner == 0 && outer / inner <= rows)
        append(list, start, length, inner, rows + (columns - 1) * (outer / inner));
    else if (columns <= rows)
        append_copies(list, (struct section){start, length, inner, rows}, columns, outer);
    else
        append_copies(list, (struct section){start, length, outer, columns}, rows, inner);
}

void section_list_repeat(struct section_list *list, const struct section *pattern, uint64_t times,
                         int64_t distance)
{
    uint64_t start = pattern->start, length = pattern->length;

    if (times == 0)
        return;
    if (!addressable(pattern, times, distance)) {
        list->failed = true;
        return;
    }
    uint64_t step = (uint64_t)distance;
    if (distance < 0) {
        start += (times - 1) * step;
        step = -step;
    }

    if (times == 1 || step == 0) {
        append(list, start, length, pattern->stride, pattern->count);
    } else if (step <= length) {
        length += (times - 1) * step;
        if (pattern->count > 1 && length < pattern->stride)
            append(list, start, length, pattern->stride, pattern->count);
        else
            append(list, start, (pattern->count - 1) * pattern->stride + length, 0, 1);
    } else if (pattern->count == 1) {
        append(list, start, length, step, times);
    } else {
        append_grid(list, start, length, pattern->stride, pattern->count, step, times);
    }
}

static int compare(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

static int compare_shape(const struct section *a, const struct section *b)
{
    if (a->length != b->length)
        return a->length < b->length ? -1 : 1;
    if (a->stride != b->stride)
        return a->stride < b->stride ? -1 : 1;
    if (a->count != b->count)
        return a->count < b->count ? -1 : 1;
    return 0;
}

static int by_start(const void *left, const void *right)
{
    const struct section *a = left, *b = right;
    int order = compare((int64_t)a->start, (int64_t)b->start);

    /* Long contiguous blocks first, so that what they cover comes behind them. */
    return order ? order : compare_shape(b, a);
}

static int by_shape(const void *left, const void *right)
{
    const struct section *a = left, *b = right;
    int order = compare_shape(a, b);

    return order ? order : compare((int64_t)a->start, (int64_t)b->start);
}

static void sort(struct section_list *list, int (*order)(const void *, const void *))
{
    for (size_t i = 1; i < list->count; i++)
        if (order(&list->at[i - 1], &list->at[i]) > 0) {
            qsort(list->at, list->count, sizeof *list->at, order);
            return;
        }
}

/* Whether `next`, which starts no earlier, could be united with `last`; if so, it is. */
static bool unite(struct section *last, const struct section *next)
{
    int64_t end = (int64_t)section_end(last), next_end = (int64_t)section_end(next);

    if (last->count == 1 && next_end <= end)
        return true;
    if (last->count == 1 && next->count == 1 && (int64_t)next->start <= end) {
        last->length += (uint64_t)(next_end - end);
        return true;
    }
    if (last->start == next->start && compare_shape(last, next) == 0)
        return true;

    /* One goes on where the other ends, in step. */
    uint64_t stride = last->count > 1 ? last->stride : next->stride;
    if (stride > 0 && last->length == next->length &&
        (next->count == 1 || next->stride == stride) &&
        next->start == last->start + last->count * stride) {
        last->stride = stride;
        last->count += next->count;
        return true;
    }
    return false;
}

static void unite_neighbours(struct section_list *list)
{
    size_t kept = 0;

    sort(list, by_start);
    for (size_t i = 0; i < list->count; i++)
        if (kept == 0 || !unite(&list->at[kept - 1], &list->at[i]))
            list->at[kept++] = list->at[i];
    list->count = kept;
}

/* Replaces runs of at least `shortest` equal shapes, equally far apart, by what their repetition
 * gives. A run of n never gives more than n sections, so this works in place. */
static void fold_runs(struct section_list *list, size_t shortest)
{
    size_t kept = 0;

    for (size_t i = 0, run; i < list->count; i += run) {
        const struct section first = list->at[i];
        int64_t distance = 0;

        for (run = 1; i + run < list->count; run++) {
            const struct section *next = &list->at[i + run];
            int64_t gap = (int64_t)(next->start - list->at[i + run - 1].start);
            if (compare_shape(next, &first) != 0 || (run > 1 && gap != distance))
                break;
            distance = gap;
        }
        if (run < shortest) {
            list->at[kept++] = first;
            run = 1;
            continue;
        }
        struct section_list folded = {.at = list->at + kept, .room = run, .fixed = true};
        section_list_repeat(&folded, &first, run, distance);
        if (folded.failed) { /* too far apart for one section; nothing was written */
            list->at[kept++] = first;
            run = 1;
            continue;
        }
        kept += folded.count;
    }
    list->count = kept;
}

void section_list_compact(struct section_list *list)
{
    size_t before;
    int rounds = 0;

    if (list->failed || list->count < 2)
        return;
    do {
        before = list->count;
        unite_neighbours(list);
        /* By shape first, for the fields of records written out one by one; but only runs of
         * three, as two equal lengths somewhere are no pattern. Then any two neighbours, to
         * halve what is irregular. */
        sort(list, by_shape);
        fold_runs(list, 3);
        sort(list, by_start);
        fold_runs(list, 2);
    } while (list->count < before && ++rounds < 8);
    sort(list, by_start);
}
