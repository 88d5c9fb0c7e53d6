/* Ids that stay the same where the same mistake is meant: lines move, directories are renamed,
 * compilers name another line of a long call. */
#include "records_for_tests.h"
#include "findings/identity.h"
#include "findings/sources.h"

static struct report *report_in(const char *directory)
{
    struct report *report = report_new("run");
    report->directory = directory;
    return report;
}

static void keep_lines(struct report *report, const char *file, unsigned first, const char *lines)
{
    char *copy = strdup(lines), *rest = copy, *line;
    while ((line = strsep(&rest, "\n")))
        source_keep(report, file, first++, line);
    free(copy);
}

static void expect_statement(const char *file, const char *lines, unsigned line, const char *wanted)
{
    struct report *report = report_in("/nowhere");
    keep_lines(report, file, 1, lines);
    assert_string_equal(source_statement(report, file, line), wanted);
    report_free(report);
}

static void statements_are_whole_and_plain(void **state)
{
    (void)state;
    static const char call[] = "    int x = 0;   // one\n"
                               "    MPI_Isend(row, n, /* all of it */ MPI_DOUBLE,\n"
                               "              right, 0,\n"
                               "              comm, &request); // goes on\n"
                               "    return  x;";
    for (unsigned line = 2; line <= 4; line++)
        expect_statement("a.c", call, line, "MPI_Isend(row,n,MPI_DOUBLE,right,0,comm,&request);");
    expect_statement("a.c", call, 5, "return x;");
    expect_statement("a.c", "{\n\tputs(\"a // b\");\n}", 2, "puts(\"a//b\");");
    static const char fortran[] =
        "  x = 1\n  call MPI_Isend(row, n, & ! so\n       right, 0)\n  y = 2";
    expect_statement("a.f90", fortran, 2, "call MPI_Isend(row,n,right,0)");
    expect_statement("a.f90", fortran, 3, "call MPI_Isend(row,n,right,0)");
    expect_statement("a.py", "a = 1\ncomm.Isend(b) # now\n", 2, "comm.Isend(b)");
}

#define RACE(file, first, second, function)                                                        \
    "{\"rule\":\"local-race\",\"message\":\"m\",\"first\":{\"kind\":\"send\",\"rank\":0,"          \
    "\"stack\":[{\"file\":\"" file "\",\"line\":" #first ",\"function\":\"" function "\"}]},"      \
    "\"second\":{\"kind\":\"store\",\"rank\":0,"                                                   \
    "\"stack\":[{\"file\":\"" file "\",\"line\":" #second ",\"function\":\"" function "\"}]}}"

static void id_of(char id[17], const char *file, unsigned first_line, const char *source,
                  const char *race)
{
    struct report *report = report_in("/nowhere");
    keep_lines(report, file, first_line, source);
    finding_from_json(report, race);
    report_settle(report);
    strcpy(id, report->findings[0].id);
    report_free(report);
}

static void id_goes_by_text_and_function(void **state)
{
    (void)state;
    static const char source[] = "send(a,\n     b);\na = 1;\nwait();";
    char id[17], other[17];
    id_of(id, "a.c", 10, source, RACE("a.c", 10, 12, "f"));
    id_of(other, "a.c", 30, source, RACE("a.c", 30, 32, "f"));
    assert_string_equal(id, other); /* lines above */
    id_of(other, "/other/b/a.c", 10, source, RACE("/other/b/a.c", 10, 12, "f"));
    assert_string_equal(id, other); /* another directory */
    id_of(other, "a.c", 10, source, RACE("a.c", 11, 12, "f"));
    assert_string_equal(id, other); /* another line of the same call */
    id_of(other, "a.c", 10, source, RACE("a.c", 12, 10, "f"));
    assert_string_equal(id, other); /* the other way round */
    id_of(other, "a.c", 10, source, RACE("a.c", 10, 12, "f.constprop.0"));
    assert_string_equal(id, other); /* what the optimiser calls a copy */
    id_of(other, "a.c", 10, source, RACE("a.c", 10, 12, "ns::f<int>(int)"));
    assert_string_equal(id, other);
    id_of(other, "a.c", 10, "send(a,\n  b); // why\n  a  =  1;\nwait();", RACE("a.c", 10, 12, "f"));
    assert_string_equal(id, other); /* comments and spaces */
    id_of(other, "a.c", 10, source, RACE("a.c", 10, 12, "g"));
    assert_string_not_equal(id, other);
    id_of(other, "a.c", 10, "send(a,\n     b);\na = 2;\nwait();", RACE("a.c", 10, 12, "f"));
    assert_string_not_equal(id, other);
}

static void equals_are_numbered(void **state)
{
    (void)state;
    static const char source[] = "send(a);\na = 1;\nwait();\nsend(a);\na = 1;\nwait();";
    char ids[2][17];
    for (int moved = 0; moved < 2; moved++) {
        struct report *report = report_in("/nowhere");
        keep_lines(report, "a.c", moved ? 11 : 10, source);
        finding_from_json(report, moved ? RACE("a.c", 14, 15, "f") : RACE("a.c", 13, 14, "f"));
        finding_from_json(report, moved ? RACE("a.c", 11, 12, "f") : RACE("a.c", 10, 11, "f"));
        report_settle(report);
        assert_int_equal(report->finding_count, 2);
        for (int i = 0; i < 2; i++) {
            if (moved)
                assert_string_equal(report->findings[i].id, ids[i]);
            else
                strcpy(ids[i], report->findings[i].id);
        }
        report_free(report);
    }
    assert_string_not_equal(ids[0], ids[1]);
}

/* What `check` thought out and `run` saw is one finding, and confirmed. */
static void modes_meet(void **state)
{
    (void)state;
    static const char *const modes[] = {"check", "run"};
    char path[2][40];
    for (int i = 0; i < 2; i++) {
        struct report *report = report_new(modes[i]);
        keep_lines(report, "a.c", 10 + (unsigned)i, "send(a);\na = 1;\nwait();");
        finding_from_json(report, i ? RACE("a.c", 11, 12, "f") : RACE("a.c", 10, 11, "f"));
        report->findings[0].severity = SEVERITY_WARNING;
        report_settle(report);
        assert_false(finding_is_confirmed(&report->findings[0]));
        snprintf(path[i], sizeof path[i], "/tmp/regatta-identity-%d-%d", getpid(), i);
        FILE *out = fopen(path[i], "w");
        assert_true(json_write_report(report, out));
        fclose(out);
        report_free(report);
    }
    struct report *both = report_new("run");
    char *problem;
    for (int i = 0; i < 2; i++) {
        assert_true(json_read_report(both, path[i], &problem));
        remove(path[i]);
    }
    report_settle(both);
    assert_int_equal(both->finding_count, 1);
    assert_true(finding_is_confirmed(&both->findings[0]));
    assert_int_equal(both->findings[0].first.stack.frames[0].line, 11); /* the run speaks */
    report_free(both);
}

/* A finding of rank 0 at lines 10 and 11, with the address and number of its bytes. */
static void add_at(struct report *report, const char *rule, const char *address, unsigned bytes,
                   const char *lines)
{
    char text[400];
    snprintf(text, sizeof text,
             "{\"rule\":\"%s\",\"message\":\"m\",\"first\":{\"kind\":\"get\",\"rank\":0,\"stack\":"
             "[%s]},\"second\":{\"kind\":\"store\",\"rank\":0,\"stack\":[%s]},"
             "\"memory\":{\"side\":\"target\",\"rank\":0,\"offset\":0,\"bytes\":%u}}",
             rule, lines, lines, bytes);
    finding_from_json(report, text);
    finding_add_fact(report, &report->findings[report->finding_count - 1], "address", address);
}

/* The same bytes at the same places under two rules are one finding; other bytes are not, and
 * without places nobody knows. */
static void said_once(void **state)
{
    (void)state;
    static const char place[] = "{\"file\":\"a.c\",\"line\":10,\"function\":\"f\"}";
    static const struct {
        const char *place, *address;
        size_t left;
    } cases[] = {{place, "1008", 1}, {place, "1016", 2}, {place, "992", 2}, {"", "1008", 2}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct report *report = report_in("/nowhere");
        add_at(report, "local-race", cases[i].address, 8, cases[i].place);
        add_at(report, "remote-race", "1000", 16, cases[i].place);
        report_settle(report);
        assert_int_equal(report->finding_count, cases[i].left);
        bool remote = false;
        for (size_t k = 0; k < report->finding_count; k++)
            remote |= !strcmp(report->findings[k].rule, "remote-race");
        assert_true(remote);
        report_free(report);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(statements_are_whole_and_plain),
        cmocka_unit_test(id_goes_by_text_and_function),
        cmocka_unit_test(equals_are_numbered),
        cmocka_unit_test(modes_meet),
        cmocka_unit_test(said_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
