/* Records as crashing, exiting and aborting processes leave them. */
#include "records_for_tests.h"

#define RACE FINDING(1, "error", ACCESS("MPI_Isend", 0, "", 10), ACCESS("MPI_Irecv", 0, "", 12))

static bool has_note(const struct report *report, const char *text)
{
    for (size_t i = 0; i < report->note_count; i++)
        if (!strcmp(report->notes[i], text))
            return true;
    return false;
}

static bool has_limit(const struct report *report, const char *what, const char *why)
{
    for (size_t i = 0; i < report->limit_count; i++)
        if (!strcmp(report->limits[i].what, what) && !strcmp(report->limits[i].why, why))
            return true;
    return false;
}

static void every_way_to_cut_a_file_short_is_read(void **state)
{
    (void)state;
    static const char whole[] = PROCESS(0, 1) RACE COUNT(1, 4) END("finalized");
    const size_t finding_ends = strlen(PROCESS(0, 1) RACE);
    const size_t count_ends = strlen(PROCESS(0, 1) RACE COUNT(1, 4));
    for (size_t length = 0; length <= strlen(whole); length += 7) {
        char text[sizeof whole];
        memcpy(text, whole, length);
        text[length] = '\0';
        struct records records;
        records_begin(&records);
        records_file(&records, text);
        struct report *report = records_end(&records);
        assert_int_equal(report->finding_count, length >= finding_ends);
        assert_int_equal(report->note_count, 0);
        if (length >= finding_ends)
            assert_int_equal(report->findings[0].count, length >= count_ends ? 4 : 1);
        report_free(report);
    }
}

static void unreadable_line_in_the_middle_is_told(void **state)
{
    (void)state;
    struct records records;
    records_begin(&records);
    records_file(&records, PROCESS(0, 1) "{\"type\":\"fin\n" RACE
                                         "{\"type\":\"finding\",\"key\":2}\n" END("finalized"));
    struct report *report = records_end(&records);
    assert_int_equal(report->finding_count, 1);
    assert_true(has_limit(report, "2 records in host-0.records", "they could not be read"));
    report_free(report);
}

static void unknown_types_are_passed_over_unknown_formats_told(void **state)
{
    (void)state;
    struct records records;
    records_begin(&records);
    records_file(&records, PROCESS(0, 1) "{\"type\":\"weather\"}\n" RACE);
    records_file(&records, "{\"type\":\"process\",\"format\":2,\"rank\":1,\"ranks\":1}\n" RACE);
    struct report *report = records_end(&records);
    assert_int_equal(report->finding_count, 1);
    assert_int_equal(report->findings[0].count, 1);
    assert_int_equal(report->note_count, 0);
    assert_true(has_limit(report, "records in host-1.records", "of another version of Regatta"));
    report_free(report);
}

static void endings_are_noted(void **state)
{
    (void)state;
    struct records records;
    records_begin(&records);
    records_file(&records, PROCESS(0, 8) END("finalized"));
    records_file(&records, PROCESS(1, 8));
    records_file(&records, PROCESS(2, 8) END("exited"));
    records_file(&records, PROCESS(3, 8) END("aborted"));
    records_file(&records, PROCESS(4, 8) "{\"type\":\"end\",\"state\":\"final");
    struct report *report = records_end(&records);
    records_note_endings(report);
    assert_int_equal(report->note_count, 3);
    assert_int_equal(report->limit_count, 1);
    assert_true(has_note(report, "rank 3 called MPI_Abort"));
    assert_true(has_note(report, "rank 2 ended without MPI_Finalize"));
    assert_true(
        has_note(report, "ranks 1, 4 ended without MPI_Finalize (killed, crashed or _exit)"));
    assert_true(has_limit(report, "ranks 5-7", "left no records"));
    report_free(report);
}

static void notes_of_all_ranks_appear_once(void **state)
{
    (void)state;
    struct records records;
    records_begin(&records);
    records_file(&records, PROCESS(0, 2) "{\"type\":\"note\",\"text\":\"n\"}\n" END("finalized"));
    records_file(&records, PROCESS(1, 2) "{\"type\":\"note\",\"text\":\"n\"}\n" END("finalized"));
    struct report *report = records_end(&records);
    records_note_endings(report);
    assert_int_equal(report->note_count, 1);
    report_free(report);
}

#define LIMIT(kind, what, why)                                                                     \
    "{\"type\":\"limit\",\"kind\":\"" kind "\",\"what\":\"" what "\",\"why\":\"" why "\"}\n"

/* Equal limits of several processes are one, which says how many they are; a process that says it
 * twice counts once. */
static void limits_are_joined_over_ranks(void **state)
{
    (void)state;
    struct records records;
    records_begin(&records);
    records_file(&records, PROCESS(0, 3) LIMIT("races", "races", "tired") END("finalized"));
    records_file(&records, PROCESS(1, 3) LIMIT("races", "races", "tired")
                               LIMIT("accesses", "loads and stores of ./halo", "plain")
                                   LIMIT("races", "races", "tired") END("finalized"));
    records_file(&records, PROCESS(2, 3) LIMIT("races", "races", "lost")
                               END("finalized") "{\"type\":\"limit\",\"kind\":\"races\"}\n");
    struct report *report = records_end(&records);
    assert_int_equal(report->limit_count, 4);
    assert_string_equal(report->limits[0].why, "tired");
    assert_int_equal(report->limits[0].ranks, 2);
    assert_string_equal(report->limits[1].what, "loads and stores of ./halo");
    assert_string_equal(report->limits[1].doing, "build it with regatta cc, c++ or fc");
    assert_int_equal(report->limits[1].ranks, 1);
    assert_string_equal(report->limits[2].why, "lost");
    assert_true(has_limit(report, "1 records in host-2.records", "they could not be read"));
    report_free(report);
}

static void places_are_put_into_texts(void **state)
{
    (void)state;
    struct records records;
    records_begin(&records);
    records_file(
        &records,
        PROCESS(0, 1) "{\"type\":\"finding\",\"key\":1,\"rule\":\"usage\",\"severity\":\"error\","
                      "\"message\":\"{1} {0}{0} {2} {} {x} {\",\"why\":\"after {0}.\","
                      "\"first\":{\"kind\":\"put\",\"rank\":0,\"thread\":0,\"detail\":\"at {1}\"},"
                      "\"places\":[{\"stack\":[{\"file\":\"a.c\",\"line\":5}]},"
                      "{\"stack\":[{\"module\":\"/lib/none.so\",\"offset\":26}]}]}\n");
    struct report *report = records_end(&records);
    assert_int_equal(report->finding_count, 1);
    assert_string_equal(report->findings[0].message, "none.so+0x1a a.c:5a.c:5 {2} {} {x} {");
    assert_string_equal(report->findings[0].why, "after a.c:5.");
    assert_string_equal(report->findings[0].first.detail, "at none.so+0x1a");
    report_free(report);
}

static void directory_that_is_not_there_is_told(void **state)
{
    (void)state;
    struct report *report = report_new("run");
    struct symbols *symbols = symbols_new("/");
    assert_false(records_read(report, "/nonexistent/records", symbols));
    symbols_free(symbols);
    report_free(report);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_way_to_cut_a_file_short_is_read),
        cmocka_unit_test(unreadable_line_in_the_middle_is_told),
        cmocka_unit_test(unknown_types_are_passed_over_unknown_formats_told),
        cmocka_unit_test(endings_are_noted),
        cmocka_unit_test(notes_of_all_ranks_appear_once),
        cmocka_unit_test(limits_are_joined_over_ranks),
        cmocka_unit_test(places_are_put_into_texts),
        cmocka_unit_test(directory_that_is_not_there_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
