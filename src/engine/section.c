#include "section.h"
#include "mutants.h"

/* The smallest x >= 0 with low <= a*x mod m <= high, or UINT64_MAX if there is none.
 * Needs a < m and low <= high < m. Runs in the steps of Euclid's algorithm: if no multiple of a
 * lies in [low, high], then a*x - m*y does for some y, and that y is the same question modulo a. */
static uint64_t first_multiple_within(uint64_t a, uint64_t m, uint64_t low, uint64_t high)
{
    if (low == 0)
        return 0;
    if (a == 0)
        return UINT64_MAX;
    uint64_t steps = (low - 1) / a + 1;
    if ((unsigned __int128)steps * a <= high)
        return steps;
    /* No multiple of a in [low, high], so the negated remainders keep their order. */
    uint64_t y = first_multiple_within(m % a, a, a - high % a, a - low % a);
    if (y == UINT64_MAX)
        return UINT64_MAX;
    unsigned __int128 reach = (unsigned __int128)m * y + low;
    return (uint64_t)((reach + a - 1) / a);
}

/* The lowest start of a block of `a` that lies inside a block of `b`. */
static bool lowest_start_inside(const struct section *a, const struct section *b, uint64_t *address)
{
    uint64_t first = 0; /* the first block of a at or after b's start */
    if (a->start < b->start) {
        if (a->count == 1)
            return false;
        first = (b->start - a->start - 1) / a->stride + 1;
        if (first >= a->count)
            return false;
    }
    uint64_t start = a->start + first * a->stride;
    if (start >= section_end(b))
        return false;
    uint64_t phase = start - b->start;
    if (b->count == 1) {
        *address = start; /* inside [b.start, b.end) */
        return true;
    }
    phase %= b->stride;
    uint64_t more = 0;
    if (phase >= b->length) {
        if (a->count == 1)
            return false;
        uint64_t low = b->stride - phase;
        more = first_multiple_within(a->stride % b->stride, b->stride, low, low + b->length - 1);
        if (more >= a->count - first)
            return false;
        start += more * a->stride;
        if (start >= section_end(b))
            return false;
    }
    *address = start;
    return true;
}

/* The end of the block that holds this byte. */
static uint64_t block_end(const struct section *section, uint64_t address)
{
    uint64_t offset = address - section->start;
    if (section->count > 1)
        offset -= offset % section->stride;
    else
        offset = 0;
    return section->start + offset + section->length;
}

#ifdef REGATTA_MUTANTS
static bool exact_overlap(const struct section *a, const struct section *b, struct section *common);

static struct section mutated(const struct section *section)
{
    struct section result = *section;
    if (MUTANT(strided_is_solid))
        result = (struct section){section->start, section_end(section) - section->start, 0, 1};
    else if (MUTANT(first_block_only))
        result = (struct section){section->start, section->length, 0, 1};
    return result;
}

bool section_overlaps(const struct section *a, const struct section *b, struct section *common)
{
    struct section x = mutated(a), y = mutated(b);
    return exact_overlap(&x, &y, common);
}
#define OVERLAP static bool exact_overlap
#else
#define OVERLAP bool section_overlaps
#endif

OVERLAP(const struct section *a, const struct section *b, struct section *common)
{
    if (a->start >= section_end(b) || b->start >= section_end(a))
        return false;
    /* The lowest shared byte begins a block of one of the two. */
    uint64_t lowest = UINT64_MAX, address;
    bool found = false;
    if (lowest_start_inside(a, b, &address)) {
        lowest = address;
        found = true;
    }
    if (lowest_start_inside(b, a, &address)) {
        if (address < lowest)
            lowest = address;
        found = true;
    }
    if (found && common) {
        uint64_t end_a = block_end(a, lowest), end_b = block_end(b, lowest);
        *common = (struct section){lowest, (end_a < end_b ? end_a : end_b) - lowest, 0, 1};
    }
    return found;
}

bool section_contains_byte(const struct section *section, uint64_t address)
{
    if (address < section->start || address >= section_end(section))
        return false;
    return section->count == 1 || (address - section->start) % section->stride < section->length;
}

bool section_covers(const struct section *outer, const struct section *inner)
{
    if (inner->start < outer->start || section_end(inner) > section_end(outer))
        return false;
    if (outer->count == 1)
        return true;
    uint64_t phase = (inner->start - outer->start) % outer->stride;
    if (phase + inner->length > outer->length)
        return false;
    return inner->count == 1 || inner->stride % outer->stride == 0;
}

bool section_valid(const struct section *section)
{
    if (section->length == 0 || section->count == 0)
        return false;
    if (section->count == 1)
        return section->stride == 0 && section->start <= UINT64_MAX - section->length;
    if (section->stride <= section->length)
        return false;
    unsigned __int128 end = (unsigned __int128)section->stride * (section->count - 1) +
                            section->start + section->length;
    return end <= UINT64_MAX;
}

size_t section_clip(const struct section *section, uint64_t low, uint64_t high,
                    struct section pieces[3])
{
    size_t n = 0;
    if (section->start >= high || section_end(section) <= low || low >= high)
        return 0;
    uint64_t first = 0, last = section->count - 1; /* blocks that touch [low, high) */
    if (section->count > 1) {
        if (low > section->start) {
            first = (low - section->start) / section->stride;
            if (section->start + first * section->stride + section->length <= low)
                first++;
        }
        if (high - section->start <= last * section->stride)
            last = (high - 1 - section->start) / section->stride;
    }
    if (first > last || first >= section->count)
        return 0;
    uint64_t begin = section->start + first * section->stride;
    if (begin < low) { /* cut on its left, maybe on both sides */
        uint64_t end = begin + section->length < high ? begin + section->length : high;
        pieces[n++] = (struct section){low, end - low, 0, 1};
        if (first++ == last)
            return n;
        begin += section->stride;
    }
    uint64_t tail = section->start + last * section->stride;
    bool cut = tail + section->length > high;
    uint64_t whole = last - first + (cut ? 0 : 1);
    if (whole)
        pieces[n++] =
            (struct section){begin, section->length, whole > 1 ? section->stride : 0, whole};
    if (cut)
        pieces[n++] = (struct section){tail, high - tail, 0, 1};
    return n;
}
