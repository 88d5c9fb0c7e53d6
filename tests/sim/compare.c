#include "compare.h"

#include "examples.h"

static bool same_key(const struct access_side *a, const struct access_side *b)
{
    return a->kind == b->kind && a->rank == b->rank && a->site == b->site;
}

static bool same_detail(const struct access_side *a, const struct access_side *b)
{
    return same_key(a, b) && a->thread == b->thread && a->op == b->op &&
           (a->op == ACC_NONE || a->type == b->type);
}

typedef bool same_side(const struct access_side *a, const struct access_side *b);

static bool same_pair(const struct finding *finding, const struct oracle_race *race,
                      same_side *same)
{
    return finding->rule == race->rule &&
           ((same(&finding->first, &race->sides[0]) && same(&finding->second, &race->sides[1])) ||
            (same(&finding->first, &race->sides[1]) && same(&finding->second, &race->sides[0])));
}

/* The run of bytes may be that of several pairs with the same key: neighbours from one site. */
static bool bytes_are_shared(const struct trace *trace, const struct finding *finding,
                             const uint64_t *shared)
{
    const struct section *common = &finding->common;
    uint64_t base = trace->program->base[finding->owner];
    if (common->count != 1 || !common->length)
        return false;
    for (uint64_t b = common->start; b < section_end(common); b++) {
        uint64_t byte = b - base;
        if (byte >= MAX_MEMORY || !(shared[byte / 64] >> (byte % 64) & 1))
            return false;
    }
    return true;
}

static void print_finding(FILE *out, const char *what, enum race_rule rule,
                          const struct access_side *first, const struct access_side *second)
{
    if (!out)
        return;
    fprintf(out, "%s: %s ", what, race_rule_names[rule]);
    races_print_side(out, first);
    fprintf(out, " ");
    races_print_side(out, second);
    fprintf(out, "\n");
}

/* What is wrong with one finding of an engine, if anything. */
static enum agreement judge_finding(const struct trace *trace, const struct oracle_result *oracle,
                                    const struct finding *finding)
{
    uint64_t shared[BYTE_WORDS] = {0};
    bool known = false, exact = false;
    for (size_t i = 0; i < oracle->count; i++) {
        const struct oracle_race *race = &oracle->races[i];
        if (!same_pair(finding, race, same_key))
            continue;
        known = true;
        if (finding->owner != race->owner)
            continue;
        exact = exact || same_pair(finding, race, same_detail);
        for (size_t w = 0; w < BYTE_WORDS; w++)
            shared[w] |= race->common[w];
    }
    if (!known)
        return ENGINE_INVENTED;
    return exact && finding->count > 0 && bytes_are_shared(trace, finding, shared)
               ? AGREE
               : ENGINE_WRONG_DETAIL;
}

enum agreement compare(const struct trace *trace, const struct oracle_result *oracle,
                       const struct drive_result *driven, FILE *out)
{
    enum agreement result = AGREE;
    if (driven->complaint) {
        if (out)
            fprintf(out, "engine: %s\n", driven->complaint);
        return ENGINE_REFUSED;
    }
    for (size_t i = 0; i < driven->count; i++) {
        const struct finding *finding = &driven->findings[i];
        enum agreement one = judge_finding(trace, oracle, finding);
        if (one == AGREE)
            continue;
        print_finding(out, one == ENGINE_INVENTED ? "invented" : "wrong detail", finding->rule,
                      &finding->first, &finding->second);
        if (out && one == ENGINE_WRONG_DETAIL)
            fprintf(
                out, "  owner %u bytes %llu+%llu, threads %u and %u\n", finding->owner,
                (unsigned long long)(finding->common.start - trace->program->base[finding->owner]),
                (unsigned long long)finding->common.length, finding->first.thread,
                finding->second.thread);
        if (result == AGREE || one == ENGINE_INVENTED)
            result = one;
    }
    for (size_t i = 0; i < oracle->count; i++) {
        const struct oracle_race *race = &oracle->races[i];
        bool found = false;
        for (size_t j = 0; j < driven->count && !found; j++)
            found = same_pair(&driven->findings[j], race, same_key);
        if (found)
            continue;
        if (driven->late && (race->sides[0].op != ACC_NONE || race->sides[1].op != ACC_NONE))
            continue;
        print_finding(out, "missed", race->rule, &race->sides[0], &race->sides[1]);
        if (result == AGREE)
            result = ENGINE_MISSED;
    }
    return result;
}
