#include "order.h"

#include <stdlib.h>
#include <string.h>

#include "random.h"

/* ---- classes ---- */

struct entry {
    const struct placed *placed;
    size_t index;
};

static int by_place(const void *a, const void *b)
{
    const struct placed *x = ((const struct entry *)a)->placed,
                        *y = ((const struct entry *)b)->placed;
    if (x->target != y->target)
        return x->target < y->target ? -1 : 1;
    return (x->low > y->low) - (x->low < y->low);
}

bool order_classes(struct placed *operations, size_t count)
{
    struct entry *entries = malloc((count ? count : 1) * sizeof *entries);
    size_t used = 0;
    if (!entries)
        return false;
    for (size_t i = 0; i < count; i++) {
        operations[i].class = -1;
        if (is_accumulate(operations[i].kind) && operations[i].low < operations[i].high)
            entries[used++] = (struct entry){&operations[i], i};
    }
    qsort(entries, used, sizeof *entries, by_place);
    int class = -1;
    uint64_t reach = 0;
    for (size_t i = 0; i < used; i++) {
        const struct placed *placed = entries[i].placed;
        if (i == 0 || placed->target != entries[i - 1].placed->target || placed->low >= reach) {
            class ++;
            reach = placed->high;
        } else if (placed->high > reach) {
            reach = placed->high;
        }
        operations[entries[i].index].class = class;
    }
    free(entries);
    return true;
}

/* ---- orders ---- */

static void shuffle(size_t *order, size_t count, uint64_t *random)
{
    for (size_t i = count; i > 1; i--) {
        size_t other = random_below(random, i), kept = order[i - 1];
        order[i - 1] = order[other];
        order[other] = kept;
    }
}

/* Those that only write first, or those that read; each part shuffled. Fetching accumulates do
 * both: with the accumulates, as writers. */
static void partition(const struct placed *operations, size_t count, bool gets_first,
                      uint64_t *random, size_t *order)
{
    size_t first = 0;
    for (int pass = 0; pass < 2; pass++) {
        size_t begin = first;
        for (size_t i = 0; i < count; i++)
            if ((operations[i].kind == OPERATION_GET) == (gets_first == (pass == 0)))
                order[first++] = i;
        shuffle(order + begin, first - begin, random);
    }
}

static int by_number(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

/* Position of an operation in the permutation, for sorting by class. */
struct slot {
    int class;
    size_t position;
};

static int by_class(const void *a, const void *b)
{
    const struct slot *x = a, *y = b;
    if (x->class != y->class)
        return x->class < y->class ? -1 : 1;
    return (x->position > y->position) - (x->position < y->position);
}

/* Each class keeps the positions that the permutation gave it and fills them in program order. */
static bool restore_classes(const struct placed *operations, size_t count, size_t *order)
{
    struct slot *slots = malloc((count ? count : 1) * sizeof *slots);
    size_t *members = malloc((count ? count : 1) * sizeof *members), used = 0;
    if (!slots || !members) {
        free(slots);
        free(members);
        return false;
    }
    for (size_t i = 0; i < count; i++)
        if (operations[order[i]].class >= 0)
            slots[used++] = (struct slot){operations[order[i]].class, i};
    qsort(slots, used, sizeof *slots, by_class);
    for (size_t begin = 0, end; begin < used; begin = end) {
        for (end = begin; end < used && slots[end].class == slots[begin].class; end++)
            members[end] = order[slots[end].position];
        qsort(members + begin, end - begin, sizeof *members, by_number);
        for (size_t i = begin; i < end; i++)
            order[slots[i].position] = members[i];
    }
    free(slots);
    free(members);
    return true;
}

bool order_choose(const struct placed *operations, size_t count, enum issue_order how,
                  bool unordered, uint64_t *random, size_t *order)
{
    for (size_t i = 0; i < count; i++)
        order[i] = how == ORDER_REVERSE ? count - 1 - i : i;
    if (how == ORDER_RANDOM)
        shuffle(order, count, random);
    else if (how == ORDER_PUT_FIRST || how == ORDER_GET_FIRST)
        partition(operations, count, how == ORDER_GET_FIRST, random, order);
    return unordered || restore_classes(operations, count, order);
}
