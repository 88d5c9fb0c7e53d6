#include "gaps.h"

#include "places.h"

#include "findings/limits.h"

static const struct {
    const char *kind; /* findings/limits.def */
    const char *one, *many, *why;
} texts[GAP_COUNT] = {
    [GAP_late] = {"function", "part of a function", "parts of %zu functions", "too large"},
    [GAP_conditions] = {"condition", "a question about a path", "%zu questions about paths",
                        "neither an example nor a proof was found"},
    [GAP_calls] = {"callee", "a call into a function that may touch buffers",
                   "%zu calls into functions that may touch buffers", "too much code to follow"},
    [GAP_windows] = {"construct", "a window", "%zu windows", "too many in one function"},
    [GAP_phases] = {"construct", "races between processes in a function",
                    "races between processes in %zu functions",
                    "too many calls in which all processes wait"},
    [GAP_other_windows] = {"construct", "a window", "%zu windows",
                           "dynamic, or not of MPI_COMM_WORLD"},
    [GAP_partitioned] = {"construct", "a partitioned operation", "%zu partitioned operations",
                         "not followed yet"},
    [GAP_openmp] = {"construct", "a function", "%zu functions",
                    "tasks of OpenMP, or loops that its runtime hands out"},
    [GAP_replay] = {"construct", "the last part of a program's steps",
                    "the last part of the steps of %zu programs", "too many to execute"},
    [GAP_execution] = {"execution", "what an execution does beyond",
                       "what executions of %zu programs do beyond", "ended early"},
    [GAP_excused] = {"annotation", "a pair of accesses", "%zu pairs of accesses",
                     "annotations of <regatta.h> may excuse it"},
};

void gaps_add(struct gaps *gaps, struct report *report, enum gap gap, size_t count,
              LLVMValueRef function)
{
    if (!count)
        return;
    gaps->kinds[gap].count += count;
    if (count > gaps->kinds[gap].most) {
        gaps->kinds[gap].most = count;
        gaps->kinds[gap].where = function_place(report, function);
    }
}

void gaps_add_execution(struct gaps *gaps, struct report *report, LLVMValueRef instruction,
                        const char *why)
{
    struct stack stack = instruction ? place_of(report, instruction) : (struct stack){0};
    gaps->kinds[GAP_execution].count++;
    if (gaps->kinds[GAP_execution].where)
        return;
    gaps->kinds[GAP_execution].most = 1;
    gaps->kinds[GAP_execution].where =
        stack.depth && stack.frames[0].file
            ? report_textf(report, "%s:%d", stack.frames[0].file, stack.frames[0].line)
            : "its first lines";
    gaps->kinds[GAP_execution].why = report_text(report, why);
}

void gaps_join(struct gaps *gaps, const struct gaps *more)
{
    for (int gap = 0; gap < GAP_COUNT; gap++) {
        size_t count = gaps->kinds[gap].count + more->kinds[gap].count;
        if (more->kinds[gap].most > gaps->kinds[gap].most)
            gaps->kinds[gap] = more->kinds[gap];
        gaps->kinds[gap].count = count;
    }
}

void gaps_tell(const struct gaps *gaps, struct report *report)
{
    for (int gap = 0; gap < GAP_COUNT; gap++) {
        size_t count = gaps->kinds[gap].count;
        const char *where = gaps->kinds[gap].where;
        if (!count)
            continue;
        const char *what = texts[gap].one;
        if (count > 1) {
            const char *number = strstr(texts[gap].many, "%zu");
            what = report_textf(report, "%.*s%zu%s", (int)(number - texts[gap].many),
                                texts[gap].many, count, number + strlen("%zu"));
        }
        if (gap == GAP_execution)
            what =
                report_textf(report, "%s %s%s", what, where, count > 1 ? " and other places" : "");
        else if (where)
            what = report_textf(report, "%s, %s%s", what,
                                gaps->kinds[gap].most < count ? "most in " : "in ", where);
        const char *why = gaps->kinds[gap].why;
        report_limit(report, texts[gap].kind, what, why ? why : texts[gap].why);
    }
}
