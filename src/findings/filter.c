#include "filter.h"
#include "rules.h"

#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct suppression {
    char *rule;
    char *pattern;
};

struct suppressions {
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

static bool fits_some_rule(const char *pattern)
{
    for (size_t i = 0; i < rule_count; i++)
        if (fnmatch(pattern, rules[i].id, 0) == 0)
            return true;
    return false;
}

/* NULL, or what is wrong with the line, to be freed. */
static char *read_line(struct suppressions *suppressions, char *line)
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
    if (!*rule || !*pattern)
        return checked_strdup("a suppression is written rule:pattern");
    if (!brackets_are_closed(rule) || !brackets_are_closed(pattern))
        return checked_strdup("a [ without ]; \\[ stands for the character itself");
    if (!fits_some_rule(rule))
        return checked_printf("there is no rule '%s'; see regatta report --rules", rule);
    suppressions->list = checked_grow(suppressions->list, suppressions->count,
                                      &suppressions->capacity, sizeof *suppressions->list);
    suppressions->list[suppressions->count++] =
        (struct suppression){checked_strdup(rule), checked_strdup(pattern)};
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
    suppressions->directory = checked_strdup(directory);
    char *line = NULL, *wrong = NULL;
    size_t capacity = 0;
    unsigned number = 0;
    errno = 0;
    while (!wrong && getline(&line, &capacity, file) >= 0) {
        number++;
        wrong = read_line(suppressions, line);
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
    free(suppressions);
}

/* Tries the whole path, then what stands behind each slash. */
static bool path_fits(const char *pattern, const char *path, int flags)
{
    while (path && *path) {
        if (fnmatch(pattern, path, flags) == 0)
            return true;
        path = strchr(path, '/');
        if (path)
            path++;
    }
    return false;
}

/* A file below the working directory goes by its relative name; people also write the absolute one,
 * or a part of the directory. There a * stays within one name unless the pattern begins with a
 * slash: in /home/me/parts, part* is not to fit every file. */
static bool file_fits(const struct suppressions *suppressions, const char *pattern,
                      const char *file)
{
    if (!file || path_fits(pattern, file, 0))
        return file != NULL;
    if (*file == '/')
        return false;
    char *directory = checked_strdup(suppressions->directory), *slash;
    while (!strncmp(file, "../", 3) && (slash = strrchr(directory, '/'))) {
        *slash = '\0';
        file += 3;
    }
    char *absolute = checked_printf("%s/%s", directory, file);
    bool fits = *pattern == '/' ? fnmatch(pattern, absolute, 0) == 0
                                : path_fits(pattern, absolute, FNM_PATHNAME);
    free(absolute);
    free(directory);
    return fits;
}

static bool stack_fits(const struct suppressions *suppressions, const char *pattern,
                       const struct stack *stack)
{
    for (size_t i = 0; i < stack->depth; i++) {
        const struct frame *frame = &stack->frames[i];
        if (file_fits(suppressions, pattern, frame->file) || path_fits(pattern, frame->module, 0) ||
            (frame->function && fnmatch(pattern, frame->function, 0) == 0))
            return true;
    }
    return false;
}

bool suppressions_match(const struct suppressions *suppressions, const struct finding *finding)
{
    for (size_t i = 0; i < suppressions->count; i++) {
        const struct suppression *suppression = &suppressions->list[i];
        if (fnmatch(suppression->rule, finding->rule, 0) == 0 &&
            (stack_fits(suppressions, suppression->pattern, &finding->first.stack) ||
             stack_fits(suppressions, suppression->pattern, &finding->second.stack)))
            return true;
    }
    return false;
}

size_t filter_suppressed(struct report *report, const struct suppressions *suppressions)
{
    size_t removed = 0;
    for (size_t i = report->finding_count; i-- > 0;) {
        if (suppressions_match(suppressions, &report->findings[i])) {
            report_remove(report, i);
            removed++;
        }
    }
    return removed;
}

static bool is_known(const struct report *baseline, const struct finding *finding)
{
    for (size_t i = 0; i < baseline->finding_count; i++)
        if (!strcmp(baseline->findings[i].id, finding->id))
            return true;
    return false;
}

size_t filter_known(struct report *report, const struct report *baseline)
{
    size_t removed = 0;
    for (size_t i = report->finding_count; i-- > 0;) {
        if (is_known(baseline, &report->findings[i])) {
            report_remove(report, i);
            removed++;
        }
    }
    return removed;
}
