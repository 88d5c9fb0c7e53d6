/* Findings JSON: what is written fits the schema, and reading it back loses nothing. */
#include "records_for_tests.h"
#include "schema.h"
#include "findings/json.h"
#include "findings/limits.h"
#include "findings/rules.h"

/* A finding with everything that can be said, and one with as little as possible. */
static const char everything[] =
    "{\"rule\":\"remote-race\",\"severity\":\"warning\",\"case\":\"rma-not-ordered\","
    "\"message\":\"m\",\"why\":\"w\",\"fix\":\"f\",\"generation\":3,"
    "\"first\":{\"kind\":\"put\",\"call\":\"MPI_Put\",\"rank\":0,\"thread\":2,\"detail\":\"d\","
    "\"variable\":\"row\",\"stack\":[{\"file\":\"a.c\",\"line\":3,\"column\":5,\"function\":\"f\"},"
    "{\"module\":\"/nonexistent/lib.so\",\"offset\":77}]},"
    "\"second\":{\"kind\":\"store\",\"rank\":1,\"thread\":0,"
    "\"file\":\"b.c\",\"line\":4,\"function\":\"g\"},"
    "\"memory\":{\"side\":\"target\",\"rank\":1,\"window\":\"halo\",\"offset\":16,\"bytes\":8,"
    "\"created_at\":{\"call\":\"MPI_Win_create\",\"file\":\"a.c\",\"line\":1,\"function\":\"f\"}}}";
static const char least[] = "{\"rule\":\"usage\",\"first\":{}}";

static struct report *read_everything(void)
{
    struct records records;
    records_begin(&records);
    records_file(&records, PROCESS(0, 2));
    struct report *report = records_end(&records);
    finding_from_json(report, everything);
    finding_from_json(report, least);
    report_settle(report);
    report_note(report, "a note");
    report_limit(report, "races", "some", "tired")->ranks = 2;
    report_limit(report, "unheard-of", "others", "lost");
    return report;
}

static char *written(struct report *report)
{
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_true(json_write_report(report, out));
    fclose(out);
    char *copy = checked_strdup(text); /* gcc 12 takes the stream's buffer for a local */
    free(text);
    return copy;
}

static json_t *schema(void)
{
    json_t *schema = json_load_file(SCHEMA, 0, NULL);
    assert_non_null(schema);
    return schema;
}

static void written_findings_fit_the_schema(void **state)
{
    (void)state;
    struct report *report = read_everything();
    char *text = written(report);
    char problem[600] = "";
    json_t *value = json_loads(text, 0, NULL);
    json_t *rules_of_form = schema();
    assert_int_equal(json_array_size(json_object_get(value, "findings")), 2);
    if (!schema_accepts(rules_of_form, value, problem, sizeof problem))
        fail_msg("%s", problem);
    json_decref(value);
    json_decref(rules_of_form);
    free(text);
    report_free(report);
}

/* Each change breaks one condition; a schema that accepts it would check nothing. */
static void schema_rejects_what_is_wrong(void **state)
{
    (void)state;
    static const struct {
        const char *from, *to;
    } changes[] = {
        {"\"schema\": 1", "\"schema\": 2"},
        {"\"tool\": \"regatta\"", "\"tool\": \"other\""},
        {"\"severity\": \"warning\"", "\"severity\": \"fatal\""},
        {"\"rule\": \"usage\"", "\"rule\": \"manners\""},
        {"\"line\": 3", "\"line\": 0"},
        {"\"line\": 4", "\"line\": \"4\""},
        {"\"thread\": 2", "\"thread\": -2"},
        {"\"variable\"", "\"variables\""},
        {"\"bytes\"", "\"bites\""},
        {"\"id\": \"", "\"id\": \"x"},
        {"\"notes\"", "\"remarks\""},
        {"\"limits\"", "\"borders\""},
        {"\"why\": \"tired\"", "\"because\": \"tired\""},
        {"\"stack\": []", "\"stack\": {}"},
    };
    struct report *report = read_everything();
    char *text = written(report);
    json_t *rules_of_form = schema();
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        char problem[600];
        const char *at = strstr(text, changes[i].from);
        if (!at)
            fail_msg("not in the text: %s", changes[i].from);
        char *changed = checked_printf("%.*s%s%s", (int)(at - text), text, changes[i].to,
                                       at + strlen(changes[i].from));
        json_t *value = json_loads(changed, 0, NULL);
        assert_non_null(value);
        if (schema_accepts(rules_of_form, value, problem, sizeof problem))
            fail_msg("accepted: %s", changes[i].to);
        json_decref(value);
        free(changed);
    }
    json_decref(rules_of_form);
    free(text);
    report_free(report);
}

static void check_described(json_t *definition, const char *where)
{
    const char *name;
    json_t *property;
    json_object_foreach(json_object_get(definition, "properties"), name, property)
    {
        const char *words = json_string_value(json_object_get(property, "description"));
        if (!json_object_get(property, "$ref") && (!words || strlen(words) < 10))
            fail_msg("%s.%s is not described", where, name);
    }
}

static void every_field_and_rule_is_in_the_schema(void **state)
{
    (void)state;
    json_t *rules_of_form = schema();
    json_t *definitions = json_object_get(rules_of_form, "$defs");
    const char *name;
    json_t *definition;
    check_described(rules_of_form, "$");
    json_object_foreach(definitions, name, definition)
    {
        check_described(definition, name);
    }
    json_t *listed = json_object_get(
        json_object_get(json_object_get(json_object_get(definitions, "finding"), "properties"),
                        "rule"),
        "enum");
    assert_int_equal(json_array_size(listed), rule_count);
    for (size_t i = 0; i < rule_count; i++)
        assert_string_equal(json_string_value(json_array_get(listed, i)), rules[i].id);
    json_decref(rules_of_form);
}

static bool read_text(struct report *report, const char *text, char **problem)
{
    char path[] = "/tmp/regatta-json-XXXXXX";
    FILE *file = fdopen(mkstemp(path), "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    bool good = json_read_report(report, path, problem);
    remove(path);
    return good;
}

static void reading_back_loses_nothing(void **state)
{
    (void)state;
    struct report *report = read_everything();
    struct report *again = report_new("check");
    char *text = written(report);
    char *problem;
    assert_true(read_text(again, text, &problem));
    report_settle(again);
    char *second_text = written(again);
    assert_string_equal(text, second_text);
    free(text);
    free(second_text);
    report_free(report);
    report_free(again);
}

static void merging_adds_counts(void **state)
{
    (void)state;
    struct report *report = read_everything();
    struct report *both = report_new("run");
    char *text = written(report);
    char *problem;
    assert_true(read_text(both, text, &problem));
    assert_true(read_text(both, text, &problem));
    report_settle(both);
    assert_int_equal(both->finding_count, report->finding_count);
    assert_int_equal(both->findings[0].count, 2 * report->findings[0].count);
    assert_int_equal(both->note_count, 1);
    free(text);
    report_free(report);
    report_free(both);
}

static void what_is_no_findings_file_is_told_in_one_line(void **state)
{
    (void)state;
    static const struct {
        const char *text, *complaint;
    } files[] = {
        {"", "not JSON"},
        {"{\"schema\": 1,", "not JSON"},
        {"[]", "\"tool\""},
        {"{\"tool\":\"other\"}", "\"tool\""},
        {"{\"tool\":\"regatta\",\"schema\":9,\"findings\":[]}", "\"schema\""},
        {"{\"tool\":\"regatta\",\"schema\":1}", "\"findings\""},
        {"{\"tool\":\"regatta\",\"schema\":1,\"findings\":[7]}", "\"rule\""},
    };
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        struct report *report = report_new("run");
        char *problem = NULL;
        assert_false(read_text(report, files[i].text, &problem));
        assert_non_null(strstr(problem, files[i].complaint));
        assert_null(strchr(problem, '\n'));
        free(problem);
        report_free(report);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(written_findings_fit_the_schema),
        cmocka_unit_test(schema_rejects_what_is_wrong),
        cmocka_unit_test(every_field_and_rule_is_in_the_schema),
        cmocka_unit_test(reading_back_loses_nothing),
        cmocka_unit_test(merging_adds_counts),
        cmocka_unit_test(what_is_no_findings_file_is_told_in_one_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
