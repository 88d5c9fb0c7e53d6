/* Suppressions, baseline, and files written whole or not at all. */
#include "records_for_tests.h"
#include "findings/filter.h"
#include "findings/output.h"

#include <errno.h>

static struct suppressions *read_suppressions(const char *text, char **problem)
{
    char path[] = "/tmp/regatta-filter-XXXXXX";
    FILE *file = fdopen(mkstemp(path), "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    struct suppressions *suppressions = suppressions_read(path, "/home/me/parts", problem);
    remove(path);
    return suppressions;
}

static struct report *halo_report(void)
{
    struct records records;
    records_begin(&records);
    records_file(&records,
                 PROCESS(0, 1) "{\"type\":\"finding\",\"key\":1,\"rule\":\"local-race\","
                               "\"severity\":\"error\",\"message\":\"m\","
                               "\"first\":{\"kind\":\"send\",\"rank\":0,\"thread\":0,\"stack\":["
                               "{\"file\":\"src/halo.c\",\"line\":5,\"function\":\"exchange\"},"
                               "{\"file\":\"main.c\",\"line\":9,\"function\":\"main\"}]},"
                               "\"second\":{\"kind\":\"recv\",\"rank\":0,\"thread\":0,\"stack\":["
                               "{\"module\":\"/nonexistent/libsolver.so.2\",\"offset\":26}]}}\n");
    return records_end(&records);
}

static void patterns_fit_files_functions_and_modules(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        bool fits;
    } cases[] = {
        {"local-race:halo.c", true},
        {"local-race:src/halo.c", true},
        {"local-race:src/*", true},
        {"local-race:hal?.c", true},
        {"local-race:alo.c", false},
        {"local-race:exchange", true},
        {"local-race:exch*", true},
        {"local-race:main", true}, /* any frame, not only the first */
        {"local-race:exchan", false},
        {"local-race:libsolver.so*", true}, /* of the second access */
        {"local-race:/nonexistent/*", true},
        {"local-race:parts/src/halo.c", true},
        {"local-race:/home/*/halo.c", true},
        {"local-race:/home/me/parts/main.c", true},
        {"local-race:*/main.c", true},
        {"local-race:me/*/main.c", true},
        {"local-race:par*/main.c", true},
        {"local-race:parts*", false}, /* not everything below a directory of that name */
        {"local-race:*parts*", false},
        {"local-race:/home/me", false},
        {"local-race:exchang[a-e]", true},
        {"local-race:exchang[]e]", true},
        {"usage:halo.c", false},
        {"*-race:halo.c", true},
        {"*:*", true},
        {"  local-race : halo.c   # in the old exchange", true},
        {"# local-race:halo.c", false},
        {"\n\nusage:x\nlocal-race:halo.c\n", true},
    };
    struct report *report = halo_report();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *problem = NULL;
        struct suppressions *suppressions = read_suppressions(cases[i].line, &problem);
        assert_non_null(suppressions);
        if (suppressions_match(suppressions, &report->findings[0]) != cases[i].fits)
            fail_msg("wrong for '%s'", cases[i].line);
        suppressions_free(suppressions);
    }
    report_free(report);
}

static void wrong_lines_are_told_with_their_number(void **state)
{
    (void)state;
    static const char *const files[] = {"usage:x\n\nhalo.c\n",    "usage:x\n\n:halo.c\n",
                                        "usage:x\n\nusage:\n",    "usage:x\n\nnosuchrule:x\n",
                                        "usage:x\n\nno*:x\n",     "usage:x\n\nusage:[abc\n",
                                        "usage:x\n\nusage:x[]\n", "usage:x\n\n[u:x\n"};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        char *problem = NULL;
        assert_null(read_suppressions(files[i], &problem));
        assert_non_null(strstr(problem, ":3: "));
        free(problem);
    }
}

static void suppressed_findings_are_removed_and_counted(void **state)
{
    (void)state;
    char *problem = NULL;
    struct report *report = halo_report();
    struct suppressions *suppressions = read_suppressions("local-race:halo.c", &problem);
    assert_int_equal(filter_suppressed(report, suppressions), 1);
    assert_int_equal(report->finding_count, 0);
    suppressions_free(suppressions);
    report_free(report);
}

static void baseline_leaves_what_is_new(void **state)
{
    (void)state;
    struct records records;
    records_begin(&records);
    records_file(&records, PROCESS(0, 1) FINDING(1, "error", ACCESS("MPI_Isend", 0, "/old/", 10),
                                                 ACCESS("MPI_Irecv", 0, "/old/", 12)));
    struct report *baseline = records_end(&records);
    records_begin(&records);
    records_file(&records, PROCESS(0, 1) FINDING(1, "error", ACCESS("MPI_Isend", 0, "/new/", 10),
                                                 ACCESS("MPI_Irecv", 0, "/new/", 12))
                               FINDING(2, "error", ACCESS("MPI_Isend", 0, "/new/", 50),
                                       ACCESS("MPI_Irecv", 0, "/new/", 52)));
    struct report *report = records_end(&records);
    assert_int_equal(filter_known(report, baseline), 1);
    assert_int_equal(report->finding_count, 1);
    assert_int_equal(report->findings[0].first.stack.frames[0].line, 50);
    report_free(report);
    report_free(baseline);
}

/* ---- output -----------------------------------------------------------------------------------
 */

static bool write_text(FILE *out, const void *text)
{
    return fputs(text, out) >= 0;
}

static bool write_half(FILE *out, const void *text)
{
    fputs(text, out);
    errno = ENOSPC;
    return false;
}

static char *content(const char *path)
{
    static char text[100];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

static int count_files(const char *directory)
{
    char command[100];
    int count;
    snprintf(command, sizeof command, "ls -A %s | wc -l", directory);
    FILE *output = popen(command, "r");
    assert_non_null(output);
    assert_int_equal(fscanf(output, "%d", &count), 1);
    pclose(output);
    return count;
}

static void files_are_replaced_whole_or_not_at_all(void **state)
{
    (void)state;
    char directory[] = "/tmp/regatta-output-XXXXXX", path[64], link[64];
    assert_non_null(mkdtemp(directory));
    snprintf(path, sizeof path, "%s/out", directory);
    snprintf(link, sizeof link, "%s/link", directory);
    assert_true(output_possible(path));
    assert_int_equal(count_files(directory), 0); /* trying leaves nothing */
    assert_true(output_write(path, write_text, "one"));
    assert_string_equal(content(path), "one");
    assert_false(output_write(path, write_half, "two"));
    assert_int_equal(errno, ENOSPC);
    assert_string_equal(content(path), "one");
    assert_int_equal(count_files(directory), 1);
    assert_int_equal(symlink("out", link), 0);
    assert_true(output_write(link, write_text, "three"));
    assert_string_equal(content(path), "three");
    struct stat status;
    assert_int_equal(lstat(link, &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    nftw(directory, records_remove, 4, FTW_DEPTH | FTW_PHYS);
}

static void impossible_places_are_told_beforehand(void **state)
{
    (void)state;
    assert_false(output_possible("/nonexistent/out"));
    assert_int_equal(errno, ENOENT);
    assert_false(output_possible("/tmp"));
    assert_int_equal(errno, EISDIR);
    assert_false(output_possible(""));
    assert_false(output_possible("/proc/regatta"));
    assert_true(output_possible("/dev/null"));
    assert_true(output_write("/dev/null", write_text, "x"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patterns_fit_files_functions_and_modules),
        cmocka_unit_test(wrong_lines_are_told_with_their_number),
        cmocka_unit_test(suppressed_findings_are_removed_and_counted),
        cmocka_unit_test(baseline_leaves_what_is_new),
        cmocka_unit_test(files_are_replaced_whole_or_not_at_all),
        cmocka_unit_test(impossible_places_are_told_beforehand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
