/* The sentences that facts become, letter by letter; and what the table must keep to. */
#include "records_for_tests.h"
#include "findings/sentences.h"

#define SIDE(kind, call, made_by, access, bytes, until)                                            \
    "{\"kind\":\"" kind "\",\"call\":\"" call "\",\"made_by\":\"" made_by                          \
    "\",\"rank\":0,\"thread\":0,\"access\":\"" access "\",\"bytes\":" #bytes ",\"until\":\"" until \
    "\"}"
#define OWN(kind, access, bytes)                                                                   \
    "{\"kind\":\"" kind "\",\"rank\":0,\"thread\":0,\"access\":\"" access "\",\"bytes\":" #bytes "}"
#define RMA(kind, access, epoch, rank)                                                             \
    "{\"kind\":\"" kind "\",\"call\":\"MPI_X\",\"rank\":" #rank                                    \
    ",\"thread\":0,\"access\":\"" access "\",\"epoch\":\"" epoch "\"}"
#define FACTS(rule, case, first, second, bytes)                                                    \
    PROCESS(0, 2)                                                                                  \
    "{\"type\":\"finding\",\"key\":1,\"rule\":\"" rule                                             \
    "\",\"case\":\"" case "\",\"first\":" first ",\"second\":" second                              \
                          ",\"memory\":{\"side\":\"origin\",\"rank\":0,\"offset\":4,"              \
                          "\"bytes\":" #bytes "}}\n"

static struct report *read_one(const char *text)
{
    struct records records;
    records_begin(&records);
    records_file(&records, text);
    struct report *report = records_end(&records);
    assert_int_equal(report->finding_count, 1);
    return report;
}

static void one_byte_is_singular(void **state)
{
    (void)state;
    struct report *report =
        read_one(FACTS("local-race", "buffer-in-use",
                       SIDE("send", "MPI_Isend", "MPI_Isend", "read", 400, "request"),
                       OWN("store", "write", 1), 1));
    const struct finding *finding = &report->findings[0];
    assert_string_equal(finding->message,
                        "race on a buffer in use: store by rank 0 writes what its "
                        "MPI_Isend still reads");
    assert_string_equal(finding->why,
                        "the MPI_Isend keeps its buffer until MPI_Wait or MPI_Test on "
                        "its request; that has not happened when the store writes the "
                        "same bytes.");
    assert_string_equal(finding->fix,
                        "complete the MPI_Isend before the store, or use different memory.");
    assert_string_equal(finding->first.detail, "reads 400 bytes");
    assert_string_equal(finding->second.detail, "writes 1 byte, the same");
    report_free(report);
}

static void two_calls_of_one_name_are_told_apart(void **state)
{
    (void)state;
    struct report *report = read_one(
        FACTS("local-race", "buffer-in-use", SIDE("get", "MPI_Get", "MPI_Get", "write", 8, "epoch"),
              SIDE("get", "MPI_Get", "MPI_Get", "write", 8, "epoch"), 8));
    assert_string_equal(report->findings[0].fix,
                        "complete the first MPI_Get before the second "
                        "MPI_Get, or give the two calls different memory.");
    assert_non_null(strstr(report->findings[0].why, "the first MPI_Get keeps its buffer until"));
    assert_non_null(
        strstr(report->findings[0].why, "when the second MPI_Get writes the same bytes."));
    report_free(report);
}

static void memory_that_is_given_back_is_no_store(void **state)
{
    (void)state;
    struct report *report =
        read_one(FACTS("local-race", "buffer-given-back",
                       SIDE("recv", "MPI_Irecv", "MPI_Irecv", "write", 400, "request"),
                       OWN("free", "give-back", 408), 400));
    const struct finding *finding = &report->findings[0];
    assert_string_equal(finding->message, "race on a buffer in use: free by rank 0 gives back what "
                                          "its MPI_Irecv still writes");
    assert_string_equal(finding->fix, "complete the MPI_Irecv before the free.");
    assert_string_equal(finding->second.detail, "gives back 408 bytes, 400 of them in use");
    report_free(report);
}

/* Records of a process with its last calls: a put and a get, in turns. */
#define CALLED(n, call, site)                                                                      \
    "{\"n\":" #n ",\"call\":\"" call "\",\"site\":" #site ",\"target\":1,\"window\":5}"
#define PLACE(id, number)                                                                          \
    "{\"type\":\"site\",\"id\":" #id ",\"stack\":[{\"file\":\"a.c\",\"line\":" #number             \
    ",\"function\":\"main\"}]}\n"
#define ISSUED(kind, call, access, place)                                                          \
    "{\"kind\":\"" kind "\",\"call\":\"" call "\",\"rank\":0,\"thread\":0,\"access\":\"" access    \
    "\",\"epoch\":\"lock\",\"site\":" #place "}"
#define TURNS(events)                                                                              \
    PROCESS(0, 2)                                                                                  \
    PLACE(1, 20)                                                                                   \
    PLACE(2, 21)                                                                                   \
    PLACE(3, 22)                                                                                   \
    "{\"type\":\"finding\",\"key\":1,\"rule\":\"remote-race\",\"case\":\"rma-not-ordered\","       \
    "\"first\":" ISSUED("get", "MPI_Get", "read", 2) ",\"second\":" ISSUED(                        \
        "put", "MPI_Put", "write",                                                                 \
        1) ",\"memory\":{\"side\":\"target\",\"rank\":1,\"offset\":0,\"bytes\":4}}\n"              \
           "{\"type\":\"recent\",\"events\":[" events "]}\n"

static void says_turn(const char *records, const char *first, const char *why)
{
    struct report *report = read_one(records);
    const struct finding *finding = &report->findings[0];
    assert_string_equal(finding->first.kind, first);
    assert_ptr_equal(strstr(finding->why, why), finding->why);
    report_free(report);
}

static void the_operation_that_is_not_over_comes_first(void **state)
{
    (void)state;
    /* flush_local completes no put */
    says_turn(TURNS(CALLED(0, "MPI_Put", 1) "," CALLED(1, "MPI_Win_flush_local",
                                                       3) "," CALLED(2, "MPI_Get", 2)),
              "put", "the put is over at its target only at MPI_Win_flush or MPI_Win_unlock at");
    says_turn(TURNS(CALLED(0, "MPI_Get", 2) "," CALLED(1, "MPI_Put", 1)), "get",
              "the get is over at its target only at MPI_Win_flush, MPI_Win_flush_local or");
    /* … but a get: only the put of the first round meets the get of the second */
    says_turn(TURNS(CALLED(0, "MPI_Put", 1) "," CALLED(1, "MPI_Get", 2) "," CALLED(
                  2, "MPI_Win_flush_local", 3) "," CALLED(3, "MPI_Put", 1)),
              "put", "the put is over at its target only at");
    /* a flush between them, as far as it is seen: not these two */
    says_turn(TURNS(CALLED(0, "MPI_Put", 1) "," CALLED(1, "MPI_Win_flush",
                                                       3) "," CALLED(2, "MPI_Get", 2)),
              "get", "both operations of rank 0 were under way");
    /* in turns, or with calls missing that may have ended the first */
    says_turn(
        TURNS(CALLED(0, "MPI_Put", 1) "," CALLED(1, "MPI_Get", 2) "," CALLED(2, "MPI_Put", 1)),
        "get", "both operations of rank 0 were under way");
    says_turn(TURNS(CALLED(0, "MPI_Put", 1) "," CALLED(7, "MPI_Get", 2)), "get",
              "both operations of rank 0 were under way");
}

static void operations_of_one_rank_have_no_direction(void **state)
{
    (void)state;
    struct report *report =
        read_one(FACTS("remote-race", "rma-not-ordered", RMA("get", "read", "lock", 0),
                       RMA("put", "write", "lock", 0), 8));
    const struct finding *finding = &report->findings[0];
    assert_string_equal(finding->case_id, "rma-pair-not-complete");
    assert_string_equal(
        finding->why,
        "both operations of rank 0 were under way at the same time: the get is over at "
        "MPI_Win_flush, MPI_Win_flush_local or MPI_Win_unlock at the origin, the put at "
        "MPI_Win_flush or MPI_Win_unlock at the origin, and neither came before the other was "
        "issued.");
    assert_string_equal(
        finding->fix, "add MPI_Win_flush between the two (MPI_Win_flush_local completes no put or "
                      "accumulate at the target), or use different bytes.");
    report_free(report);
    report = read_one(FACTS("remote-race", "rma-not-ordered", RMA("put", "write", "fence", 0),
                            RMA("put", "write", "fence", 0), 8));
    assert_string_equal(report->findings[0].why,
                        "both operations of rank 0 were under way at the same time: both are over "
                        "at the next MPI_Win_fence, and that did not come between them.");
    report_free(report);
}

static void own_access_comes_after_the_operation(void **state)
{
    (void)state;
    struct report *report = read_one(FACTS("remote-race", "rma-not-ordered", OWN("load", "read", 8),
                                           RMA("put", "write", "lock", 0), 8));
    assert_string_equal(report->findings[0].why,
                        "the put of rank 0 is over at MPI_Win_flush or MPI_Win_unlock at the "
                        "origin, and that did not come before its load of the same bytes.");
    report_free(report);
}

static void severity_is_the_cases_unless_told(void **state)
{
    (void)state;
    struct report *report = read_one(PROCESS(
        0, 1) "{\"type\":\"finding\",\"key\":1,\"rule\":\"usage\",\"case\":"
              "\"window-never-freed\",\"first\":{\"call\":\"MPI_Win_create\",\"rank\":0}}\n");
    assert_int_equal(report->findings[0].severity, SEVERITY_WARNING);
    report_free(report);
}

static void unknown_cases_have_the_title_of_their_rule(void **state)
{
    (void)state;
    struct report *report = read_one(
        PROCESS(0, 1) "{\"type\":\"finding\",\"key\":1,\"rule\":\"usage\",\"case\":\"of-tomorrow\","
                      "\"message\":\"prose\",\"why\":\"prose\",\"first\":{\"rank\":0,\"detail\":"
                      "\"prose\"}}\n");
    assert_string_equal(report->findings[0].message, "MPI used out of order");
    assert_null(report->findings[0].why);
    assert_null(report->findings[0].first.detail);
    report_free(report);
}

/* Every case says something with all facts and with none, and no {name} or bracket is left over. */
static void check_sentence(const char *id, const char *sentence, bool known)
{
    if (!sentence)
        return;
    if (strpbrk(sentence, "{}[]") || (known && strchr(sentence, '?')))
        fail_msg("%s: %s", id, sentence);
}

static void check_case(enum finding_case which, bool known)
{
    static const char *const names[] = {
        "differ",     "seconds",  "code",        "usual_code",   "path",  "difference",
        "last_words", "function", "others",      "command",      "polls", "once",
        "low",        "high",     "size",        "displacement", "unit",  "who",
        "story",      "advice",   "first_waits", "second_waits", "way"};
    struct report *report = report_new("run");
    struct frame frame = {.file = "a.c", .line = 3};
    struct finding *finding = report_add(report);
    finding->rule = "usage";
    finding->case_id = case_id(which);
    if (known) {
        struct access side = {.present = true,
                              .kind = "put",
                              .call = "MPI_Put",
                              .made_by = "MPI_Put",
                              .deed = "write",
                              .epoch = "lock",
                              .until = "epoch",
                              .state = "hang",
                              .bytes = 2,
                              .variable = "x",
                              .stack = {&frame, 1},
                              .has_range = true,
                              .high = 9};
        finding->first = finding->second = side;
        finding->second.epoch = NULL;
        finding->second.rank = 1;
        finding->memory = (struct memory){.present = true, .window = "w", .bytes = 2};
        for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
            finding_add_fact(report, finding, names[i], i ? "fact" : "type");
        finding_add_fact(report, finding, "then", case_id(CASE_SCHEDULE_HANG));
    }
    finding_say(report, finding);
    assert_non_null(finding->message);
    assert_non_null(finding->why);
    assert_non_null(finding->fix);
    check_sentence(finding->case_id, finding->message, known);
    check_sentence(finding->case_id, finding->why, known);
    check_sentence(finding->case_id, finding->fix, known);
    check_sentence(finding->case_id, finding->first.detail, known);
    check_sentence(finding->case_id, finding->second.detail, known);
    report_free(report);
}

static void every_case_is_a_whole_sentence(void **state)
{
    (void)state;
    for (int which = 0; which < CASES; which++) {
        check_case(which, true);
        check_case(which, false);
        for (int other = 0; other < which; other++)
            assert_string_not_equal(case_id(which), case_id(other));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_byte_is_singular),
        cmocka_unit_test(two_calls_of_one_name_are_told_apart),
        cmocka_unit_test(memory_that_is_given_back_is_no_store),
        cmocka_unit_test(operations_of_one_rank_have_no_direction),
        cmocka_unit_test(the_operation_that_is_not_over_comes_first),
        cmocka_unit_test(own_access_comes_after_the_operation),
        cmocka_unit_test(severity_is_the_cases_unless_told),
        cmocka_unit_test(unknown_cases_have_the_title_of_their_rule),
        cmocka_unit_test(every_case_is_a_whole_sentence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
