#include "recent.h"

#include "interpose/record.h"
#include "interpose/site_records.h"
#include "interpose/stacks.h"

struct recent_ring recent;

static const char *const letters[LETTER_KINDS] = {
    [LETTER_MESSAGE] = "message",       [LETTER_RECEIVE] = "message",
    [LETTER_COLLECTIVE] = "collective", [LETTER_POST] = "post",
    [LETTER_COMPLETE] = "complete",
};

void recent_clock(enum recent_kind kind, uint32_t peer, enum letter_kind letter, uint64_t topic,
                  uint64_t number)
{
    struct recent *event = recent_add(kind);
    event->peer = (int32_t)peer;
    event->letter = letter;
    event->topic = topic;
    event->number = number;
}

void recent_access(const void *caller, bool store)
{
    struct recent *last = &recent.events[(recent.next - 1) % RECENT_SIZE];
    if (recent.next && last->kind == RECENT_ACCESS && last->caller == caller)
        return;
    struct recent *event = recent_add(RECENT_ACCESS);
    event->caller = caller;
    event->number = store;
}

void recent_world(void)
{
    recent_add(RECENT_WORLD)->number = ++recent.worlds;
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

static void write_event(struct record *record, uint64_t number, uint64_t site)
{
    const struct recent *event = &recent.events[number % RECENT_SIZE];
    record_object(record, NULL);
    record_number(record, "n", (int64_t)number);
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

void recent_write(void)
{
    uint64_t first = recent.next > RECENT_SIZE ? recent.next - RECENT_SIZE : 0;
    uint64_t sites[RECENT_SIZE];
    if (first < recent.written)
        first = recent.written;
    if (first == recent.next)
        return;
    for (uint64_t i = first; i < recent.next; i++) { /* sites are records of their own */
        const struct recent *event = &recent.events[i % RECENT_SIZE];
        sites[i % RECENT_SIZE] =
            event->kind <= RECENT_ACCESS ? site_recorded(stack_of_address(event->caller)) : 0;
    }
    struct record record;
    record_begin(&record, "recent");
    record_array(&record, "events");
    for (uint64_t i = first; i < recent.next; i++)
        write_event(&record, i, sites[i % RECENT_SIZE]);
    record_array_end(&record);
    record_end(&record);
    recent.written = recent.next;
}
