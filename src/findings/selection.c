#include "selection.h"
#include "patterns.h"
#include "rules.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- lists ----------------------------------------------------------------------------------- */

/* Whether `fits` says so of one of the words between the commas. */
static bool any_word(const char *list, bool (*fits)(const char *word, void *context), void *context)
{
    bool found = false;
    char *words = checked_strdup(list), *rest = words, *word;
    while (!found && (word = strsep(&rest, ",")))
        found = *word && fits(word, context);
    free(words);
    return found;
}

/* ---- what is wrong with a list --------------------------------------------------------------- */

static bool is_no_rule(const char *word, void *wrong)
{
    if (rule_fits_some(word))
        return false;
    *(char **)wrong = checked_printf("there is no rule '%s'; see regatta report --rules", word);
    return true;
}

static bool is_no_severity(const char *word, void *wrong)
{
    enum severity severity;
    if (severity_parse(word, &severity))
        return false;
    *(char **)wrong = checked_printf("'%s' is none of error, warning, note", word);
    return true;
}

static bool is_no_number(const char *word, void *wrong)
{
    if (strspn(word, "0123456789") == strlen(word))
        return false;
    *(char **)wrong = checked_printf("'%s' is not the number of a rank or thread", word);
    return true;
}

char *selection_doubt(const struct selection *selection)
{
    char *wrong = NULL;
    const struct {
        const char *list;
        bool (*doubts)(const char *, void *);
    } lists[] = {
        {selection->rule, is_no_rule},
        {selection->severity, is_no_severity},
        {selection->rank, is_no_number},
        {selection->thread, is_no_number},
    };
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        if (lists[i].list && any_word(lists[i].list, lists[i].doubts, &wrong))
            return wrong;
    return NULL;
}

/* ---- what fits ------------------------------------------------------------------------------- */

struct question {
    const struct finding *finding;
    const char *directory;
};

static bool rule_fits(const char *word, void *context)
{
    return fnmatch(word, ((struct question *)context)->finding->rule, 0) == 0;
}

static bool severity_fits(const char *word, void *context)
{
    return !strcmp(word, severity_name(((struct question *)context)->finding->severity));
}

/* Whether one of the frames of the two sides fits. */
static bool frames_fit(const char *word, const struct question *question,
                       bool (*fits)(const char *, const struct frame *, const char *))
{
    const struct stack *stacks[2] = {&question->finding->first.stack,
                                     &question->finding->second.stack};
    for (int s = 0; s < 2; s++)
        for (size_t i = 0; i < stacks[s]->depth; i++)
            if (fits(word, &stacks[s]->frames[i], question->directory))
                return true;
    return false;
}

static bool frame_in_file(const char *word, const struct frame *frame, const char *directory)
{
    return pattern_fits_file(word, frame->file, directory) ||
           pattern_fits_path(word, frame->module);
}

static bool frame_in_function(const char *word, const struct frame *frame, const char *directory)
{
    (void)directory;
    return pattern_fits_function(word, frame->function);
}

static bool file_fits(const char *word, void *context)
{
    return frames_fit(word, context, frame_in_file);
}

static bool function_fits(const char *word, void *context)
{
    return frames_fit(word, context, frame_in_function);
}

static bool rank_fits(const char *word, void *context)
{
    const struct finding *finding = ((struct question *)context)->finding;
    long rank = strtol(word, NULL, 10);
    for (size_t i = 0; i < finding->pair_count; i++)
        if (finding->pairs[i].first == rank || finding->pairs[i].second == rank)
            return true;
    return false;
}

static bool thread_fits(const char *word, void *context)
{
    const struct finding *finding = ((struct question *)context)->finding;
    long thread = strtol(word, NULL, 10);
    return finding->first.thread == thread ||
           (finding->second.present && finding->second.thread == thread);
}

static bool window_fits(const char *word, void *context)
{
    const struct question *question = context;
    const struct memory *memory = &question->finding->memory;
    const struct frame *made = stack_place(&memory->created);
    if (memory->window && fnmatch(word, memory->window, 0) == 0)
        return true;
    if (!made || !made->file)
        return false;
    char *place = checked_printf("%s:%u", made->file, made->line);
    bool fits = pattern_fits_file(word, place, question->directory) ||
                pattern_fits_file(word, made->file, question->directory);
    free(place);
    return fits;
}

bool selection_fits(const struct selection *selection, const struct finding *finding,
                    const char *directory)
{
    struct question question = {finding, directory};
    const struct {
        const char *list;
        bool (*fits)(const char *, void *);
    } lists[] = {
        {selection->rule, rule_fits},     {selection->severity, severity_fits},
        {selection->file, file_fits},     {selection->function, function_fits},
        {selection->rank, rank_fits},     {selection->thread, thread_fits},
        {selection->window, window_fits},
    };
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        if (lists[i].list && !any_word(lists[i].list, lists[i].fits, &question))
            return false;
    return true;
}

struct selecting {
    const struct selection *selection;
    const char *directory;
};

static bool is_selected(const struct finding *finding, void *context)
{
    const struct selecting *selecting = context;
    return selection_fits(selecting->selection, finding, selecting->directory);
}

size_t filter_unselected(struct report *report, const struct selection *selection,
                         const char *directory)
{
    struct selecting selecting = {selection, directory};
    return report_keep(report, is_selected, &selecting);
}
