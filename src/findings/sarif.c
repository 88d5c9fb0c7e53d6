#include "sarif.h"
#include "json.h"
#include "limits.h"
#include "rules.h"
#include "sources.h"

#include <ctype.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* What GitHub takes of a file; of a gzipped file it takes 10 MB, which this many stack frames stay
 * below by far (tests/report). */
enum { MOST_RESULTS = 25000, MOST_FRAMES = 200000 };

static void put(json_t *object, const char *key, json_t *value)
{
    json_object_set_new(object, key, value);
}

static json_t *message(const char *text)
{
    json_t *object = json_object();
    put(object, "text", json_text(text));
    return object;
}

/* ---- places ---------------------------------------------------------------------------------- */

/* ../src/halo.c is not below the root of the sources: its whole name. */
static const char *whole_name(struct report *report, const char *file)
{
    const char *directory = report->directory;
    size_t length = directory ? strlen(directory) : 0;
    if (!length || strncmp(file, "../", 3))
        return file;
    for (; !strncmp(file, "../", 3); file += 3)
        while (length && directory[--length] != '/')
            ;
    return report_textf(report, "%.*s/%s", (int)length, directory, file);
}

/* Relative names are below the root of the sources, which the reader knows; others are as they
 * are. */
static json_t *artifact(struct report *report, const char *file)
{
    file = whole_name(report, file);
    static const char plain[] = "-._~/!$&'()*+,;=@";
    json_t *object = json_object();
    struct obstack uri;
    obstack_init(&uri);
    if (file[0] == '/')
        obstack_grow(&uri, "file://", 7);
    for (const unsigned char *c = (const unsigned char *)file; *c; c++) {
        if ((*c < 0x80 && isalnum(*c)) || strchr(plain, *c))
            obstack_1grow(&uri, (char)*c);
        else
            obstack_printf(&uri, "%%%02X", *c);
    }
    obstack_1grow(&uri, '\0');
    put(object, "uri", json_string(obstack_finish(&uri)));
    obstack_free(&uri, NULL);
    if (file[0] != '/')
        put(object, "uriBaseId", json_string("%SRCROOT%"));
    (void)report;
    return object;
}

static json_t *region(struct report *report, const struct frame *frame)
{
    json_t *object = json_object();
    put(object, "startLine", json_integer(frame->line));
    if (frame->column)
        put(object, "startColumn", json_integer(frame->column));
    const char *text = source_line(report, frame->file, frame->line);
    if (text) {
        json_t *snippet = json_object();
        put(snippet, "text", json_text(text));
        put(object, "snippet", snippet);
    }
    return object;
}

/* `id` 0: none. A place without a source line is a logical location: function and module. */
static json_t *location(struct report *report, const struct frame *frame, int id, const char *text)
{
    json_t *object = json_object();
    if (id)
        put(object, "id", json_integer(id));
    if (frame && frame->file && frame->line) {
        json_t *physical = json_object();
        put(physical, "artifactLocation", artifact(report, frame->file));
        put(physical, "region", region(report, frame));
        put(object, "physicalLocation", physical);
    }
    if (frame && (frame->function || frame->module)) {
        json_t *logical = json_object();
        const char *name = frame->function ? frame->function : frame_place(report, frame);
        put(logical, "fullyQualifiedName", json_text(name));
        put(logical, "kind", json_string(frame->function ? "function" : "module"));
        put(object, "logicalLocations", json_pack("[o]", logical));
    }
    if (text)
        put(object, "message", message(text));
    return object;
}

static const char *side_text(struct report *report, const struct access *side)
{
    const char *name = side->call ? side->call : side->kind ? side->kind : "access";
    const char *detail = side->detail ? side->detail : "";
    if (side->rank < 0)
        return report_textf(report, "%s%s%s", name, *detail ? ": " : "", detail);
    return report_textf(report, "rank %d: %s%s%s", side->rank, name, *detail ? " " : "", detail);
}

/* ---- one result ------------------------------------------------------------------------------ */

/* A text that is shown between brackets of a link, or beside one, must not be taken for one. */
static void grow_escaped(struct obstack *out, const char *text)
{
    for (; *text; text++) {
        if (strchr("[]\\", *text))
            obstack_1grow(out, '\\');
        obstack_1grow(out, *text);
    }
}

static void grow_link(struct report *report, struct obstack *out, const struct access *side, int id)
{
    const struct frame *place = access_line(side);
    if (!place)
        return;
    obstack_printf(out, "\n%s: [", side->call ? side->call : side->kind ? side->kind : "access");
    grow_escaped(out, frame_place(report, place));
    obstack_printf(out, "](%d)", id);
    if (side->detail) {
        obstack_1grow(out, ' ');
        grow_escaped(out, side->detail);
    }
}

/* Both places are links to the related locations. */
static json_t *result_message(struct report *report, const struct finding *finding)
{
    struct obstack text;
    obstack_init(&text);
    grow_escaped(&text, finding->message ? finding->message : finding->rule);
    grow_link(report, &text, &finding->first, 1);
    if (finding->second.present)
        grow_link(report, &text, &finding->second, 2);
    if (finding->why) {
        obstack_grow(&text, "\nwhy: ", 6);
        grow_escaped(&text, finding->why);
    }
    if (finding->fix) {
        obstack_grow(&text, "\nfix: ", 6);
        grow_escaped(&text, finding->fix);
    }
    obstack_1grow(&text, '\0');
    json_t *object = message(obstack_finish(&text));
    obstack_free(&text, NULL);
    return object;
}

static json_t *step(json_t *place, const char *importance, int order)
{
    json_t *object = json_object();
    put(object, "location", place);
    put(object, "importance", json_string(importance));
    put(object, "executionOrder", json_integer(order));
    return object;
}

/* One flow with everything: viewers show the first one only. Between the two accesses stands what
 * is missing there, at the place of the first, for it is nowhere. */
static json_t *code_flow(struct report *report, const struct finding *finding)
{
    const struct frame *first = access_line(&finding->first);
    const struct frame *second = access_line(&finding->second);
    json_t *steps = json_array();
    json_array_append_new(
        steps,
        step(location(report, first, 0, side_text(report, &finding->first)), "essential", 1));
    if (finding->why)
        json_array_append_new(steps,
                              step(location(report, first, 0, finding->why), "important", 2));
    if (finding->second.present)
        json_array_append_new(
            steps,
            step(location(report, second, 0, side_text(report, &finding->second)), "essential", 3));
    return json_pack("[{s:[{s:o}]}]", "threadFlows", "locations", steps);
}

static json_t *stack_of(struct report *report, const struct access *side, size_t *frames_left)
{
    json_t *frames = json_array();
    for (size_t i = 0; i < side->stack.depth && *frames_left; i++, (*frames_left)--) {
        json_t *frame = json_object();
        put(frame, "location", location(report, &side->stack.frames[i], 0, NULL));
        json_array_append_new(frames, frame);
    }
    json_t *object = json_object();
    put(object, "message", message(side_text(report, side)));
    put(object, "frames", frames);
    return object;
}

static json_t *result(struct report *report, const struct finding *finding, size_t *frames_left)
{
    const struct access *sides[2] = {&finding->first, &finding->second};
    json_t *object = json_object(), *related = json_array(), *stacks = json_array();
    put(object, "ruleId", json_text(finding->rule));
    if (rule_rank(finding->rule) < rule_count)
        put(object, "ruleIndex", json_integer((json_int_t)rule_rank(finding->rule)));
    put(object, "level", json_string(severity_name(finding->severity)));
    put(object, "message", result_message(report, finding));
    const struct frame *primary = access_line(&finding->first);
    if (!primary)
        primary = access_line(&finding->second);
    put(object, "locations",
        json_pack("[o]",
                  location(report, primary ? primary : access_frame(&finding->first), 0, NULL)));
    for (int i = 0; i < 2 && sides[i]->present; i++) {
        const struct frame *place = access_line(sides[i]);
        if (place)
            json_array_append_new(related,
                                  location(report, place, i + 1, side_text(report, sides[i])));
        json_array_append_new(stacks, stack_of(report, sides[i], frames_left));
    }
    const struct frame *created = stack_place(&finding->memory.created);
    if (created && created->file && created->line)
        json_array_append_new(
            related,
            location(report, created, 3,
                     report_textf(report, "the window is made here%s%s",
                                  finding->memory.created_by ? " by " : "",
                                  finding->memory.created_by ? finding->memory.created_by : "")));
    put(object, "relatedLocations", related);
    put(object, "codeFlows", code_flow(report, finding));
    put(object, "stacks", stacks);
    put(object, "partialFingerprints", json_pack("{s:s}", "regattaFinding/v1", finding->id));
    put(object, "occurrenceCount", json_integer((json_int_t)finding->count));
    return object;
}

/* ---- the log --------------------------------------------------------------------------------- */

/* "local-race" becomes LocalRace. */
static json_t *rule_name(const char *id)
{
    char name[64];
    size_t length = 0;
    bool first = true;
    for (; *id && length + 1 < sizeof name; id++) {
        if (*id != '-')
            name[length++] = first ? (char)toupper((unsigned char)*id) : *id;
        first = *id == '-';
    }
    name[length] = '\0';
    return json_string(name);
}

static json_t *describe_rule(struct report *report, const struct rule *rule)
{
    json_t *object = json_object(), *help = json_object();
    put(object, "id", json_string(rule->id));
    put(object, "name", rule_name(rule->id));
    put(object, "shortDescription", message(rule->title));
    put(object, "fullDescription", message(rule->explanation));
    put(help, "text",
        json_text(report_textf(report, "%s\n\nExample:\n%s\n\nFix: %s", rule->explanation,
                               rule->example, rule->fix)));
    put(help, "markdown",
        json_text(report_textf(report, "%s\n\n```c\n%s\n```\n\n**Fix.** %s", rule->explanation,
                               rule->example, rule->fix)));
    put(object, "help", help);
    put(object, "defaultConfiguration", json_pack("{s:s}", "level", rule->severity));
    put(object, "properties",
        json_pack("{s:[s,s,s], s:s}", "tags", "correctness", "concurrency", "mpi", "precision",
                  "very-high"));
    return object;
}

static json_t *describe_tool(struct report *report)
{
    json_t *list = json_array();
    for (size_t i = 0; i < rule_count; i++)
        json_array_append_new(list, describe_rule(report, &rules[i]));
    return json_pack("{s:{s:s, s:s, s:s, s:o}}", "driver", "name", "Regatta", "version",
                     REGATTA_VERSION, "semanticVersion", REGATTA_VERSION, "rules", list);
}

static void notify(json_t *list, const char *level, const char *text)
{
    json_t *object = json_object();
    put(object, "level", json_string(level));
    put(object, "message", message(text));
    json_array_append_new(list, object);
}

static json_t *invocation(struct report *report)
{
    json_t *notifications = json_array();
    for (size_t i = 0; i < report->note_count; i++)
        notify(notifications, "note", report->notes[i]);
    for (size_t i = 0; i < report->limit_count; i++)
        notify(notifications, "warning",
               report_textf(report, "not looked at: %s (%s)", report->limits[i].what,
                            report->limits[i].why));
    if (report->finding_count > MOST_RESULTS)
        notify(notifications, "warning",
               report_textf(report, "%zu findings are left out: GitHub takes %d",
                            report->finding_count - MOST_RESULTS, MOST_RESULTS));
    return json_pack("[{s:b, s:o}]", "executionSuccessful", 1, "toolExecutionNotifications",
                     notifications);
}

bool sarif_write(struct report *report, FILE *out)
{
    json_t *results = json_array();
    size_t frames_left = MOST_FRAMES;
    for (size_t i = 0; i < report->finding_count && i < MOST_RESULTS; i++)
        json_array_append_new(results, result(report, &report->findings[i], &frames_left));
    json_t *run = json_object();
    put(run, "tool", describe_tool(report));
    put(run, "invocations", invocation(report));
    put(run, "automationDetails", json_pack("{s:s+}", "id", "regatta/", report->mode));
    put(run, "columnKind", json_string("unicodeCodePoints"));
    put(run, "results", results);
    json_t *log =
        json_pack("{s:s, s:s, s:[o]}", "$schema", "https://json.schemastore.org/sarif-2.1.0.json",
                  "version", "2.1.0", "runs", run);
    bool good = json_dumpf(log, out, JSON_INDENT(1)) == 0 && fputc('\n', out) != EOF;
    json_decref(log);
    return good && fflush(out) == 0;
}
