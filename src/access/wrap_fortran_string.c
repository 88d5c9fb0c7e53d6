/* Strings of Fortran, kind 1. As in wrap_string.c, what a function needs to read is measured first,
 * and told: up to the character that decides. Shorter strings count as filled up with blanks. */
#include "wrap.h"

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* How many characters of the longer one, filled up or not, it takes to know. */
static size_t compared(size_t a_length, const char *a, size_t b_length, const char *b)
{
    size_t both = least(a_length, b_length), all = a_length + b_length - both, i = 0;
    const char *longer = a_length > b_length ? a : b;
    while (i < all && (i < both ? a[i] == b[i] : longer[i] == ' '))
        i++;
    return i < all ? i + 1 : all;
}

int REAL(_gfortran_compare_string)(size_t a_length, const char *a, size_t b_length, const char *b);
int WRAP(_gfortran_compare_string)(size_t a_length, const char *a, size_t b_length, const char *b)
{
    if (access_range_is_flagged(a, a_length) || access_range_is_flagged(b, b_length)) {
        size_t needed = compared(a_length, a, b_length, b);
        LOADS(a, least(needed, a_length));
        LOADS(b, least(needed, b_length));
    }
    return REAL(_gfortran_compare_string)(a_length, a, b_length, b);
}

/* The blanks, and the character in front of them. */
size_t REAL(_gfortran_string_len_trim)(size_t length, const char *s);
size_t WRAP(_gfortran_string_len_trim)(size_t length, const char *s)
{
    size_t rest = REAL(_gfortran_string_len_trim)(length, s);
    size_t from = rest ? rest - 1 : 0;
    LOADS(s + from, length - from);
    return rest;
}

/* ---- searching ---- */

/* Positions are tried from the first to the last or, `back`, from the last to the first; at each
 * one some of the string and some of the part or set is read, from its beginning on. */
struct search {
    size_t low, high; /* of the string */
    size_t part;
};

static void search_reads(struct search *search, size_t at, size_t characters, size_t part)
{
    if (search->low > at)
        search->low = at;
    if (search->high < at + characters)
        search->high = at + characters;
    if (search->part < part)
        search->part = part;
}

static struct search search_part(size_t length, const char *s, size_t part_length, const char *part,
                                 int back)
{
    struct search search = {.low = SIZE_MAX};
    size_t tries = part_length == 0 || part_length > length ? 0 : length - part_length + 1;
    for (size_t i = 0; i < tries; i++) {
        size_t at = back ? tries - 1 - i : i, equal = 0;
        while (equal < part_length && s[at + equal] == part[equal])
            equal++;
        size_t read = least(equal + 1, part_length);
        search_reads(&search, at, read, read);
        if (equal == part_length)
            break;
    }
    return search;
}

/* Ends at a character that is in the set (`wanted`), or is not. */
static struct search search_set(size_t length, const char *s, size_t set_length, const char *set,
                                int back, bool wanted)
{
    struct search search = {.low = SIZE_MAX};
    size_t tries = wanted && set_length == 0 ? 0 : length;
    for (size_t i = 0; i < tries; i++) {
        size_t at = back ? tries - 1 - i : i, other = 0;
        while (other < set_length && s[at] != set[other])
            other++;
        search_reads(&search, at, 1, least(other + 1, set_length));
        if ((other < set_length) == wanted)
            break;
    }
    return search;
}

#define SEARCH(name, ...)                                                                          \
    size_t REAL(_gfortran_string_##name)(size_t length, const char *s, size_t part_length,         \
                                         const char *part, int back);                              \
    size_t WRAP(_gfortran_string_##name)(size_t length, const char *s, size_t part_length,         \
                                         const char *part, int back)                               \
    {                                                                                              \
        if (access_range_is_flagged(s, length) || access_range_is_flagged(part, part_length)) {    \
            struct search search = __VA_ARGS__;                                                    \
            if (search.high > 0) {                                                                 \
                LOADS(s + search.low, search.high - search.low);                                   \
                LOADS(part, search.part);                                                          \
            }                                                                                      \
        }                                                                                          \
        return REAL(_gfortran_string_##name)(length, s, part_length, part, back);                  \
    }
SEARCH(index, search_part(length, s, part_length, part, back))
SEARCH(scan, search_set(length, s, part_length, part, back, true))
SEARCH(verify, search_set(length, s, part_length, part, back, false))

/* ---- making new ones ---- */

/* Cut off or filled up. */
void REAL(_gfortran_concat_string)(size_t length, char *to, size_t a_length, const char *a,
                                   size_t b_length, const char *b);
void WRAP(_gfortran_concat_string)(size_t length, char *to, size_t a_length, const char *a,
                                   size_t b_length, const char *b)
{
    size_t from_a = least(a_length, length);
    LOADS(a, from_a);
    LOADS(b, least(b_length, length - from_a));
    STORES(to, length);
    REAL(_gfortran_concat_string)(length, to, a_length, a, b_length, b);
}

/* The result is allocated, unless it is empty. */
void REAL(_gfortran_string_trim)(size_t *rest, char **to, size_t length, const char *s);
void WRAP(_gfortran_string_trim)(size_t *rest, char **to, size_t length, const char *s)
{
    LOADS(s, length);
    REAL(_gfortran_string_trim)(rest, to, length, s);
    STORES(*to, *rest);
}

#define ADJUST(name)                                                                               \
    void REAL(_gfortran_##name)(char *to, size_t length, const char *s);                           \
    void WRAP(_gfortran_##name)(char *to, size_t length, const char *s)                            \
    {                                                                                              \
        LOADS(s, length);                                                                          \
        STORES(to, length);                                                                        \
        REAL(_gfortran_##name)(to, length, s);                                                     \
    }
ADJUST(adjustl)
ADJUST(adjustr)
