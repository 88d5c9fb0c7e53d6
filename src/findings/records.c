#include "records.h"
#include "json.h"
#include "limits.h"
#include "progress.h"
#include "site_tables.h"
#include "sentences.h"
#include "chronicle.h"
#include "declarations.h"
#include "variables.h"
#include "waiting.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <uthash.h>

enum { RECORD_FORMAT = 2, RANKS_MOST = 1 << 24 };

/* ---- one file per process ---------------------------------------------------------------------
 */

/* A finding and the lines of its record that are needed once all files were read. */
struct pending {
    size_t finding; /* in the report */
    int64_t key;
    json_t *record;
};

/* The records of one process. */
struct source {
    struct report *report;
    char *path;
    const char *name;
    bool readable, has_process;
    size_t process; /* in the report */
    struct {
        int64_t world, rank;
    } who;
    struct pending *findings;
    size_t finding_count, finding_capacity;
    unsigned unreadable;
    json_t *recent; /* its last calls: the records of that type */
    struct site_table *sites;
    UT_hash_handle hh; /* by who */
};

static bool int_between(const json_t *record, const char *name, int64_t low, int64_t high,
                        int *value)
{
    const json_t *number = json_object_get(record, name);
    int64_t found = json_integer_value(number);
    if (!json_is_integer(number) || found < low || found > high)
        return false;
    *value = (int)found;
    return true;
}

static void read_process(struct source *source, const json_t *record)
{
    struct report *report = source->report;
    int rank, ranks;
    if (source->has_process)
        return;
    if (!int_between(record, "ranks", 1, RANKS_MOST, &ranks) ||
        !int_between(record, "rank", 0, ranks - 1, &rank)) {
        source->unreadable++;
        return;
    }
    source->has_process = true;
    source->process = report->process_count;
    source->who.rank = rank;
    struct process *process = report_add_process(report);
    process->rank = rank;
    process->ranks = ranks;
    process->pid = (long)json_integer_value(json_object_get(record, "pid"));
    process->host = json_plain_text(report, json_object_get(record, "host"));
    if (ranks > report->ranks)
        report->ranks = ranks;
    if (!report->mpi)
        report->mpi = json_plain_text(report, json_object_get(record, "mpi"));
    if (!report->program)
        report->program = json_plain_text(report, json_object_get(record, "program"));
}

/* Processes that may name each other's sites. A directory may hold the records of several runs. */
static void read_world(struct source *source, const json_t *record)
{
    const char *name = json_plain_text(source->report, json_object_get(record, "name"));
    source->who.world = (int64_t)(uintptr_t)name; /* the report has each text once */
}

static void read_finding(struct source *source, const json_t *record)
{
    struct finding *finding = json_read_finding(source->report, record);
    if (!finding) {
        source->unreadable++;
        return;
    }
    source->findings = checked_grow(source->findings, source->finding_count,
                                    &source->finding_capacity, sizeof *source->findings);
    source->findings[source->finding_count++] = (struct pending){
        source->report->finding_count - 1, json_integer_value(json_object_get(record, "key")),
        json_incref((json_t *)record)};
}

/* Counts follow their finding closely, so the search goes backwards. */
static void read_count(struct source *source, const json_t *record)
{
    int64_t key = json_integer_value(json_object_get(record, "key"));
    int64_t count = json_integer_value(json_object_get(record, "count"));
    for (size_t i = source->finding_count; i-- > 0;) {
        if (source->findings[i].key == key && count > 0) {
            source->report->findings[source->findings[i].finding].count = (uint64_t)count;
            return;
        }
    }
}

static void read_note(struct source *source, const json_t *record)
{
    const char *text = json_plain_text(source->report, json_object_get(record, "text"));
    if (text)
        report_note(source->report, text);
}

/* A process may say the same more than once, e.g. of each library: it counts once. */
static void read_limit(struct source *source, const json_t *record)
{
    struct report *report = source->report;
    const char *kind = json_plain_text(report, json_object_get(record, "kind"));
    const char *what = json_plain_text(report, json_object_get(record, "what"));
    const char *why = json_plain_text(report, json_object_get(record, "why"));
    if (!kind || !what || !why) {
        source->unreadable++;
        return;
    }
    struct limit *limit = report_limit(report, kind, what, why);
    size_t teller = report->process_count; /* the newest process is this one */
    limit->ranks += limit->told_by != teller;
    limit->told_by = teller;
}

static void read_recent(struct source *source, const json_t *record)
{
    if (!source->recent)
        source->recent = json_array();
    json_array_append(source->recent, (json_t *)record);
}

static void read_end(struct source *source, const json_t *record)
{
    static const struct {
        const char *state;
        enum ending ending;
    } endings[] = {
        {"finalized", ENDED_FINALIZED}, {"aborted", ENDED_ABORTED}, {"exited", ENDED_EXITED}};
    const char *state = json_string_value(json_object_get(record, "state"));
    for (size_t i = 0; source->has_process && state && i < sizeof endings / sizeof endings[0]; i++)
        if (!strcmp(state, endings[i].state))
            source->report->processes[source->process].ending = endings[i].ending;
}

static void read_line(struct source *source, const char *line, size_t length)
{
    static const struct {
        const char *type;
        void (*read)(struct source *, const json_t *);
    } types[] = {
        {"process", read_process}, {"world", read_world},   {"finding", read_finding},
        {"count", read_count},     {"limit", read_limit},   {"note", read_note},
        {"end", read_end},         {"recent", read_recent},
    };
    json_t *record = json_loadb(line, length, 0, NULL);
    const char *type = json_string_value(json_object_get(record, "type"));
    if (!type) /* types that are not known here are read elsewhere, or come from a newer runtime */
        source->unreadable++;
    for (size_t i = 0; type && i < sizeof types / sizeof types[0]; i++)
        if (!strcmp(types[i].type, type))
            types[i].read(source, record);
    json_decref(record);
}

/* 0: not a line of records. */
static int64_t format_of(const char *line, size_t length)
{
    json_t *record = json_loadb(line, length, 0, NULL);
    int64_t format = json_integer_value(json_object_get(record, "format"));
    json_decref(record);
    return format;
}

static void doubt_file(const struct source *source, const char *why)
{
    report_limit(source->report, "records",
                 report_textf(source->report, "records in %s", source->name), why);
}

static void read_lines(struct source *source, FILE *file)
{
    char *line = NULL;
    size_t capacity = 0;
    ssize_t length;
    while ((length = getline(&line, &capacity, file)) > 0) {
        if (line[length - 1] != '\n')
            break; /* still being written, or cut short by the end of the process */
        if (!source->readable) {
            int64_t format = format_of(line, (size_t)length);
            if (format != RECORD_FORMAT) {
                doubt_file(source,
                           format ? "of another version of Regatta" : "they cannot be read");
                break;
            }
        }
        source->readable = true;
        read_line(source, line, (size_t)length);
    }
    free(line);
}

static void read_source(struct source *source)
{
    FILE *file = fopen(source->path, "r");
    if (!file) {
        doubt_file(source, strerror(errno));
        return;
    }
    read_lines(source, file);
    if (source->unreadable)
        report_limit(
            source->report, "records",
            report_textf(source->report, "%u records in %s", source->unreadable, source->name),
            "they could not be read");
    fclose(file);
}

/* ---- findings with the sites of all -----------------------------------------------------------
 */

struct sources {
    struct source *list;
    size_t count;
    struct source *by_rank;
    struct symbols *symbols;
};

/* The records of another rank of the same world. */
static struct source *source_of(struct sources *sources, struct source *own, int64_t rank)
{
    struct source *source = own, wanted = {.who = {own->who.world, rank}};
    if (own->has_process && own->who.rank != rank)
        HASH_FIND(hh, sources->by_rank, &wanted.who, sizeof wanted.who, source);
    return source;
}

static const struct site *site_in(struct sources *sources, struct source *source, int64_t id)
{
    /* Late: what a process names was on disk before it was named. */
    if (!source->sites)
        source->sites = site_table_read(source->report, source->path, sources->symbols);
    return site_table_find(source->sites, id);
}

static const struct site *find_site(struct sources *sources, struct source *own, int64_t rank,
                                    const json_t *id)
{
    struct source *source = json_is_integer(id) ? source_of(sources, own, rank) : NULL;
    return source ? site_in(sources, source, json_integer_value(id)) : NULL;
}

/* Only a line of the program: a place in a library, or in an interpreter, would help nobody. */
static void join_completion(struct sources *sources, struct source *source, struct access *access,
                            const struct site *site)
{
    struct source *origin = site->completed_by ? source_of(sources, source, access->rank) : NULL;
    const struct site *at = origin ? site_in(sources, origin, site->completed_at) : NULL;
    const struct frame *place = at ? stack_place(&at->stack) : NULL;
    if (!place || !place->file || place->line <= 0)
        return;
    access->completed_by = site->completed_by;
    access->completed_at = *place;
}

/* What a process does not know of another one's access, its site tells. */
static void join_access(struct sources *sources, struct source *source, struct access *access,
                        const json_t *side)
{
    access->detail = NULL;
    symbols_resolve(sources->symbols, source->report, &access->stack);
    const struct site *site =
        find_site(sources, source, access->rank, json_object_get(side, "site"));
    if (!site)
        return;
    access->stack = site->stack;
    if (access->epoch)
        join_completion(sources, source, access, site);
    if (access->call) /* its own: it knows all of it */
        return;
    access->call = site->call;
    access->made_by = site->made_by;
    if (access->epoch)
        return;
    access->until = site->until;
    const char *kind =
        access->deed && !strcmp(access->deed, "read") ? site->reads_as : site->writes_as;
    if (kind)
        access->kind = kind;
}

static void join_window(struct sources *sources, struct source *source, struct memory *memory,
                        const json_t *created)
{
    const struct site *site =
        find_site(sources, source, source->who.rank, json_object_get(created, "site"));
    memory->created_by = json_plain_text(source->report, json_object_get(created, "call"));
    if (site)
        memory->created = site->stack;
}

static void read_facts(struct report *report, struct finding *finding, const json_t *record)
{
    static const char *const names[] = {"differ", "missing", "object", "concurrent"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        finding_add_fact(report, finding, names[i],
                         json_plain_text(report, json_object_get(record, names[i])));
    const char *name;
    json_t *number;
    json_object_foreach(json_object_get(record, "numbers"), name, number)
    {
        finding_add_fact(report, finding, report_textf(report, "%s", name),
                         report_textf(report, "%" JSON_INTEGER_FORMAT, json_integer_value(number)));
    }
    if (json_integer_value(json_object_get(record, "polls")))
        finding_add_fact(report, finding, "polls", "1");
}

static void join_finding(struct sources *sources, struct source *source,
                         const struct pending *pending)
{
    struct finding *finding = &source->report->findings[pending->finding];
    const json_t *record = pending->record;
    finding->message = finding->why = finding->fix = NULL;
    join_access(sources, source, &finding->first, json_object_get(record, "first"));
    if (finding->second.present)
        join_access(sources, source, &finding->second, json_object_get(record, "second"));
    join_window(sources, source, &finding->memory,
                json_object_get(json_object_get(record, "memory"), "created"));
    read_facts(source->report, finding, record);
    variables_name(source->report, finding);
    declarations_name(source->report, sources->symbols, finding);
    finding_say(source->report, finding);
}

static void join_sources(struct sources *sources)
{
    for (size_t i = 0; i < sources->count; i++) {
        struct source *source = &sources->list[i], *known = NULL;
        if (source->has_process)
            HASH_FIND(hh, sources->by_rank, &source->who, sizeof source->who, known);
        if (source->has_process && !known)
            HASH_ADD(hh, sources->by_rank, who, sizeof source->who, source);
    }
    for (size_t i = 0; i < sources->count; i++)
        for (size_t k = 0; k < sources->list[i].finding_count; k++) {
            const struct pending *pending = &sources->list[i].findings[k];
            progress_show("put into words: finding", pending->finding,
                          sources->list[i].report->finding_count);
            join_finding(sources, &sources->list[i], pending);
        }
}

/* ---- what happened around findings -------------------------------------------------------------
 */

static const struct stack *site_stack(void *context, size_t process, int64_t id)
{
    struct sources *sources = context;
    const struct site *site = site_in(sources, &sources->list[process], id);
    return site ? &site->stack : NULL;
}

static struct chronicle_side side_in_chronicle(struct sources *sources, struct source *own,
                                               const json_t *record, const char *name)
{
    const json_t *side = json_object_get(record, name);
    const json_t *after = json_object_get(side, "after");
    struct source *source =
        source_of(sources, own, json_integer_value(json_object_get(side, "rank")));
    return (struct chronicle_side){.process = source ? (size_t)(source - sources->list) : SIZE_MAX,
                                   .thread =
                                       (int)json_integer_value(json_object_get(side, "thread")),
                                   .after = after ? json_integer_value(after) - 1 : -1};
}

/* Of two operations of one process the one that was issued first is told first, if that is known.
 */
static void tell_in_turn(struct report *report, struct finding *finding, enum turn turn,
                         struct chronicle_side sides[2])
{
    if (turn == TURN_UNKNOWN || !finding->case_id ||
        strcmp(finding->case_id, case_id(CASE_RMA_PAIR_NOT_COMPLETE)) != 0)
        return;
    if (turn == TURN_SECOND) {
        const struct access first = finding->first;
        const struct chronicle_side side = sides[0];
        finding->first = finding->second;
        finding->second = first;
        sides[0] = sides[1];
        sides[1] = side;
    }
    finding_add_fact(report, finding, "in_turn", "1");
    finding_say(report, finding);
}

static void trace_findings(struct sources *sources, struct source *source,
                           struct chronicle *chronicle)
{
    for (size_t i = 0; i < source->finding_count; i++) {
        const struct pending *pending = &source->findings[i];
        struct finding *finding = &source->report->findings[pending->finding];
        struct chronicle_side sides[2] = {
            side_in_chronicle(sources, source, pending->record, "first"),
            side_in_chronicle(sources, source, pending->record, "second")};
        tell_in_turn(source->report, finding,
                     chronicle_turn(chronicle, finding, sides, site_stack, sources), sides);
        finding->trace = chronicle_trace(chronicle, finding, sides, site_stack, sources);
    }
}

static void trace_sources(struct sources *sources, struct report *report)
{
    struct chronicle *chronicle = chronicle_new(report);
    for (size_t i = 0; i < sources->count; i++) {
        const struct source *source = &sources->list[i];
        for (size_t k = 0; k < json_array_size(source->recent); k++)
            chronicle_add(chronicle, i, (int)source->who.rank, json_array_get(source->recent, k));
    }
    chronicle_connect(chronicle);
    for (size_t i = 0; i < sources->count; i++) {
        progress_show("drew what happened around findings of process", i, sources->count);
        trace_findings(sources, &sources->list[i], chronicle);
    }
    if (report->wants_ring)
        report->ring = chronicle_whole(chronicle, site_stack, sources);
    if (report->draw[0] && !chronicle_draw(chronicle, site_stack, sources))
        report_note(report, report_textf(report,
                                         "--draw: %s and %s are not both among the last "
                                         "calls of the ranks",
                                         report->draw[0], report->draw[1]));
    chronicle_free(chronicle);
}

static void free_sources(struct sources *sources)
{
    HASH_CLEAR(hh, sources->by_rank);
    for (size_t i = 0; i < sources->count; i++) {
        struct source *source = &sources->list[i];
        for (size_t k = 0; k < source->finding_count; k++)
            json_decref(source->findings[k].record);
        json_decref(source->recent);
        free(source->findings);
        free(source->path);
        site_table_free(source->sites);
    }
    free(sources->list);
}

/* ---- a directory -------------------------------------------------------------------------------
 */

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
    struct sources sources = {.symbols = symbols, .count = (size_t)count};
    sources.list = checked_malloc((size_t)count * sizeof *sources.list);
    for (int i = 0; i < count; i++) {
        sources.list[i] = (struct source){
            .report = report,
            .path = checked_printf("%s/%s", directory, entries[i]->d_name),
            .name = report_text(report, entries[i]->d_name),
        };
        progress_show("read the records of process", (size_t)i, sources.count);
        read_source(&sources.list[i]);
        free(entries[i]);
    }
    free(entries);
    join_sources(&sources);
    trace_sources(&sources, report);
    free_sources(&sources);
    progress_clear();
    return true;
}

int64_t records_other_format(const char *directory)
{
    struct dirent **entries;
    int count = scandir(directory, &entries, is_record_file, alphasort);
    int64_t other = 0;
    for (int i = 0; i < count; i++) {
        char *path = checked_printf("%s/%s", directory, entries[i]->d_name), *line = NULL;
        size_t capacity = 0;
        FILE *file = fopen(path, "r");
        ssize_t length = file ? getline(&line, &capacity, file) : -1;
        int64_t format = length > 0 ? format_of(line, (size_t)length) : 0;
        if (format && format != RECORD_FORMAT)
            other = format;
        if (file)
            fclose(file);
        free(line);
        free(path);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    return other;
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
