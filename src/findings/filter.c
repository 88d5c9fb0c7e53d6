#include "filter.h"

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

/* False if the line is neither empty nor a suppression. */
static bool read_line(struct suppressions *suppressions, char *line)
{
    char *comment = strchr(line, '#');
    if (comment)
        *comment = '\0';
    line = trimmed(line);
    if (!*line)
        return true;
    char *colon = strchr(line, ':');
    if (!colon)
        return false;
    *colon = '\0';
    const char *rule = trimmed(line);
    const char *pattern = trimmed(colon + 1);
    if (!*rule || !*pattern)
        return false;
    suppressions->list = checked_grow(suppressions->list, suppressions->count,
                                      &suppressions->capacity, sizeof *suppressions->list);
    suppressions->list[suppressions->count++] =
        (struct suppression){checked_strdup(rule), checked_strdup(pattern)};
    return true;
}

struct suppressions *suppressions_read(const char *path, char **problem)
{
    FILE *file = fopen(path, "r");
    if (!file) {
        *problem = checked_printf("%s: %s", path, strerror(errno));
        return NULL;
    }
    struct suppressions *suppressions = checked_malloc(sizeof *suppressions);
    memset(suppressions, 0, sizeof *suppressions);
    char *line = NULL;
    size_t capacity = 0;
    unsigned number = 0;
    bool good = true;
    errno = 0;
    while (good && getline(&line, &capacity, file) >= 0) {
        number++;
        good = read_line(suppressions, line);
    }
    if (!good)
        *problem = checked_printf("%s:%u: a suppression is written rule:pattern", path, number);
    else if (ferror(file))
        *problem = checked_printf("%s: %s", path, strerror(errno));
    good = good && !ferror(file);
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
    free(suppressions);
}

/* Tries the whole path, then what stands behind each slash. */
static bool path_fits(const char *pattern, const char *path)
{
    while (path && *path) {
        if (fnmatch(pattern, path, 0) == 0)
            return true;
        path = strchr(path, '/');
        if (path)
            path++;
    }
    return false;
}

static bool stack_fits(const char *pattern, const struct stack *stack)
{
    for (size_t i = 0; i < stack->depth; i++) {
        const struct frame *frame = &stack->frames[i];
        if (path_fits(pattern, frame->file) || path_fits(pattern, frame->module) ||
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
            (stack_fits(suppression->pattern, &finding->first.stack) ||
             stack_fits(suppression->pattern, &finding->second.stack)))
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
