#include "identity.h"
#include "sources.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* ---- functions ------------------------------------------------------------------------------- */

const char *function_in_source(struct report *report, const char *function)
{
    if (!function)
        return NULL;
    /* exchange.constprop.0, main._omp_fn.0, main.omp_outlined: no name in C, C++ or Fortran has a
     * dot, but arguments of templates may. */
    size_t length = 0;
    for (int inside = 0; function[length] && (inside > 0 || function[length] != '.'); length++)
        inside += (function[length] == '<') - (function[length] == '>');
    return length ? report_textf(report, "%.*s", (int)length, function) : NULL;
}

/* Where the last part of solver::Grid<a::b>::exchange begins. */
static const char *last_part(const char *name)
{
    const char *start = strstr(name, "operator"), *at;
    if (start && (start == name || start[-1] == ':')) /* operator<, operator() */
        return start;
    int inside = 0;
    for (at = start = name; *at && *at != '('; at++) {
        inside += (*at == '<') - (*at == '>');
        if (!inside && *at == ':')
            start = at + 1;
    }
    return start;
}

/* The last part of a C++ name, without parameters and template arguments: debug information of
 * one compiler has more of it than that of another. */
static const char *bare_name(struct report *report, const char *function)
{
    const char *name = function_in_source(report, function);
    if (!name)
        return "";
    if (!strncmp(name, "lambda in ", 10)) /* symbols.c's word for it */
        return "operator";
    name = last_part(name);
    return report_textf(report, "%.*s", (int)strcspn(name, "(<"), name);
}

/* ---- hashes ---------------------------------------------------------------------------------- */

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* What one side is known by; without its source, by the place itself. */
static uint64_t hash_side(struct report *report, const struct access *access, const char *message)
{
    const struct frame *frame = access_frame(access);
    const char *statement =
        frame && frame->file ? source_statement(report, frame->file, frame->line) : NULL;
    const char *text;
    if (statement && *statement)
        text = report_textf(report, "%s\n%s", bare_name(report, frame->function), statement);
    else if (frame && frame->file)
        text = report_textf(report, "%s\n%s:%u", bare_name(report, frame->function),
                            base_name(frame->file), frame->line);
    else if (frame && frame->module && frame->function)
        text = report_textf(report, "%s\n%s", frame->function, base_name(frame->module));
    else if (frame && frame->module)
        text = report_textf(report, "%s+%" PRIx64, base_name(frame->module), frame->offset);
    else if (access->present)
        text = report_textf(report, "%s\n%s", access->call ? access->call : "",
                            message ? message : "");
    else
        text = "";
    return XXH3_64bits(text, strlen(text));
}

struct named {
    struct finding *finding;
    uint64_t hash;
    size_t order;
};

/* The two sides in an order of their own: (a, b) and (b, a) are the same pair. */
static uint64_t hash_finding(struct report *report, const struct finding *finding)
{
    uint64_t sides[2] = {hash_side(report, &finding->first, finding->message),
                         hash_side(report, &finding->second, NULL)};
    bool swapped = sides[0] > sides[1];
    uint64_t parts[3] = {XXH3_64bits(finding->rule, strlen(finding->rule)), sides[swapped],
                         sides[!swapped]};
    return XXH3_64bits(parts, sizeof parts);
}

static int compare_named(const void *left, const void *right)
{
    const struct named *a = left, *b = right;
    if (a->hash != b->hash)
        return a->hash < b->hash ? -1 : 1;
    return (a->order > b->order) - (a->order < b->order);
}

void identity_name(struct report *report)
{
    struct named *named = checked_malloc((report->finding_count + 1) * sizeof *named);
    size_t count = 0;
    for (size_t i = 0; i < report->finding_count; i++)
        if (!report->findings[i].id[0])
            named[count++] =
                (struct named){&report->findings[i], hash_finding(report, &report->findings[i]), i};
    if (count)
        qsort(named, count, sizeof *named, compare_named);
    for (size_t i = 0, twin = 0; i < count; i++) {
        twin = i && named[i].hash == named[i - 1].hash ? twin + 1 : 0;
        uint64_t parts[2] = {named[i].hash, twin};
        snprintf(named[i].finding->id, sizeof named[i].finding->id, "%016" PRIx64,
                 (uint64_t)XXH3_64bits(parts, sizeof parts));
    }
    free(named);
}
