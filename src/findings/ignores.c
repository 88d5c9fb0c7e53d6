#include "ignores.h"
#include "rules.h"
#include "sources.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

static const char mark[] = "regatta:", verb[] = "ignore";

/* A rule in a comment. */
struct ignore {
    const char *rule;
    unsigned line;
    bool used;
    struct ignore *next; /* further down */
};

struct annotated_file {
    char *path;       /* without detours: two names may be of one file */
    const char *name; /* as it was named first */
    struct ignore *ignores;
    UT_hash_handle hh;
};

struct ignores {
    struct report *report;
    struct annotated_file *files;
};

void report_add_source(struct report *report, const char *file)
{
    report->own_sources = checked_grow(report->own_sources, report->own_source_count,
                                       &report->own_source_capacity, sizeof *report->own_sources);
    report->own_sources[report->own_source_count++] = report_text(report, file);
}

/* ---- reading --------------------------------------------------------------------------------- */

static const char *skip_space(const char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    return text;
}

static void add_rule(struct ignores *ignores, struct annotated_file *file, unsigned line,
                     const char *word, size_t length)
{
    while (length && isspace((unsigned char)word[length - 1]))
        length--;
    const char *rule = report_textf(ignores->report, "%.*s", (int)length, word);
    if (!rule_fits_some(rule)) {
        report_note(ignores->report,
                    report_textf(ignores->report,
                                 "%s:%u: there is no rule '%s'; see regatta report --rules",
                                 file->name, line, rule));
        return;
    }
    struct ignore *ignore = obstack_alloc(&ignores->report->texts, sizeof *ignore);
    *ignore = (struct ignore){.rule = rule, .line = line};
    struct ignore **last = &file->ignores;
    while (*last)
        last = &(*last)->next;
    *last = ignore;
}

static void read_comment(struct ignores *ignores, struct annotated_file *file, unsigned line,
                         const char *comment)
{
    const char *at = strstr(comment, mark);
    at = at ? skip_space(at + strlen(mark)) : NULL;
    if (!at || strncmp(at, verb, strlen(verb)) != 0)
        return;
    at = skip_space(at + strlen(verb));
    size_t length = *at == '(' ? strcspn(at, ")") : 0;
    if (!length || at[length] != ')') {
        report_note(ignores->report,
                    report_textf(ignores->report,
                                 "%s:%u: what to ignore is missing: regatta: ignore(local-race)",
                                 file->name, line));
        return;
    }
    for (const char *end = at++ + length; at <= end;) {
        at = skip_space(at);
        size_t word = strcspn(at, ",)");
        add_rule(ignores, file, line, at, word);
        at += word + 1;
    }
}

/* The file, with its comments; read when it is first named. */
static struct annotated_file *find_file(struct ignores *ignores, const char *name)
{
    struct report *report = ignores->report;
    char *full = source_path(report, name);
    char *path = realpath(full, NULL);
    struct annotated_file *file;
    if (!path)
        path = checked_strdup(full);
    free(full);
    HASH_FIND_STR(ignores->files, path, file);
    if (file) {
        free(path);
        return file;
    }
    file = checked_malloc(sizeof *file);
    *file = (struct annotated_file){.path = path, .name = name};
    HASH_ADD_KEYPTR(hh, ignores->files, file->path, strlen(file->path), file);
    if (!source_mentions(report, name, mark)) /* most: those need not be kept as lines */
        return file;
    for (unsigned line = 1; source_line(report, name, line); line++) {
        bool alone;
        const char *comment = source_comment(report, name, line, &alone);
        if (comment)
            read_comment(ignores, file, line, comment);
    }
    return file;
}

/* ---- what they are about --------------------------------------------------------------------- */

static bool matches(struct ignores *ignores, const struct finding *finding,
                    const struct access *side)
{
    const struct frame *place = side->present ? access_line(side) : NULL;
    struct annotated_file *file = place ? find_file(ignores, place->file) : NULL;
    bool alone, matched = false;
    if (!file || !file->ignores)
        return false;
    unsigned first, last;
    source_extent(ignores->report, place->file, place->line, &first, &last);
    while (first > 1 && source_comment(ignores->report, place->file, first - 1, &alone) && alone)
        first--;
    for (struct ignore *ignore = file->ignores; ignore; ignore = ignore->next)
        if (first <= ignore->line && ignore->line <= last &&
            fnmatch(ignore->rule, finding->rule, 0) == 0)
            matched = ignore->used = true;
    return matched;
}

static bool is_wanted(const struct finding *finding, void *ignores)
{
    bool first = matches(ignores, finding, &finding->first);
    bool second = matches(ignores, finding, &finding->second);
    return !first && !second;
}

static int by_name(const struct annotated_file *a, const struct annotated_file *b)
{
    return strcmp(a->name, b->name);
}

static void note_unused(struct ignores *ignores)
{
    HASH_SORT(ignores->files, by_name);
    for (const struct annotated_file *file = ignores->files; file; file = file->hh.next)
        for (const struct ignore *at = file->ignores; at; at = at->next)
            if (!at->used)
                report_note(ignores->report,
                            report_textf(ignores->report, "%s:%u: ignore(%s) fits no finding",
                                         file->name, at->line, at->rule));
}

size_t filter_ignored(struct report *report, bool unused)
{
    struct ignores ignores = {.report = report};
    struct annotated_file *file, *next;
    for (size_t i = 0; i < report->own_source_count; i++)
        find_file(&ignores, report->own_sources[i]);
    size_t count = report_keep(report, is_wanted, &ignores);
    if (unused)
        note_unused(&ignores);
    HASH_ITER(hh, ignores.files, file, next)
    {
        HASH_DEL(ignores.files, file);
        free(file->path);
        free(file);
    }
    return count;
}
