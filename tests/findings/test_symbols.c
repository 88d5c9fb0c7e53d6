/* Return addresses of a small program become places in its source. subject.c, compiled in several
 * ways, prints the addresses that the test looks up. */
#include "records_for_tests.h"

/* What one call of the subject printed. */
struct site {
    char module[300];
    unsigned long offset;
};

static struct site run_subject(const char *name)
{
    struct site site;
    char command[400];
    snprintf(command, sizeof command, "%s/%s", SUBJECTS, name);
    FILE *output = popen(command, "r");
    assert_non_null(output);
    assert_int_equal(fscanf(output, "%299s %lu", site.module, &site.offset), 2);
    assert_int_equal(pclose(output), 0);
    return site;
}

static struct stack resolve(struct symbols *symbols, struct report *report, struct site site)
{
    struct frame frame = {.module = site.module, .offset = site.offset};
    struct stack stack = {.frames = &frame, .depth = 1};
    symbols_resolve(symbols, report, &stack);
    return stack;
}

static void call_is_named_by_file_line_and_function(void **state)
{
    (void)state;
    struct symbols *symbols = symbols_new(SOURCES);
    struct report *report = report_new("run");
    struct stack stack = resolve(symbols, report, run_subject("subject_plain"));
    assert_int_equal(stack.depth, 1);
    assert_string_equal(stack.frames[0].file, "subject.c");
    assert_int_equal(stack.frames[0].line, SUBJECT_CALL_LINE);
    assert_string_equal(stack.frames[0].function, "inner");
    assert_true(stack.frames[0].column > 0);
    report_free(report);
    symbols_free(symbols);
}

static void inlined_functions_become_frames(void **state)
{
    (void)state;
    struct symbols *symbols = symbols_new(SOURCES);
    struct report *report = report_new("run");
    struct stack stack = resolve(symbols, report, run_subject("subject_inlined"));
    assert_int_equal(stack.depth, 3);
    assert_string_equal(stack.frames[0].function, "inner");
    assert_int_equal(stack.frames[0].line, SUBJECT_CALL_LINE);
    assert_string_equal(stack.frames[1].function, "outer");
    assert_int_equal(stack.frames[1].line, SUBJECT_CALL_LINE + 5);
    assert_string_equal(stack.frames[1].file, "subject.c");
    assert_string_equal(stack.frames[2].function, "main");
    assert_int_equal(stack.frames[2].line, SUBJECT_CALL_LINE + 10);
    report_free(report);
    symbols_free(symbols);
}

/* clang writes no .debug_aranges, and objects of several compilers meet in one program. */
static void units_are_found_without_their_index(void **state)
{
    (void)state;
    struct symbols *symbols = symbols_new(SOURCES);
    struct report *report = report_new("run");
    struct stack stack = resolve(symbols, report, run_subject("subject_no_aranges"));
    assert_int_equal(stack.depth, 3);
    assert_string_equal(stack.frames[0].file, "subject.c");
    assert_int_equal(stack.frames[0].line, SUBJECT_CALL_LINE);
    assert_string_equal(stack.frames[2].function, "main");
    report_free(report);
    symbols_free(symbols);
}

static void start_code_is_left_out(void **state)
{
    (void)state;
    struct symbols *symbols = symbols_new(SOURCES);
    struct report *report = report_new("run");
    struct site site = run_subject("subject_plain");
    struct frame frames[] = {{.module = site.module, .offset = site.offset},
                             {.module = "/lib/libc.so.6", .offset = 0x1234},
                             {.file = "start.S", .line = 1, .function = "_start"}};
    struct stack stack = {.frames = frames, .depth = 3};
    symbols_resolve(symbols, report, &stack);
    assert_int_equal(stack.depth, 1);
    struct stack only_start = {.frames = &frames[2], .depth = 1};
    symbols_resolve(symbols, report, &only_start);
    assert_int_equal(only_start.depth, 1);
    report_free(report);
    symbols_free(symbols);
}

static void sources_moved_with_the_working_directory_are_found(void **state)
{
    (void)state;
    struct symbols *symbols = symbols_new(SOURCES);
    struct report *report = report_new("run");
    struct stack stack = resolve(symbols, report, run_subject("subject_moved"));
    assert_string_equal(stack.frames[0].file, "subject.c");
    report_free(report);
    symbols_free(symbols);
}

static void without_debug_information_the_function_is_named(void **state)
{
    (void)state;
    struct symbols *symbols = symbols_new(SOURCES);
    struct report *report = report_new("run");
    struct stack stack = resolve(symbols, report, run_subject("subject_symbols_only"));
    assert_int_equal(stack.depth, 1);
    assert_null(stack.frames[0].file);
    assert_string_equal(stack.frames[0].function, "inner");
    assert_non_null(strstr(frame_place(report, &stack.frames[0]), "subject_symbols_only+0x"));
    report_free(report);
    symbols_free(symbols);
}

static void stripped_or_missing_modules_leave_module_and_offset(void **state)
{
    (void)state;
    struct symbols *symbols = symbols_new(SOURCES);
    struct report *report = report_new("run");
    struct stack stack = resolve(symbols, report, run_subject("subject_stripped"));
    assert_int_equal(stack.depth, 1);
    assert_null(stack.frames[0].function);
    assert_non_null(strstr(frame_place(report, &stack.frames[0]), "subject_stripped+0x"));
    stack = resolve(symbols, report, (struct site){"/nonexistent/program", 4660});
    assert_int_equal(stack.depth, 1);
    assert_string_equal(frame_place(report, &stack.frames[0]), "program+0x1234");
    report_free(report);
    symbols_free(symbols);
}

static void files_outside_the_working_directory_keep_their_path(void **state)
{
    (void)state;
    struct symbols *symbols = symbols_new("/nowhere");
    struct report *report = report_new("run");
    struct stack stack = resolve(symbols, report, run_subject("subject_plain"));
    assert_string_equal(stack.frames[0].file, SOURCES "/subject.c");
    report_free(report);
    symbols_free(symbols);
}

static void frames_with_their_own_place_are_left_alone(void **state)
{
    (void)state;
    struct symbols *symbols = symbols_new("/nowhere");
    struct report *report = report_new("run");
    struct frame frame = {.file = "a.c", .line = 3, .function = "f"};
    struct stack stack = {.frames = &frame, .depth = 1};
    symbols_resolve(symbols, report, &stack);
    assert_int_equal(stack.depth, 1);
    assert_string_equal(stack.frames[0].file, "a.c");
    assert_int_equal(stack.frames[0].line, 3);
    report_free(report);
    symbols_free(symbols);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(call_is_named_by_file_line_and_function),
        cmocka_unit_test(inlined_functions_become_frames),
        cmocka_unit_test(units_are_found_without_their_index),
        cmocka_unit_test(start_code_is_left_out),
        cmocka_unit_test(sources_moved_with_the_working_directory_are_found),
        cmocka_unit_test(without_debug_information_the_function_is_named),
        cmocka_unit_test(stripped_or_missing_modules_leave_module_and_offset),
        cmocka_unit_test(files_outside_the_working_directory_keep_their_path),
        cmocka_unit_test(frames_with_their_own_place_are_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
