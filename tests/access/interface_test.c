/* The __tsan_* interface and the wrapped library functions: what they report and what they do. */
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "interface_check.h"

/* ---- plain accesses ---- */

#define SIZES(X) X(1) X(2) X(4) X(8) X(16)
#define DECLARE(size)                                                                              \
    void __tsan_read##size(const void *address);                                                   \
    void __tsan_write##size(const void *address);                                                  \
    void __tsan_volatile_read##size(const void *address);                                          \
    void __tsan_volatile_write##size(const void *address);                                         \
    void __tsan_read_write##size(const void *address);                                             \
    void __tsan_unaligned_read##size(const void *address);                                         \
    void __tsan_unaligned_write##size(const void *address);                                        \
    void __tsan_unaligned_volatile_read##size(const void *address);                                \
    void __tsan_unaligned_volatile_write##size(const void *address);                               \
    void __tsan_unaligned_read_write##size(const void *address);
SIZES(DECLARE)
void __tsan_read_range(const void *address, size_t bytes);
void __tsan_write_range(const void *address, size_t bytes);
void __tsan_vptr_read(const void *address);
void __tsan_vptr_update(const void *address, const void *value);

static const struct plain {
    void (*check)(const void *address);
    size_t bytes;
    enum hook_kind kind;
    bool crosses;
} plain[] = {
#define ROWS(size)                                                                                 \
    {__tsan_read##size, size, HOOK_LOAD, false},                                                 \
        {__tsan_write##size, size, HOOK_STORE, false},                                           \
        {__tsan_volatile_read##size, size, HOOK_LOAD, false},                                    \
        {__tsan_volatile_write##size, size, HOOK_STORE, false},                                  \
        {__tsan_read_write##size, size, HOOK_STORE, false},                                      \
        {__tsan_unaligned_read##size, size, HOOK_LOAD, true},                                    \
        {__tsan_unaligned_write##size, size, HOOK_STORE, true},                                  \
        {__tsan_unaligned_volatile_read##size, size, HOOK_LOAD, true},                           \
        {__tsan_unaligned_volatile_write##size, size, HOOK_STORE, true},                         \
        {__tsan_unaligned_read_write##size, size, HOOK_STORE, true},
    SIZES(ROWS)};

static void plain_accesses_are_told(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++) {
        plain[i].check(memory + 32);
        expect_access(memory + 32, plain[i].bytes, plain[i].kind);
        plain[i].check(memory + PAGE); /* a page that is not flagged */
        expect_nothing();
        plain[i].check(memory - 16);
        expect_nothing();
    }
}

static void accesses_across_two_pages_are_told(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++) {
        if (!plain[i].crosses || plain[i].bytes == 1)
            continue;
        plain[i].check(memory + PAGE - 1);
        expect_access(memory + PAGE - 1, plain[i].bytes, plain[i].kind);
        plain[i].check(memory - 1);
        expect_access(memory - 1, plain[i].bytes, plain[i].kind);
        plain[i].check(memory - plain[i].bytes);
        expect_nothing();
    }
}

static void ranges_are_told_if_any_page_is_flagged(void **state)
{
    (void)state;
    __tsan_read_range(memory - 100, 101);
    expect_access(memory - 100, 101, HOOK_LOAD);
    __tsan_write_range(memory - PAGE, 3 * PAGE);
    expect_access(memory - PAGE, 3 * PAGE, HOOK_STORE);
    __tsan_read_range(memory - 100, 100);
    __tsan_read_range(memory, 0);
    __tsan_write_range(memory + PAGE, PAGE);
    expect_nothing();
    __tsan_vptr_read(memory + 8);
    expect_access(memory + 8, sizeof(void *), HOOK_LOAD);
    __tsan_vptr_update(memory + 8, NULL);
    expect_access(memory + 8, sizeof(void *), HOOK_STORE);
}

/* The place is that of the program, not of the library. */
void __regatta_read8(const void *address, struct access_run *own);
void __regatta_write1(const void *address, struct access_run *own);

static void accesses_beside_windows_are_not_told(void **state)
{
    (void)state;
    uint64_t base = (uintptr_t)memory;
    recorder_flag(memory, ACCESS_WINDOW);
    recorder_windows(2, (const uint64_t[]){base + 64, base + 80, base + 256, base + 264});
    struct access_run own = {0};
    const uint64_t beside[] = {0, 56, 80, 88, 248, 264, PAGE - 8};
    for (size_t i = 0; i < sizeof beside / sizeof *beside; i++) {
        __regatta_read8(memory + beside[i], &own);
        __tsan_write8(memory + beside[i]);
        __tsan_unaligned_read8(memory + beside[i]);
    }
    __tsan_read_range(memory + 80, 256 - 80);
    __regatta_write1(memory + 63, &own);
    __regatta_write1(memory + 80, &own);
    expect_nothing();
    __regatta_read8(memory + 72, &own);
    expect_access(memory + 72, 8, HOOK_LOAD);
    __regatta_write1(memory + 79, &own);
    expect_access(memory + 79, 1, HOOK_STORE);
    __tsan_unaligned_read8(memory + 57);
    expect_access(memory + 57, 8, HOOK_LOAD);
    __tsan_write_range(memory + 80, 256 - 80 + 1);
    expect_access(memory + 80, 256 - 80 + 1, HOOK_STORE);
    __tsan_write_range(memory, PAGE);
    expect_access(memory, PAGE, HOOK_STORE);
    recorder_windows(0, NULL);
    __tsan_write8(memory + 64);
    expect_nothing();
    /* What is in use elsewhere in the page only the runtime knows. */
    recorder_flag(memory, ACCESS_WINDOW | ACCESS_IN_USE);
    recorder_windows(0, NULL);
    __regatta_read8(memory, &own);
    expect_access(memory, 8, HOOK_LOAD);
    __tsan_write8(memory);
    expect_access(memory, 8, HOOK_STORE);
}

static void the_place_is_the_callers(void **state)
{
    (void)state;
    __tsan_write4(memory);
    const char *caller = recorded[0].caller, *self = (const char *)the_place_is_the_callers;
    assert_true(caller > self && caller < self + 4096);
    assert_true((uintptr_t)recorded[0].frame <= (uintptr_t)__builtin_dwarf_cfa());
    assert_true((uintptr_t)recorded[0].frame > (uintptr_t)__builtin_dwarf_cfa() - 4096);
}

static void wild_addresses_do_no_harm(void **state)
{
    (void)state;
    __tsan_read8((const void *)UINTPTR_MAX);
    __tsan_write1((const void *)(UINT64_C(1) << 63));
    __tsan_read4(NULL);
    expect_nothing();
}

/* ---- atomics ---- */

/* What the orders from relaxed to sequentially consistent say. */
static unsigned releases_by(int order)
{
    return order >= __ATOMIC_RELEASE ? ATOMIC_RELEASES : 0;
}

static unsigned acquires_by(int order)
{
    return order != __ATOMIC_RELAXED && order != __ATOMIC_RELEASE ? ATOMIC_ACQUIRES : 0;
}

#define ATOMICS(bits, type)                                                                        \
    type __tsan_atomic##bits##_load(const volatile type *, int);                                   \
    void __tsan_atomic##bits##_store(volatile type *, type, int);                                  \
    type __tsan_atomic##bits##_exchange(volatile type *, type, int);                               \
    type __tsan_atomic##bits##_fetch_add(volatile type *, type, int);                              \
    type __tsan_atomic##bits##_fetch_sub(volatile type *, type, int);                              \
    type __tsan_atomic##bits##_fetch_and(volatile type *, type, int);                              \
    type __tsan_atomic##bits##_fetch_or(volatile type *, type, int);                               \
    type __tsan_atomic##bits##_fetch_xor(volatile type *, type, int);                              \
    type __tsan_atomic##bits##_fetch_nand(volatile type *, type, int);                             \
    int __tsan_atomic##bits##_compare_exchange_strong(volatile type *, type *, type, int, int);    \
    int __tsan_atomic##bits##_compare_exchange_weak(volatile type *, type *, type, int, int);      \
    type __tsan_atomic##bits##_compare_exchange_val(volatile type *, type, type, int, int);        \
    static void atomics_of_##bits##_bits(void **state)                                             \
    {                                                                                              \
        (void)state;                                                                               \
        volatile type *p = (volatile type *)memory;                                                \
        const enum hook_kind load = HOOK_ATOMICALLY(ATOMIC_READS | ATOMIC_ACQUIRES),               \
                             store = HOOK_ATOMICALLY(ATOMIC_READS | ATOMIC_WRITES |                \
                                                     ATOMIC_ACQUIRES | ATOMIC_RELEASES);           \
        *p = 0;                                                                                    \
        for (int order = __ATOMIC_RELAXED; order <= __ATOMIC_SEQ_CST; order++) {                   \
            __tsan_atomic##bits##_store(p, (type)(12 + order), order);                             \
            expect_access(memory, bits / 8, HOOK_ATOMICALLY(ATOMIC_WRITES | releases_by(order)));  \
            assert_true(__tsan_atomic##bits##_load(p, order) == (type)(12 + order));               \
            expect_access(memory, bits / 8, HOOK_ATOMICALLY(ATOMIC_READS | acquires_by(order)));   \
        }                                                                                          \
        *p = 12;                                                                                   \
        assert_true(__tsan_atomic##bits##_exchange(p, 10, 5) == 12 && *p == 10);                   \
        assert_true(__tsan_atomic##bits##_fetch_add(p, 5, 5) == 10 && *p == 15);                   \
        assert_true(__tsan_atomic##bits##_fetch_sub(p, 1, 5) == 15 && *p == 14);                   \
        assert_true(__tsan_atomic##bits##_fetch_and(p, 6, 5) == 14 && *p == 6);                    \
        assert_true(__tsan_atomic##bits##_fetch_or(p, 9, 5) == 6 && *p == 15);                     \
        assert_true(__tsan_atomic##bits##_fetch_xor(p, 5, 5) == 15 && *p == 10);                   \
        assert_true(__tsan_atomic##bits##_fetch_nand(p, 3, 5) == 10 && *p == (type)~(type)2);      \
        for (int i = 0; i < 7; i++)                                                                \
            expect_access(memory, bits / 8, store);                                                \
        type expected = 1;                                                                         \
        *p = 7;                                                                                    \
        assert_int_equal(__tsan_atomic##bits##_compare_exchange_strong(p, &expected, 8, 5, 5), 0); \
        assert_true(expected == 7 && *p == 7);                                                     \
        expect_access(memory, bits / 8, load);                                                     \
        assert_int_equal(__tsan_atomic##bits##_compare_exchange_strong(p, &expected, 8, 5, 5), 1); \
        assert_true(expected == 7 && *p == 8);                                                     \
        expect_access(memory, bits / 8, store);                                                    \
        assert_true(__tsan_atomic##bits##_compare_exchange_val(p, 8, 9, 5, 5) == 8 && *p == 9);    \
        expect_access(memory, bits / 8, store);                                                    \
        assert_true(__tsan_atomic##bits##_compare_exchange_val(p, 8, 1, 5, 5) == 9 && *p == 9);    \
        expect_access(memory, bits / 8, load);                                                     \
        expected = 9;                                                                              \
        while (!__tsan_atomic##bits##_compare_exchange_weak(p, &expected, 3, 5, 5))                \
            continue;                                                                              \
        assert_true(*p == 3);                                                                      \
    }
ATOMICS(8, uint8_t)
ATOMICS(16, uint16_t)
ATOMICS(32, uint32_t)
ATOMICS(64, uint64_t)
#ifdef __SIZEOF_INT128__
ATOMICS(128, unsigned __int128)
#endif

void __tsan_atomic_thread_fence(int order);

/* With several threads at work the runtime hears of each, with what its order says. */
static void atomics_order_threads(void **state)
{
    (void)state;
    volatile uint32_t *p = (volatile uint32_t *)memory;
    uint32_t expected = 1;
    const unsigned load = ATOMIC_READS, store = ATOMIC_WRITES, both = load | store;
    *p = 0;
    recorded_begun = 0;
    __tsan_atomic32_store(p, 1, __ATOMIC_RELEASE);
    assert_int_equal(recorded_begun, 0);
    recorder_threads = 1;
    __tsan_atomic32_store(p, 1, __ATOMIC_RELAXED);
    assert_int_equal(recorded_ended, store);
    __tsan_atomic32_store(p, 1, __ATOMIC_RELEASE);
    assert_int_equal(recorded_ended, store | ATOMIC_RELEASES);
    __tsan_atomic32_load(p, __ATOMIC_RELAXED);
    assert_int_equal(recorded_ended, load);
    __tsan_atomic32_load(p, __ATOMIC_SEQ_CST);
    assert_int_equal(recorded_ended, load | ATOMIC_ACQUIRES);
    __tsan_atomic32_fetch_add(p, 1, __ATOMIC_ACQ_REL);
    assert_int_equal(recorded_ended, both | ATOMIC_ACQUIRES | ATOMIC_RELEASES);
    __tsan_atomic32_exchange(p, 1, __ATOMIC_ACQUIRE);
    assert_int_equal(recorded_ended, both | ATOMIC_ACQUIRES);
    __tsan_atomic32_compare_exchange_strong(p, &expected, 2, __ATOMIC_RELEASE, __ATOMIC_ACQUIRE);
    assert_int_equal(recorded_ended, both | ATOMIC_RELEASES);
    expected = 1;
    __tsan_atomic32_compare_exchange_strong(p, &expected, 2, __ATOMIC_RELEASE, __ATOMIC_ACQUIRE);
    assert_int_equal(recorded_begun, load | ATOMIC_ACQUIRES); /* told, so it has compared before */
    assert_int_equal(recorded_ended, load | ATOMIC_ACQUIRES);
    volatile uint32_t elsewhere = 3;
    __tsan_atomic32_compare_exchange_strong(&elsewhere, &expected, 1, __ATOMIC_RELEASE,
                                            __ATOMIC_ACQUIRE);
    assert_int_equal(recorded_begun, both | ATOMIC_RELEASES);
    assert_int_equal(recorded_ended, load | ATOMIC_ACQUIRES);
    __tsan_atomic_thread_fence(__ATOMIC_RELEASE);
    assert_int_equal(recorded_fence, ATOMIC_RELEASES);
    recorder_threads = 0;
}

/* ---- annotations ---- */

void __tsan_ignore_thread_begin(void);
void __tsan_ignore_thread_end(void);
void AnnotateIgnoreReadsBegin(const char *file, int line);
void AnnotateIgnoreReadsEnd(const char *file, int line);

static void ignoring_is_passed_on(void **state)
{
    (void)state;
    __tsan_ignore_thread_begin();
    AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
    assert_int_equal(recorded_ignored[HOOK_LOAD], 2);
    assert_int_equal(recorded_ignored[HOOK_STORE], 1);
    AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
    __tsan_ignore_thread_end();
    assert_int_equal(recorded_ignored[HOOK_LOAD], 0);
    assert_int_equal(recorded_ignored[HOOK_STORE], 0);
}

/* ---- library functions; this file is linked with their wrappers ---- */

static void memory_functions(void **state)
{
    (void)state;
    char other[64] = "0123456789abcdef";
    volatile size_t n = 10;
    memcpy(memory + 4, other, n);
    expect_access(memory + 4, 10, HOOK_STORE);
    memcpy(other, memory, n);
    expect_access(memory, 10, HOOK_LOAD);
    memmove(memory + 1, memory, n);
    expect_access(memory, 10, HOOK_LOAD);
    expect_access(memory + 1, 10, HOOK_STORE);
    memset(memory, 'x', n);
    expect_access(memory, 10, HOOK_STORE);
    memset(memory, 'x', n - 10);
    expect_nothing();
    memcpy(other, "xxxxy", n - 4);
    assert_true(memcmp(memory, other, n) != 0);
    expect_access(memory, 5, HOOK_LOAD); /* up to the difference */
    assert_ptr_equal(memchr(memory, 'x', n), memory);
    expect_access(memory, 1, HOOK_LOAD);
    expect_nothing();
}

static void string_functions(void **state)
{
    (void)state;
    char other[64];
    char *volatile watched = memory;
    strcpy(watched, "regatta");
    expect_access(memory, 8, HOOK_STORE);
    assert_int_equal(strlen(watched), 7);
    expect_access(memory, 8, HOOK_LOAD);
    strcpy(other, watched);
    expect_access(memory, 8, HOOK_LOAD);
    strncpy(watched, "a", 5);
    expect_access(memory, 5, HOOK_STORE);
    strcpy(watched, "ab");
    recorded_count = 0;
    strcat(watched, "cd");
    expect_access(memory, 3, HOOK_LOAD);
    expect_access(memory + 2, 3, HOOK_STORE);
    assert_true(strcmp(watched, "abX") != 0);
    expect_access(memory, 3, HOOK_LOAD);
    assert_true(strncmp(watched, "abcde", 2) == 0);
    expect_access(memory, 2, HOOK_LOAD);
    assert_ptr_equal(strchr(watched, 'b'), memory + 1);
    expect_access(memory, 2, HOOK_LOAD);
    strcpy(watched, "42 x");
    recorded_count = 0;
    assert_int_equal(strtol(watched, NULL, 10), 42);
    expect_access(memory, 3, HOOK_LOAD);
    assert_int_equal(atoi(watched), 42);
    expect_access(memory, 3, HOOK_LOAD);
    free(strdup(watched));
    expect_access(memory, 5, HOOK_LOAD);
    expect_nothing();
}

static void formatted_input_and_output(void **state)
{
    (void)state;
    char text[64];
    int *numbers = (int *)memory;
    const char *volatile format = "%d %s";
    snprintf(memory, 4, "%d", 123456);
    expect_access(memory, 4, HOOK_STORE);
    sprintf(memory, "%s", "four");
    expect_access(memory, 5, HOOK_STORE);
    snprintf(text, sizeof text, format, 7, memory);
    expect_access(memory, 5, HOOK_LOAD);
    snprintf(text, sizeof text, "%5.*f|%-8ld|%.2s|%%|%c", 2, 1.5, 3L, memory, 'x');
    expect_access(memory, 2, HOOK_LOAD);
    assert_string_equal(text, " 1.50|3       |fo|%|x");
    assert_int_equal(sscanf("10 20 30", "%d%*d %d", &numbers[2], &numbers[3]), 2);
    expect_access(&numbers[2], 4, HOOK_STORE);
    expect_access(&numbers[3], 4, HOOK_STORE);
    assert_int_equal(sscanf("5 x", "%hd %d", (short *)memory, &numbers[3]), 1);
    expect_access(memory, 2, HOOK_STORE); /* the second was not converted */
    assert_int_equal(sscanf("abc 2.5", "%[a-c] %lf", memory, (double *)(memory + 8)), 2);
    expect_access(memory, 4, HOOK_STORE);
    expect_access(memory + 8, 8, HOOK_STORE);
    expect_nothing();
}

static int compare_ints(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static void files_and_sorting(void **state)
{
    (void)state;
    FILE *file = tmpfile();
    assert_non_null(file);
    memset(memory, 'a', 12);
    recorded_count = 0;
    assert_int_equal(fwrite(memory, 4, 3, file), 3);
    expect_access(memory, 12, HOOK_LOAD);
    rewind(file);
    assert_int_equal(fread(memory, 8, 2, file), 1);
    expect_access(memory, 8, HOOK_STORE);
    int descriptor = fileno(file);
    assert_int_equal(pwrite(descriptor, memory, 6, 0), 6);
    expect_access(memory, 6, HOOK_LOAD);
    assert_int_equal(pread(descriptor, memory, 100, 8), 4);
    expect_access(memory, 4, HOOK_STORE); /* as many as there were */
    char other[4];
    struct iovec pieces[] = {{other, 4}, {memory + 16, 100}};
    assert_int_equal(preadv(descriptor, pieces, 2, 0), 12);
    expect_access(memory + 16, 8, HOOK_STORE);
    fclose(file);
    int *numbers = (int *)memory;
    numbers[0] = 3, numbers[1] = 1, numbers[2] = 2;
    qsort(numbers, 3, sizeof *numbers, compare_ints);
    expect_access(memory, 12, HOOK_STORE);
    assert_int_equal(numbers[0], 1);
    expect_nothing();
}

/* ---- runs ---- */

/* One place in the code: all calls come from the same return address. */
static __attribute__((noinline)) void load_here(const void *address)
{
    __tsan_read8(address);
    __asm__ volatile("" ::: "memory"); /* no tail call */
}

/* Tells an access, and opens a run for its place as the runtime would. */
static struct access_run *open_run(const char *address)
{
    memset(recorder_runs, 0, sizeof recorder_runs);
    load_here(address);
    assert_int_equal(recorded_count, 1);
    uint64_t key = access_run_key(recorded[0].caller, HOOK_LOAD);
    struct access_run *run = &recorder_runs[access_run_slot(key)];
    *run = (struct access_run){.key = key, .low = (uintptr_t)address, .high = (uintptr_t)address + 8};
    expect_access(address, 8, HOOK_LOAD);
    return run;
}

static void runs_are_prolonged(void **state)
{
    (void)state;
    recorder_flag(memory, ACCESS_WINDOW);
    struct access_run *run = open_run(memory);
    load_here(memory + 8);
    load_here(memory + 16);
    expect_nothing();
    assert_int_equal(run->low, (uintptr_t)memory);
    assert_int_equal(run->high, (uintptr_t)memory + 24);
    /* Elsewhere, and from elsewhere. */
    load_here(memory + 32);
    expect_access(memory + 32, 8, HOOK_LOAD);
    __tsan_read8(memory + 24);
    expect_access(memory + 24, 8, HOOK_LOAD);
    assert_int_equal(run->high, (uintptr_t)memory + 24);
}

static void runs_end_when_closed(void **state)
{
    (void)state;
    recorder_flag(memory, ACCESS_WINDOW);
    struct access_run *run = open_run(memory);
    run->key = 0;
    load_here(memory + 8);
    expect_access(memory + 8, 8, HOOK_LOAD);
    assert_int_equal(run->high, (uintptr_t)memory + 8);
}

static void runs_end_where_bytes_are_in_use(void **state)
{
    (void)state;
    recorder_flag(memory, ACCESS_WINDOW);
    open_run(memory);
    recorder_flag(memory, ACCESS_WINDOW | ACCESS_IN_USE);
    load_here(memory + 8);
    expect_access(memory + 8, 8, HOOK_LOAD);
}

static void runs_end_when_threads_come(void **state)
{
    (void)state;
    recorder_flag(memory, ACCESS_WINDOW);
    open_run(memory);
    recorder_flag(memory, ACCESS_WINDOW | ACCESS_THREADS);
    load_here(memory + 8);
    expect_access(memory + 8, 8, HOOK_LOAD);
}

static void runs_may_be_in_the_other_slot(void **state)
{
    (void)state;
    recorder_flag(memory, ACCESS_WINDOW);
    struct access_run *run = open_run(memory), *other = &recorder_runs[(run - recorder_runs) ^ 1];
    *other = *run;
    *run = (struct access_run){.key = 2, .low = 1, .high = 2};
    load_here(memory + 8);
    expect_nothing();
    assert_int_equal(other->high, (uintptr_t)memory + 16);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(runs_are_prolonged),
        TEST(runs_end_when_closed),
        TEST(runs_end_where_bytes_are_in_use),
        TEST(runs_end_when_threads_come),
        TEST(runs_may_be_in_the_other_slot),
        TEST(plain_accesses_are_told),
        TEST(accesses_across_two_pages_are_told),
        TEST(ranges_are_told_if_any_page_is_flagged),
        TEST(accesses_beside_windows_are_not_told),
        TEST(the_place_is_the_callers),
        TEST(wild_addresses_do_no_harm),
        TEST(atomics_of_8_bits),
        TEST(atomics_of_16_bits),
        TEST(atomics_of_32_bits),
        TEST(atomics_of_64_bits),
        TEST(atomics_order_threads),
#ifdef __SIZEOF_INT128__
        TEST(atomics_of_128_bits),
#endif
        TEST(ignoring_is_passed_on),
        TEST(memory_functions),
        TEST(string_functions),
        TEST(formatted_input_and_output),
        TEST(files_and_sorting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
