#include "chronicle_parts.h"
#include "json.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

/* A clock on its way, by all that both ends know of it. */
struct parcel {
    char *key;
    struct position at;
    UT_hash_handle hh;
};

struct counter {
    char *key;
    unsigned count;
    UT_hash_handle hh;
};

struct chronicle *chronicle_new(struct report *report)
{
    struct chronicle *chronicle = checked_malloc(sizeof *chronicle);
    *chronicle = (struct chronicle){.report = report};
    return chronicle;
}

void chronicle_free(struct chronicle *chronicle)
{
    for (size_t i = 0; i < chronicle->count; i++)
        free(chronicle->lines[i].nodes);
    free(chronicle->lines);
    free(chronicle->progresses);
    free(chronicle->hearings);
    free(chronicle->clocks);
    free(chronicle->links);
    free(chronicle);
}

/* ---- reading --------------------------------------------------------------------------------- */

static struct line *line_of(struct chronicle *chronicle, size_t process, int rank, int thread)
{
    for (size_t i = 0; i < chronicle->count; i++)
        if (chronicle->lines[i].process == process && chronicle->lines[i].thread == thread)
            return &chronicle->lines[i];
    chronicle->lines = checked_grow(chronicle->lines, chronicle->count, &chronicle->capacity,
                                    sizeof *chronicle->lines);
    struct line *line = &chronicle->lines[chronicle->count++];
    *line = (struct line){.process = process, .rank = rank, .thread = thread};
    return line;
}

static int64_t number_of(const json_t *object, const char *name)
{
    return json_integer_value(json_object_get(object, name));
}

/* Takes note of an event; how often there were some missing so far. */
static unsigned count_gaps(struct chronicle *chronicle, size_t process, int64_t n)
{
    struct progress *progress = NULL;
    for (size_t i = 0; !progress && i < chronicle->progress_count; i++)
        if (chronicle->progresses[i].process == process)
            progress = &chronicle->progresses[i];
    if (!progress) {
        chronicle->progresses =
            checked_grow(chronicle->progresses, chronicle->progress_count,
                         &chronicle->progress_capacity, sizeof *chronicle->progresses);
        progress = &chronicle->progresses[chronicle->progress_count++];
        *progress = (struct progress){.process = process};
    }
    progress->gaps += n != progress->next;
    progress->next = n + 1;
    return progress->gaps;
}

static void add_hearing(struct chronicle *chronicle, const struct line *line, const json_t *event)
{
    if (!line->count)
        return;
    chronicle->hearings = checked_grow(chronicle->hearings, chronicle->hearing_count,
                                       &chronicle->hearing_capacity, sizeof *chronicle->hearings);
    chronicle->hearings[chronicle->hearing_count++] = (struct hearing){
        {(size_t)(line - chronicle->lines), line->count - 1}, number_of(event, "heard")};
}

static void add_clock(struct chronicle *chronicle, const struct line *line, const json_t *event,
                      bool counts)
{
    bool sent = json_is_string(json_object_get(event, "sent"));
    const char *kind =
        json_plain_text(chronicle->report, json_object_get(event, sent ? "sent" : "learnt"));
    if (!kind || !line->count)
        return;
    chronicle->clocks = checked_grow(chronicle->clocks, chronicle->clock_count,
                                     &chronicle->clock_capacity, sizeof *chronicle->clocks);
    chronicle->clocks[chronicle->clock_count++] = (struct clock_event){
        .sent = sent,
        .at = {(size_t)(line - chronicle->lines), line->count - 1},
        .peer = (int)number_of(event, "peer"),
        .kind = kind,
        .topic = number_of(event, "topic"),
        .number = number_of(event, "number"),
        .counts = counts,
    };
}

void chronicle_add(struct chronicle *chronicle, size_t process, int rank, const json_t *record)
{
    const json_t *events = json_object_get(record, "events");
    for (size_t i = 0; i < json_array_size(events); i++) {
        const json_t *event = json_array_get(events, i);
        const char *call = json_plain_text(chronicle->report, json_object_get(event, "call"));
        struct line *line = line_of(chronicle, process, rank, (int)number_of(event, "thread"));
        unsigned gaps = count_gaps(chronicle, process, number_of(event, "n"));
        if (call) {
            line->nodes =
                checked_grow(line->nodes, line->count, &line->capacity, sizeof *line->nodes);
            line->nodes[line->count++] = (struct node){
                .n = number_of(event, "n"),
                .site = number_of(event, "site"),
                .window = number_of(event, "window"),
                .call = call,
                .gaps = gaps,
            };
        } else if (json_object_get(event, "world")) {
            if (line->count)
                line->nodes[line->count - 1].world = number_of(event, "world");
        } else if (json_object_get(event, "heard")) {
            add_hearing(chronicle, line, event);
        } else {
            add_clock(chronicle, line, event, !gaps);
        }
    }
}

/* ---- who learnt from whom ---- */

static unsigned count_up(struct counter **counters, const char *key)
{
    struct counter *counter;
    HASH_FIND_STR(*counters, key, counter);
    if (!counter) {
        counter = checked_malloc(sizeof *counter);
        *counter = (struct counter){.key = checked_strdup(key)};
        HASH_ADD_KEYPTR(hh, *counters, counter->key, strlen(counter->key), counter);
    }
    return ++counter->count;
}

static void free_counters(struct counter *counters)
{
    struct counter *counter, *next;
    HASH_ITER(hh, counters, counter, next)
    {
        HASH_DEL(counters, counter);
        free(counter->key);
        free(counter);
    }
}

/* Clocks of one topic arrive in the order in which they were sent. Those that are numbered are
 * known by their numbers; the others are counted, which needs all of them from the beginning. */
static char *parcel_key(struct chronicle *chronicle, struct counter **counters,
                        const struct clock_event *clock)
{
    const struct line *line = &chronicle->lines[clock->at.line];
    int from = clock->sent ? line->rank : clock->peer, to = clock->sent ? clock->peer : line->rank;
    char *key = checked_printf("%d>%d %s %" PRId64 " %" PRId64, from, to, clock->kind, clock->topic,
                               clock->number);
    if (!clock->number && !clock->counts) {
        free(key);
        return NULL;
    }
    unsigned which = count_up(counters, key);
    char *whole = checked_printf("%s #%u", key, which);
    free(key);
    return whole;
}

static void add_link(struct chronicle *chronicle, struct position from, struct position to,
                     const char *kind)
{
    chronicle->links = checked_grow(chronicle->links, chronicle->link_count,
                                    &chronicle->link_capacity, sizeof *chronicle->links);
    chronicle->links[chronicle->link_count++] = (struct link){from, to, kind};
}

static void connect_threads(struct chronicle *chronicle)
{
    for (size_t i = 0; i < chronicle->hearing_count; i++) {
        const struct hearing *hearing = &chronicle->hearings[i];
        size_t process = chronicle->lines[hearing->at.line].process;
        for (size_t l = 0; l < chronicle->count; l++)
            for (size_t k = 0;
                 chronicle->lines[l].process == process && k < chronicle->lines[l].count; k++)
                if (chronicle->lines[l].nodes[k].n == hearing->n)
                    add_link(chronicle, (struct position){l, k}, hearing->at, "thread");
    }
}

void chronicle_connect(struct chronicle *chronicle)
{
    struct counter *sent = NULL, *learnt = NULL;
    struct parcel *parcels = NULL, *parcel, *next;
    for (size_t i = 0; i < chronicle->clock_count; i++) {
        char *key =
            chronicle->clocks[i].sent ? parcel_key(chronicle, &sent, &chronicle->clocks[i]) : NULL;
        if (!key)
            continue;
        parcel = checked_malloc(sizeof *parcel);
        *parcel = (struct parcel){.key = key, .at = chronicle->clocks[i].at};
        HASH_ADD_KEYPTR(hh, parcels, parcel->key, strlen(parcel->key), parcel);
    }
    for (size_t i = 0; i < chronicle->clock_count; i++) {
        const struct clock_event *clock = &chronicle->clocks[i];
        char *key = clock->sent ? NULL : parcel_key(chronicle, &learnt, clock);
        if (!key)
            continue;
        HASH_FIND_STR(parcels, key, parcel);
        if (parcel)
            add_link(chronicle, parcel->at, clock->at, clock->kind);
        free(key);
    }
    HASH_ITER(hh, parcels, parcel, next)
    {
        HASH_DEL(parcels, parcel);
        free(parcel->key);
        free(parcel);
    }
    free_counters(sent);
    free_counters(learnt);
    connect_threads(chronicle);
}
