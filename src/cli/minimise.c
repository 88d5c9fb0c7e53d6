#include "minimise.h"
#include "findings/checked.h"

#include <stdlib.h>
#include <string.h>

struct search {
    minimise_test fails;
    void *context;
    int left; /* tests that may still be made */
};

static bool test(struct search *search, const size_t *places, size_t count)
{
    return search->left-- > 0 && search->fails(search->context, places, count);
}

/* All but those from `begin` to below `end`. */
static size_t without(const size_t *places, size_t count, size_t begin, size_t end, size_t *rest)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (i < begin || i >= end)
            rest[kept++] = places[i];
    return kept;
}

/* One round with `parts` parts: true if a part alone, or all but one, still fails; then `places` is
 * that. */
static bool reduce(struct search *search, size_t *places, size_t *count, size_t *parts,
                   size_t *rest)
{
    for (size_t i = 0; i < *parts; i++) {
        size_t begin = *count * i / *parts, end = *count * (i + 1) / *parts;
        if (end - begin < *count && test(search, places + begin, end - begin)) {
            memmove(places, places + begin, (end - begin) * sizeof *places);
            *count = end - begin;
            *parts = 2;
            return true;
        }
    }
    for (size_t i = 0; *parts > 2 && i < *parts; i++) {
        size_t begin = *count * i / *parts, end = *count * (i + 1) / *parts;
        size_t kept = without(places, *count, begin, end, rest);
        if (kept < *count && test(search, rest, kept)) {
            memcpy(places, rest, kept * sizeof *places);
            *count = kept;
            *parts -= 1;
            return true;
        }
    }
    return false;
}

size_t minimise(size_t *places, size_t count, minimise_test fails, void *context, int most)
{
    struct search search = {fails, context, most};
    size_t *rest = checked_malloc((count ? count : 1) * sizeof *rest), parts = 2;
    while (count > 1 && search.left > 0) {
        if (reduce(&search, places, &count, &parts, rest))
            continue;
        if (parts >= count)
            break;
        parts = 2 * parts < count ? 2 * parts : count;
    }
    free(rest);
    return count;
}
