#include "views.h"
#include "json.h"

#include <string.h>

enum { MOST_READ = 1000 };

/* A copy with room for one more: lists are short, and old copies go with the report. */
static void *longer(struct report *report, const void *list, size_t count, size_t element)
{
    void *copy = obstack_alloc(&report->texts, (count + 1) * element);
    if (count)
        memcpy(copy, list, count * element);
    return copy;
}

void path_add(struct report *report, struct path *path, struct step step)
{
    path->steps = longer(report, path->steps, path->count, sizeof *path->steps);
    path->steps[path->count++] = step;
}

void outcomes_add_row(struct report *report, struct outcomes *outcomes, struct outcome_row row)
{
    outcomes->rows = longer(report, outcomes->rows, outcomes->row_count, sizeof *outcomes->rows);
    outcomes->rows[outcomes->row_count++] = row;
}

void outcomes_add_how(struct report *report, struct outcomes *outcomes, const char *how)
{
    outcomes->how = longer(report, outcomes->how, outcomes->how_count, sizeof *outcomes->how);
    outcomes->how[outcomes->how_count++] = how;
}

void outcomes_add_moved(struct report *report, struct outcomes *outcomes, struct access access)
{
    outcomes->moved =
        longer(report, outcomes->moved, outcomes->moved_count, sizeof *outcomes->moved);
    outcomes->moved[outcomes->moved_count++] = access;
}

/* ---- writing ---- */

static void put(json_t *object, const char *name, const char *text)
{
    if (text)
        json_object_set_new(object, name, json_text(text));
}

static json_t *write_path(const struct path *path)
{
    json_t *steps = json_array();
    for (size_t i = 0; i < path->count; i++) {
        const struct step *step = &path->steps[i];
        json_t *object = json_object();
        put(object, "kind", step->kind);
        put(object, "text", step->text);
        json_put_frame(object, &step->place);
        json_array_append_new(steps, object);
    }
    return steps;
}

static json_t *write_moved(const struct access *access)
{
    json_t *object = json_object();
    const struct frame *place = access_frame(access);
    put(object, "call", access->call);
    json_object_set_new(object, "rank", json_integer(access->rank));
    json_object_set_new(object, "target", json_integer(access->target));
    if (place)
        json_put_frame(object, place);
    return object;
}

static json_t *write_outcomes(const struct outcomes *outcomes)
{
    json_t *rows = json_array(), *how = json_array(), *moved = json_array();
    for (size_t i = 0; i < outcomes->row_count; i++) {
        json_t *row = json_object();
        put(row, "what", outcomes->rows[i].what);
        put(row, "usual", outcomes->rows[i].usual);
        put(row, "here", outcomes->rows[i].here);
        json_array_append_new(rows, row);
    }
    for (size_t i = 0; i < outcomes->how_count; i++)
        json_array_append_new(how, json_text(outcomes->how[i]));
    for (size_t i = 0; i < outcomes->moved_count; i++)
        json_array_append_new(moved, write_moved(&outcomes->moved[i]));
    return json_pack("{s:o, s:o, s:o}", "rows", rows, "how", how, "moved", moved);
}

void views_put_json(json_t *object, const struct finding *finding)
{
    if (finding->path)
        json_object_set_new(object, "path", write_path(finding->path));
    if (finding->outcomes)
        json_object_set_new(object, "outcomes", write_outcomes(finding->outcomes));
}

/* ---- reading ---- */

static const char *text_of(struct report *report, const json_t *object, const char *name)
{
    const char *text = json_plain_text(report, json_object_get(object, name));
    return text ? text : "";
}

static int number_of(const json_t *object, const char *name)
{
    json_int_t number = json_integer_value(json_object_get(object, name));
    return number >= 0 && number <= INT32_MAX ? (int)number : 0;
}

static size_t length_of(const json_t *array)
{
    return json_array_size(array) < MOST_READ ? json_array_size(array) : MOST_READ;
}

static struct frame place_of(struct report *report, const json_t *object)
{
    struct stack stack = json_read_stack(report, object);
    return stack.depth ? stack.frames[0] : (struct frame){0};
}

static struct path *read_path(struct report *report, const json_t *steps)
{
    struct path *path = obstack_alloc(&report->texts, sizeof *path);
    *path = (struct path){0};
    for (size_t i = 0; i < length_of(steps); i++) {
        const json_t *step = json_array_get(steps, i);
        path_add(report, path,
                 (struct step){.kind = text_of(report, step, "kind"),
                               .text = text_of(report, step, "text"),
                               .place = place_of(report, step)});
    }
    return path;
}

static struct outcomes *read_outcomes(struct report *report, const json_t *object)
{
    const json_t *rows = json_object_get(object, "rows"), *how = json_object_get(object, "how");
    const json_t *moved = json_object_get(object, "moved");
    struct outcomes *outcomes = obstack_alloc(&report->texts, sizeof *outcomes);
    *outcomes = (struct outcomes){0};
    for (size_t i = 0; i < length_of(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        outcomes_add_row(report, outcomes,
                         (struct outcome_row){text_of(report, row, "what"),
                                              text_of(report, row, "usual"),
                                              text_of(report, row, "here")});
    }
    for (size_t i = 0; i < length_of(how); i++) {
        const char *text = json_plain_text(report, json_array_get(how, i));
        if (text)
            outcomes_add_how(report, outcomes, text);
    }
    for (size_t i = 0; i < length_of(moved); i++) {
        const json_t *one = json_array_get(moved, i);
        outcomes_add_moved(report, outcomes,
                           (struct access){.present = true,
                                           .call = text_of(report, one, "call"),
                                           .rank = number_of(one, "rank"),
                                           .target = number_of(one, "target"),
                                           .stack = json_read_stack(report, one)});
    }
    return outcomes;
}

void views_read_json(struct report *report, struct finding *finding, const json_t *object)
{
    const json_t *path = json_object_get(object, "path");
    const json_t *outcomes = json_object_get(object, "outcomes");
    if (json_array_size(path))
        finding->path = read_path(report, path);
    if (json_is_object(outcomes))
        finding->outcomes = read_outcomes(report, outcomes);
}
