/* Writes random programs as C sources, with the races that they must show.
 *
 *   sim_real DIRECTORY COUNT [SEED [calm | threads]]
 *
 * For each of COUNT programs: DIRECTORY/SEED.c, and DIRECTORY/SEED.expected with a line `rule line
 * line` per race. A seed whose program cannot be translated, or whose races depend on the order of
 * events, is passed over. Calm ones have no races and end with the same contents of memory, which
 *  they print, whatever the order. With threads: programs of several threads per rank. */
#include <stdlib.h>
#include <string.h>

#include "examples.h"
#include "execute.h"
#include "generate.h"
#include "oracle.h"
#include "random.h"
#include "translate.h"

enum { INTERLEAVINGS = 60, WITH_THREADS = 400 };

struct pair {
    uint32_t rule; /* enum race_rule, or RACE_RULES: local */
    uint32_t lines[2];
};

struct pairs {
    struct pair *at;
    size_t count, capacity;
};

static int compare_pairs(const void *left, const void *right)
{
    return memcmp(left, right, sizeof(struct pair));
}

static uint32_t line_of(const struct program *program, translate_lines lines,
                        const struct step *step)
{
    for (uint32_t r = 0; r < program->ranks; r++)
        for (uint32_t t = 0; t < MAX_THREADS; t++) {
            const struct step_list *list = &program->lists[r][t];
            if (step >= list->steps && step < list->steps + list->count)
                return lines[r][t][step - list->steps];
        }
    abort();
}

/* False if the program cannot be executed. */
static bool races_of(const struct program *program, uint64_t interleaving, translate_lines lines,
                     struct pairs *pairs)
{
    struct trace trace;
    struct oracle_result oracle;
    pairs->count = 0;
    if (execute(program, interleaving, &trace, NULL) != EXECUTE_OK)
        return false;
    oracle_check(&trace, 0, &oracle);
    for (size_t i = 0; i < oracle.count; i++) {
        uint32_t a = line_of(program, lines, oracle.races[i].steps[0]);
        uint32_t b = line_of(program, lines, oracle.races[i].steps[1]);
        uint32_t rule = !oracle.races[i].local  ? oracle.races[i].rule
                        : oracle.races[i].begun ? RACE_RULES
                                                : RACE_THREAD;
        struct pair pair = {rule, {a < b ? a : b, a < b ? b : a}};
        TRACE_ADD(pairs->at, pairs->count, pairs->capacity, pair);
    }
    size_t kept = 0;
    if (pairs->count)
        qsort(pairs->at, pairs->count, sizeof *pairs->at, compare_pairs);
    for (size_t i = 0; i < pairs->count; i++)
        if (!kept || compare_pairs(&pairs->at[kept - 1], &pairs->at[i]))
            pairs->at[kept++] = pairs->at[i];
    pairs->count = kept;
    oracle_clear(&oracle);
    trace_clear(&trace);
    return true;
}

static bool order_matters(const struct program *program, translate_lines lines, bool threads,
                          struct pairs *pairs)
{
    struct pairs other = {0};
    uint64_t count = threads ? WITH_THREADS : INTERLEAVINGS;
    bool same = races_of(program, 0, lines, pairs);
    for (uint64_t i = 1; i < count && same; i++)
        same = races_of(program, i | (threads && i % 4 ? EXECUTE_BY_PRIORITY : 0), lines, &other) &&
               other.count == pairs->count &&
               (!other.count || !memcmp(other.at, pairs->at, other.count * sizeof *other.at));
    free(other.at);
    return !same;
}

/* Half of them without anything by which order is allowed to matter, a third with many buffers. */
static bool make_program(uint64_t seed, bool threads, struct program *program)
{
    struct random random = {seed ^ 0x2545f491};
    uint32_t dice = random_below(&random, 100);
    generate(seed,
             (seed % 2 ? GENERATE_ORDER_FREE : 0) | (seed % 3 ? 0 : GENERATE_BUFFERS) |
                 (threads ? GENERATE_THREADS : 0),
             program);
    if (!translate_adapt(program, threads))
        return false;
    if (dice >= 15)
        repair(program, seed, dice >= 45 && dice < 75);
    if (dice >= 75)
        break_something(program, seed);
    return translate_adapt(program, threads);
}

static FILE *open_file(const char *directory, uint64_t seed, const char *ending)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%llu.%s", directory, (unsigned long long)seed, ending);
    FILE *file = fopen(path, "w");
    if (!file) {
        perror(path);
        exit(2);
    }
    return file;
}

static void write_races(FILE *file, const struct pairs *pairs)
{
    static const char *const names[] = {[RACE_REMOTE] = "remote-race",
                                        [RACE_ATOMICITY] = "atomicity",
                                        [RACE_SHARED] = "shared-window",
                                        [RACE_THREAD] = "thread-race",
                                        [RACE_RULES] = "local-race"};
    for (size_t i = 0; i < pairs->count; i++)
        fprintf(file, "%s %u %u\n", names[pairs->at[i].rule], pairs->at[i].lines[0],
                pairs->at[i].lines[1]);
}

/* Sums of integers are the same in any order; of what else accumulates do, the last one may win. */
static bool commute(const struct program *program)
{
    for (uint32_t r = 0; r < program->ranks; r++)
        for (size_t i = 0; i < program->lists[r][0].count; i++) {
            const struct step *step = &program->lists[r][0].steps[i];
            if (step->what == STEP_ACCUMULATE && step->section_count &&
                (step->op != OP_SUM || step->type == TYPE_FLOAT || step->type == TYPE_DOUBLE))
                return false;
        }
    return true;
}

/* MPICH 4.0.2 with UCX puts to a wrong place if a window's base is not aligned. */
static bool is_aligned(const struct program *program)
{
    for (uint32_t w = 0; w < MAX_WINDOWS; w++)
        for (uint32_t r = 0; r < program->ranks; r++)
            if (program->windows[w].exists && program->windows[w].at[r] % 16)
                return false;
    return true;
}

static bool is_calm(const struct program *program, uint64_t seed, const struct pairs *pairs)
{
    return seed % 2 && !pairs->count && commute(program) && is_aligned(program);
}

/* True if the seed gave one. */
static bool write_program(const char *directory, uint64_t seed, bool calm, bool threads)
{
    struct program program;
    struct pairs pairs = {0};
    translate_lines lines;
    bool good = make_program(seed, threads, &program);
    if (good) {
        char *text;
        size_t size;
        FILE *source = open_memstream(&text, &size);
        for (uint32_t r = 0; r < program.ranks; r++)
            for (uint32_t t = 0; t < MAX_THREADS; t++)
                lines[r][t] = calloc(program.lists[r][t].count + 1, sizeof *lines[r][t]);
        translate(source, &program, seed, lines);
        fclose(source);
        good = !order_matters(&program, lines, threads, &pairs) &&
               (!calm || is_calm(&program, seed, &pairs));
        if (good) {
            FILE *file = open_file(directory, seed, "c");
            fprintf(file, "%s/* ranks: %u */\n", text, program.ranks);
            if (program.strict_accumulate)
                fprintf(file, "/* strict */\n");
            fprintf(file, "/*\n");
            program_print(file, &program);
            fprintf(file, "*/\n");
            fclose(file);
            file = open_file(directory, seed, "expected");
            write_races(file, &pairs);
            fclose(file);
        }
        free(text);
        for (uint32_t r = 0; r < program.ranks; r++)
            for (uint32_t t = 0; t < MAX_THREADS; t++)
                free(lines[r][t]);
    }
    free(pairs.at);
    program_clear(&program);
    return good;
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: sim_real DIRECTORY COUNT [SEED [calm | threads]]\n");
        return 2;
    }
    bool calm = argc > 4 && !strcmp(argv[4], "calm");
    bool threads = argc > 4 && !strcmp(argv[4], "threads");
    uint64_t seed = argc > 3 ? strtoull(argv[3], NULL, 0) : 1;
    for (uint64_t count = strtoull(argv[2], NULL, 0); count > 0; seed++)
        count -= write_program(argv[1], seed, calm, threads);
    return 0;
}
