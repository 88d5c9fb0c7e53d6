/* The outline of window memory against the pieces themselves: never may a byte of a piece be
 * outside; drawn anew, exactly these bytes are inside. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "outline.h"

enum { MEMORY = 512, PIECES = 40, BASE = 4096 };

static struct spans spans;
static struct span piece[PIECES];
static bool live[PIECES];

static uint64_t state;

static unsigned random_number(unsigned below)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(state >> 33) % below;
}

static bool in_a_piece(uint64_t low, uint64_t high)
{
    for (int i = 0; i < PIECES; i++)
        if (live[i] && piece[i].low < high && piece[i].high > low)
            return true;
    return false;
}

static int vain; /* ranges outside of all pieces, but not of the outline */

static void compare(bool exact)
{
    for (uint64_t low = BASE - 8; low < BASE + MEMORY + 8; low++)
        for (uint64_t bytes = 1; bytes <= 16; bytes += 5) {
            bool outside = access_is_outside(&outline_windows, low, low + bytes);
            if (in_a_piece(low, low + bytes))
                assert_false(outside);
            else if (exact)
                assert_true(outside);
            else
                vain += !outside;
        }
}

static void add(int i)
{
    unsigned longest = random_number(8) ? 12 : 200; /* some go over several others */
    live[i] = true;
    piece[i].low = BASE + random_number(MEMORY - 1);
    piece[i].high = piece[i].low + 1 + random_number(longest);
    if (piece[i].high > BASE + MEMORY)
        piece[i].high = BASE + MEMORY;
    spans_insert(&spans, &piece[i]);
}

static void never_leaves_out_a_piece(void **none)
{
    (void)none;
    for (unsigned seed = 1; seed <= 300; seed++) {
        state = seed;
        memset(&spans, 0, sizeof spans);
        memset(live, 0, sizeof live);
        add(0);
        assert_true(outline_draw(&spans));
        compare(true);
        for (int step = 0; step < 60; step++) {
            int i = (int)random_number(PIECES);
            if (!live[i]) {
                add(i);
                outline_stretch(piece[i].low, piece[i].high);
            } else if (spans.count > 1) { /* what has gone may stay inside */
                spans_remove(&spans, &piece[i]);
                live[i] = false;
            }
            if (step % 10 == 9) {
                compare(false);
            }
            if (step % 20 == 19) {
                assert_true(outline_draw(&spans));
                compare(true);
            }
        }
    }
    assert_true(vain > 0); /* else it was never stretched over a gap */
}

static void stretches_the_nearest(void **none)
{
    (void)none;
    memset(&spans, 0, sizeof spans);
    struct span left = {.low = 1000, .high = 1010}, right = {.low = 2000, .high = 2010};
    spans_insert(&spans, &left);
    spans_insert(&spans, &right);
    assert_true(outline_draw(&spans));
    outline_stretch(1900, 1910);
    assert_true(access_is_outside(&outline_windows, 1010, 1900));
    assert_false(access_is_outside(&outline_windows, 1950, 1951));
    outline_stretch(1100, 1110);
    assert_true(access_is_outside(&outline_windows, 1110, 1900));
    assert_false(access_is_outside(&outline_windows, 1050, 1051));
    outline_stretch(10, 20); /* in front of all */
    assert_false(access_is_outside(&outline_windows, 10, 11));
    outline_stretch(5000, 5010); /* behind all */
    assert_false(access_is_outside(&outline_windows, 5009, 5010));
    assert_true(access_is_outside(&outline_windows, 5010, 6000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stretches_the_nearest),
        cmocka_unit_test(never_leaves_out_a_piece),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
