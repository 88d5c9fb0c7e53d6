/* The engine against the oracle, on random programs.
 *
 *   test_sim_agreement [--programs N] [--seed S] [--quick | --keep-going] [--no-coverage]
 *   test_sim_agreement --independence N [--interleavings K] [--seed S] [--quick]
 *   test_sim_agreement --examples FILE [--interleavings K]
 *   test_sim_agreement --program FILE [--execution E]
 *
 * Program number i has the seed S+i. It is made, executed under one interleaving, played to the
 * engines and judged by the oracle; engines and oracle must agree, and the programs must have
 * reached every rule. The first failures are shrunk and printed; --quick stops at the first one as
 * it is,
 * --keep-going names them all.
 * --independence: N programs in which order must not matter, each under K interleavings with the
 * same findings. --examples: hand-written programs. --program: one program in text form. */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "compare.h"
#include "coverage.h"
#include "examples.h"
#include "execute.h"
#include "generate.h"
#include "random.h"
#include "shrink.h"

static const char *const agreement_names[] = {"", "a false alarm", "a missed race",
                                              "a wrong detail", "a refusal"};

struct options {
    uint64_t programs, seed, independence, interleavings, execution;
    bool quick, keep_going, coverage;
    const char *file, *examples;
};

/* Executes, plays and judges. */
static enum agreement try_program(const struct program *program, uint64_t seed,
                                  struct coverage *coverage, bool sample, FILE *out)
{
    struct trace trace;
    struct oracle_result oracle;
    struct drive_result driven;
    const char *complaint;
    if (execute(program, seed, &trace, &complaint) != EXECUTE_OK) {
        if (out)
            fprintf(out, "the program cannot be executed: %s\n", complaint);
        return ENGINE_REFUSED;
    }
    oracle_check(&trace, 0, &oracle);
    drive(&trace, seed, &driven);
    enum agreement agreement = compare(&trace, &oracle, &driven, out);
    if (out && agreement != AGREE)
        trace_print(out, &trace);
    if (coverage)
        coverage_add(coverage, &trace, &oracle, sample);
    drive_clear(&driven);
    oracle_clear(&oracle);
    trace_clear(&trace);
    return agreement;
}

/* Some are left racing as they came; of the rest half race nowhere, half (mostly) in one place. */
static void make_program(uint64_t seed, unsigned flags, struct program *program)
{
    struct random random = {seed ^ 0x5bd1e995};
    uint32_t dice = random_below(&random, 100);
    generate(seed, flags, program);
    if (dice < 10)
        return;
    repair(program, seed, dice >= 45 && dice < 72);
    if (dice >= 72)
        break_something(program, seed);
}

/* ---- Failures ---------------------------------------------------------------------------------
 */

static bool still_fails(void *context, const struct program *program, uint64_t *seed)
{
    enum agreement wanted = *(enum agreement *)context;
    for (uint64_t i = 0; i < 40; i++) {
        struct trace trace;
        uint64_t candidate = i ? i : *seed;
        enum execute_result result = execute(program, candidate, &trace, NULL);
        if (result != EXECUTE_OK)
            return false;
        trace_clear(&trace);
        if (try_program(program, candidate, NULL, false, NULL) == wanted) {
            *seed = candidate;
            return true;
        }
    }
    return false;
}

static void report_failure(const struct options *options, uint64_t number, struct program *program,
                           uint64_t seed, enum agreement agreement)
{
    printf("\nprogram %llu: %s; again: test_sim_agreement --seed %llu --programs 1\n",
           (unsigned long long)number, agreement_names[agreement], (unsigned long long)number);
    if (!options->quick)
        shrink(program, &seed, still_fails, &agreement);
    printf("%s program; in a file: test_sim_agreement --program FILE --execution %llu\n",
           options->quick ? "the whole" : "the smallest", (unsigned long long)seed);
    program_print(stdout, program);
    try_program(program, seed, NULL, false, stdout);
}

/* ---- Runs -------------------------------------------------------------------------------------
 */

static bool run_agreement(const struct options *options)
{
    struct coverage coverage = {0};
    uint64_t failures = 0, kept_going = 0;
    for (uint64_t i = 0; i < options->programs && failures < (options->quick ? 1 : 3); i++) {
        uint64_t seed = options->seed + i;
        struct program program;
        make_program(seed, seed % 5 ? 0 : GENERATE_THREADS, &program);
        enum agreement agreement =
            try_program(&program, seed, &coverage, options->coverage && i % 8 == 0, NULL);
        if (agreement != AGREE && options->keep_going) {
            printf("program %llu: %s\n", (unsigned long long)seed, agreement_names[agreement]);
            kept_going++;
        } else if (agreement != AGREE) {
            failures++;
            report_failure(options, seed, &program, seed, agreement);
        }
        program_clear(&program);
    }
    if (failures)
        return false;
    coverage_print(stdout, &coverage);
    size_t gaps = options->coverage ? coverage_gaps(stdout, &coverage) : 0;
    return !gaps && !kept_going;
}

static int compare_findings(const void *left, const void *right)
{
    const struct finding *a = left, *b = right;
    const uint64_t p[] = {a->rule,        a->first.kind,  a->first.rank, a->first.site,
                          a->second.kind, a->second.rank, a->second.site};
    const uint64_t q[] = {b->rule,        b->first.kind,  b->first.rank, b->first.site,
                          b->second.kind, b->second.rank, b->second.site};
    for (size_t i = 0; i < sizeof p / sizeof *p; i++)
        if (p[i] != q[i])
            return p[i] < q[i] ? -1 : 1;
    return 0;
}

/* Which side was known first is luck, so it must not count. */
static void normalise(struct drive_result *driven)
{
    for (size_t i = 0; i < driven->count; i++) {
        struct finding *finding = &driven->findings[i];
        struct finding swapped = *finding;
        swapped.first = finding->second;
        swapped.second = finding->first;
        if (compare_findings(&swapped, finding) < 0)
            *finding = swapped;
    }
    if (driven->count)
        qsort(driven->findings, driven->count, sizeof *driven->findings, compare_findings);
    size_t kept = 0;
    for (size_t i = 0; i < driven->count; i++)
        if (!kept || compare_findings(&driven->findings[kept - 1], &driven->findings[i]))
            driven->findings[kept++] = driven->findings[i];
    driven->count = kept;
}

static bool same_findings(const struct drive_result *a, const struct drive_result *b)
{
    if (a->count != b->count)
        return false;
    for (size_t i = 0; i < a->count; i++)
        if (compare_findings(&a->findings[i], &b->findings[i]))
            return false;
    return true;
}

/* The findings under one interleaving; false if it cannot be executed. */
static bool findings_of(const struct program *program, uint64_t interleaving,
                        struct drive_result *driven, FILE *out)
{
    struct trace trace;
    struct oracle_result oracle;
    const char *complaint;
    memset(driven, 0, sizeof *driven);
    if (execute(program, interleaving, &trace, &complaint) != EXECUTE_OK) {
        if (out)
            fprintf(out, "cannot be executed: %s\n", complaint);
        return false;
    }
    drive(&trace, interleaving, driven);
    normalise(driven);
    if (out) {
        fprintf(out, "interleaving %llu: %zu findings\n", (unsigned long long)interleaving,
                driven->count);
        oracle_check(&trace, 0, &oracle);
        examples_print_races(&oracle);
        compare(&trace, &oracle, driven, out);
        trace_print(out, &trace);
        oracle_clear(&oracle);
    }
    trace_clear(&trace);
    return true;
}

/* The first interleaving that does not give what number 0 gives, or UINT64_MAX. */
static uint64_t other_outcome(const struct program *program, uint64_t interleavings, bool *raced)
{
    struct drive_result first, other;
    uint64_t found = UINT64_MAX;
    if (!findings_of(program, 0, &first, NULL))
        return 0;
    for (uint64_t i = 1; i < interleavings && found == UINT64_MAX; i++) {
        if (!findings_of(program, i, &other, NULL) || !same_findings(&first, &other))
            found = i;
        drive_clear(&other);
    }
    *raced = first.count > 0;
    drive_clear(&first);
    return found;
}

static bool order_matters(void *context, const struct program *program, uint64_t *interleaving)
{
    bool raced;
    struct drive_result driven;
    (void)context;
    uint64_t other = other_outcome(program, 60, &raced);
    if (other == UINT64_MAX || !findings_of(program, 0, &driven, NULL))
        return false;
    drive_clear(&driven);
    bool legal = findings_of(program, other, &driven, NULL);
    drive_clear(&driven);
    *interleaving = other;
    return legal;
}

static void report_order(const struct options *options, uint64_t number, struct program *program,
                         uint64_t interleaving)
{
    struct drive_result driven;
    printf("program %llu: interleavings 0 and %llu differ; again: test_sim_agreement --seed %llu "
           "--independence 1\n",
           (unsigned long long)number, (unsigned long long)interleaving,
           (unsigned long long)number);
    if (!options->quick)
        shrink(program, &interleaving, order_matters, NULL);
    program_print(stdout, program);
    findings_of(program, 0, &driven, stdout);
    drive_clear(&driven);
    findings_of(program, interleaving, &driven, stdout);
    drive_clear(&driven);
}

static bool run_independence(const struct options *options)
{
    uint64_t raced = 0;
    for (uint64_t i = 0; i < options->independence; i++) {
        struct program program;
        bool races = false;
        make_program(options->seed + i, GENERATE_ORDER_FREE, &program);
        uint64_t other = other_outcome(&program, options->interleavings, &races);
        if (other != UINT64_MAX)
            report_order(options, options->seed + i, &program, other);
        program_clear(&program);
        if (other != UINT64_MAX)
            return false;
        raced += races;
    }
    printf("%llu programs under %llu interleavings each: the same findings; %llu raced\n",
           (unsigned long long)options->independence, (unsigned long long)options->interleavings,
           (unsigned long long)raced);
    return raced > 0 && raced < options->independence;
}

static bool run_file(const struct options *options)
{
    struct program program;
    char *text = examples_load(options->file);
    if (!text || !program_parse(&program, text, NULL))
        return false;
    enum agreement agreement = try_program(&program, options->execution, NULL, false, stdout);
    printf("%s\n", agreement == AGREE ? "engine and oracle agree" : "they disagree");
    program_clear(&program);
    free(text);
    return agreement == AGREE;
}

/* The hand-written programs, each under many interleavings. */
static bool run_examples(const struct options *options)
{
    struct example example;
    char *text = examples_load(options->examples);
    const char *rest = text;
    size_t count = 0, wrong = 0;
    if (!text)
        return false;
    for (; examples_next(&rest, &example); count++) {
        enum agreement agreement = AGREE;
        for (uint64_t i = 0; i < options->interleavings && agreement == AGREE; i++) {
            agreement = try_program(&example.program, i, NULL, false, NULL);
            if (agreement != AGREE) {
                printf("%s, interleaving %llu: %s\n", example.title, (unsigned long long)i,
                       agreement_names[agreement]);
                try_program(&example.program, i, NULL, false, stdout);
                wrong++;
            }
        }
        example_clear(&example);
    }
    free(text);
    printf("%zu examples under %llu interleavings each\n", count,
           (unsigned long long)options->interleavings);
    return count && !wrong;
}

int main(int argc, char **argv)
{
    static const struct option names[] = {
        {"programs", required_argument, NULL, 'n'},
        {"seed", required_argument, NULL, 's'},
        {"quick", no_argument, NULL, 'q'},
        {"keep-going", no_argument, NULL, 'g'},
        {"no-coverage", no_argument, NULL, 'c'},
        {"independence", required_argument, NULL, 'i'},
        {"interleavings", required_argument, NULL, 'k'},
        {"program", required_argument, NULL, 'f'},
        {"execution", required_argument, NULL, 'e'},
        {"examples", required_argument, NULL, 'x'},
        {NULL, 0, NULL, 0},
    };
    struct options options = {.programs = 20000, .seed = 1, .interleavings = 100, .coverage = true};
    int option;
    while ((option = getopt_long(argc, argv, "", names, NULL)) >= 0) {
        uint64_t number = optarg ? strtoull(optarg, NULL, 0) : 0;
        switch (option) {
        case 'n':
            options.programs = number;
            break;
        case 's':
            options.seed = number;
            break;
        case 'q':
            options.quick = true;
            options.coverage = false;
            break;
        case 'g':
            options.keep_going = true;
            break;
        case 'c':
            options.coverage = false;
            break;
        case 'i':
            options.independence = number;
            break;
        case 'k':
            options.interleavings = number;
            break;
        case 'x':
            options.examples = optarg;
            break;
        case 'f':
            options.file = optarg;
            break;
        case 'e':
            options.execution = number;
            break;
        default:
            return 2;
        }
    }
    bool good = options.file           ? run_file(&options)
                : options.examples     ? run_examples(&options)
                : options.independence ? run_independence(&options)
                                       : run_agreement(&options);
    return good ? 0 : 1;
}
