#include "records.h"
#include "json.h"
#include "limits.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { RECORD_FORMAT = 1 };

/* The records of one process while they are read. `keys[i]` is the runtime's number of the i-th
 * finding that this file added to the report. */
struct reader {
    struct report *report;
    struct symbols *symbols;
    const char *name;
    struct process *process; /* NULL until its line was read */
    size_t first_finding;
    int64_t *keys;
    size_t key_count, key_capacity;
    unsigned unreadable;
};

static void read_process(struct reader *reader, const json_t *record)
{
    struct report *report = reader->report;
    if (reader->process)
        return;
    reader->process = report_add_process(report);
    reader->process->rank = (int)json_integer_value(json_object_get(record, "rank"));
    reader->process->ranks = (int)json_integer_value(json_object_get(record, "ranks"));
    reader->process->pid = (long)json_integer_value(json_object_get(record, "pid"));
    reader->process->host = report_text(report, json_string_value(json_object_get(record, "host")));
    if (reader->process->ranks > report->ranks)
        report->ranks = reader->process->ranks;
    const char *mpi = json_string_value(json_object_get(record, "mpi"));
    if (mpi && !report->mpi)
        report->mpi = report_text(report, mpi);
    const char *program = json_string_value(json_object_get(record, "program"));
    if (program && !report->program)
        report->program = report_text(report, program);
}

static void append(char **text, size_t *length, size_t *capacity, const char *more, size_t count)
{
    if (*length + count + 1 > *capacity) {
        *capacity = 2 * (*length + count + 1);
        *text = checked_realloc(*text, *capacity);
    }
    memcpy(*text + *length, more, count);
    *length += count;
    (*text)[*length] = '\0';
}

/* Puts the names of `places` where `text` says {0}, {1} …; other braces are left as they are. */
static const char *fill_places(struct report *report, const char *text, const char *const *places,
                               size_t place_count)
{
    if (!text || !place_count || !strchr(text, '{'))
        return text;
    char *filled = NULL;
    size_t length = 0, capacity = 0;
    while (*text) {
        size_t plain = strcspn(text, "{");
        append(&filled, &length, &capacity, text, plain);
        text += plain;
        if (!*text)
            break;
        char *end;
        errno = 0;
        unsigned long index = strtoul(text + 1, &end, 10);
        if (end > text + 1 && *end == '}' && index < place_count && !errno) {
            append(&filled, &length, &capacity, places[index], strlen(places[index]));
            text = end + 1;
        } else {
            append(&filled, &length, &capacity, text++, 1);
        }
    }
    const char *kept = report_text(report, filled ? filled : "");
    free(filled);
    return kept;
}

static void name_places(struct reader *reader, struct finding *finding, const json_t *array)
{
    size_t count = json_array_size(array);
    const char **places = checked_malloc(count * sizeof *places);
    for (size_t i = 0; i < count; i++) {
        struct report *report = reader->report;
        struct stack stack = json_read_stack(report, json_array_get(array, i));
        symbols_resolve(reader->symbols, report, &stack);
        places[i] = frame_place(report, stack_place(&stack));
    }
    finding->message = fill_places(reader->report, finding->message, places, count);
    finding->why = fill_places(reader->report, finding->why, places, count);
    finding->fix = fill_places(reader->report, finding->fix, places, count);
    finding->first.detail = fill_places(reader->report, finding->first.detail, places, count);
    finding->second.detail = fill_places(reader->report, finding->second.detail, places, count);
    free(places);
}

static void read_finding(struct reader *reader, const json_t *record)
{
    struct finding *finding = json_read_finding(reader->report, record);
    if (!finding) {
        reader->unreadable++;
        return;
    }
    reader->keys =
        checked_grow(reader->keys, reader->key_count, &reader->key_capacity, sizeof *reader->keys);
    reader->keys[reader->key_count++] = json_integer_value(json_object_get(record, "key"));
    symbols_resolve(reader->symbols, reader->report, &finding->first.stack);
    symbols_resolve(reader->symbols, reader->report, &finding->second.stack);
    name_places(reader, finding, json_object_get(record, "places"));
}

/* Counts follow their finding closely, so the search goes backwards. */
static void read_count(struct reader *reader, const json_t *record)
{
    int64_t key = json_integer_value(json_object_get(record, "key"));
    int64_t count = json_integer_value(json_object_get(record, "count"));
    for (size_t i = reader->key_count; i-- > 0;) {
        if (reader->keys[i] == key && count > 0) {
            reader->report->findings[reader->first_finding + i].count = (uint64_t)count;
            return;
        }
    }
}

static void read_note(struct reader *reader, const json_t *record)
{
    const char *text = json_string_value(json_object_get(record, "text"));
    if (text)
        report_note(reader->report, text);
}

/* A process may say the same more than once, e.g. of each library: it counts once. */
static void read_limit(struct reader *reader, const json_t *record)
{
    const char *kind = json_string_value(json_object_get(record, "kind"));
    const char *what = json_string_value(json_object_get(record, "what"));
    const char *why = json_string_value(json_object_get(record, "why"));
    if (!kind || !what || !why) {
        reader->unreadable++;
        return;
    }
    struct limit *limit = report_limit(reader->report, kind, what, why);
    size_t teller = reader->report->process_count; /* the newest process is this one */
    limit->ranks += limit->told_by != teller;
    limit->told_by = teller;
}

static void read_end(struct reader *reader, const json_t *record)
{
    const char *state = json_string_value(json_object_get(record, "state"));
    if (!reader->process || !state)
        return;
    if (!strcmp(state, "finalized"))
        reader->process->ending = ENDED_FINALIZED;
    else if (!strcmp(state, "aborted"))
        reader->process->ending = ENDED_ABORTED;
    else if (!strcmp(state, "exited"))
        reader->process->ending = ENDED_EXITED;
}

static void read_line(struct reader *reader, const char *line, size_t length)
{
    static const struct {
        const char *type;
        void (*read)(struct reader *, const json_t *);
    } types[] = {
        {"process", read_process}, {"finding", read_finding}, {"count", read_count},
        {"note", read_note},       {"limit", read_limit},     {"end", read_end},
    };
    json_t *record = json_loadb(line, length, 0, NULL);
    const char *type = json_string_value(json_object_get(record, "type"));
    if (!type) /* records of types that are not known here come from a newer runtime */
        reader->unreadable++;
    for (size_t i = 0; type && i < sizeof types / sizeof types[0]; i++)
        if (!strcmp(types[i].type, type))
            types[i].read(reader, record);
    json_decref(record);
}

static bool format_is_known(struct reader *reader, const char *line, size_t length)
{
    json_t *record = json_loadb(line, length, 0, NULL);
    const json_t *format = json_object_get(record, "format");
    bool known = json_integer_value(format) == RECORD_FORMAT;
    if (!known && record) {
        const char *what = report_textf(reader->report, "records in %s", reader->name);
        report_limit(reader->report, "records", what, "of another version of Regatta");
    }
    json_decref(record);
    return known;
}

static void read_file(struct report *report, const char *path, const char *name,
                      struct symbols *symbols)
{
    struct reader reader = {
        .report = report, .symbols = symbols, .name = name, .first_finding = report->finding_count};
    FILE *file = fopen(path, "r");
    if (!file) {
        const char *what = report_textf(report, "records in %s", name);
        report_limit(report, "records", what, strerror(errno));
        return;
    }
    char *line = NULL;
    size_t capacity = 0;
    ssize_t length;
    bool first = true;
    while ((length = getline(&line, &capacity, file)) > 0) {
        if (line[length - 1] != '\n')
            break; /* still being written, or cut short by the end of the process */
        if (first && !format_is_known(&reader, line, (size_t)length))
            break;
        first = false;
        read_line(&reader, line, (size_t)length);
    }
    if (reader.unreadable)
        report_limit(report, "records",
                     report_textf(report, "%u records in %s", reader.unreadable, name),
                     "they could not be read");
    free(line);
    free(reader.keys);
    fclose(file);
}

static int is_record_file(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);
    return length > 8 && !strcmp(entry->d_name + length - 8, ".records");
}

bool records_read(struct report *report, const char *directory, struct symbols *symbols)
{
    struct dirent **entries;
    int count = scandir(directory, &entries, is_record_file, alphasort);
    if (count < 0)
        return false;
    for (int i = 0; i < count; i++) {
        char *path = checked_printf("%s/%s", directory, entries[i]->d_name);
        read_file(report, path, entries[i]->d_name, symbols);
        free(path);
        free(entries[i]);
    }
    free(entries);
    return true;
}

uint64_t records_size(const char *directory)
{
    struct dirent **entries;
    int count = scandir(directory, &entries, is_record_file, NULL);
    uint64_t size = 0;
    for (int i = 0; i < count; i++) {
        struct stat status;
        char *path = checked_printf("%s/%s", directory, entries[i]->d_name);
        if (stat(path, &status) == 0)
            size += (uint64_t)status.st_size + 1;
        free(path);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    return size;
}

/* ---- how the processes ended ----------------------------------------------------------------- */

static int compare_ints(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

/* "rank 2" or "ranks 0, 4-7". */
static const char *rank_list(struct report *report, int *ranks, size_t count)
{
    qsort(ranks, count, sizeof *ranks, compare_ints);
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
    return kept;
}

static void note_ranks(struct report *report, int *ranks, size_t count, const char *what)
{
    if (count)
        report_note(report, report_textf(report, "%s %s", rank_list(report, ranks, count), what));
}

static void note_silent_ranks(struct report *report)
{
    if (report->ranks <= 0 || report->process_count >= (size_t)report->ranks)
        return;
    bool *seen = checked_malloc((size_t)report->ranks * sizeof *seen);
    int *silent = checked_malloc((size_t)report->ranks * sizeof *silent);
    memset(seen, 0, (size_t)report->ranks * sizeof *seen);
    size_t count = 0;
    for (size_t i = 0; i < report->process_count; i++)
        if (report->processes[i].rank >= 0 && report->processes[i].rank < report->ranks)
            seen[report->processes[i].rank] = true;
    for (int rank = 0; rank < report->ranks; rank++)
        if (!seen[rank])
            silent[count++] = rank;
    if (count)
        report_limit(report, "process", rank_list(report, silent, count), "left no records");
    free(seen);
    free(silent);
}

void records_note_endings(struct report *report)
{
    static const struct {
        enum ending ending;
        const char *what;
    } endings[] = {
        {ENDED_ABORTED, "called MPI_Abort"},
        {ENDED_EXITED, "ended without MPI_Finalize"},
        {ENDED_UNKNOWN, "ended without MPI_Finalize (killed, crashed or _exit)"},
    };
    int *ranks = checked_malloc(report->process_count * sizeof *ranks);
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        size_t count = 0;
        for (size_t j = 0; j < report->process_count; j++)
            if (report->processes[j].ending == endings[i].ending)
                ranks[count++] = report->processes[j].rank;
        note_ranks(report, ranks, count, endings[i].what);
    }
    free(ranks);
    note_silent_ranks(report);
}
