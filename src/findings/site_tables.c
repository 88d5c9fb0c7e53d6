#include "site_tables.h"

#include "json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

struct known_site {
    int64_t id;
    struct site site;
    bool resolved;
    UT_hash_handle hh;
};

struct site_table {
    struct report *report;
    struct symbols *symbols;
    struct known_site *sites;
};

static struct known_site *find(struct site_table *table, int64_t id)
{
    struct known_site *known;
    HASH_FIND(hh, table->sites, &id, sizeof id, known);
    return known;
}

static void take_text(struct report *report, const char **member, const json_t *record,
                      const char *name)
{
    const char *text = json_plain_text(report, json_object_get(record, name));
    if (text)
        *member = text;
}

/* A site may be told in several lines: what they say adds up. */
static void take_in(struct site_table *table, const json_t *record)
{
    const json_t *number = json_object_get(record, "id");
    if (!json_is_integer(number))
        return;
    struct known_site *known = find(table, json_integer_value(number));
    if (!known) {
        known = checked_malloc(sizeof *known);
        *known = (struct known_site){.id = json_integer_value(number)};
        HASH_ADD(hh, table->sites, id, sizeof known->id, known);
    }
    if (json_object_get(record, "stack") && !known->site.stack.depth)
        known->site.stack = json_read_stack(table->report, record);
    take_text(table->report, &known->site.call, record, "call");
    take_text(table->report, &known->site.made_by, record, "made_by");
    take_text(table->report, &known->site.reads_as, record, "reads_as");
    take_text(table->report, &known->site.writes_as, record, "writes_as");
    take_text(table->report, &known->site.until, record, "until");
    take_text(table->report, &known->site.completed_by, record, "completed_by");
    if (json_is_integer(json_object_get(record, "completed_at")))
        known->site.completed_at = json_integer_value(json_object_get(record, "completed_at"));
}

/* Most lines of a file are something else, and are not parsed: the type comes first in a line. */
static bool is_site(const char *line)
{
    static const char start[] = "{\"type\":\"site\"";
    return !strncmp(line, start, sizeof start - 1);
}

struct site_table *site_table_read(struct report *report, const char *path, struct symbols *symbols)
{
    struct site_table *table = checked_malloc(sizeof *table);
    *table = (struct site_table){.report = report, .symbols = symbols};
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t capacity = 0;
    ssize_t length;
    while (file && (length = getline(&line, &capacity, file)) > 0) {
        if (!is_site(line))
            continue;
        json_t *record = json_loadb(line, (size_t)length, 0, NULL);
        if (record)
            take_in(table, record);
        json_decref(record);
    }
    free(line);
    if (file)
        fclose(file);
    return table;
}

void site_table_free(struct site_table *table)
{
    struct known_site *known, *next;
    if (!table)
        return;
    HASH_ITER(hh, table->sites, known, next)
    {
        HASH_DEL(table->sites, known);
        free(known);
    }
    free(table);
}

const struct site *site_table_find(struct site_table *table, int64_t id)
{
    struct known_site *known = table ? find(table, id) : NULL;
    if (!known)
        return NULL;
    if (!known->resolved)
        symbols_resolve(table->symbols, table->report, &known->site.stack);
    known->resolved = true;
    return &known->site;
}
