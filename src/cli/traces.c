#include "traces.h"
#include "findings/json.h"
#include "findings/records.h"
#include "findings/site_tables.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HASH_FUNCTION HASH_JEN
#include <uthash.h>

/* ---- reading ---- */

static int64_t number(const json_t *record, const char *name)
{
    return json_integer_value(json_object_get(record, name));
}

static const char *text(struct trace *trace, const json_t *record, const char *name)
{
    return report_text(trace->report, json_string_value(json_object_get(record, name)));
}

/* One file, with the sites that its lines name. */
struct source {
    struct trace *trace;
    struct symbols *symbols;
    struct site_table *sites;
    int rank;
};

static struct stack stack_of(const struct source *source, const json_t *record)
{
    const json_t *id = json_object_get(record, "site");
    if (json_is_integer(id)) {
        const struct site *site = site_table_find(source->sites, json_integer_value(id));
        return site ? site->stack : (struct stack){0};
    }
    struct stack stack = json_read_stack(source->trace->report, record);
    symbols_resolve(source->symbols, source->trace->report, &stack);
    return stack;
}

/* A place writes again when its range has grown: the last one counts. */
static void read_operation(const struct source *source, const json_t *record)
{
    struct trace *trace = source->trace;
    int rank = source->rank;
    struct traced_operation operation = {.rank = rank,
                                         .target = (int)number(record, "target"),
                                         .call = text(trace, record, "call"),
                                         .window = number(record, "window"),
                                         .low = number(record, "low"),
                                         .high = number(record, "high"),
                                         .stack = stack_of(source, record)};
    const char *site = json_string_value(json_object_get(record, "name"));
    snprintf(operation.site, sizeof operation.site, "%s", site ? site : "");
    for (size_t i = 0; i < trace->operation_count; i++) {
        struct traced_operation *known = &trace->operations[i];
        if (known->rank == rank && known->target == operation.target &&
            known->window == operation.window && !strcmp(known->site, operation.site)) {
            known->low = operation.low;
            known->high = operation.high;
            return;
        }
    }
    trace->operations = checked_grow(trace->operations, trace->operation_count,
                                     &trace->operation_room, sizeof *trace->operations);
    trace->operations[trace->operation_count++] = operation;
}

static void read_print(const struct source *source, const json_t *record)
{
    struct trace *trace = source->trace;
    const json_t *chunks = json_object_get(record, "chunks");
    struct traced_print print = {.rank = source->rank,
                                 .key = text(trace, record, "key"),
                                 .window = text(trace, record, "name"),
                                 .generation = number(record, "generation"),
                                 .hash = number(record, "hash"),
                                 .bytes = number(record, "bytes"),
                                 .chunk = number(record, "chunk"),
                                 .start = number(record, "start"),
                                 .window_id = number(record, "window"),
                                 .is_window = json_object_get(record, "window") != NULL,
                                 .is_shared = json_object_get(record, "shared") != NULL,
                                 .call = text(trace, record, "call"),
                                 .chunk_count = json_array_size(chunks)};
    if (!print.key)
        return;
    if (json_object_get(record, "site"))
        print.stack = stack_of(source, record);
    if (print.chunk_count) {
        print.chunks = checked_malloc(print.chunk_count * sizeof *print.chunks);
        for (size_t i = 0; i < print.chunk_count; i++)
            print.chunks[i] = (uint32_t)json_integer_value(json_array_get(chunks, i));
    }
    trace->prints =
        checked_grow(trace->prints, trace->print_count, &trace->print_room, sizeof *trace->prints);
    trace->prints[trace->print_count++] = print;
}

static void read_place(const struct source *source, const json_t *record)
{
    struct trace *trace = source->trace;
    trace->places =
        checked_grow(trace->places, trace->place_count, &trace->place_room, sizeof *trace->places);
    trace->places[trace->place_count++] =
        (struct traced_place){source->rank, text(trace, record, "state"), stack_of(source, record)};
}

static void read_choice(const struct source *source, const json_t *record)
{
    struct trace *trace = source->trace;
    int64_t generation = number(record, "generation");
    if (trace->first_choice < 0 || generation < trace->first_choice)
        trace->first_choice = generation;
}

static void read_line(struct source *source, const json_t *record)
{
    static const struct {
        const char *type;
        void (*read)(const struct source *, const json_t *);
    } types[] = {{"operation", read_operation},
                 {"fingerprint", read_print},
                 {"choice", read_choice},
                 {"place", read_place}};
    const char *type = json_string_value(json_object_get(record, "type"));
    if (type && !strcmp(type, "process"))
        source->rank = (int)number(record, "rank");
    for (size_t i = 0; type && i < sizeof types / sizeof types[0]; i++)
        if (!strcmp(type, types[i].type))
            types[i].read(source, record);
}

static void read_file(struct trace *trace, const char *path, struct symbols *symbols)
{
    struct source source = {.trace = trace,
                            .symbols = symbols,
                            .sites = site_table_read(trace->report, path, symbols),
                            .rank = -1};
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    while (file && (length = getline(&line, &room, file)) > 0) {
        json_t *record = json_loadb(line, (size_t)length, 0, NULL);
        read_line(&source, record);
        json_decref(record);
    }
    free(line);
    site_table_free(source.sites);
    if (file)
        fclose(file);
}

struct trace *trace_read(const char *directory, struct symbols *symbols)
{
    struct trace *trace = checked_malloc(sizeof *trace);
    struct dirent **entries;
    *trace = (struct trace){.report = report_new("stress"), .first_choice = -1};
    records_read(trace->report, directory, symbols);
    int count = scandir(directory, &entries, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        if (strstr(entries[i]->d_name, ".records")) {
            char *path = checked_printf("%s/%s", directory, entries[i]->d_name);
            read_file(trace, path, symbols);
            free(path);
        }
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    return trace;
}

void trace_free(struct trace *trace)
{
    if (!trace)
        return;
    for (size_t i = 0; i < trace->print_count; i++)
        free(trace->prints[i].chunks);
    free(trace->operations);
    free(trace->prints);
    free(trace->places);
    report_free(trace->report);
    free(trace);
}

/* ---- comparing ---- */

struct by_key {
    UT_hash_handle hh;
    char *name; /* rank and key */
    const struct traced_print *print;
};

static struct by_key *find_print(struct by_key *table, const struct traced_print *print)
{
    struct by_key *found;
    char *name = checked_printf("%d %s", print->rank, print->key);
    HASH_FIND_STR(table, name, found);
    free(name);
    return found;
}

static struct by_key *index_prints(const struct trace *trace)
{
    struct by_key *table = NULL;
    for (size_t i = 0; trace && i < trace->print_count; i++) {
        struct by_key *entry = checked_malloc(sizeof *entry);
        entry->name = checked_printf("%d %s", trace->prints[i].rank, trace->prints[i].key);
        entry->print = &trace->prints[i];
        HASH_ADD_KEYPTR(hh, table, entry->name, strlen(entry->name), entry);
    }
    return table;
}

static void index_free(struct by_key *table)
{
    struct by_key *entry, *next;
    HASH_ITER(hh, table, entry, next)
    {
        HASH_DEL(table, entry);
        free(entry->name);
        free(entry);
    }
}

static bool is_ignored(const struct traced_print *print, const char *const *ignored)
{
    for (; print->is_window && print->window && ignored && *ignored; ignored++)
        if (!strcmp(*ignored, print->window))
            return true;
    return false;
}

/* All plain runs, each by key. */
struct plain_prints {
    struct by_key *tables[PLAIN_MOST];
    int count;
};

static struct plain_prints index_plain(struct trace *const *plain, int count)
{
    struct plain_prints prints = {.count = count};
    for (int i = 0; i < count; i++)
        prints.tables[i] = index_prints(plain[i]);
    return prints;
}

static void plain_free(struct plain_prints *prints)
{
    for (int i = 0; i < prints->count; i++)
        index_free(prints->tables[i]);
}

/* How the plain runs' prints of this key compare with each other; `was` is the first run's, `among`
 * whether one is as here. */
static enum steadiness compare_plain(const struct plain_prints *plain,
                                     const struct traced_print *print,
                                     const struct traced_print **was, bool *among)
{
    int64_t hashes[PLAIN_MOST];
    int distinct = 0;
    *among = false;
    for (int i = 0; i < plain->count; i++) {
        struct by_key *entry = find_print(plain->tables[i], print);
        if (!entry)
            return ERRATIC;
        if (i == 0)
            *was = entry->print;
        *among |= entry->print->hash == print->hash;
        int j = 0;
        while (j < distinct && hashes[j] != entry->print->hash)
            j++;
        hashes[j] = entry->print->hash;
        distinct += j == distinct;
    }
    return steadiness_of(distinct, plain->count);
}

/* Windows tell more than what was read from them. */
static bool comes_before(const struct traced_print *print, const struct traced_print *other)
{
    return !other || print->generation < other->generation ||
           (print->generation == other->generation && print->is_window && !other->is_window);
}

const struct traced_print *trace_difference(struct trace *const *plain, int count,
                                            const struct trace *run, const char *const *ignored,
                                            const struct traced_print **before, bool *varies)
{
    struct plain_prints known = index_plain(plain, count);
    const struct traced_print *first = NULL, *was = NULL;
    bool among;
    for (size_t i = 0; i < run->print_count; i++) {
        const struct traced_print *print = &run->prints[i];
        enum steadiness steadiness = compare_plain(&known, print, &was, &among);
        if (steadiness == ERRATIC || among || is_ignored(print, ignored) ||
            !comes_before(print, first))
            continue;
        first = print;
        *before = was;
        *varies = steadiness == REPEATS;
    }
    plain_free(&known);
    return first;
}

const struct traced_print *trace_variation(struct trace *const *plain, int count,
                                           const char *const *ignored,
                                           const struct traced_print **before)
{
    struct plain_prints known = index_plain(plain, count);
    const struct traced_print *first = NULL, *was = NULL;
    bool among;
    for (int run = 1; run < count; run++) {
        for (size_t i = 0; i < plain[run]->print_count; i++) {
            const struct traced_print *print = &plain[run]->prints[i];
            if (compare_plain(&known, print, &was, &among) != REPEATS || was->hash == print->hash ||
                is_ignored(print, ignored) || !comes_before(print, first))
                continue;
            first = print;
            *before = was;
        }
    }
    plain_free(&known);
    return first;
}
