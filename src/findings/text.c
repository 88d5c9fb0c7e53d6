#include "text.h"
#include "causes.h"
#include "limits.h"
#include "rules.h"
#include "sources.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    CALL_WIDTH = 16,
    RULE_COLUMN = 89,
    MAX_SOURCE_COLUMNS = 160,
    MAX_SHOWN_PAIRS = 8,
    MAX_SAME_CAUSE = 8,
};

enum paint { PAINT_ERROR, PAINT_WARNING, PAINT_NOTE, PAINT_STRONG, PAINT_FAINT };

static const char *begin(const struct text_style *style, enum paint paint)
{
    static const char *const codes[] = {"\033[1;31m", "\033[1;35m", "\033[1;36m", "\033[1m",
                                        "\033[2m"};
    return style->color ? codes[paint] : "";
}

static const char *end(const struct text_style *style)
{
    return style->color ? "\033[0m" : "";
}

static enum paint severity_paint(enum severity severity)
{
    return severity == SEVERITY_ERROR     ? PAINT_ERROR
           : severity == SEVERITY_WARNING ? PAINT_WARNING
                                          : PAINT_NOTE;
}

/* Columns of a UTF-8 text on a terminal, as far as alignment needs it: one per character. */
static int columns(const char *text)
{
    int count = 0;
    for (; *text; text++)
        count += ((unsigned char)*text & 0xc0) != 0x80;
    return count;
}

static void pad(FILE *out, int count)
{
    fprintf(out, "%*s", count > 0 ? count : 0, "");
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

/* ---- source excerpts ------------------------------------------------------------------------- */

/* What is longer is cut, and looks so. */
static void print_source(FILE *out, const char *line)
{
    int column = 0;
    for (; *line && column < MAX_SOURCE_COLUMNS; line++) {
        column += ((unsigned char)*line & 0xc0) != 0x80;
        if (*line == '\t')
            fputs("    ", out);
        else
            fputc(*line, out);
    }
    while (((unsigned char)*line & 0xc0) == 0x80)
        fputc(*line++, out);
    fputs(*line ? "…\n" : "\n", out);
}

static int digits(unsigned number)
{
    int count = 1;
    while (number /= 10)
        count++;
    return count;
}

static void print_excerpt(FILE *out, struct report *report, const struct frame *frame, int width,
                          const struct text_style *style)
{
    unsigned number = frame ? source_first_line(report, frame->file, frame->line) : 0;
    for (; frame && number <= frame->line; number++) {
        const char *line = source_line(report, frame->file, number);
        if (!line)
            continue;
        fprintf(out, "  %s%*u |%s ", begin(style, PAINT_FAINT), width, number, end(style));
        print_source(out, line);
    }
}

static bool same_line(const struct frame *a, const struct frame *b)
{
    return a && b && a->file && b->file && a->line == b->line && !strcmp(a->file, b->file);
}

static void print_excerpts(FILE *out, struct report *report, const struct finding *finding,
                           const struct text_style *style)
{
    const struct frame *first = access_line(&finding->first);
    const struct frame *second = access_line(&finding->second);
    int width = larger(digits(first ? first->line : 0), digits(second ? second->line : 0));
    print_excerpt(out, report, first, width, style);
    if (!same_line(first, second))
        print_excerpt(out, report, second, width, style);
}

/* ---- one finding ----------------------------------------------------------------------------- */

/* The texts of one line of the table of accesses, and the widths of its columns. */
struct row {
    const char *who;
    const char *call;
    const char *place;
    const char *function;
    const char *detail;
};

static const char *function_text(struct report *report, const struct frame *frame)
{
    return frame && frame->function ? report_textf(report, "%s()", frame->function) : "";
}

static struct row access_row(struct report *report, const struct access *access)
{
    const struct frame *frame = access_frame(access);
    return (struct row){
        .who = access->rank < 0 ? "" /* any: found without a run */
               : access->thread
                   ? report_textf(report, "rank %d thread %d", access->rank, access->thread)
                   : report_textf(report, "rank %d", access->rank),
        .call = access->call   ? access->call
                : access->kind ? access->kind
                               : "",
        .place = frame_place(report, frame),
        .function = function_text(report, frame),
        .detail = access->detail ? access->detail : "",
    };
}

static void print_caller(FILE *out, struct report *report, const char *how,
                         const struct frame *frame, const struct text_style *style)
{
    fprintf(out, "      %s%s %s  %s%s\n", begin(style, PAINT_FAINT), how,
            frame_place(report, frame), function_text(report, frame), end(style));
}

static void print_callers(FILE *out, struct report *report, const struct access *access,
                          const struct text_style *style)
{
    const struct frame *place = stack_place(&access->stack);
    for (size_t i = 0; i < access->stack.depth; i++) {
        const struct frame *frame = &access->stack.frames[i];
        if (frame != place)
            print_caller(out, report, frame < place ? "inside" : "called from", frame, style);
    }
}

static void print_calling_line(FILE *out, struct report *report, const struct access *access,
                               const struct text_style *style)
{
    const struct frame *line = access_line(access);
    if (line && line != access_frame(access))
        print_caller(out, report, "called from", line, style);
}

/* The widths of the columns of several rows. */
struct widths {
    int who, call, place, function;
};

static void widen(struct widths *widths, const struct row *row)
{
    widths->who = larger(widths->who, columns(row->who));
    widths->call = larger(widths->call, columns(row->call));
    widths->place = larger(widths->place, columns(row->place));
    widths->function = larger(widths->function, columns(row->function));
}

static void print_row(FILE *out, const struct row *row, const struct widths *widths,
                      const struct text_style *style)
{
    fprintf(out, "  %s", row->who);
    pad(out, widths->who + 2 - columns(row->who));
    fprintf(out, "%s%s%s", begin(style, PAINT_STRONG), row->call, end(style));
    pad(out, widths->call + 1 - columns(row->call));
    fprintf(out, "%s%s%s", begin(style, PAINT_STRONG), row->place, end(style));
    if (row->function[0] || row->detail[0])
        pad(out, widths->place + 2 - columns(row->place));
    fputs(row->function, out);
    if (row->detail[0]) {
        pad(out, (widths->function ? widths->function + 3 : 0) - columns(row->function));
        fputs(row->detail, out);
    }
    fputc('\n', out);
}

static void print_accesses(FILE *out, struct report *report, const struct finding *finding,
                           const struct text_style *style)
{
    const struct access *accesses[2] = {&finding->first, &finding->second};
    struct row rows[2];
    int count = finding->second.present ? 2 : 1;
    struct widths widths = {.call = CALL_WIDTH};
    for (int i = 0; i < count; i++) {
        rows[i] = access_row(report, accesses[i]);
        widen(&widths, &rows[i]);
    }
    /* Two accesses from one place differ only in how the program got there. */
    bool callers = style->stacks || (count == 2 && same_line(access_frame(&finding->first),
                                                             access_frame(&finding->second)));
    for (int i = 0; i < count; i++) {
        print_row(out, &rows[i], &widths, style);
        if (callers)
            print_callers(out, report, accesses[i], style);
        else
            print_calling_line(out, report, accesses[i], style);
    }
}

static void print_pair(FILE *out, struct rank_pair pair)
{
    if (pair.second < 0 || pair.first == pair.second)
        fprintf(out, "%d", pair.first);
    else
        fprintf(out, "%d→%d", pair.first, pair.second);
}

static void print_counts(FILE *out, const struct finding *finding)
{
    if (finding->found_by == 1u << MODE_CHECK) { /* its ranks are those of an example */
        fputs("  found in the source, not seen in a run", out);
        return;
    }
    if (finding->count == 1)
        fputs("  seen once", out);
    else
        fprintf(out, "  seen %" PRIu64 " times", finding->count);
    if (finding->generation > 0)
        fprintf(out, "%s after %" PRId64 " synchronisation%s of all ranks",
                finding->count == 1 ? "" : ", first", finding->generation,
                finding->generation == 1 ? "" : "s");
    if (finding->pair_count && finding->pairs[0].first >= 0) {
        fputs(finding->pair_count == 1 && finding->pairs[0].first == finding->pairs[0].second
                  ? " · rank "
              : finding->pair_count == 1 && finding->pairs[0].second < 0 ? " · rank "
                                                                         : " · ranks ",
              out);
        for (size_t i = 0; i < finding->pair_count && i < MAX_SHOWN_PAIRS; i++) {
            fputs(i ? ", " : "", out);
            print_pair(out, finding->pairs[i]);
        }
        if (finding->pair_count > MAX_SHOWN_PAIRS)
            fprintf(out, " and %zu more", finding->pair_count - MAX_SHOWN_PAIRS);
    }
    if (finding_is_confirmed(finding))
        fputs(" · confirmed: check found it, too", out);
}

void text_finding(FILE *out, struct report *report, const struct finding *finding,
                  const struct text_style *style, bool counted)
{
    const char *severity = severity_name(finding->severity);
    const char *message = finding->message ? finding->message : "";
    fprintf(out, "%s%s:%s %s%s%s", begin(style, severity_paint(finding->severity)), severity,
            end(style), begin(style, PAINT_STRONG), message, end(style));
    pad(out, larger(2, RULE_COLUMN - columns(severity) - 2 - columns(message)));
    fprintf(out, "%s[%s]%s\n", begin(style, PAINT_FAINT), finding->rule, end(style));
    print_accesses(out, report, finding, style);
    if (finding->why)
        fprintf(out, "  why: %s\n", finding->why);
    if (finding->fix)
        fprintf(out, "  fix: %s\n", finding->fix);
    print_excerpts(out, report, finding, style);
    if (!counted)
        return;
    print_counts(out, finding);
    if (style->stacks)
        fprintf(out, " · id %s", finding->id);
    fputc('\n', out);
}

/* ---- several findings ------------------------------------------------------------------------ */

static const struct access *unblamed(const struct finding *finding)
{
    if (!finding->second.present)
        return &finding->first;
    return finding->blames_second ? &finding->first : &finding->second;
}

void text_same_cause(FILE *out, struct report *report, const struct finding *const *findings,
                     size_t count, const struct text_style *style)
{
    struct row rows[MAX_SAME_CAUSE];
    struct widths widths = {.call = CALL_WIDTH - 2};
    size_t shown = count < MAX_SAME_CAUSE ? count : MAX_SAME_CAUSE;
    const struct access *blamed = finding_blamed(findings[0]);
    const struct row cause = access_row(report, blamed);
    for (size_t i = 0; i < shown; i++) {
        rows[i] = access_row(report, unblamed(findings[i]));
        widen(&widths, &rows[i]);
    }
    fprintf(out, "  the same %s at %s also meets:\n", cause.call, cause.place);
    for (size_t i = 0; i < shown; i++) {
        fputs("  ", out);
        print_row(out, &rows[i], &widths, style);
    }
    if (count > shown)
        fprintf(out, "    and %zu more; --verbose shows them all\n", count - shown);
}

void text_list(FILE *out, struct report *report, const struct text_style *style)
{
    for (size_t i = 0; i < report->finding_count; i++) {
        const struct finding *finding = &report->findings[i];
        const char *severity = severity_name(finding->severity);
        fprintf(out, "%s  %s%s%s", finding->id, begin(style, severity_paint(finding->severity)),
                severity, end(style));
        pad(out, 9 - columns(severity));
        fprintf(out, "%s  %s", finding->rule, frame_place(report, access_frame(&finding->first)));
        if (finding->second.present)
            fprintf(out, " %s", frame_place(report, access_frame(&finding->second)));
        fprintf(out, "  %s\n", finding->message ? finding->message : "");
    }
}

/* ---- the whole ------------------------------------------------------------------------------- */

void text_summary(FILE *out, struct report *report, const struct text_style *style,
                  const char *extra)
{
    for (size_t i = 0; i < report->note_count; i++)
        fprintf(out, "regatta: %snote:%s %s\n", begin(style, PAINT_NOTE), end(style),
                report->notes[i]);
    size_t errors = report_count(report, SEVERITY_ERROR);
    size_t warnings = report_count(report, SEVERITY_WARNING);
    size_t notes = report_count(report, SEVERITY_NOTE);
    fprintf(out, "regatta: %zu error%s, %zu warning%s", errors, errors == 1 ? "" : "s", warnings,
            warnings == 1 ? "" : "s");
    if (notes)
        fprintf(out, ", %zu note%s", notes, notes == 1 ? "" : "s");
    size_t causes = causes_count(report);
    if (causes < report->finding_count)
        fprintf(out, " · %zu cause%s", causes, causes == 1 ? "" : "s");
    if (report->ranks)
        fprintf(out, " · %d rank%s", report->ranks, report->ranks == 1 ? "" : "s");
    if (report->mpi)
        fprintf(out, " · %s", report->mpi);
    if (report->checked)
        fprintf(out, " · %s", report->checked);
    const char *limits = limits_phrase(report);
    if (limits)
        fprintf(out, " · %s", limits);
    if (extra)
        fputs(extra, out);
    fputc('\n', out);
}

static void print_indented(FILE *out, const char *text, const char *indent)
{
    while (*text) {
        size_t length = strcspn(text, "\n");
        fprintf(out, "%s%.*s\n", indent, (int)length, text);
        text += length + (text[length] == '\n');
    }
}

void text_rule(FILE *out, const struct rule *rule, const struct text_style *style)
{
    fprintf(out, "%s%s%s (%s): %s\n", begin(style, PAINT_STRONG), rule->id, end(style),
            rule->severity, rule->title);
    print_indented(out, rule->explanation, "  ");
    fputs("  example:\n", out);
    print_indented(out, rule->example, "      ");
    const char *picture = rule_picture(rule->id);
    if (picture) {
        fputs("  picture:\n", out);
        print_indented(out, picture, "      ");
    }
    fputs("  fix:\n", out);
    print_indented(out, rule->fix, "      ");
}

void text_rules(FILE *out, const struct text_style *style)
{
    for (size_t i = 0; i < rule_count; i++) {
        if (i)
            fputc('\n', out);
        text_rule(out, &rules[i], style);
    }
}
