#include "coverage.h"

#include "examples.h"

void coverage_add(struct coverage *coverage, const struct trace *trace,
                  const struct oracle_result *result, bool sample)
{
    coverage->programs++;
    coverage->raced += result->count > 0;
    coverage->pairs += result->count;
    coverage->events += trace->count;
    for (uint32_t r = 0; r < trace->program->ranks; r++)
        for (uint32_t t = 0; t < MAX_THREADS; t++)
            for (size_t i = 0; i < trace->program->lists[r][t].count; i++)
                coverage->steps[trace->program->lists[r][t].steps[i].what]++;
    for (int a = 0; a < ACCESS_KINDS; a++)
        for (int b = 0; b < ACCESS_KINDS; b++) {
            coverage->racing[a][b] += result->racing[a][b] > 0;
            coverage->compatible[a][b] += result->compatible[a][b] > 0;
        }
    if (!sample)
        return;
    coverage->sampled++;
    for (int rule = 0; rule < ORACLE_RULES; rule++) {
        struct oracle_result without;
        oracle_check(trace, RULE_BIT(rule), &without);
        coverage->decisive[rule] += !oracle_same_pairs(result, &without);
        oracle_clear(&without);
    }
}

void coverage_print(FILE *file, const struct coverage *coverage)
{
    fprintf(file, "%llu programs, %llu raced (%.0f%%), %.1f pairs each; %.0f events per program\n",
            (unsigned long long)coverage->programs, (unsigned long long)coverage->raced,
            100.0 * (double)coverage->raced / (double)coverage->programs,
            (double)coverage->pairs / (double)(coverage->raced ? coverage->raced : 1),
            (double)coverage->events / (double)coverage->programs);
    fprintf(file, "\nsteps:");
    for (int what = 0; what < STEP_KINDS; what++)
        fprintf(file, "%s %s %llu", what % 8 ? "," : "\n ", step_name(what),
                (unsigned long long)coverage->steps[what]);
    fprintf(file, "\n\npairs of concurrent accesses, in so many programs (race / no race):\n");
    for (int a = 0; a < ACCESS_KINDS; a++)
        for (int b = a; b < ACCESS_KINDS; b++)
            if (coverage->racing[a][b] || coverage->compatible[a][b])
                fprintf(file, "  %-17s %-17s %8llu %8llu\n", access_names[a], access_names[b],
                        (unsigned long long)coverage->racing[a][b],
                        (unsigned long long)coverage->compatible[a][b]);
    if (!coverage->sampled)
        return;
    fprintf(file, "\nrules, and for how many of %llu programs they decide what races:\n",
            (unsigned long long)coverage->sampled);
    for (int rule = 0; rule < ORACLE_RULES; rule++)
        fprintf(file, "  %-45s %8llu\n", oracle_rule_names[rule],
                (unsigned long long)coverage->decisive[rule]);
}

/* Section 5 as a list of what must be seen: for every two kinds, can they race, can they be fine?
 */
static void possible(enum access_kind a, enum access_kind b, bool *race, bool *fine)
{
    bool a_reads = a == ACCESS_LOAD || a == ACCESS_BUFFER_READ;
    bool a_rma = a >= ACCESS_GET && a <= ACCESS_COMPARE_AND_SWAP;
    bool b_rma = b >= ACCESS_GET && b <= ACCESS_COMPARE_AND_SWAP;
    bool a_acc = a >= ACCESS_ACCUMULATE && a <= ACCESS_COMPARE_AND_SWAP;
    bool b_acc = b >= ACCESS_ACCUMULATE && b <= ACCESS_COMPARE_AND_SWAP;
    bool b_atomic_read = b == ACCESS_GET_ACCUMULATE || b == ACCESS_FETCH_AND_OP;
    *race = *fine = false;
    if (!a_rma && !b_rma) { /* two loads or stores, or one of them against a buffer (shared) */
        bool buffers = a >= ACCESS_BUFFER_READ;
        *race = !buffers && !(a_reads && (b == ACCESS_LOAD || b == ACCESS_BUFFER_READ));
        *fine = !buffers && !*race;
    } else if (a_acc && b_acc) {
        *race = *fine = true;
    } else if (b >= ACCESS_BUFFER_READ) { /* the buffer is the second: a is an operation */
        bool write = b == ACCESS_BUFFER_WRITE;
        bool can_be_read =
            a == ACCESS_GET || a == ACCESS_GET_ACCUMULATE || a == ACCESS_FETCH_AND_OP;
        *race = write || a != ACCESS_GET;
        *fine = !write && can_be_read;
    } else if (a == ACCESS_LOAD || a == ACCESS_GET) {
        *race = b != ACCESS_GET;
        *fine = b == ACCESS_GET || b_atomic_read;
    } else {
        *race = true;
    }
}

size_t coverage_gaps(FILE *file, const struct coverage *coverage)
{
    size_t gaps = 0;
    for (int what = 0; what < STEP_KINDS; what++)
        if (!coverage->steps[what]) {
            fprintf(file, "not covered: step %s\n", step_name(what));
            gaps++;
        }
    for (int a = 0; a < ACCESS_KINDS; a++)
        for (int b = a; b < ACCESS_KINDS; b++) {
            bool race, fine;
            possible(a, b, &race, &fine);
            if ((race && !coverage->racing[a][b]) || (fine && !coverage->compatible[a][b])) {
                fprintf(file, "not covered: %s against %s\n", access_names[a], access_names[b]);
                gaps++;
            }
        }
    for (int rule = 0; rule < ORACLE_RULES && coverage->sampled; rule++)
        if (!coverage->decisive[rule]) {
            fprintf(file, "never decisive: %s\n", oracle_rule_names[rule]);
            gaps++;
        }
    return gaps;
}
