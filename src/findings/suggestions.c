#include "suggestions.h"
#include "arguments.h"
#include "sources.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static bool is(const char *text, const char *word)
{
    return text && !strcmp(text, word);
}

static bool is_c(const char *file)
{
    const char *dot = strrchr(file, '.');
    return dot && (tolower((unsigned char)dot[1]) == 'c' || tolower((unsigned char)dot[1]) == 'h');
}

/* The line that would complete the operation, NULL if it is not known. */
static const char *completion(struct report *report, const struct access *side)
{
    const struct frame *place = access_frame(side);
    const char *statement = source_statement(report, place->file, place->line), *line = NULL;
    struct arguments arguments;
    if (!statement || !side->call || !arguments_read(&arguments, statement, side->call))
        return NULL;
    const char *last = arguments.texts[arguments.count - 1];
    bool operation = side->epoch && strcmp(side->epoch, "none");
    if (is(side->until, "request") && !operation)
        line = report_textf(report, "MPI_Wait(%s, MPI_STATUS_IGNORE);", last);
    /* For a fence it is not: all ranks would have to come to that line. */
    else if (is(side->epoch, "lock") && arguments.count >= 7 && is(side->call, "MPI_Accumulate"))
        line = report_textf(report, "MPI_Win_flush(%s, %s);", arguments.texts[3], last);
    else if (is(side->epoch, "lock") && arguments.count == 8 &&
             (is(side->call, "MPI_Put") || is(side->call, "MPI_Get")))
        line = report_textf(report, "MPI_Win_flush(%s, %s);", arguments.texts[3], last);
    else if (is(side->until, "epoch") && !operation && arguments.count >= 8 &&
             (is(side->call, "MPI_Put") || is(side->call, "MPI_Get")))
        line = report_textf(report, "MPI_Win_flush_local(%s, %s);", arguments.texts[3], last);
    arguments_free(&arguments);
    return line;
}

bool suggestion_for(struct report *report, const struct finding *finding,
                    struct suggestion *suggestion)
{
    const struct access *a = &finding->first, *b = &finding->second;
    const struct frame *first = access_frame(a), *second = b->present ? access_frame(b) : NULL;
    /* Both in one function of one process, so that a line between them is enough. */
    if (!first || !second || a->rank != b->rank || a->thread != b->thread || !first->file ||
        !second->file || strcmp(first->file, second->file) || !first->function ||
        !is(second->function, first->function) || first->line == second->line || !is_c(first->file))
        return false;
    if (finding_is_exchange(finding)) /* the fix is other memory */
        return false;
    bool swapped = first->line > second->line;
    const struct access *earlier = swapped ? b : a;
    const struct frame *later = swapped ? first : second;
    /* A loop may turn the order of lines around: the earlier one must be the one under way. */
    if (!earlier->until && !(earlier->epoch && strcmp(earlier->epoch, "none")))
        return false;
    const char *line = completion(report, earlier);
    const char *text = source_line(report, later->file, later->line);
    if (!line || !text)
        return false;
    int indent = (int)strspn(text, " \t");
    *suggestion = (struct suggestion){later->file, later->line,
                                      report_textf(report, "%.*s%s", indent, text, line)};
    return true;
}
