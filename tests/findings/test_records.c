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
    records_file(&records, "{\"type\":\"process\",\"format\":1,\"rank\":1,\"ranks\":1}\n" RACE);
    struct report *report = records_end(&records);
    assert_int_equal(report->finding_count, 1);
    assert_int_equal(report->findings[0].count, 1);
    assert_int_equal(report->note_count, 0);
    assert_true(has_limit(report, "records in host-1.records", "of another version of Regatta"));
    report_free(report);
}

static void other_formats_are_found_beforehand(void **state)
{
    (void)state;
    struct records records;
    records_begin(&records);
    records_file(&records, PROCESS(0, 1));
    assert_int_equal(records_other_format(records.directory), 0);
    records_file(&records, "{\"type\":\"process\",\"format\":1,\"rank\":1,\"ranks\":1}\n");
    assert_int_equal(records_other_format(records.directory), 1);
    report_free(records_end(&records));
    assert_int_equal(records_other_format("/nonexistent/records"), 0);
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

#define PUT_BY(rank, site)                                                                         \
    "{\"kind\":\"put\",\"rank\":" #rank ",\"thread\":0,\"access\":\"write\",\"epoch\":\"lock\","   \
    "\"site\":" #site "}"
#define BUFFER_OF(rank, site)                                                                      \
    "{\"kind\":\"load\",\"rank\":" #rank ",\"thread\":0,\"access\":\"read\",\"site\":" #site "}"
#define REMOTE(key, first, second)                                                                 \
    "{\"type\":\"finding\",\"key\":" #key                                                          \
    ",\"rule\":\"remote-race\",\"case\":\"rma-not-ordered\","                                      \
    "\"first\":" first ",\"second\":" second                                                       \
    ",\"memory\":{\"side\":\"target\",\"rank\":1,\"window\":\"w\",\"offset\":0,\"bytes\":8,"       \
    "\"created\":{\"call\":\"MPI_Win_create\",\"site\":9}}}\n"
#define CALL(call, made_by, until)                                                                 \
    ",\"call\":\"" call "\",\"made_by\":\"" made_by                                                \
    "\",\"reads_as\":\"send\",\"writes_as\":\"recv\",\"until\":\"" until "\""

/* Rank 1 finds the race, and names places of its own and of rank 0 by number. Another run left its
 * records in the same directory: its numbers mean something else. */
static void sites_of_the_right_process_are_joined(void **state)
{
    (void)state;
    struct records records;
    records_begin(&records);
    records_file(&records, PROCESS(0, 2) WORLD("other") SITE(7, 99, ""));
    records_file(&records,
                 PROCESS(0, 2) WORLD("this") SITE(7, 20, CALL("MPI_Put", "MPI_Put", "epoch")));
    records_file(&records, PROCESS(1, 2) WORLD("this") REMOTE(1, PUT_BY(0, 7), BUFFER_OF(1, 7))
                               SITE(7, 30, "") SITE(9, 5, "") "{\"type\":\"site\",\"id\":7" CALL(
                                   "MPI_Start", "MPI_Send_init", "request") "}\n");
    struct report *report = records_end(&records);
    assert_int_equal(report->finding_count, 1);
    const struct finding *finding = &report->findings[0];
    assert_int_equal(finding->first.stack.frames[0].line, 20);
    assert_string_equal(finding->first.call, "MPI_Put");
    assert_string_equal(finding->first.kind, "put");
    assert_int_equal(finding->second.stack.frames[0].line, 30);
    assert_string_equal(finding->second.call, "MPI_Start");
    assert_string_equal(finding->second.kind, "send");
    assert_string_equal(finding->case_id, "rma-meets-buffer");
    assert_string_equal(finding->memory.created_by, "MPI_Win_create");
    assert_int_equal(finding->memory.created.frames[0].line, 5);
    assert_non_null(strstr(finding->why, "MPI reads the buffer of rank 1's MPI_Send_init until "
                                         "MPI_Wait or MPI_Test on its request"));
    report_free(report);
}

#define NOT_SYNCED                                                                                 \
    "{\"type\":\"finding\",\"key\":1,\"rule\":\"shared-window\","                                  \
    "\"case\":\"shared-store-not-synced\","                                                        \
    "\"first\":{\"kind\":\"store\",\"rank\":1,\"thread\":0,\"access\":\"write\",\"site\":7},"      \
    "\"second\":{\"kind\":\"load\",\"rank\":0,\"thread\":0,\"access\":\"read\",\"site\":8},"       \
    "\"memory\":{\"side\":\"target\",\"rank\":1,\"offset\":4,\"bytes\":4,"                         \
    "\"created\":{\"call\":\"MPI_Win_allocate_shared\",\"site\":9}}}\n"

/* Rank 0 has loaded from the part that rank 1 has, and names where it made the window itself. For
 * rank 1 the same number is another place. */
static void windows_are_made_where_the_finder_made_them(void **state)
{
    (void)state;
    struct records records;
    records_begin(&records);
    records_file(&records, PROCESS(0, 2) WORLD("this") NOT_SYNCED SITE(8, 30, "") SITE(9, 5, ""));
    records_file(&records, PROCESS(1, 2) WORLD("this") SITE(7, 20, "") SITE(9, 99, ""));
    struct report *report = records_end(&records);
    assert_int_equal(report->finding_count, 1);
    const struct finding *finding = &report->findings[0];
    assert_int_equal(finding->memory.rank, 1);
    assert_int_equal(finding->memory.created.frames[0].line, 5);
    assert_string_equal(finding->memory.created_by, "MPI_Win_allocate_shared");
    assert_non_null(strstr(finding->first.detail, "window made at halo.c:5, offset 4"));
    report_free(report);
}

/* What a side says of its call is not added to by the site, which may be named for other reasons.
 */
static void sites_add_nothing_to_a_call_of_its_own(void **state)
{
    (void)state;
    struct records records;
    records_begin(&records);
    records_file(
        &records,
        PROCESS(0, 1)
            SITE(7, 20,
                 CALL("MPI_Isend", "MPI_Isend",
                      "request")) "{\"type\":\"finding\",\"key\":1,\"rule\":\"usage\",\"case\":"
                                  "\"request-never-completed\",\"first\":{\"call\":\"MPI_Isend\","
                                  "\"rank\":0,\"thread\":0,\"site\":7}}\n");
    struct report *report = records_end(&records);
    assert_int_equal(report->findings[0].first.stack.frames[0].line, 20);
    assert_null(report->findings[0].first.kind);
    report_free(report);
}

/* A rank that left nothing: the finding is there, its place is not. */
static void sites_that_are_missing_are_unknown(void **state)
{
    (void)state;
    struct records records;
    records_begin(&records);
    records_file(&records, PROCESS(1, 2) WORLD("this") REMOTE(1, PUT_BY(0, 7), BUFFER_OF(1, 8)));
    struct report *report = records_end(&records);
    assert_int_equal(report->finding_count, 1);
    assert_int_equal(report->findings[0].first.stack.depth, 0);
    assert_int_equal(report->findings[0].second.stack.depth, 0);
    assert_string_equal(report->findings[0].message,
                        "race on window memory: put by rank 0 is not ordered with load by rank 1");
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
        cmocka_unit_test(other_formats_are_found_beforehand),
        cmocka_unit_test(sites_of_the_right_process_are_joined),
        cmocka_unit_test(windows_are_made_where_the_finder_made_them),
        cmocka_unit_test(sites_add_nothing_to_a_call_of_its_own),
        cmocka_unit_test(sites_that_are_missing_are_unknown),
        cmocka_unit_test(directory_that_is_not_there_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
