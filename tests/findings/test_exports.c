/* SARIF, JUnit and annotations: what they must have, letter by letter where others parse it. */
#include "records_for_tests.h"
#include "findings/annotations.h"
#include "findings/junit.h"
#include "findings/limits.h"
#include "findings/rules.h"
#include "findings/sarif.h"
#include "findings/sources.h"

static const char race[] =
    "{\"rule\":\"remote-race\",\"severity\":\"error\",\"message\":\"put [0] meets 100%\","
    "\"why\":\"nothing orders them: really\",\"fix\":\"a barrier\",\"count\":3,"
    "\"first\":{\"kind\":\"put\",\"call\":\"MPI_Put\",\"rank\":0,\"detail\":\"writes 8 bytes\","
    "\"stack\":[{\"file\":\"src/a b.c\",\"line\":3,\"column\":5,\"function\":\"exchange\"},"
    "{\"file\":\"src/a b.c\",\"line\":9,\"function\":\"main\"}]},"
    "\"second\":{\"kind\":\"store\",\"rank\":1,\"detail\":\"writes the same\","
    "\"stack\":[{\"file\":\"/abs/x,y:z.c\",\"line\":11,\"function\":\"relax\"}]},"
    "\"memory\":{\"rank\":1,\"bytes\":8,\"offset\":0,\"side\":\"target\","
    "\"created_at\":{\"call\":\"MPI_Win_create\",\"file\":\"src/a b.c\",\"line\":2}}}";

static struct report *with_race(void)
{
    struct report *report = report_new("run");
    report->program = "./halo";
    source_keep(report, "src/a b.c", 3, "    MPI_Put(<row> & \"x\");");
    finding_from_json(report, race);
    report_settle(report);
    return report;
}

static char *written(struct report *report, bool (*write)(struct report *, FILE *))
{
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_true(write(report, out));
    fclose(out);
    return text;
}

static const char *text_at(const json_t *value, const char *path)
{
    char *copy = strdup(path), *rest = copy, *part;
    while ((part = strsep(&rest, "."))) {
        char *end;
        long index = strtol(part, &end, 10);
        value = *end ? json_object_get(value, part) : json_array_get(value, (size_t)index);
    }
    free(copy);
    return json_string_value(value);
}

static void sarif_has_both_places_in_one_flow(void **state)
{
    (void)state;
    struct report *report = with_race();
    report_limit(report, "races", "races between ranks", "no memory");
    char *text = written(report, sarif_write);
    json_t *log = json_loads(text, 0, NULL);
    assert_non_null(log);
    json_t *run = json_array_get(json_object_get(log, "runs"), 0);
    json_t *result = json_array_get(json_object_get(run, "results"), 0);
    assert_string_equal(text_at(log, "version"), "2.1.0");
    assert_string_equal(text_at(result, "ruleId"), "remote-race");
    assert_string_equal(
        text_at(result, "message.text"),
        "put \\[0\\] meets 100%\nMPI_Put: [src/a b.c:3](1) writes 8 bytes\n"
        "store: [/abs/x,y:z.c:11](2) writes the same\nwhy: nothing orders them: really\n"
        "fix: a barrier");
    assert_string_equal(text_at(result, "locations.0.physicalLocation.artifactLocation.uri"),
                        "src/a%20b.c");
    assert_string_equal(text_at(result, "relatedLocations.1.physicalLocation.artifactLocation.uri"),
                        "file:///abs/x,y%3Az.c");
    assert_int_equal(json_array_size(json_object_get(result, "relatedLocations")), 3);
    assert_int_equal(json_array_size(json_object_get(result, "codeFlows")), 1);
    json_t *flow = json_array_get(json_object_get(result, "codeFlows"), 0);
    json_t *threads = json_object_get(flow, "threadFlows");
    assert_int_equal(json_array_size(threads), 1);
    assert_int_equal(json_array_size(json_object_get(json_array_get(threads, 0), "locations")), 3);
    assert_string_equal(text_at(flow, "threadFlows.0.locations.1.location.message.text"),
                        "nothing orders them: really");
    assert_string_equal(text_at(result, "partialFingerprints.regattaFinding/v1"),
                        report->findings[0].id);
    assert_string_equal(text_at(result, "stacks.0.frames.1.location.logicalLocations.0."
                                        "fullyQualifiedName"),
                        "main");
    assert_string_equal(text_at(run, "invocations.0.toolExecutionNotifications.0.message.text"),
                        "not looked at: races between ranks (no memory)");
    assert_int_equal(json_array_size(json_object_get(
                         json_object_get(json_object_get(run, "tool"), "driver"), "rules")),
                     rule_count);
    json_decref(log);
    free(text);
    report_free(report);
}

static void sarif_keeps_githubs_limits(void **state)
{
    (void)state;
    struct report *report = report_new("run");
    for (int i = 0; i < 25010; i++) {
        struct finding *finding = report_add(report);
        finding->rule = report_text(report, "usage");
        finding->message = report_textf(report, "number %d", i);
        finding->first = (struct access){.present = true, .call = "MPI_Put"};
    }
    report_settle(report);
    assert_int_equal(report->finding_count, 25010);
    char *text = written(report, sarif_write);
    json_t *log = json_loads(text, 0, NULL);
    json_t *run = json_array_get(json_object_get(log, "runs"), 0);
    assert_int_equal(json_array_size(json_object_get(run, "results")), 25000);
    assert_string_equal(text_at(run, "invocations.0.toolExecutionNotifications.0.message.text"),
                        "10 findings are left out: GitHub takes 25000");
    json_decref(log);
    free(text);
    report_free(report);
}

static bool write_junit(struct report *report, FILE *out)
{
    return junit_write(report, out, false);
}

static bool write_strict_junit(struct report *report, FILE *out)
{
    return junit_write(report, out, true);
}

static void junit_fails_for_errors(void **state)
{
    (void)state;
    struct report *report = with_race();
    char *text = written(report, write_junit);
    assert_non_null(strstr(text, "tests=\"1\" failures=\"1\" errors=\"0\""));
    assert_non_null(strstr(text, "classname=\"src/a b.c\""));
    assert_non_null(strstr(text, "<failure type=\"remote-race\" message=\"put [0] meets 100%\">"));
    assert_non_null(strstr(text, "3 |     MPI_Put(&lt;row&gt; &amp; &quot;x&quot;);"));
    free(text);
    report->findings[0].severity = SEVERITY_WARNING;
    text = written(report, write_junit);
    assert_non_null(strstr(text, "failures=\"0\""));
    free(text);
    text = written(report, write_strict_junit);
    assert_non_null(strstr(text, "failures=\"1\""));
    free(text);
    report_remove(report, 0);
    text = written(report, write_junit);
    assert_non_null(strstr(text, "<testcase name=\"regatta run ./halo\" classname=\"regatta\""));
    free(text);
    report_free(report);
}

static void junit_is_xml_whatever_programs_are_called(void **state)
{
    (void)state;
    struct report *report = with_race();
    report->findings[0].message = "a\x01\x1b\xff\xc3(\xed\xa0\x80\xef\xbf\xbe\xc3\xa9";
    char *text = written(report, write_junit);
    assert_non_null(strstr(text, "message=\"a???"
                                 "?(??????\xc3\xa9\""));
    free(text);
    report_free(report);
}

static void github_reads_one_line(void **state)
{
    (void)state;
    struct report *report = with_race();
    char *text = written(report, annotations_github);
    assert_string_equal(
        text, "::error file=src/a b.c,line=3,col=5,title=remote-race::put [0] meets 100%25"
              "%0Asrc/a b.c:3 MPI_Put: writes 8 bytes%0A/abs/x,y:z.c:11 store: writes the same"
              "%0Awhy: nothing orders them: really%0Afix: a barrier\n");
    free(text);
    report->findings[0].first.stack.frames[0].file = "a:b,c.c";
    report->findings[0].severity = SEVERITY_NOTE;
    text = written(report, annotations_github);
    assert_non_null(strstr(text, "::notice file=a%3Ab%2Cc.c,line=3,"));
    free(text);
    report_free(report);
}

static void gitlab_gets_code_quality(void **state)
{
    (void)state;
    struct report *report = with_race();
    char *text = written(report, annotations_gitlab);
    json_t *list = json_loads(text, 0, NULL);
    assert_int_equal(json_array_size(list), 1);
    assert_string_equal(text_at(list, "0.check_name"), "remote-race");
    assert_string_equal(text_at(list, "0.severity"), "major");
    assert_string_equal(text_at(list, "0.location.path"), "src/a b.c");
    assert_string_equal(text_at(list, "0.fingerprint"), report->findings[0].id);
    assert_string_equal(text_at(list, "0.description"),
                        "put [0] meets 100% (with /abs/x,y:z.c:11)");
    json_decref(list);
    free(text);
    report_free(report);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sarif_has_both_places_in_one_flow),
        cmocka_unit_test(sarif_keeps_githubs_limits),
        cmocka_unit_test(junit_fails_for_errors),
        cmocka_unit_test(junit_is_xml_whatever_programs_are_called),
        cmocka_unit_test(github_reads_one_line),
        cmocka_unit_test(gitlab_gets_code_quality),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
