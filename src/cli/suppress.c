#include "suppress.h"
#include "findings/checked.h"
#include "findings/ignores.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void suppress_prepare(const char *path)
{
    FILE *file = fopen(path, "a");
    if (!file || fclose(file) != 0)
        fail(EXIT_USAGE, "cannot write %s: %s", path, strerror(errno));
}

static const struct finding *find(const struct report *report, const char *id)
{
    const struct finding *found = NULL;
    for (size_t i = 0; i < report->finding_count; i++) {
        if (strncmp(report->findings[i].id, id, strlen(id)))
            continue;
        if (found)
            fail(EXIT_USAGE, "report: several findings have an id that begins with '%s'", id);
        found = &report->findings[i];
    }
    if (!found)
        fail(EXIT_USAGE, "report: there is no finding '%s'; regatta report --list shows them", id);
    return found;
}

static void write_entry(FILE *out, struct report *report, const struct finding *finding)
{
    fprintf(out, SUPPRESSED_ID ":%s  # %s %s", finding->id, finding->rule,
            frame_place(report, access_frame(&finding->first)));
    if (finding->second.present)
        fprintf(out, " %s", frame_place(report, access_frame(&finding->second)));
    fputc('\n', out);
}

static size_t add_once(const struct finding **meant, size_t count, const struct finding *finding)
{
    for (size_t i = 0; i < count; i++)
        if (meant[i] == finding)
            return count;
    meant[count] = finding;
    return count + 1;
}

/* The findings that are meant, each once. */
static size_t list_meant(const struct reporting *reporting, const struct report *report,
                         const char *ids, const struct finding **meant)
{
    size_t count = 0;
    char *words = checked_strdup(ids), *rest = words, *word;
    while ((word = strsep(&rest, ","))) {
        bool all = !strcmp(word, "all");
        for (size_t i = 0; all && i < report->finding_count; i++)
            if (selection_fits(&reporting->selection, &report->findings[i], reporting->directory))
                count = add_once(meant, count, &report->findings[i]);
        if (*word && !all)
            count = add_once(meant, count, find(report, word));
    }
    free(words);
    return count;
}

static bool is_suppressed(struct reporting *reporting, const struct finding *finding)
{
    return reporting->loaded_suppressions &&
           suppressions_match(reporting->loaded_suppressions, finding);
}

/* A last line without its end would swallow the first entry. */
static void end_last_line(FILE *file)
{
    if (fseek(file, -1, SEEK_END) == 0 && fgetc(file) != '\n') {
        fseek(file, 0, SEEK_END);
        fputc('\n', file);
    }
    fseek(file, 0, SEEK_END);
}

int suppress_findings(struct reporting *reporting, struct report *report, const char *ids)
{
    report->directory = reporting->directory;
    report_settle(report);
    filter_ignored(report, false);
    if (reporting->loaded_baseline)
        filter_known(report, reporting->loaded_baseline);
    const char *path = reporting->suppressions;
    const struct finding **meant = checked_malloc((report->finding_count + 1) * sizeof *meant);
    size_t count = list_meant(reporting, report, ids, meant), written = 0;
    FILE *out = path ? fopen(path, "r+") : stdout;
    if (!out)
        fail(EXIT_USAGE, "cannot write %s: %s", path, strerror(errno));
    if (path)
        end_last_line(out);
    for (size_t i = 0; i < count; i++) {
        if (is_suppressed(reporting, meant[i]))
            continue;
        write_entry(out, report, meant[i]);
        written++;
    }
    if (fflush(out) != 0 || ferror(out) || (path && fclose(out) != 0))
        fail(EXIT_INTERNAL, "cannot write %s: %s", path ? path : "to standard output",
             strerror(errno));
    if (path && !reporting->quiet)
        printf("regatta: %zu finding%s added to %s\n", written, written == 1 ? "" : "s", path);
    free(meant);
    return 0;
}
