/* The variables that findings name, by the lines they stand in; NULL: a line that can be read in
 * more than one way. */
#include "findings/sources.h"
#include "findings/variables.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* What is touched at line 2 of these lines. */
static void expect(const char *kind, const char *call, const char *const lines[3], const char *name)
{
    struct report *report = report_new("run");
    struct finding *finding = report_add(report);
    struct frame frame = {.file = "halo.c", .line = 2, .function = "main"};
    for (unsigned i = 0; i < 3; i++)
        source_keep(report, "halo.c", i + 1, lines[i]);
    finding->first = (struct access){
        .present = true, .kind = kind, .call = call, .stack = {.frames = &frame, .depth = 1}};
    variables_name(report, finding);
    const char *found = finding->first.variable;
    if ((name == NULL) != (found == NULL) || (name && strcmp(name, found) != 0))
        fail_msg("%s: found %s, expected %s", lines[1], found ? found : "nothing",
                 name ? name : "nothing");
    report_free(report);
}

static void store(const char *line, const char *name)
{
    expect("store", NULL, (const char *const[3]){"    int i;", line, "}"}, name);
}

/* The same of a Fortran file. */
static void fortran(const char *kind, const char *call, const char *const lines[3],
                    const char *name)
{
    struct report *report = report_new("run");
    struct finding *finding = report_add(report);
    struct frame frame = {.file = "halo.f90", .line = 2, .function = "main"};
    for (unsigned i = 0; i < 3; i++)
        source_keep(report, "halo.f90", i + 1, lines[i]);
    finding->first = (struct access){
        .present = true, .kind = kind, .call = call, .stack = {.frames = &frame, .depth = 1}};
    variables_name(report, finding);
    const char *found = finding->first.variable;
    if ((name == NULL) != (found == NULL) || (name && strcmp(name, found) != 0))
        fail_msg("%s: found %s, expected %s", lines[1], found ? found : "nothing",
                 name ? name : "nothing");
    report_free(report);
}

static void fortran_lines(void **state)
{
    (void)state;
    fortran("send", "MPI_Isend",
            (const char *const[3]){"call mpi_isend(Row(1, j), n, & ! the left one",
                                   "   MPI_REAL, 1, 0, comm, request, ierr)", ""},
            "Row(1,j)");
    fortran("send", "MPI_Isend",
            (const char *const[3]){"", "call MPI_Isend(a + b, n, MPI_REAL, 1, 0, c, r, e)", ""},
            NULL);
    fortran("store", NULL, (const char *const[3]){"", "  state%rows(3) = 2 * x(1)", ""},
            "state%rows(3)");
    fortran("store", NULL, (const char *const[3]){"x(1) = &", "  2", ""}, "x(1)");
    fortran("store", NULL, (const char *const[3]){"", "  if (a == b) x = 1", ""}, NULL);
    fortran("store", NULL, (const char *const[3]){"", "  p => x", ""}, NULL);
    fortran("store", NULL, (const char *const[3]){"", "  a = 1; b = 2", ""}, NULL);
    fortran("store", NULL, (const char *const[3]){"", "  do i = 1, 5", ""}, NULL);
}

static void put(const char *line, const char *name)
{
    expect("put", "MPI_Put", (const char *const[3]){"    if (rank == 0)", line, "}"}, name);
}

static void assignments(void **state)
{
    (void)state;
    store("    grid[0] = 0.0;", "grid[0]");
    store("    grid[i + 1] += 2 * (a - b); /* x = 1; */", "grid[i+1]");
    store("    if (rank == 1) memory[0] = 2;", "memory[0]");
    store("    } else if (a >= b) x = 1;", NULL);
    store("    else x = 1;", "x");
    store("    state->rows[k].count++;", "state->rows[k].count");
    store("    *p = a == b;", "*p");
    store("    p->next = (struct node *)q;", "p->next");
}

static void doubtful_assignments(void **state)
{
    (void)state;
    store("    a[0] = b[0] = 1;", NULL);
    store("    a[0] = 1; b[0] = 2;", NULL);
    store("    a[i++] = 1;", NULL);
    store("    a[0] = i++;", NULL);
    store("    a[0] = swap(b);", NULL);
    store("    a[f(i)] = 1;", NULL);
    store("    a[0] = (*f)(b);", NULL);
    store("    a = 1, b <<= 2;", NULL);
    store("    ROW(i) = 1;", NULL);
    store("    int x = 5;", NULL);
    store("    if ((x = next())) y = 1;", NULL);
    store("    for (i = 0; i < n; i++) a[i] = 1;", NULL);
    store("    memset(a, 0, n);", "a");
    store("    memset(a, next(), n);", NULL);
    store("    memset(a, b = 0, n);", NULL);
    store("    memset(a, 0, n); b = 1;", NULL);
    store("    fill(a, 0, n);", NULL);
    store("           b = 3);", NULL);
    store("    a == b;", NULL);
    store("    a[0] =", NULL);
    store("", NULL);
    expect("load", NULL, (const char *const[3]){"", "    a[0] = b;", ""}, NULL);
}

static void buffers(void **state)
{
    (void)state;
    put("    MPI_Put(row, n, MPI_DOUBLE, 1, 0, n, MPI_DOUBLE, win);", "row");
    put("    CHECK(MPI_Put(&rows[i].left, 1, MPI_INT, 1, 0, 1, MPI_INT, win));", "rows[i].left");
    put("    MPI_Put(row + 1, n, MPI_INT, 1, 0, n, MPI_INT, win);", NULL);
    put("    MPI_Put(edge(row), n, MPI_INT, 1, 0, n, MPI_INT, win);", NULL);
    put("    MPI_Put(MPI_BOTTOM, 1, type, 1, 0, 1, type, win);", NULL);
    put("    MPI_Put(a, 1, t, 1, 0, 1, t, w); MPI_Put(b, 1, t, 1, 0, 1, t, w);", NULL);
    put("    MY_MPI_Put(row, n);", NULL);
    put("    PUT(row, n);", NULL);
    expect("send", "MPI_Alltoallw",
           (const char *const[3]){"", "    MPI_Alltoallw(a, 1, 1, t, b, 1, 1, t);", ""}, NULL);
    expect("send", "MPI_File_iwrite_at",
           (const char *const[3]){"", "    MPI_File_iwrite_at(f, 0, &a[2], 1, MPI_INT, &r);", ""},
           "a[2]");
    expect("free", NULL, (const char *const[3]){"", "    free(row);", ""}, "row");
}

/* A call that goes on in the next lines. */
static void long_calls(void **state)
{
    (void)state;
    expect("put", "MPI_Put",
           (const char *const[3]){"    MPI_Put(row, n, MPI_INT,", "            1, 0, n,",
                                  "            MPI_INT, win);"},
           "row");
    expect("put", "MPI_Put",
           (const char *const[3]){"    MPI_Put(", "#ifdef LONG", "            row, win);"}, NULL);
}

/* The line of a caller says nothing of what the function that it calls touches. */
static void callers(void **state)
{
    (void)state;
    struct report *report = report_new("run");
    struct finding *finding = report_add(report);
    struct frame frames[2] = {
        {.file = "/usr/include/c++/12/bits/stl_map.h", .line = 9, .function = "at"},
        {.file = "halo.c", .line = 2, .function = "main"}};
    source_keep(report, "halo.c", 2, "    y = x;");
    finding->first =
        (struct access){.present = true, .kind = "store", .stack = {.frames = frames, .depth = 2}};
    variables_name(report, finding);
    assert_null(finding->first.variable);
    report_free(report);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(assignments), cmocka_unit_test(doubtful_assignments),
        cmocka_unit_test(buffers),     cmocka_unit_test(long_calls),
        cmocka_unit_test(callers),     cmocka_unit_test(fortran_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
