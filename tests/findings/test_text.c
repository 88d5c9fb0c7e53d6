/* The report for people, letter by letter. */
#include "records_for_tests.h"
#include "findings/limits.h"
#include "findings/rules.h"
#include "findings/sources.h"
#include "findings/text.h"

static const char halo_finding[] =
    "{\"rule\":\"remote-race\",\"severity\":\"error\","
    "\"message\":\"race on window memory: put by rank 0 is not ordered with store by rank 1\","
    "\"why\":\"the put completes at rank 0's MPI_Win_unlock (halo.c:59); no message or barrier "
    "orders "
    "that with the store.\","
    "\"fix\":\"synchronise after the unlock and before the store, e.g. MPI_Barrier, or a "
    "send/receive pair.\",\"generation\":3,\"count\":400,"
    "\"first\":{\"kind\":\"put\",\"call\":\"MPI_Put\",\"rank\":0,\"thread\":0,"
    "\"detail\":\"writes 8 bytes at rank 1, window 'halo' offset 0\","
    "\"stack\":[{\"file\":\"halo.c\",\"line\":3,\"function\":\"exchange\"},"
    "{\"file\":\"halo.c\",\"line\":9,\"function\":\"main\"}]},"
    "\"second\":{\"kind\":\"store\",\"rank\":1,\"thread\":0,"
    "\"detail\":\"writes 8 bytes of the same: grid[0]\","
    "\"stack\":[{\"file\":\"halo.c\",\"line\":11,\"function\":\"relax\"}]}}";

static const char halo_source[] = "1\n2\n"
                                  "    MPI_Put(row, n, MPI_DOUBLE, 1, 0, n, MPI_DOUBLE, win);  \r\n"
                                  "4\n5\n6\n7\n8\n9\n10\n"
                                  "\tgrid[0] = 0.0;\033[31m";

static struct report *read_halo(void)
{
    struct records records;
    records_begin(&records);
    records_file(&records, PROCESS(0, 4));
    struct report *report = records_end(&records);
    finding_from_json(report, halo_finding);
    report->directory = "/nonexistent";
    report_settle(report);
    return report;
}

static char *show(struct report *report, const struct text_style *style)
{
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    text_finding(out, report, &report->findings[0], style, true);
    text_summary(out, report, style, NULL);
    fclose(out);
    return text;
}

static void finding_looks_as_promised(void **state)
{
    (void)state;
    char directory[] = "/tmp/regatta-text-XXXXXX", path[64];
    assert_non_null(mkdtemp(directory));
    snprintf(path, sizeof path, "%s/halo.c", directory);
    FILE *source = fopen(path, "w");
    assert_non_null(source);
    fputs(halo_source, source);
    fclose(source);
    struct report *report = read_halo();
    sources_free(report); /* they were looked for before */
    finding_add_pair(&report->findings[0], (struct rank_pair){2, 3});
    finding_add_pair(&report->findings[0], (struct rank_pair){1, 2});
    report->directory = directory;
    char *text = show(report, &(struct text_style){0});
    assert_string_equal(
        text,
        "error: race on window memory: put by rank 0 is not ordered with store by rank 1"
        "          [remote-race]\n"
        "  rank 0  MPI_Put          halo.c:3   exchange()   writes 8 bytes at rank 1, window "
        "'halo' "
        "offset 0\n"
        "  rank 1  store            halo.c:11  relax()      writes 8 bytes of the same: grid[0]\n"
        "  why: the put completes at rank 0's MPI_Win_unlock (halo.c:59); no message or barrier "
        "orders that with the store.\n"
        "  fix: synchronise after the unlock and before the store, e.g. MPI_Barrier, or a "
        "send/receive pair.\n"
        "   3 |     MPI_Put(row, n, MPI_DOUBLE, 1, 0, n, MPI_DOUBLE, win);\n"
        "  11 |     grid[0] = 0.0;?[31m\n"
        "  seen 400 times, first after 3 synchronisations of all ranks · ranks 0→1, 1→2, 2→3\n"
        "regatta: 1 error, 0 warnings · 4 ranks · mpich 4.0.2\n");
    free(text);
    report_free(report);
    remove(path);
    remove(directory);
}

static void last_line_says_what_was_not_looked_at(void **state)
{
    (void)state;
    struct report *report = read_halo();
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    report_limit(report, "accesses", "loads and stores of ./halo", "not built by regatta cc");
    report_limit(report, "races", "races between ranks", "no memory")->ranks = 3;
    report_limit(report, "threads", "order of threads", "they count as one")->ranks = 4;
    text_summary(out, report, &(struct text_style){0}, " · full report: f.json");
    fclose(out);
    assert_string_equal(
        text, "regatta: 1 error, 0 warnings · 4 ranks · mpich 4.0.2 · not looked at: loads and "
              "stores of ./halo (not built by regatta cc); races between ranks (no memory, on "
              "3 of 4 ranks); order of threads (they count as one) · full report: f.json\n");
    free(text);
    report_free(report);
}

static void source_that_is_not_there_is_left_out(void **state)
{
    (void)state;
    struct report *report = read_halo();
    char *text = show(report, &(struct text_style){0});
    assert_null(strstr(text, " | "));
    assert_non_null(strstr(text, "halo.c:11"));
    free(text);
    report_free(report);
}

static void callers_are_shown_on_demand(void **state)
{
    (void)state;
    struct report *report = read_halo();
    char *text = show(report, &(struct text_style){0});
    assert_null(strstr(text, "called from"));
    free(text);
    text = show(report, &(struct text_style){.stacks = true});
    assert_non_null(strstr(text, "called from halo.c:9  main()\n"));
    free(text);
    report_free(report);
}

static void line_that_called_a_library_is_shown(void **state)
{
    (void)state;
    struct report *report = read_halo();
    struct frame frames[] = {{.module = "/usr/lib/libsolver.so.3", .offset = 18},
                             {.file = "halo.c", .line = 9, .function = "main"},
                             {.file = "start.c", .line = 5, .function = "start"}};
    report->findings[0].first.stack = (struct stack){.frames = frames, .depth = 3};
    char *text = show(report, &(struct text_style){0});
    assert_non_null(strstr(text, " libsolver.so.3+0x12 "));
    assert_non_null(strstr(text, "offset 0\n      called from halo.c:9  main()\n  rank 1  store "));
    assert_null(strstr(text, "start.c"));
    free(text);
    report_free(report);
}

static void colours_only_when_asked_for(void **state)
{
    (void)state;
    struct report *report = read_halo();
    char *plain = show(report, &(struct text_style){0});
    char *colored = show(report, &(struct text_style){.color = true});
    assert_null(strchr(plain, '\033'));
    assert_non_null(strstr(colored, "\033[1;31merror:\033[0m"));
    free(plain);
    free(colored);
    report_free(report);
}

static void every_rule_is_explained(void **state)
{
    (void)state;
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    text_rules(out, &(struct text_style){0});
    fclose(out);
    assert_int_equal(rule_count, 14);
    for (size_t i = 0; i < rule_count; i++) {
        enum severity severity;
        assert_non_null(strstr(text, rules[i].id));
        assert_true(severity_parse(rules[i].severity, &severity));
        assert_true(strlen(rules[i].explanation) > 40 && strlen(rules[i].example) > 40 &&
                    strlen(rules[i].fix) > 20);
    }
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finding_looks_as_promised),
        cmocka_unit_test(last_line_says_what_was_not_looked_at),
        cmocka_unit_test(source_that_is_not_there_is_left_out),
        cmocka_unit_test(callers_are_shown_on_demand),
        cmocka_unit_test(line_that_called_a_library_is_shown),
        cmocka_unit_test(colours_only_when_asked_for),
        cmocka_unit_test(every_rule_is_explained),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
