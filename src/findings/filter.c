#include "filter.h"
#include "patterns.h"
#include "rules.h"

#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct suppression {
    char *rule; /* "id": the pattern is the id of a finding */
    char *pattern;
    unsigned line;
    bool used;
};

struct suppressions {
    char *path;
    char *directory; /* that file names in findings are relative to */
    struct suppression *list;
    size_t count, capacity;
};

static char *trimmed(char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    size_t length = strlen(text);
    while (length && isspace((unsigned char)text[length - 1]))
        text[--length] = '\0';
    return text;
}

/* Whether every [ has its ], by the rules of fnmatch, which takes one without it for an ordinary
 * character. */
static bool brackets_are_closed(const char *pattern)
{
    for (; *pattern; pattern++) {
        if (*pattern == '\\' && pattern[1]) {
            pattern++;
        } else if (*pattern == '[') {
            pattern++;
            pattern += *pattern == '!' || *pattern == '^';
            /* a ] that comes first is one of the characters */
            pattern = *pattern ? strchr(pattern + 1, ']') : NULL;
            if (!pattern)
                return false;
        }
    }
    return true;
}

static bool is_id(const char *text)
{
    return strlen(text) == 16 && strspn(text, "0123456789abcdef") == 16;
}

/* NULL, or what is wrong with it, to be freed. */
static char *doubt_entry(const char *rule, const char *pattern)
{
    if (!*rule || !*pattern)
        return checked_strdup("a suppression is written rule:pattern");
    if (!strcmp(rule, SUPPRESSED_ID))
        return is_id(pattern) ? NULL
                              : checked_printf("'%s' is not the id of a finding, which has 16 "
                                               "digits; see regatta report --list",
                                               pattern);
    if (!brackets_are_closed(rule) || !brackets_are_closed(pattern))
        return checked_strdup("a [ without ]; \\[ stands for the character itself");
    if (!rule_fits_some(rule))
        return checked_printf("there is no rule '%s'; see regatta report --rules", rule);
    return NULL;
}

/* NULL, or what is wrong with the line, to be freed. */
static char *read_line(struct suppressions *suppressions, char *line, unsigned number)
{
    char *comment = strchr(line, '#');
    if (comment)
        *comment = '\0';
    line = trimmed(line);
    if (!*line)
        return NULL;
    char *colon = strchr(line, ':');
    if (!colon)
        return checked_strdup("a suppression is written rule:pattern");
    *colon = '\0';
    const char *rule = trimmed(line);
    const char *pattern = trimmed(colon + 1);
    char *wrong = doubt_entry(rule, pattern);
    if (wrong)
        return wrong;
    suppressions->list = checked_grow(suppressions->list, suppressions->count,
                                      &suppressions->capacity, sizeof *suppressions->list);
    suppressions->list[suppressions->count++] =
        (struct suppression){checked_strdup(rule), checked_strdup(pattern), number, false};
    return NULL;
}

struct suppressions *suppressions_read(const char *path, const char *directory, char **problem)
{
    FILE *file = fopen(path, "r");
    if (!file) {
        *problem = checked_printf("%s: %s", path, strerror(errno));
        return NULL;
    }
    struct suppressions *suppressions = checked_malloc(sizeof *suppressions);
    memset(suppressions, 0, sizeof *suppressions);
    suppressions->path = checked_strdup(path);
    suppressions->directory = checked_strdup(directory);
    char *line = NULL, *wrong = NULL;
    size_t capacity = 0;
    unsigned number = 0;
    errno = 0;
    while (!wrong && getline(&line, &capacity, file) >= 0) {
        number++;
        wrong = read_line(suppressions, line, number);
    }
    bool good = !wrong && !ferror(file);
    if (wrong)
        *problem = checked_printf("%s:%u: %s", path, number, wrong);
    else if (!good)
        *problem = checked_printf("%s: %s", path, strerror(errno));
    free(wrong);
    free(line);
    fclose(file);
    if (!good) {
        suppressions_free(suppressions);
        return NULL;
    }
    return suppressions;
}

void suppressions_free(struct suppressions *suppressions)
{
    if (!suppressions)
        return;
    for (size_t i = 0; i < suppressions->count; i++) {
        free(suppressions->list[i].rule);
        free(suppressions->list[i].pattern);
    }
    free(suppressions->list);
    free(suppressions->directory);
    free(suppressions->path);
    free(suppressions);
}

static bool stack_fits(const struct suppressions *suppressions, const char *pattern,
                       const struct stack *stack)
{
    for (size_t i = 0; i < stack->depth; i++) {
        const struct frame *frame = &stack->frames[i];
        if (pattern_fits_file(pattern, frame->file, suppressions->directory) ||
            pattern_fits_path(pattern, frame->module) ||
            pattern_fits_function(pattern, frame->function))
            return true;
    }
    return false;
}

static bool entry_fits(const struct suppressions *suppressions, const struct suppression *entry,
                       const struct finding *finding)
{
    if (!strcmp(entry->rule, SUPPRESSED_ID))
        return !strcmp(entry->pattern, finding->id);
    return fnmatch(entry->rule, finding->rule, 0) == 0 &&
           (stack_fits(suppressions, entry->pattern, &finding->first.stack) ||
            stack_fits(suppressions, entry->pattern, &finding->second.stack));
}

bool suppressions_match(struct suppressions *suppressions, const struct finding *finding)
{
    bool fits = false;
    for (size_t i = 0; i < suppressions->count; i++) {
        struct suppression *entry = &suppressions->list[i];
        /* all that fit are of use, not only the first */
        if (entry_fits(suppressions, entry, finding))
            fits = entry->used = true;
    }
    return fits;
}

void suppressions_note_unused(const struct suppressions *suppressions, struct report *report)
{
    for (size_t i = 0; i < suppressions->count; i++) {
        const struct suppression *entry = &suppressions->list[i];
        if (!entry->used)
            report_note(report,
                        report_textf(report, "%s:%u: %s:%s fits none of these findings",
                                     suppressions->path, entry->line, entry->rule, entry->pattern));
    }
}

static bool is_not_suppressed(const struct finding *finding, void *suppressions)
{
    return !suppressions_match(suppressions, finding);
}

size_t filter_suppressed(struct report *report, struct suppressions *suppressions)
{
    return report_keep(report, is_not_suppressed, suppressions);
}

static bool is_new(const struct finding *finding, void *context)
{
    const struct report *baseline = context;
    for (size_t i = 0; i < baseline->finding_count; i++)
        if (!strcmp(baseline->findings[i].id, finding->id))
            return false;
    return true;
}

size_t filter_known(struct report *report, const struct report *baseline)
{
    return report_keep(report, is_new, (void *)baseline);
}
