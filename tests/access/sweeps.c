/* Loops over memory, as programs write them, and a stand-in for the runtime that notes every byte that it is told of.
 * Prints for each loop the bytes loaded and stored, which must be the same whatever the compiler makes of the loop; in the end,
 * how often it was told of the stores of loops that are not to be told at once, of the simplest one's, and of a nest's loads and
 * stores. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "access/hooks.h"

enum { CELLS = 64, BYTES = 3 * CELLS * sizeof(double) };

/* ---- the stand-in ---- */

extern double memory[3 * CELLS];
double memory[3 * CELLS] __attribute__((aligned(64))); /* not static, else stores are left out that nobody loads */
/* Volatile: the compilers take it that checks call nothing in this file. */
static volatile bool touched[2][BYTES];
static volatile int told;

static void note(const void *address, size_t bytes, enum hook_kind kind, const void *caller, const void *frame,
                 struct access_run *own)
{
    (void)caller, (void)frame, (void)own;
    size_t first = (size_t)((const char *)address - (const char *)memory);
    if (first >= BYTES)
        return; /* something else in the same page */
    told++;
    for (size_t i = first; i < first + bytes && i < BYTES; i++)
        touched[kind & HOOK_STORE][i] = true;
}

static void nothing(void)
{
}

static void ignore(enum hook_kind kind, int change)
{
    (void)kind, (void)change;
}

__attribute__((visibility("default"), no_sanitize_thread)) const struct access_hooks *
regatta_access_attach(unsigned version)
{
    static struct access_run runs[ACCESS_RUNS];
    static const unsigned char one_thread;
    static struct access_hooks hooks = {.threads = &one_thread, .runs = runs, .access = note, .detach = nothing, .ignore = ignore};
    unsigned char *flags = mmap(NULL, ACCESS_PAGES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (version != ACCESS_VERSION || flags == MAP_FAILED)
        abort();
    for (uintptr_t at = (uintptr_t)memory; at < (uintptr_t)memory + BYTES; at++)
        flags[access_page((const void *)at)] = ACCESS_IN_USE;
    hooks.flags = flags;
    return &hooks;
}

/* ---- the loops ---- */

#define LOOP __attribute__((noinline)) static void
extern double sink;
double sink;

LOOP up(double *a, int n)
{
    for (int i = 0; i < n; i++)
        a[i] = i;
}

LOOP down(double *a, int n)
{
    for (int i = n - 1; i >= 0; i--)
        a[i] = i;
}

LOOP down_by_pointer(double *a, int n)
{
    double *p = a + n;
    while (p > a)
        *--p = 1;
}

LOOP up_by_pointer(double *a, int n)
{
    for (double *p = a; p != a + n; p++)
        *p += 1;
}

LOOP three_points(double *to, const double *from, int n)
{
    for (int i = 1; i < n - 1; i++)
        to[i] = from[i - 1] + from[i] + from[i + 1];
}

LOOP unsigned_index(const float *a, unsigned n)
{
    float sum = 0;
    for (unsigned i = 0; i < n; i++)
        sum += a[i];
    sink = sum;
}

LOOP short_index(const char *a, short n)
{
    int sum = 0;
    for (short i = 0; i < n; i++)
        sum += a[i];
    sink = sum;
}

LOOP index_that_wraps(const char *a, unsigned char from, unsigned char to)
{
    int sum = 0;
    for (unsigned char i = from; i != to; i++)
        sum += a[i];
    sink = sum;
}

LOOP at_least_once(short *a, int n)
{
    int i = 0;
    do
        a[i] = 1;
    while (++i < n);
}

LOOP until_found(const double *a, int n)
{
    int i = 0;
    while (i < n && a[i] == 0)
        i++;
    sink = i;
}

LOOP left_early(double *a, int n, int last)
{
    for (int i = 0; i < n; i++) {
        a[i] = 1;
        if (i == last)
            break;
        a[i + CELLS] = 2;
    }
}

LOOP some_only(double *a, const int *which, int n)
{
    for (int i = 0; i < n; i++)
        if (which[i])
            a[i] = 1;
}

LOOP every_second(double *a, int n)
{
    for (int i = 0; i < n; i += 2)
        a[i] = 1;
}

LOOP two_at_a_time(double *a, int n)
{
    for (int i = 0; i < n; i += 2) {
        a[i] = 1;
        a[i + 1] = 2;
    }
}

LOOP members(double *a, int n)
{
    struct pair {
        int x, y;
    } *pairs = (struct pair *)a;
    for (int i = 0; i < n; i++)
        pairs[i].y = 1;
}

LOOP same_place(double *a, const double *from, int n)
{
    for (int i = 0; i < n; i++)
        *a += from[i];
}

LOOP rows(double *a, int n)
{
    for (int row = 1; row < n - 1; row++)
        for (int column = 1; column < n - 1; column++)
            a[row * n + column] = row;
}

LOOP columns(double *a, int n)
{
    for (int column = 1; column < n - 1; column++)
        for (int row = 1; row < n - 1; row++)
            a[row * n + column] = row;
}

LOOP triangle(double *a, int n)
{
    for (int row = 0; row < n; row++)
        for (int column = 0; column < row; column++)
            a[row * n + column] = row;
}

LOOP both_ends(double *a, int n)
{
    for (int i = 0, k = n - 1; i < k; i++, k--) {
        double kept = a[i];
        a[i] = a[k];
        a[k] = kept;
    }
}

LOOP through_indices(double *a, const int *index, int n)
{
    for (int i = 0; i < n; i++)
        a[index[i]] = 1;
}

LOOP bound_from_memory(double *a, const int *bound)
{
    for (int i = 0; i < *bound; i++)
        a[i] = 1;
}

LOOP bound_that_moves(double *a, int *bound)
{
    for (int i = 0; i < *bound; i++) {
        a[i] = 1;
        if (i == 2)
            *bound = 5;
    }
}

LOOP two_apart(double *to, const double *from, int n)
{
    for (int i = 2; i < n - 2; i++)
        to[i] = from[i - 2] + from[i + 2];
}

/* Loops in loops: what the inner ones touch may be told in front of the outer ones. */
LOOP star(double *to, const double *from, long n)
{
    enum { WIDE = 12 };
    for (long column = 1; column < n; column++) {
        double sum = 0;
        for (long row = -2; row <= 2; row++)
            sum += from[(row + 2) * WIDE + column];
        to[column] = sum;
    }
}

LOOP blocks_with_gaps(double *a, int n)
{
    for (int i = 0; i < n; i++)
        for (int row = 0; row < 3; row++)
            for (int column = 0; column < 2; column++)
                a[i * 12 + row * 3 + column] = i;
}

LOOP blocks_without(double *a, int n)
{
    for (int i = 0; i < n; i++)
        for (int row = 0; row < 2; row++)
            for (int column = 0; column < 2; column++)
                a[i * 4 + row * 2 + column] = i;
}

LOOP pieces_that_overlap(double *to, const double *from, int n)
{
    for (int i = n - 1; i >= 0; i--)
        for (int k = 0; k < 3; k++)
            *to += from[i + k];
}

LOOP pieces_apart(double *a, int n)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 2; k++)
            a[i * 9 + k * 4] = k;
}

LOOP blocks_left_early(double *a, int n, int last)
{
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 3; k++)
            a[i * 3 + k] = k;
        if (i == last)
            break;
    }
}

LOOP some_blocks(double *a, const int *which, int n)
{
    for (int i = 0; i < n; i++)
        if (which[i])
            for (int k = 0; k < 3; k++)
                a[i * 3 + k] = k;
}

LOOP blocks_of_any_size(double *a, const int *sizes, int n)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 2 * sizes[i]; k++)
            a[i * 3 + k] = k;
}

LOOP rows_then_sum(double *a, int n)
{
    for (int row = 0; row < n; row++) {
        for (int column = 0; column < n; column++)
            a[row * 11 + column] = 1;
        sink += a[row * 11];
    }
}

/* In these something may happen that orders accesses between processes. */
extern int polled;
int polled;
extern void (*called)(void);
void (*called)(void) = nothing;

LOOP beside_assembler(double *a, int n)
{
    for (int i = 0; i < n; i++) {
        a[i] = i;
        __asm__ volatile("" ::: "memory");
    }
}

LOOP beside_volatile(double *a, int n)
{
    for (int i = 0; i < n; i++) {
        a[i] = i;
        *(volatile int *)&polled = i;
    }
}

LOOP beside_atomic(double *a, int n)
{
    for (int i = 0; i < n; i++) {
        a[i] = i;
        __atomic_store_n(&polled, i, __ATOMIC_RELEASE);
    }
}

LOOP beside_call(double *a, int n)
{
    for (int i = 0; i < n; i++) {
        a[i] = i;
        called();
    }
}

/* Bytes stored so far, added up over all calls: none may be told early, past a call, or late. */
static volatile long stored_at_calls;

__attribute__((no_sanitize_thread)) static void look(void)
{
    for (size_t i = 0; i < BYTES; i++)
        stored_at_calls += touched[1][i];
}

LOOP blocks_beside_call(double *a, int n)
{
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 3; k++)
            a[i * 3 + k] = i;
        called();
    }
}

LOOP rows_beside_call(double *a, int n)
{
    for (int row = 0; row < n; row++) {
        for (int column = 0; column < n; column++) {
            for (int k = 0; k < 2; k++)
                a[row * 16 + column * 2 + k] = row;
            if (column == 1)
                called();
        }
    }
}

/* ---- what they did ---- */

static void print_ranges(const char *kind, const volatile bool *bytes)
{
    printf(" %s", kind);
    for (size_t i = 0, end; i < BYTES; i = end) {
        for (end = i + 1; end < BYTES && bytes[end] == bytes[i]; end++)
            ;
        if (bytes[i])
            printf(" %zu-%zu", i, end);
    }
}

static void report(const char *name)
{
    printf("%s:", name);
    print_ranges("loads", touched[0]);
    print_ranges("stores", touched[1]);
    putchar('\n');
    memset(memory, 0, sizeof memory);
    for (size_t i = 0; i < BYTES; i++) /* last, since the former was noted too */
        touched[0][i] = touched[1][i] = false;
}

#define REPORT(call) (call, report(#call))
#define REPORT_TOLD(call) (told = 0, call, printf("%s: told %d times\n", #call, told))

int main(void)
{
    static int which[CELLS] = {1, 0, 1, 1, 0, 0, 1}, index[] = {7, 3, 3, 9};
    double *a = memory, *b = memory + CELLS, *c = memory + 2 * CELLS;
    for (volatile int n = 0; n < 12; n += n < 3 ? 1 : 4) {
        printf("n = %d\n", n);
        REPORT(up(b, n));
        REPORT(down(b, n));
        REPORT(down_by_pointer(b, n));
        REPORT(up_by_pointer(b, n));
        REPORT(three_points(c, a, n));
        REPORT(unsigned_index((float *)b, (unsigned)n));
        REPORT(short_index((char *)b, (short)n));
        REPORT(index_that_wraps((char *)b, (unsigned char)(254 - n), (unsigned char)n));
        REPORT(at_least_once((short *)b, n));
        REPORT(until_found(b, n));
        REPORT((b[2] = 1, until_found(b, n)));
        REPORT(left_early(a, n, 1));
        REPORT(some_only(b, which, n));
        REPORT(every_second(b, n));
        REPORT(two_at_a_time(b, n));
        REPORT(members(b, n));
        REPORT(same_place(a, b, n));
        REPORT(rows(a, n));
        REPORT(columns(a, n));
        REPORT(triangle(a, n));
        REPORT(both_ends(b, n));
        REPORT(through_indices(b, index, n < 4 ? n : 4));
        REPORT((*(int *)c = n, bound_from_memory(b, (int *)c)));
        REPORT((*(int *)c = n, bound_that_moves(b, (int *)c)));
        REPORT(two_apart(c, a, n));
        REPORT(star(c, a, n));
        REPORT(blocks_with_gaps(a, n));
        REPORT(blocks_without(a, n));
        REPORT(pieces_that_overlap(c, a, n));
        REPORT(pieces_apart(a, n));
        REPORT(blocks_left_early(a, n, 1));
        REPORT(some_blocks(a, which, n));
        REPORT(blocks_of_any_size(a, which, n));
        REPORT(rows_then_sum(a, n));
        called = look;
        REPORT(blocks_beside_call(a, n));
        REPORT(rows_beside_call(a, n < 8 ? n : 8));
        called = nothing;
        printf("stored at calls: %ld\n", stored_at_calls);
    }
    REPORT_TOLD(beside_assembler(b, CELLS));
    REPORT_TOLD(beside_volatile(b, CELLS));
    REPORT_TOLD(beside_atomic(b, CELLS));
    REPORT_TOLD(beside_call(b, CELLS));
    REPORT_TOLD(up(b, CELLS));
    REPORT_TOLD(star(c, a, 12));
    return 0;
}
