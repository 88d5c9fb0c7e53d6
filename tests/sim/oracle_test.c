/* The oracle against the rules: the programs of examples.txt, each under many interleavings. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "examples.h"
#include "execute.h"
#include "oracle.h"

#define INTERLEAVINGS 200

static const char *path;

/* One interleaving; *which says which of the two allowed results it gave. */
static bool example_holds(const struct example *example, uint64_t seed, int *which)
{
    struct trace trace;
    struct oracle_result result;
    const char *complaint;
    if (execute(&example->program, seed, &trace, &complaint) != EXECUTE_OK) {
        print_message("%s: %s\n", example->title, complaint);
        return false;
    }
    oracle_check(&trace, 0, &result);
    *which = oracle_same_pairs(&result, &example->expected)   ? 0
             : oracle_same_pairs(&result, &example->possible) ? 1
                                                              : 2;
    if (*which == 2) {
        print_message("%s, interleaving %llu:\n", example->title, (unsigned long long)seed);
        examples_print_races(&result);
        trace_print(stdout, &trace);
    }
    oracle_clear(&result);
    trace_clear(&trace);
    return *which != 2;
}

static void every_example(void **state)
{
    struct example example;
    size_t count = 0, wrong = 0;
    char *text = examples_load(path);
    const char *rest = text;
    (void)state;
    assert_non_null(text);
    for (; examples_next(&rest, &example); count++) {
        bool seen[3] = {false}, holds = true;
        for (uint64_t seed = 0; seed < INTERLEAVINGS && holds; seed++) {
            int which = 2;
            holds = example_holds(&example, seed, &which);
            seen[which] = true;
        }
        bool order_matters = example.possible.count != example.expected.count;
        if (holds && order_matters && !(seen[0] && seen[1])) {
            print_message("%s: only one of its two results was seen\n", example.title);
            holds = false;
        }
        wrong += !holds;
        example_clear(&example);
    }
    free(text);
    print_message("%zu examples\n", count);
    assert_int_equal(wrong, 0);
    assert_true(count > 60);
}

/* Whatever is printed can be read again: failures have to be reproducible from their text. */
static void text_form_is_faithful(void **state)
{
    struct example example;
    char *text = examples_load(path);
    const char *rest = text;
    (void)state;
    assert_non_null(text);
    while (examples_next(&rest, &example)) {
        char *once = NULL, *twice = NULL;
        size_t size;
        struct program again;
        FILE *file = open_memstream(&once, &size);
        program_print(file, &example.program);
        fclose(file);
        assert_true(program_parse(&again, once, NULL));
        file = open_memstream(&twice, &size);
        program_print(file, &again);
        fclose(file);
        assert_string_equal(once, twice);
        program_clear(&again);
        example_clear(&example);
        free(once);
        free(twice);
    }
    free(text);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_example),
        cmocka_unit_test(text_form_is_faithful),
    };
    if (argc != 2)
        return 2;
    path = argv[1];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
