#include "waiting.h"
#include "sentences.h"

#include <stdlib.h>
#include <string.h>

static int compare_ints(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

const char *rank_list(struct report *report, const int *given, size_t count)
{
    int *ranks = checked_malloc((count + 1) * sizeof *ranks);
    memcpy(ranks, given, count * sizeof *ranks);
    qsort(ranks, count, sizeof *ranks, compare_ints);
    size_t different = count > 0;
    for (size_t i = 1; i < count; i++)
        if (ranks[i] != ranks[different - 1])
            ranks[different++] = ranks[i];
    count = different;
    char *text = checked_strdup(count > 1 ? "ranks" : "rank");
    for (size_t i = 0; i < count;) {
        size_t last = i;
        while (last + 1 < count && ranks[last + 1] <= ranks[last] + 1)
            last++;
        char *longer;
        if (ranks[last] > ranks[i] + 1)
            longer = checked_printf("%s%s %d-%d", text, i ? "," : "", ranks[i], ranks[last]);
        else if (ranks[last] > ranks[i])
            longer = checked_printf("%s%s %d, %d", text, i ? "," : "", ranks[i], ranks[last]);
        else
            longer = checked_printf("%s%s %d", text, i ? "," : "", ranks[i]);
        free(text);
        text = longer;
        i = last + 1;
    }
    const char *kept = report_text(report, text);
    free(text);
    free(ranks);
    return kept;
}

/* ---- what is waited for ---- */

static const struct {
    const char *deed, *words;
} wait_words[] = {
#define WAIT(deed, words) {deed, words},
#include "waits.def"
#undef WAIT
};

static const char *words_of(const char *deed)
{
    for (size_t i = 0; deed && i < sizeof wait_words / sizeof wait_words[0]; i++)
        if (!strcmp(wait_words[i].deed, deed))
            return wait_words[i].words;
    return "";
}

static const char *value_of(struct report *report, const struct wait_part *part, const char *name,
                            size_t length)
{
    if (!strncmp(name, "ranks", length))
        return part->rank_count ? rank_list(report, part->ranks, part->rank_count) : "nobody";
    if (!strncmp(name, "tag", length))
        return part->tag == WAIT_TAG_ANY    ? "any tag"
               : part->tag == WAIT_TAG_NONE ? "no tag"
                                            : report_textf(report, "tag %d", part->tag);
    if (!strncmp(name, "they", length))
        return part->rank_count == 1 ? "it is" : "they are";
    if (!strncmp(name, "s", length))
        return part->rank_count == 1 ? "s" : "";
    return part->group ? part->group : "";
}

/* Puts the values in: {name}; [group|…] only if there is one; [s] an s for one rank alone. */
static const char *fill_in(struct report *report, const struct wait_part *part, const char *words)
{
    const char *text = "";
    while (*words) {
        size_t plain = strcspn(words, "{[]");
        text = report_textf(report, "%s%.*s", text, (int)plain, words);
        words += plain;
        if (!strncmp(words, "[group|", 7)) {
            words = part->group ? words + 7 : words + strcspn(words, "]");
        } else if (*words == '{' || *words == '[') {
            size_t length = strcspn(words + 1, "}]");
            text = report_textf(report, "%s%s", text, value_of(report, part, words + 1, length));
            words += length + 2;
            continue;
        }
        words += *words == ']';
    }
    return text;
}

const char *wait_part_words(struct report *report, const struct wait_part *part)
{
    return fill_in(report, part, words_of(part->deed));
}

/* ---- the deadlock ---- */

static const struct wait *stuck_wait(const struct waiting *waiting, int rank)
{
    for (size_t i = 0; i < waiting->wait_count; i++)
        if (waiting->waits[i].rank == rank && waiting->waits[i].stuck)
            return &waiting->waits[i];
    return NULL;
}

static bool names(const struct wait_part *part, int rank)
{
    for (size_t i = 0; i < part->rank_count; i++)
        if (part->ranks[i] == rank)
            return true;
    return false;
}

static const struct wait_part *part_for(const struct wait *wait, int rank)
{
    for (size_t i = 0; i < wait->part_count; i++)
        if (names(&wait->parts[i], rank))
            return &wait->parts[i];
    return wait->part_count ? &wait->parts[0] : NULL;
}

static const char *kind_of(const struct wait_part *part)
{
    const char *deed = part ? part->deed : "";
    return !strcmp(deed, "receive") ? "send" : !strcmp(deed, "send") ? "recv" : "collective";
}

static int next_in(const struct waiting *waiting, size_t at)
{
    return waiting->cycle[(at + 1) % waiting->cycle_count];
}

static struct access side_of(const struct waiting *waiting, size_t at)
{
    struct access access = {0};
    const struct wait *wait =
        at < waiting->cycle_count ? stuck_wait(waiting, waiting->cycle[at]) : NULL;
    if (!wait)
        return access;
    access.present = true;
    access.kind = kind_of(part_for(wait, next_in(waiting, at)));
    access.call = wait->call;
    access.rank = wait->rank;
    access.thread = wait->thread;
    access.stack = wait->stack;
    return access;
}

static const char *waits_of(struct report *report, const struct waiting *waiting, size_t at)
{
    const struct wait *wait =
        at < waiting->cycle_count ? stuck_wait(waiting, waiting->cycle[at]) : NULL;
    const struct wait_part *part = wait ? part_for(wait, next_in(waiting, at)) : NULL;
    return part ? wait_part_words(report, part) : NULL;
}

/* Which of several requests are complete already nobody knows from outside. */
static const char *whom(struct report *report, const struct wait *wait, int next)
{
    if (wait->part_count < 2)
        return next == wait->rank ? "itself" : report_textf(report, "rank %d", next);
    int *ranks = NULL;
    size_t count = 0, capacity = 0;
    for (size_t i = 0; i < wait->part_count; i++)
        for (size_t j = 0; j < wait->parts[i].rank_count; j++) {
            ranks = checked_grow(ranks, count, &capacity, sizeof *ranks);
            ranks[count++] = wait->parts[i].ranks[j];
        }
    const char *words = count ? rank_list(report, ranks, count) : "nobody";
    free(ranks);
    return report_textf(report, "%s%s", count > 1 ? "one or more of " : "", words);
}

/* "rank 0 waits in MPI_Recv (ring.c:12) for rank 1; rank 1 …" */
static const char *story_of(struct report *report, const struct waiting *waiting)
{
    const char *story = "";
    for (size_t i = 0; i < waiting->cycle_count; i++) {
        const struct wait *wait = stuck_wait(waiting, waiting->cycle[i]);
        if (!wait) {
            story = report_textf(report, "%s; rank %d has ended", story, waiting->cycle[i]);
            continue;
        }
        const struct frame *frame = stack_place(&wait->stack);
        const char *place = frame ? report_textf(report, " (%s)", frame_place(report, frame)) : "";
        story =
            report_textf(report, "%s%srank %d waits in %s%s for %s", story, i ? "; " : "",
                         wait->rank, wait->call, place, whom(report, wait, next_in(waiting, i)));
    }
    return story;
}

static const char *who_of(struct report *report, const struct waiting *waiting)
{
    size_t count = waiting->cycle_count;
    if (waiting->cycle_ends)
        return report_textf(report, "%s wait%s for rank %d, which has ended",
                            rank_list(report, waiting->cycle, count - 1), count == 2 ? "s" : "",
                            waiting->cycle[count - 1]);
    if (count == 1)
        return report_textf(report, "rank %d waits for itself", waiting->cycle[0]);
    if (count == 2)
        return report_textf(report, "ranks %d and %d wait for each other", waiting->cycle[0],
                            waiting->cycle[1]);
    return report_textf(report, "%s wait for each other", rank_list(report, waiting->cycle, count));
}

static const char *advice_of(const struct waiting *waiting)
{
    const struct wait *wait = stuck_wait(waiting, waiting->cycle[0]);
    const struct wait_part *part = wait ? part_for(wait, next_in(waiting, 0)) : NULL;
    const char *deed = part ? part->deed : "";
    if (waiting->cycle_count == 1 && (!strcmp(deed, "receive") || !strcmp(deed, "send")))
        deed = "itself";
    static const struct {
        const char *deed, *advice;
    } advices[] = {
#define ADVICE(deed, words) {deed, words},
#include "advices.def"
#undef ADVICE
    };
    for (size_t i = 0; i < sizeof advices / sizeof advices[0]; i++)
        if (!strcmp(advices[i].deed, deed))
            return advices[i].advice;
    return "let the ranks make these calls in the same order.";
}

void waiting_add_finding(struct report *report, const struct waiting *waiting)
{
    if (!waiting->cycle_count)
        return;
    struct finding *finding = report_add(report);
    finding->rule = "deadlock";
    finding->case_id = case_id(waiting->cycle_ends ? CASE_WAITS_FOR_ENDED : CASE_DEADLOCK);
    finding->severity = SEVERITY_ERROR;
    finding->count = 1;
    finding->generation = -1;
    finding->first = side_of(waiting, 0);
    finding->second = side_of(waiting, 1);
    finding_add_fact(report, finding, "who", who_of(report, waiting));
    finding_add_fact(report, finding, "story", story_of(report, waiting));
    finding_add_fact(report, finding, "alone", waiting->cycle_count == 1 ? "1" : NULL);
    finding_add_fact(report, finding, "advice", advice_of(waiting));
    finding_add_fact(report, finding, "first_waits", waits_of(report, waiting, 0));
    finding_add_fact(report, finding, "second_waits", waits_of(report, waiting, 1));
    for (size_t i = 0; i + waiting->cycle_ends < waiting->cycle_count; i++)
        finding_add_pair(finding, (struct rank_pair){waiting->cycle[i], next_in(waiting, i)});
    finding_say(report, finding);
}

/* ---- where the ranks are ---- */

/* Everything that is said of a thread but which rank it is: equal ones are told together. */
static const char *line_of(struct report *report, const struct wait *wait)
{
    const struct frame *frame = stack_place(&wait->stack);
    const char *place = frame ? frame_place(report, frame) : "?";
    const char *function = frame && frame->function ? frame->function : NULL;
    if (wait->ended)
        return "has ended";
    const char *line =
        report_textf(report, "%-14s %s%s%s%s", wait->inside ? wait->call : "not in MPI", place,
                     function ? "  " : "", function ? function : "", function ? "()" : "");
    if (!wait->inside)
        return wait->call ? report_textf(report, "%s   after %s", line, wait->call) : line;
    if (wait->part_count == 1 && !wait->more && !wait->parts[0].made.depth) {
        const char *words = wait_part_words(report, &wait->parts[0]);
        return *words ? report_textf(report, "%s   %s", line, words) : line;
    }
    for (size_t i = 0; i < wait->part_count; i++) {
        const struct wait_part *part = &wait->parts[i];
        const struct frame *made = stack_place(&part->made);
        line = report_textf(report, "%s\n      %s%s%s   %s", line, part->call ? part->call : "?",
                            made ? " " : "", made ? frame_place(report, made) : "",
                            wait_part_words(report, part));
    }
    return wait->more ? report_textf(report, "%s\n      and %zu more", line, wait->more) : line;
}

void waiting_show(FILE *out, struct report *report, const struct waiting *waiting)
{
    if (!waiting->wait_count || !waiting->stopped_by)
        return;
    if (!strcmp(waiting->stopped_by, "timeout"))
        fprintf(out, "regatta: stopped after %d second%s (--timeout); the ranks were here:\n",
                waiting->seconds, waiting->seconds == 1 ? "" : "s");
    else
        fputs("regatta: stopped by a signal; the ranks were here:\n", out);
    const char **lines = checked_malloc(waiting->wait_count * sizeof *lines);
    int *ranks = checked_malloc(waiting->wait_count * sizeof *ranks);
    for (size_t i = 0; i < waiting->wait_count; i++)
        lines[i] = line_of(report, &waiting->waits[i]); /* each different text once */
    for (size_t i = 0; i < waiting->wait_count; i++) {
        size_t count = 0;
        if (!lines[i])
            continue;
        const char *line = lines[i];
        int thread = waiting->waits[i].thread;
        for (size_t j = i; j < waiting->wait_count; j++)
            if (lines[j] == line && waiting->waits[j].thread == thread) {
                ranks[count++] = waiting->waits[j].rank;
                lines[j] = NULL;
            }
        const char *who = rank_list(report, ranks, count);
        if (thread)
            who = report_textf(report, "%s thread %d", who, thread);
        fprintf(out, "  %-10s %s\n", who, line);
    }
    free(lines);
    free(ranks);
}

const char *death_words(struct report *report, const struct death *death)
{
    const struct frame *frame = stack_place(&death->stack);
    const char *function = frame && frame->function ? frame->function : NULL;
    return report_textf(report, "rank %d crashed first: signal %d (%s)%s%s%s%s%s%s%s", death->rank,
                        death->signal, strsignal(death->signal), death->call ? " in " : "",
                        death->call ? death->call : "", frame ? " at " : "",
                        frame ? frame_place(report, frame) : "", function ? " " : "",
                        function ? function : "", function ? "()" : "");
}
