/* What the tests of the compiled-in interface have in common: watched memory, and what was told of it. To
 * be included by one file of a program. */
#ifndef REGATTA_TESTS_INTERFACE_CHECK_H
#define REGATTA_TESTS_INTERFACE_CHECK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "recorder.h"

enum { PAGE = 1 << ACCESS_PAGE_BITS };

/* Two pages of which the first is watched; nothing else lies in them. */
static char *memory;

static inline int set_up(void **state)
{
    (void)state;
    char *three = mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (three == MAP_FAILED)
        return -1;
    memory = (char *)(((uintptr_t)three + PAGE - 1) & ~(uintptr_t)(PAGE - 1));
    recorder_watch(memory);
    return 0;
}

static inline void expect_access(const void *address, size_t bytes, enum hook_kind kind)
{
    assert_true(recorded_count > 0);
    assert_int_equal(recorded[0].address, (uintptr_t)address);
    assert_int_equal(recorded[0].bytes, bytes);
    assert_int_equal(recorded[0].kind, kind);
    recorded_count--;
    memmove(recorded, recorded + 1, sizeof recorded[0] * (size_t)recorded_count);
}

static inline void expect_nothing(void)
{
    assert_int_equal(recorded_count, 0);
}

#define TEST(name) cmocka_unit_test_setup(name, set_up)

#endif
