/* Findings of many processes become one report: joined, named, ordered. */
#include "records_for_tests.h"

static void same_places_become_one_finding(void **state)
{
    (void)state;
    struct records records;
    records_begin(&records);
    records_file(&records,
                 PROCESS(1, 2) FINDING(1, "error", ACCESS("MPI_Isend", 1, "", 10),
                                       ACCESS("MPI_Irecv", 0, "", 12)) COUNT(1, 3) COUNT(1, 7));
    records_file(&records, PROCESS(0, 2) FINDING(9, "error", ACCESS("MPI_Isend", 0, "", 10),
                                                 ACCESS("MPI_Irecv", 1, "", 12)));
    struct report *report = records_end(&records);
    assert_int_equal(report->finding_count, 1);
    const struct finding *finding = &report->findings[0];
    assert_int_equal(finding->count, 8);
    assert_int_equal(finding->pair_count, 2);
    assert_int_equal(finding->pairs[0].first, 0);
    assert_int_equal(finding->pairs[0].second, 1);
    assert_int_equal(finding->pairs[1].first, 1);
    assert_int_equal(finding->pairs[1].second, 0);
    assert_int_equal(finding->first.rank, 0); /* the lowest rank speaks */
    assert_int_equal(report->ranks, 2);
    assert_string_equal(report->mpi, "mpich 4.0.2");
    report_free(report);
}

static void pair_in_either_order_is_the_same(void **state)
{
    (void)state;
    struct records records;
    records_begin(&records);
    records_file(&records, PROCESS(0, 2) FINDING(1, "error", ACCESS("MPI_Isend", 0, "", 10),
                                                 ACCESS("MPI_Irecv", 1, "", 12)));
    records_file(&records, PROCESS(1, 2) FINDING(1, "error", ACCESS("MPI_Irecv", 1, "", 12),
                                                 ACCESS("MPI_Isend", 0, "", 10)));
    struct report *report = records_end(&records);
    assert_int_equal(report->finding_count, 1);
    assert_int_equal(report->findings[0].pair_count, 1); /* 0→1, seen from both sides */
    assert_int_equal(report->findings[0].first.stack.frames[0].line, 10);
    report_free(report);
}

static void graver_one_speaks_for_both(void **state)
{
    (void)state;
    struct records records;
    records_begin(&records);
    records_file(&records, PROCESS(0, 2) FINDING(1, "warning", ACCESS("MPI_Isend", 0, "", 10),
                                                 ACCESS("MPI_Irecv", 0, "", 12)));
    records_file(&records, PROCESS(1, 2) FINDING(1, "error", ACCESS("MPI_Isend", 1, "", 10),
                                                 ACCESS("MPI_Irecv", 1, "", 12)));
    struct report *report = records_end(&records);
    assert_int_equal(report->finding_count, 1);
    assert_int_equal(report->findings[0].severity, SEVERITY_ERROR);
    assert_int_equal(report->findings[0].first.rank, 1);
    report_free(report);
}

static void most_serious_come_first_then_lines(void **state)
{
    (void)state;
    struct records records;
    records_begin(&records);
    records_file(
        &records,
        PROCESS(0, 1) FINDING(1, "warning", ACCESS("MPI_Isend", 0, "", 1),
                              ACCESS("MPI_Irecv", 0, "", 2))
            FINDING(2, "error", ACCESS("MPI_Isend", 0, "", 30), ACCESS("MPI_Irecv", 0, "", 31))
                FINDING(3, "error", ACCESS("MPI_Isend", 0, "", 9), ACCESS("MPI_Irecv", 0, "", 40)));
    struct report *report = records_end(&records);
    assert_int_equal(report->finding_count, 3);
    assert_int_equal(report->findings[0].first.stack.frames[0].line, 9);
    assert_int_equal(report->findings[1].first.stack.frames[0].line, 30);
    assert_int_equal(report->findings[2].severity, SEVERITY_WARNING);
    report_free(report);
}

/* The id of a finding between two lines, with the file in a directory of its own. */
static void only_id(char *id, const char *lines)
{
    struct records records;
    records_begin(&records);
    records_file(&records, lines);
    struct report *report = records_end(&records);
    assert_int_equal(report->finding_count, 1);
    strcpy(id, report->findings[0].id);
    report_free(report);
}

static void id_knows_places_not_directories_or_ranks(void **state)
{
    (void)state;
    char here[17], elsewhere[17], swapped[17], other_line[17];
    only_id(here, PROCESS(0, 1) FINDING(1, "error", ACCESS("MPI_Isend", 0, "", 10),
                                        ACCESS("MPI_Irecv", 0, "", 12)));
    only_id(elsewhere, PROCESS(0, 1) FINDING(1, "warning", ACCESS("MPI_Isend", 5, "/a/b/", 10),
                                             ACCESS("MPI_Irecv", 3, "/a/b/", 12)));
    only_id(swapped, PROCESS(0, 1) FINDING(1, "error", ACCESS("MPI_Irecv", 0, "", 12),
                                           ACCESS("MPI_Isend", 0, "", 10)));
    only_id(other_line, PROCESS(0, 1) FINDING(1, "error", ACCESS("MPI_Isend", 0, "", 10),
                                              ACCESS("MPI_Irecv", 0, "", 13)));
    assert_string_equal(here, elsewhere);
    assert_string_equal(here, swapped);
    assert_string_not_equal(here, other_line);
    assert_int_equal(strspn(here, "0123456789abcdef"), 16);
}

static void files_of_one_name_stay_two_findings_with_two_ids(void **state)
{
    (void)state;
    struct records records;
    records_begin(&records);
    records_file(&records, PROCESS(0, 1) FINDING(1, "error", ACCESS("MPI_Isend", 0, "/a/", 10),
                                                 ACCESS("MPI_Irecv", 0, "/a/", 12))
                               FINDING(2, "error", ACCESS("MPI_Isend", 0, "/b/", 10),
                                       ACCESS("MPI_Irecv", 0, "/b/", 12)));
    struct report *report = records_end(&records);
    assert_int_equal(report->finding_count, 2);
    assert_string_not_equal(report->findings[0].id, report->findings[1].id);
    report_free(report);
}

#define BARE(key, call, case, stack)                                                               \
    "{\"type\":\"finding\",\"key\":" #key                                                          \
    ",\"rule\":\"usage\",\"case\":\"" case "\",\"first\":{\"kind\":\"put\",\"call\":\"" call       \
                                           "\",\"rank\":0,\"thread\":0,\"stack\":[" stack "]}}\n"

static void without_stacks_texts_tell_findings_apart(void **state)
{
    (void)state;
    struct records records;
    records_begin(&records);
    records_file(&records, PROCESS(0, 1) BARE(1, "MPI_Put", "rma-outside-epoch", "")
                               BARE(2, "MPI_Put", "flush-without-lock", "")
                                   BARE(3, "MPI_Put", "rma-outside-epoch", "{}"));
    struct report *report = records_end(&records);
    assert_int_equal(report->finding_count, 2);
    assert_int_equal(report->findings[0].count, 2);
    assert_int_equal(report->findings[0].pairs[0].second, -1);
    report_free(report);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_places_become_one_finding),
        cmocka_unit_test(pair_in_either_order_is_the_same),
        cmocka_unit_test(graver_one_speaks_for_both),
        cmocka_unit_test(most_serious_come_first_then_lines),
        cmocka_unit_test(id_knows_places_not_directories_or_ranks),
        cmocka_unit_test(files_of_one_name_stay_two_findings_with_two_ids),
        cmocka_unit_test(without_stacks_texts_tell_findings_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
