#include "waiting_json.h"
#include "json.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* ---- writing ---- */

static void put_text(json_t *object, const char *key, const char *text)
{
    if (text)
        json_object_set_new(object, key, json_string(text) ? json_string(text) : json_string("?"));
}

static json_t *write_ranks(const int *ranks, size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        if (ranks[i] >= 0)
            json_array_append_new(array, json_integer(ranks[i]));
    return array;
}

static json_t *write_stack(const struct stack *stack)
{
    json_t *array = json_array();
    for (size_t i = 0; i < stack->depth; i++) {
        json_t *frame = json_object();
        json_put_frame(frame, &stack->frames[i]);
        json_array_append_new(array, frame);
    }
    return array;
}

static json_t *write_part(struct report *report, const struct wait_part *part)
{
    json_t *object = json_object();
    put_text(object, "deed", part->deed);
    put_text(object, "call", part->call);
    json_object_set_new(object, "ranks", write_ranks(part->ranks, part->rank_count));
    json_object_set_new(object, "all", json_boolean(part->all));
    if (part->tag == WAIT_TAG_ANY)
        json_object_set_new(object, "any_tag", json_true());
    else if (part->tag != WAIT_TAG_NONE)
        json_object_set_new(object, "tag", json_integer(part->tag));
    put_text(object, "group", part->group);
    put_text(object, "words", wait_part_words(report, part));
    const struct frame *made = stack_place(&part->made);
    if (made)
        json_put_frame(object, made);
    return object;
}

static json_t *write_wait(struct report *report, const struct wait *wait)
{
    json_t *object = json_object(), *parts = json_array();
    json_object_set_new(object, "rank", json_integer(wait->rank));
    json_object_set_new(object, "thread", json_integer(wait->thread));
    json_object_set_new(object, "inside", json_boolean(wait->inside));
    json_object_set_new(object, "stuck", json_boolean(wait->stuck));
    json_object_set_new(object, "ended", json_boolean(wait->ended));
    put_text(object, "call", wait->call);
    if (wait->seconds > 0)
        json_object_set_new(object, "seconds", json_real((double)(long)(wait->seconds * 10) / 10));
    const struct frame *place = stack_place(&wait->stack);
    if (place)
        json_put_frame(object, place);
    json_object_set_new(object, "stack", write_stack(&wait->stack));
    for (size_t i = 0; i < wait->part_count; i++)
        json_array_append_new(parts, write_part(report, &wait->parts[i]));
    json_object_set_new(object, "for", parts);
    if (wait->more)
        json_object_set_new(object, "more", json_integer((json_int_t)wait->more));
    return object;
}

static void put_exit(json_t *root, const struct report *report)
{
    const struct death *death = report->death;
    if (report->exit_code < 0)
        return;
    json_t *ending = json_object();
    json_object_set_new(ending, "code", json_integer(report->exit_code));
    if (death) {
        json_t *crash = json_object();
        json_object_set_new(crash, "rank", json_integer(death->rank));
        json_object_set_new(crash, "thread", json_integer(death->thread));
        json_object_set_new(crash, "signal", json_integer(death->signal));
        put_text(crash, "name", strsignal(death->signal));
        put_text(crash, "call", death->call);
        json_object_set_new(crash, "stack", write_stack(&death->stack));
        json_object_set_new(ending, "crash", crash);
    }
    json_object_set_new(root, "exit", ending);
}

void waiting_put_json(json_t *root, const struct report *constant)
{
    struct report *report = (struct report *)constant; /* words are made in its memory */
    const struct waiting *waiting = report->waiting;
    put_exit(root, report);
    if (!waiting || !waiting->stopped_by)
        return;
    json_t *object = json_object(), *ranks = json_array();
    put_text(object, "stopped_by", waiting->stopped_by);
    if (waiting->seconds)
        json_object_set_new(object, "seconds", json_integer(waiting->seconds));
    json_object_set_new(object, "cycle", write_ranks(waiting->cycle, waiting->cycle_count));
    if (waiting->cycle_count)
        json_object_set_new(object, "cycle_ends", json_boolean(waiting->cycle_ends));
    for (size_t i = 0; i < waiting->wait_count; i++)
        json_array_append_new(ranks, write_wait(report, &waiting->waits[i]));
    json_object_set_new(object, "ranks", ranks);
    json_object_set_new(root, "waiting", object);
}

/* ---- reading ---- */

static int *read_ranks(struct report *report, const json_t *array, size_t *count)
{
    *count = json_array_size(array);
    int *ranks = obstack_alloc(&report->texts, (*count + 1) * sizeof *ranks);
    for (size_t i = 0; i < *count; i++)
        ranks[i] = (int)json_integer_value(json_array_get(array, i));
    return ranks;
}

static const char *text_of(struct report *report, const json_t *object, const char *key)
{
    return json_plain_text(report, json_object_get(object, key));
}

static struct wait_part read_part(struct report *report, const json_t *object)
{
    const json_t *tag = json_object_get(object, "tag");
    struct wait_part part = {.deed = text_of(report, object, "deed"),
                             .call = text_of(report, object, "call"),
                             .group = text_of(report, object, "group"),
                             .all = json_is_true(json_object_get(object, "all")),
                             .tag = json_is_integer(tag) ? (int)json_integer_value(tag)
                                    : json_is_true(json_object_get(object, "any_tag"))
                                        ? WAIT_TAG_ANY
                                        : WAIT_TAG_NONE,
                             .made = json_read_stack(report, object)};
    part.ranks = read_ranks(report, json_object_get(object, "ranks"), &part.rank_count);
    return part;
}

static struct wait read_wait(struct report *report, const json_t *object)
{
    const json_t *parts = json_object_get(object, "for");
    struct wait wait = {
        .rank = (int)json_integer_value(json_object_get(object, "rank")),
        .thread = (int)json_integer_value(json_object_get(object, "thread")),
        .inside = json_is_true(json_object_get(object, "inside")),
        .stuck = json_is_true(json_object_get(object, "stuck")),
        .ended = json_is_true(json_object_get(object, "ended")),
        .call = text_of(report, object, "call"),
        .seconds = json_number_value(json_object_get(object, "seconds")),
        .more = (size_t)json_integer_value(json_object_get(object, "more")),
        .stack = json_read_stack(report, object),
        .part_count = json_array_size(parts),
    };
    wait.parts = obstack_alloc(&report->texts, (wait.part_count + 1) * sizeof *wait.parts);
    for (size_t i = 0; i < wait.part_count; i++)
        wait.parts[i] = read_part(report, json_array_get(parts, i));
    return wait;
}

static void read_exit(struct report *report, const json_t *ending)
{
    const json_t *code = json_object_get(ending, "code"), *crash = json_object_get(ending, "crash");
    if (json_is_integer(code))
        report->exit_code = (int)json_integer_value(code);
    if (!json_is_object(crash))
        return;
    report->death = obstack_alloc(&report->texts, sizeof *report->death);
    *report->death =
        (struct death){.rank = (int)json_integer_value(json_object_get(crash, "rank")),
                       .thread = (int)json_integer_value(json_object_get(crash, "thread")),
                       .signal = (int)json_integer_value(json_object_get(crash, "signal")),
                       .call = text_of(report, crash, "call"),
                       .stack = json_read_stack(report, crash)};
}

void waiting_read_json(const json_t *root, struct report *report)
{
    const json_t *object = json_object_get(root, "waiting");
    read_exit(report, json_object_get(root, "exit"));
    if (!json_is_object(object) || report->waiting)
        return;
    const json_t *ranks = json_object_get(object, "ranks");
    struct waiting *waiting = obstack_alloc(&report->texts, sizeof *waiting);
    *waiting = (struct waiting){
        .stopped_by = text_of(report, object, "stopped_by"),
        .seconds = (int)json_integer_value(json_object_get(object, "seconds")),
        .cycle_ends = json_is_true(json_object_get(object, "cycle_ends")),
        .wait_count = json_array_size(ranks),
    };
    waiting->cycle = read_ranks(report, json_object_get(object, "cycle"), &waiting->cycle_count);
    waiting->waits =
        obstack_alloc(&report->texts, (waiting->wait_count + 1) * sizeof *waiting->waits);
    for (size_t i = 0; i < waiting->wait_count; i++)
        waiting->waits[i] = read_wait(report, json_array_get(ranks, i));
    report->waiting = waiting;
}
