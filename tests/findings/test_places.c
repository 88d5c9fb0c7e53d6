/* The place of an access: the innermost line that is the user's. */
#include "records_for_tests.h"
#include "findings/system_headers.h"
#include "findings/text.h"

static void system_headers_are_known_by_their_directories(void **state)
{
    (void)state;
    static const char *const theirs[] = {
        "/usr/include/c++/12/bits/stl_algo.h",
        "/usr/include/boost/mpi/communicator.hpp",
        "/usr/local/include/Eigen/Core",
        "/usr/lib/gcc/x86_64-linux-gnu/12/include/emmintrin.h",
        "/usr/lib/x86_64-linux-gnu/openmpi/include/openmpi/ompi/mpi/cxx/comm_inln.h",
        "/usr/lib/llvm-19/lib/clang/19/include/xmmintrin.h",
        "/usr/bin/../lib/gcc/x86_64-linux-gnu/12/../../../../include/c++/12/complex",
        "/opt/gcc-13/include/c++/13.2.0/complex",
        "/opt/llvm/include/c++/v1/__algorithm/sort.h",
        "/opt/llvm/lib/clang/17/include/immintrin.h",
        "/opt/gcc-13/lib64/gcc/x86_64-pc-linux-gnu/13.2.0/include/immintrin.h",
    };
    static const char *const users[] = {
        "halo.cpp",
        "include/c++/halo.hpp",
        "/home/me/solver/include/grid.hpp",
        "/home/me/usr/include/grid.hpp",
        "/usr/includes/grid.hpp",
        "/usr/src/solver/grid.hpp",
        "/home/me/lib/gcc/grid.hpp",
        "/usr/lib/solver/grid.f90",
    };
    for (size_t i = 0; i < sizeof theirs / sizeof theirs[0]; i++)
        if (!is_system_header(theirs[i]))
            fail_msg("%s is not taken for a system header", theirs[i]);
    for (size_t i = 0; i < sizeof users / sizeof users[0]; i++)
        if (is_system_header(users[i]))
            fail_msg("%s is taken for a system header", users[i]);
}

static void assert_place(struct frame *frames, size_t depth, size_t place)
{
    struct stack stack = {.frames = frames, .depth = depth};
    assert_ptr_equal(stack_place(&stack), &frames[place]);
}

static void place_is_the_innermost_line_of_the_user(void **state)
{
    (void)state;
    struct frame header = {.file = "/usr/include/c++/12/complex", .line = 1257, .function = "norm"};
    struct frame library = {.module = "/lib/x86_64-linux-gnu/libstdc++.so.6", .offset = 4660};
    struct frame coarrays = {.module = "/lib/x86_64-linux-gnu/libcaf_mpich.so.3", .offset = 4660};
    struct frame solver = {.module = "/home/me/libsolver.so", .offset = 4660};
    struct frame caller = {.file = "halo.cpp", .line = 7, .function = "exchange"};
    struct frame main = {.file = "halo.cpp", .line = 70, .function = "main"};
    assert_place((struct frame[]){caller, main}, 2, 0);
    assert_place((struct frame[]){header, header, caller, main}, 4, 2);
    assert_place((struct frame[]){caller, header, main}, 3, 0); /* called back by a header */
    assert_place((struct frame[]){header, library, header, main}, 4, 3);
    assert_place((struct frame[]){coarrays, caller, main}, 3, 1);
    assert_place((struct frame[]){header, solver, main}, 3, 1); /* not the language's */
    assert_place((struct frame[]){header, (struct frame){0}, header}, 3, 0);
    assert_place((struct frame[]){header, library}, 2, 0);
    assert_null(stack_place(&(struct stack){0}));
}

static void line_is_that_of_the_place_or_of_its_caller(void **state)
{
    (void)state;
    struct frame frames[] = {{.module = "/home/me/libsolver.so", .offset = 4660},
                             {.file = "/usr/include/c++/12/complex", .line = 1257},
                             {.file = "halo.cpp", .line = 7},
                             {.file = "halo.cpp", .line = 70}};
    struct access access = {.present = true, .stack = {.frames = frames, .depth = 4}};
    assert_ptr_equal(access_frame(&access), &frames[0]);
    assert_ptr_equal(access_line(&access), &frames[2]);
    access.stack = (struct stack){.frames = frames + 3, .depth = 1};
    assert_ptr_equal(access_line(&access), &frames[3]);
    access.stack = (struct stack){.frames = frames, .depth = 2};
    assert_null(access_line(&access));
    struct frame started[] = {{.module = "/home/me/solver", .offset = 4660},
                              {.module = "/lib/x86_64-linux-gnu/libc.so.6",
                               .file = "./csu/libc_start_call_main.h",
                               .line = 58}};
    access.stack = (struct stack){.frames = started, .depth = 2};
    assert_null(access_line(&access));
    access.stack = (struct stack){0};
    assert_null(access_line(&access));
}

#define HEADER(name, line)                                                                         \
    "{\"file\":\"/usr/include/c++/12/" name "\",\"line\":" #line ",\"function\":\"f\"},"
#define SORT(rank, header, line)                                                                   \
    "{\"kind\":\"store\",\"rank\":" #rank ",\"thread\":0,\"detail\":\"writes\",\"stack\":[" header \
    "{\"file\":\"halo.c\",\"line\":" #line ",\"function\":\"exchange\"}]}"

static struct report *read_sort(void)
{
    struct records records;
    records_begin(&records);
    records_file(
        &records,
        PROCESS(0, 2) FINDING(1, "error", ACCESS("MPI_Isend", 0, "", 10),
                              SORT(0, HEADER("bits/stl_algo.h", 1791), 12)) COUNT(1, 3)
            FINDING(2, "error", ACCESS("MPI_Isend", 0, "", 10),
                    SORT(0, HEADER("bits/predefined_ops.h", 43) HEADER("bits/stl_algo.h", 1799),
                         12)) COUNT(2, 5) FINDING(3, "error", ACCESS("MPI_Isend", 0, "", 10),
                                                  SORT(0, HEADER("bits/stl_algo.h", 1791), 13)));
    records_file(&records, PROCESS(1, 2) FINDING(1, "error", ACCESS("MPI_Isend", 1, "", 10),
                                                 SORT(1, HEADER("bits/move.h", 205), 12)));
    return records_end(&records);
}

static void ways_through_headers_are_one_finding(void **state)
{
    (void)state;
    struct report *report = read_sort();
    assert_int_equal(report->finding_count, 2);
    const struct finding *finding = &report->findings[0];
    assert_int_equal(access_frame(&finding->second)->line, 12);
    assert_int_equal(finding->count, 9);
    assert_int_equal(finding->pair_count, 2);
    assert_int_equal(access_frame(&report->findings[1].second)->line, 13);
    assert_int_equal(report->findings[1].count, 1);
    report_free(report);
}

/* Baselines must hold when the library changes, or the compiler inlines another part of it. */
static void id_does_not_know_the_headers(void **state)
{
    (void)state;
    struct records records;
    records_begin(&records);
    records_file(&records, PROCESS(0, 1) FINDING(1, "error", ACCESS("MPI_Isend", 0, "", 10),
                                                 SORT(0, "", 12)));
    struct report *plain = records_end(&records), *report = read_sort();
    assert_string_equal(plain->findings[0].id, report->findings[0].id);
    report_free(plain);
    report_free(report);
}

static void all_frames_are_kept(void **state)
{
    (void)state;
    struct report *report = read_sort();
    const struct access *second = &report->findings[0].second;
    assert_int_equal(second->stack.depth, 3); /* the longest way speaks for all */
    assert_int_equal(second->stack.frames[0].line, 43);
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    text_finding(out, report, &report->findings[0], &(struct text_style){.stacks = true}, true);
    fclose(out);
    assert_non_null(strstr(text, "halo.c:12"));
    assert_non_null(strstr(text, "      inside /usr/include/c++/12/bits/predefined_ops.h:43  f()\n"
                                 "      inside /usr/include/c++/12/bits/stl_algo.h:1799  f()\n"));
    free(text);
    report_free(report);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(system_headers_are_known_by_their_directories),
        cmocka_unit_test(place_is_the_innermost_line_of_the_user),
        cmocka_unit_test(line_is_that_of_the_place_or_of_its_caller),
        cmocka_unit_test(ways_through_headers_are_one_finding),
        cmocka_unit_test(id_does_not_know_the_headers),
        cmocka_unit_test(all_frames_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
