/* Records that no runtime wrote: cut, garbled, or made to do harm. Whatever is in them, they are
 * read without a crash, and nothing of them reaches a terminal but printable text. */
#include "records_for_tests.h"
#include "findings/text.h"

#define SIDE(rank, site)                                                                           \
    "{\"kind\":\"put\",\"call\":\"MPI_Put\",\"made_by\":\"MPI_Put\",\"rank\":" #rank               \
    ",\"thread\":0,\"access\":\"write\",\"bytes\":8,\"epoch\":\"lock\",\"until\":\"epoch\","       \
    "\"site\":" #site "}"

static const char good[] = PROCESS(0, 2) WORLD("w") SITE(7, 20, ",\"call\":\"MPI_Put\"") SITE(
    9, 5,
    "") "{\"type\":\"finding\",\"key\":1,\"rule\":\"remote-race\",\"case\":\"rma-not-ordered\","
        "\"first\":" SIDE(0, 7) ",\"second\":" SIDE(
            1, 7) ",\"memory\":{\"side\":\"target\",\"rank\":0,\"window\":\"halo\",\"offset\":0,"
                  "\"bytes\":8,"
                  "\"created\":{\"call\":\"MPI_Win_create\",\"site\":9}},\"missing\":\"order\","
                  "\"polls\":1}\n" COUNT(1, 4) "{\"type\":\"limit\",\"kind\":\"races\",\"what\":"
                                               "\"a\",\"why\":\"b\"}\n" END("finalized");

/* Everything that a command does with records. */
static void read_and_show(const char *text, size_t length)
{
    struct records records;
    char path[80], *shown, *json;
    size_t shown_size, json_size;
    records_begin(&records);
    snprintf(path, sizeof path, "%s/host-0.records", records.directory);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, length, file), length);
    fclose(file);
    records_other_format(records.directory);
    struct report *report = records_end(&records);
    records_note_endings(report);
    FILE *out = open_memstream(&shown, &shown_size);
    for (size_t i = 0; i < report->finding_count; i++)
        text_finding(out, report, &report->findings[i], &(struct text_style){.stacks = true}, true);
    text_summary(out, report, &(struct text_style){0}, NULL);
    fclose(out);
    for (size_t i = 0; i < shown_size; i++)
        if ((unsigned char)shown[i] < 0x20 && shown[i] != '\n')
            fail_msg("control character %d in: %s", shown[i], shown);
    out = open_memstream(&json, &json_size);
    assert_true(json_write_report(report, out));
    fclose(out);
    free(shown);
    free(json);
    report_free(report);
}

static void read_text(const char *text)
{
    read_and_show(text, strlen(text));
}

static void control_characters_stay_in_the_file(void **state)
{
    (void)state;
    read_text(PROCESS(0, 1) "{\"type\":\"finding\",\"key\":1,\"rule\":\"usage\\u001b[2J\","
                            "\"case\":\"\\u0007\",\"first\":{\"call\":\"\\u001b]0;x\\u0007\","
                            "\"kind\":\"\\r\\n\",\"rank\":0,\"stack\":[{\"file\":\"\\u001b[1m\","
                            "\"line\":1,\"function\":\"\\u009b2J\"}]}}\n"
                            "{\"type\":\"note\",\"text\":\"\\u001b[2J\"}\n"
                            "{\"type\":\"limit\",\"kind\":\"\\t\",\"what\":\"\\u001b\",\"why\":"
                            "\"\\u007f\"}\n");
    read_text(
        "{\"type\":\"process\",\"format\":2,\"rank\":0,\"ranks\":1,\"mpi\":\"\\u001b[2J\"}\n");
}

/* Numbers at and beyond the ends of their types, where the reader has ranks, lines and amounts. */
static void numbers_without_measure_are_harmless(void **state)
{
    (void)state;
    static const char *const numbers[] = {"-1",
                                          "2147483648",
                                          "9223372036854775807",
                                          "-9223372036854775808",
                                          "1e999",
                                          "99999999999999999999",
                                          "\"8\"",
                                          "[]",
                                          "null",
                                          "0.5"};
    static const char *const lines[] = {
        "{\"type\":\"process\",\"format\":2,\"rank\":%s,\"ranks\":2}\n" END("finalized"),
        "{\"type\":\"process\",\"format\":2,\"rank\":0,\"ranks\":%s}\n" END("finalized"),
        PROCESS(0,
                2) "{\"type\":\"site\",\"id\":%s,\"stack\":[{\"module\":\"/x\",\"offset\":1}]}\n",
        PROCESS(0, 2) "{\"type\":\"site\",\"id\":7,\"stack\":[{\"file\":\"a.c\",\"line\":%s}]}\n",
        PROCESS(0, 2) "{\"type\":\"finding\",\"key\":1,\"rule\":\"usage\",\"case\":"
                      "\"rma-not-ordered\",\"first\":{\"rank\":%s,\"site\":7}}\n",
        PROCESS(0, 2) "{\"type\":\"finding\",\"key\":1,\"rule\":\"usage\",\"case\":"
                      "\"buffer-in-use\",\"first\":{\"rank\":0,\"bytes\":%s,\"site\":7},"
                      "\"second\":{\"rank\":1}}\n",
        PROCESS(0, 2) "{\"type\":\"finding\",\"key\":1,\"rule\":\"usage\",\"case\":"
                      "\"buffer-in-use\",\"first\":{\"rank\":0,\"site\":%s},\"memory\":"
                      "{\"rank\":0,\"bytes\":1,\"created\":{\"site\":1}}}\n",
        PROCESS(0, 2) "{\"type\":\"finding\",\"key\":1,\"rule\":\"usage\",\"case\":"
                      "\"buffer-in-use\",\"first\":{\"rank\":0},\"memory\":{\"bytes\":%s}}\n",
        PROCESS(0, 2) "{\"type\":\"finding\",\"key\":1,\"rule\":\"usage\",\"first\":{}}\n"
                      "{\"type\":\"count\",\"key\":1,\"count\":%s}\n",
    };
    char text[1000];
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
            snprintf(text, sizeof text, lines[i], numbers[k]);
#pragma GCC diagnostic pop
            read_text(text);
        }
}

static void every_length_is_read(void **state)
{
    (void)state;
    for (size_t length = 0; length < sizeof good; length += 3)
        read_and_show(good, length);
}

/* Bytes exchanged, taken out and doubled, the same ones in every run of the test. */
static void garbled_records_are_read(void **state)
{
    (void)state;
    uint64_t random = 88172645463325252u;
    for (int round = 0; round < 500; round++) {
        char text[sizeof good];
        size_t length = sizeof good - 1;
        memcpy(text, good, length);
        for (int change = 0; change < 1 + round % 5; change++) {
            static const char letters[] = "\"{}[]:,0-9e\\u\n\t\033\200x";
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            size_t at = random % length, from = (random >> 20) % length;
            if (random >> 40 & 1)
                text[at] = letters[(random >> 41) % (sizeof letters - 1)];
            else
                memmove(text + at, text + from, length - (at > from ? at : from));
        }
        read_and_show(text, length);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(control_characters_stay_in_the_file),
        cmocka_unit_test(numbers_without_measure_are_harmless),
        cmocka_unit_test(every_length_is_read),
        cmocka_unit_test(garbled_records_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
