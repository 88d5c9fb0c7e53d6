#include "finding_record.h"

#include "record.h"

static const char *const case_ids[CASES] = {
#define CASE(name, id, severity, message, why, fix, first, second) id,
#include "findings/cases.def"
#undef CASE
};

static void record_text(struct record *record, const char *name, const char *text)
{
    if (text)
        record_string(record, name, text);
}

static void record_amount(struct record *record, const char *name, uint64_t amount)
{
    if (amount)
        record_number(record, name, (int64_t)amount);
}

static void record_side(struct record *record, const char *name, const struct side_record *side)
{
    record_object(record, name);
    record_text(record, "kind", side->kind);
    record_text(record, "call", side->call);
    record_text(record, "made_by", side->made_by);
    record_number(record, "rank", side->rank);
    record_number(record, "thread", side->thread);
    record_text(record, "construct", side->construct);
    record_text(record, "access", side->access);
    record_amount(record, "bytes", side->bytes);
    record_text(record, "epoch", side->epoch);
    record_text(record, "until", side->until);
    record_amount(record, "site", side->site);
    record_amount(record, "after", side->after);
    record_object_end(record);
}

static void record_memory(struct record *record, const struct memory_record *memory)
{
    record_object(record, "memory");
    record_string(record, "side", memory->is_window ? "target" : "origin");
    record_number(record, "rank", memory->rank);
    record_text(record, "window", memory->window);
    record_number(record, "offset", (int64_t)memory->offset);
    record_number(record, "bytes", (int64_t)memory->bytes);
    if (memory->created) {
        record_object(record, "created");
        record_text(record, "call", memory->created_by);
        record_number(record, "site", (int64_t)memory->created);
        record_object_end(record);
    }
    record_object_end(record);
}

void finding_record_write(const struct finding_record *finding)
{
    struct record record;
    record_begin(&record, "finding");
    record_number(&record, "key", finding->key);
    record_string(&record, "rule", finding->rule);
    record_string(&record, "case", case_ids[finding->which]);
    record_text(&record, "severity", finding->severity);
    record_side(&record, "first", &finding->first);
    if (finding->has_second)
        record_side(&record, "second", &finding->second);
    if (finding->has_memory)
        record_memory(&record, &finding->memory);
    record_text(&record, "missing", finding->missing);
    record_text(&record, "differ", finding->differ);
    if (finding->numbers[0].name) {
        record_object(&record, "numbers");
        for (const struct number_record *number = finding->numbers; number->name; number++)
            record_number(&record, number->name, number->value);
        record_object_end(&record);
    }
    record_text(&record, "object", finding->object);
    record_text(&record, "concurrent", finding->concurrent);
    if (finding->polls)
        record_number(&record, "polls", 1);
    record_end(&record);
}
