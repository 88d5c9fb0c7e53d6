#include "recent.h"

#include <stdlib.h>

#include "interpose/record.h"
#include "interpose/site_records.h"
#include "interpose/stacks.h"

static struct recent_ring first;
struct recent_rings recent = {.rings = {&first}};

/* Without memory the first one does for all. */
struct recent_ring *recent_make_ring(uint32_t thread)
{
    struct recent_ring *ring = calloc(1, sizeof *ring);
    recent.rings[thread % RECENT_RINGS] = ring ? ring : &first;
    return recent.rings[thread % RECENT_RINGS];
}

/* The last event of another ring that happened before what this thread does now; NULL: none beyond
 * what was known. How far back it is looked for bounds the cost: what is older was mostly heard of
 * by way of somebody else. */
static const struct recent *last_known(const struct recent_ring *other, uint64_t heard)
{
    enum { LOOKED_AT = 8 };
    uint64_t looked = 0;
    for (uint64_t i = other->next; i-- > 0 && looked < LOOKED_AT; looked++) {
        const struct recent *event = &other->events[i % RECENT_SIZE];
        if (event->n < heard)
            return NULL;
        if (event->kind <= RECENT_ACCESS && actor_knows(event->moment))
            return event;
    }
    return NULL;
}

void recent_place(struct recent_ring *ring, struct recent *event)
{
    uint32_t thread = event->thread;
    event->moment = actor_moment();
    for (uint32_t i = 0; i < RECENT_RINGS; i++) {
        const struct recent_ring *other = recent.rings[i];
        const struct recent *known =
            other && other != ring ? last_known(other, ring->heard[i]) : NULL;
        if (!known)
            continue;
        ring->heard[i] = known->n + 1;
        struct recent *heard = recent_add(ring, thread, RECENT_HEARD);
        heard->peer = (int32_t)known->thread;
        heard->number = known->n;
    }
}

static const char *const letters[LETTER_KINDS] = {
    [LETTER_MESSAGE] = "message",       [LETTER_RECEIVE] = "message",
    [LETTER_COLLECTIVE] = "collective", [LETTER_POST] = "post",
    [LETTER_COMPLETE] = "complete",
};

void recent_clock(enum recent_kind kind, uint32_t peer, enum letter_kind letter, uint64_t topic,
                  uint64_t number)
{
    uint32_t thread = recent_thread();
    struct recent *event = recent_add(recent_ring(thread), thread, kind);
    event->peer = (int32_t)peer;
    event->letter = letter;
    event->topic = topic;
    event->number = number;
}

void recent_access(const void *caller, bool store)
{
    uint32_t thread = recent_thread();
    struct recent_ring *ring = recent_ring(thread);
    const struct recent *last = &ring->events[(ring->next - 1) % RECENT_SIZE];
    if (ring->next && last->kind == RECENT_ACCESS && last->caller == caller &&
        last->thread == thread)
        return;
    struct recent *event = recent_add(ring, thread, RECENT_ACCESS);
    event->caller = caller;
    event->number = store;
    event->moment = (struct moment){0};
    if (actors_are_watched())
        recent_place(ring, event);
}

void recent_world(void)
{
    uint32_t thread = recent_thread();
    recent_add(recent_ring(thread), thread, RECENT_WORLD)->number = ++recent.worlds;
}

static void write_call(struct record *record, const struct recent *event, uint64_t site)
{
    record_string(record, "call", event->routine->name);
    record_number(record, "site", (int64_t)site);
    if (event->peer >= 0)
        record_number(record, "target", event->peer);
    if (event->topic)
        record_number(record, "window",
                      (int64_t)((event->topic ^ event->topic >> 32) & UINT32_MAX));
}

static void write_clock(struct record *record, const struct recent *event, const char *name)
{
    record_string(record, name, letters[event->letter] ? letters[event->letter] : "message");
    record_number(record, "peer", event->peer);
    record_number(record, "topic", (int64_t)(event->topic & INT64_MAX));
    record_number(record, "number", (int64_t)event->number);
}

static void write_event(struct record *record, const struct recent *event, uint64_t site)
{
    record_object(record, NULL);
    record_number(record, "n", (int64_t)event->n);
    if (event->thread)
        record_number(record, "thread", event->thread);
    if (event->kind == RECENT_HEARD)
        record_number(record, "heard", (int64_t)event->number);
    if (event->kind == RECENT_CALL) {
        write_call(record, event, site);
    } else if (event->kind == RECENT_ACCESS) {
        record_string(record, "call", event->number ? "store" : "load");
        record_number(record, "site", (int64_t)site);
    }
    if (event->kind == RECENT_WORLD)
        record_number(record, "world", (int64_t)event->number);
    if (event->kind == RECENT_SENT || event->kind == RECENT_LEARNT)
        write_clock(record, event, event->kind == RECENT_SENT ? "sent" : "learnt");
    record_object_end(record);
}

static int by_number(const void *a, const void *b)
{
    uint64_t left = (*(const struct recent *const *)a)->n;
    uint64_t right = (*(const struct recent *const *)b)->n;
    return left < right ? -1 : left > right;
}

/* The events of all rings that are not in the records yet, in the order of their numbers; the array
 * is allocated. */
static const struct recent **unwritten(size_t *count)
{
    const struct recent **events = malloc(RECENT_RINGS * RECENT_SIZE * sizeof(struct recent *));
    *count = 0;
    for (uint32_t k = 0; events && k < RECENT_RINGS; k++) {
        const struct recent_ring *ring = recent.rings[k];
        if (!ring || (k && ring == &first))
            continue;
        for (uint64_t i = ring->next > RECENT_SIZE ? ring->next - RECENT_SIZE : 0; i < ring->next;
             i++)
            if (ring->events[i % RECENT_SIZE].n >= recent.written)
                events[(*count)++] = &ring->events[i % RECENT_SIZE];
    }
    if (*count)
        qsort(events, *count, sizeof *events, by_number);
    return events;
}

void recent_write(void)
{
    size_t count = 0;
    const struct recent **events = unwritten(&count);
    uint64_t *sites = malloc((count + 1) * sizeof *sites);
    if (!events || !sites || !count) {
        free(events);
        free(sites);
        return;
    }
    for (size_t i = 0; i < count; i++) /* sites are records of their own */
        sites[i] = events[i]->kind <= RECENT_ACCESS
                       ? site_recorded(stack_of_address(events[i]->caller))
                       : 0;
    struct record record;
    record_begin(&record, "recent");
    record_array(&record, "events");
    for (size_t i = 0; i < count; i++)
        write_event(&record, events[i], sites[i]);
    record_array_end(&record);
    record_end(&record);
    recent.written = recent.next;
    free(events);
    free(sites);
}
