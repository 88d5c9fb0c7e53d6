#include "json.h"
#include "causes.h"
#include "limits.h"
#include "plain.h"
#include "rules.h"
#include "sentences.h"
#include "sources.h"
#include "suggestions.h"
#include "trace_json.h"
#include "views.h"
#include "waiting_json.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading --------------------------------------------------------------------------------- */

const char *json_plain_text(struct report *report, const json_t *value)
{
    const char *text = json_string_value(value);
    if (!text)
        return NULL;
    const char *odd = text;
    while (*odd && !plain_is_control(odd))
        odd++;
    if (!*odd)
        return report_text(report, text);
    char *plain = checked_strdup(text);
    plain_make(plain, false);
    const char *kept = report_text(report, plain);
    free(plain);
    return kept;
}

static const char *text_of(struct report *report, const json_t *object, const char *key)
{
    return json_plain_text(report, json_object_get(object, key));
}

static int64_t number_of(const json_t *object, const char *key, int64_t otherwise)
{
    const json_t *value = json_object_get(object, key);
    return json_is_integer(value) ? json_integer_value(value) : otherwise;
}

static unsigned position_of(const json_t *object, const char *key)
{
    int64_t value = number_of(object, key, 0);
    return value > 0 && value <= INT32_MAX ? (unsigned)value : 0;
}

static int rank_of(const json_t *object, const char *key)
{
    int64_t value = number_of(object, key, 0);
    return value >= 0 && value <= INT32_MAX ? (int)value : 0;
}

static uint64_t amount_of(const json_t *object, const char *key)
{
    int64_t value = number_of(object, key, 0);
    return value > 0 ? (uint64_t)value : 0;
}

static struct frame read_frame(struct report *report, const json_t *object)
{
    return (struct frame){
        .module = text_of(report, object, "module"),
        .offset = (uint64_t)number_of(object, "offset", 0),
        .file = text_of(report, object, "file"),
        .line = position_of(object, "line"),
        .column = position_of(object, "column"),
        .function = text_of(report, object, "function"),
    };
}

static bool says_something(const struct frame *frame)
{
    return frame->file || frame->module || frame->function;
}

struct stack json_read_stack(struct report *report, const json_t *object)
{
    const json_t *array = json_object_get(object, "stack");
    struct stack stack = {.depth = json_array_size(array)};
    struct frame *frames = checked_malloc((stack.depth + 1) * sizeof *frames);
    for (size_t i = 0; i < stack.depth; i++)
        frames[i] = read_frame(report, json_array_get(array, i));
    if (!stack.depth) {
        frames[0] = read_frame(report, object);
        stack.depth = says_something(&frames[0]);
    }
    if (stack.depth)
        stack.frames = obstack_copy(&report->texts, frames, stack.depth * sizeof *frames);
    free(frames);
    return stack;
}

static struct access read_access(struct report *report, const json_t *object)
{
    struct access access = {.present = json_is_object(object)};
    if (!access.present)
        return access;
    access.kind = text_of(report, object, "kind");
    access.call = text_of(report, object, "call");
    access.detail = text_of(report, object, "detail");
    access.variable = text_of(report, object, "variable");
    access.rank = rank_of(object, "rank");
    access.thread = rank_of(object, "thread");
    access.stack = json_read_stack(report, object);
    access.made_by = text_of(report, object, "made_by");
    access.construct = text_of(report, object, "construct");
    access.deed = text_of(report, object, "access");
    access.epoch = text_of(report, object, "epoch");
    access.until = text_of(report, object, "until");
    access.bytes = amount_of(object, "bytes");
    return access;
}

static struct memory read_memory(struct report *report, const json_t *object)
{
    return (struct memory){
        .present = json_is_object(object),
        .side = text_of(report, object, "side"),
        .window = text_of(report, object, "window"),
        .rank = rank_of(object, "rank"),
        .offset = number_of(object, "offset", -1),
        .bytes = amount_of(object, "bytes"),
        .created_by = text_of(report, json_object_get(object, "created_at"), "call"),
        .created = json_read_stack(report, json_object_get(object, "created_at")),
    };
}

static void read_pairs(struct finding *finding, const json_t *array)
{
    for (size_t i = 0; i < json_array_size(array); i++) {
        const json_t *pair = json_array_get(array, i);
        int64_t first = json_integer_value(json_array_get(pair, 0));
        int64_t second = json_integer_value(json_array_get(pair, 1));
        bool alone = json_array_size(pair) < 2;
        if (first >= 0 && first <= INT32_MAX && second >= 0 && second <= INT32_MAX &&
            json_is_integer(json_array_get(pair, 0)))
            finding_add_pair(finding, (struct rank_pair){(int)first, alone ? -1 : (int)second});
    }
}

static bool is_id(const char *text)
{
    return text && strlen(text) == 16 && strspn(text, "0123456789abcdef") == 16;
}

static unsigned read_modes(const json_t *array)
{
    unsigned modes = 0;
    for (size_t i = 0; i < json_array_size(array); i++) {
        const char *name = json_string_value(json_array_get(array, i));
        for (int mode = 0; name && mode < MODES; mode++)
            modes |= (unsigned)!strcmp(name, mode_name(mode)) << mode;
    }
    return modes;
}

struct finding *json_read_finding(struct report *report, const json_t *object)
{
    const char *rule = json_string_value(json_object_get(object, "rule"));
    if (!rule || !json_is_object(json_object_get(object, "first")))
        return NULL;
    struct finding *finding = report_add(report);
    finding->rule = text_of(report, object, "rule");
    finding->case_id = text_of(report, object, "case");
    const char *id = json_string_value(json_object_get(object, "id"));
    if (is_id(id))
        strcpy(finding->id, id);
    finding->found_by = read_modes(json_object_get(object, "found_by"));
    const char *severity = json_string_value(json_object_get(object, "severity"));
    if ((!severity || !severity_parse(severity, &finding->severity)) &&
        !case_severity(finding->case_id, &finding->severity)) {
        const struct rule *known = rule_find(rule);
        if (!known || !severity_parse(known->severity, &finding->severity))
            finding->severity = SEVERITY_WARNING;
    }
    finding->message = text_of(report, object, "message");
    finding->why = text_of(report, object, "why");
    finding->fix = text_of(report, object, "fix");
    int64_t count = number_of(object, "count", 1);
    finding->count = count > 0 ? (uint64_t)count : 1;
    finding->generation = number_of(object, "generation", -1);
    finding->first = read_access(report, json_object_get(object, "first"));
    finding->second = read_access(report, json_object_get(object, "second"));
    finding->memory = read_memory(report, json_object_get(object, "memory"));
    read_pairs(finding, json_object_get(object, "ranks"));
    finding->trace = trace_from_json(report, json_object_get(object, "trace"));
    views_read_json(report, finding, object);
    return finding;
}

static void read_limits(struct report *report, const json_t *array)
{
    for (size_t i = 0; i < json_array_size(array); i++) {
        const json_t *object = json_array_get(array, i);
        const char *kind = text_of(report, object, "kind");
        const char *what = text_of(report, object, "what");
        const char *why = text_of(report, object, "why");
        if (!kind || !what || !why)
            continue;
        struct limit *limit = report_limit(report, kind, what, why);
        int ranks = rank_of(object, "ranks");
        limit->ranks = ranks > limit->ranks ? ranks : limit->ranks;
        if (!limit->doing)
            limit->doing = text_of(report, object, "do");
    }
}

static void read_sources(struct report *report, json_t *files)
{
    const char *file, *number;
    json_t *lines, *line;
    json_object_foreach(files, file, lines)
    {
        json_object_foreach(lines, number, line)
        {
            long value = strtol(number, NULL, 10);
            if (value > 0 && value <= INT32_MAX && json_is_string(line))
                source_keep(report, file, (unsigned)value, json_string_value(line));
        }
    }
}

static bool wrong(char **problem, const char *path, const char *what)
{
    *problem = checked_printf("%s: not a Regatta findings file: %s", path, what);
    return false;
}

static bool read_root(struct report *report, const char *path, const json_t *root, char **problem)
{
    const char *tool = json_string_value(json_object_get(root, "tool"));
    const json_t *findings = json_object_get(root, "findings");
    if (!json_is_object(root) || !tool || strcmp(tool, "regatta"))
        return wrong(problem, path, "\"tool\" is not \"regatta\"");
    if (number_of(root, "schema", 0) != 1)
        return wrong(problem, path, "\"schema\" is not 1");
    if (!json_is_array(findings))
        return wrong(problem, path, "\"findings\" is not an array");
    const char *mode = text_of(report, root, "mode");
    if (mode)
        report->mode = mode;
    for (size_t i = 0; i < json_array_size(findings); i++) {
        struct finding *finding = json_read_finding(report, json_array_get(findings, i));
        if (!finding)
            return wrong(problem, path, "a finding has no \"rule\" or no \"first\"");
        if (!finding->found_by)
            finding->found_by = 1u << mode_number(report->mode);
    }
    const char *mpi = text_of(report, root, "mpi");
    if (mpi && !report->mpi)
        report->mpi = mpi;
    const char *program = text_of(report, root, "program");
    if (program && !report->program)
        report->program = program;
    int ranks = rank_of(root, "ranks");
    if (ranks > report->ranks)
        report->ranks = ranks;
    const json_t *notes = json_object_get(root, "notes");
    for (size_t i = 0; i < json_array_size(notes); i++)
        if (json_is_string(json_array_get(notes, i)))
            report_note(report, json_plain_text(report, json_array_get(notes, i)));
    read_limits(report, json_object_get(root, "limits"));
    read_sources(report, json_object_get(root, "sources"));
    waiting_read_json(root, report);
    return true;
}

bool json_read_report(struct report *report, const char *path, char **problem)
{
    FILE *file = fopen(path, "r");
    if (!file) {
        *problem = checked_printf("%s: %s", path, strerror(errno));
        return false;
    }
    json_error_t error;
    json_t *root = json_loadf(file, 0, &error);
    fclose(file);
    if (!root) {
        *problem = checked_printf("%s:%d: not JSON: %s", path, error.line, error.text);
        return false;
    }
    bool good = read_root(report, path, root, problem);
    json_decref(root);
    return good;
}

/* ---- writing --------------------------------------------------------------------------------- */

json_t *json_text(const char *text)
{
    json_t *value = json_string(text);
    if (value)
        return value;
    char *ascii = checked_strdup(text);
    for (char *c = ascii; *c; c++)
        if ((unsigned char)*c >= 0x80)
            *c = '?';
    value = json_string(ascii);
    free(ascii);
    return value;
}

static void put_text(json_t *object, const char *key, const char *text)
{
    if (text)
        json_object_set_new(object, key, json_text(text));
}

static void put_number(json_t *object, const char *key, int64_t number)
{
    json_object_set_new(object, key, json_integer(number));
}

void json_put_frame(json_t *object, const struct frame *frame)
{
    put_text(object, "function", frame->function);
    put_text(object, "file", frame->file);
    if (frame->line)
        put_number(object, "line", frame->line);
    if (frame->column)
        put_number(object, "column", frame->column);
    if (!frame->file) {
        put_text(object, "module", frame->module);
        if (frame->module)
            put_number(object, "offset", (int64_t)frame->offset);
    }
}

static json_t *write_access(const struct access *access)
{
    json_t *object = json_object();
    put_text(object, "kind", access->kind);
    put_text(object, "call", access->call);
    put_number(object, "rank", access->rank);
    put_number(object, "thread", access->thread);
    put_text(object, "construct", access->construct);
    if (access_frame(access))
        json_put_frame(object, access_frame(access));
    put_text(object, "variable", access->variable);
    put_text(object, "detail", access->detail);
    put_text(object, "made_by", access->made_by);
    put_text(object, "access", access->deed);
    put_text(object, "epoch", access->epoch);
    put_text(object, "until", access->until);
    if (access->bytes)
        put_number(object, "bytes", (int64_t)access->bytes);
    json_t *stack = json_array();
    for (size_t i = 0; i < access->stack.depth; i++) {
        json_t *frame = json_object();
        json_put_frame(frame, &access->stack.frames[i]);
        json_array_append_new(stack, frame);
    }
    json_object_set_new(object, "stack", stack);
    return object;
}

static json_t *write_memory(const struct memory *memory)
{
    json_t *object = json_object();
    put_text(object, "side", memory->side);
    put_number(object, "rank", memory->rank);
    put_text(object, "window", memory->window);
    if (memory->offset >= 0)
        put_number(object, "offset", memory->offset);
    put_number(object, "bytes", (int64_t)memory->bytes);
    const struct frame *created = stack_place(&memory->created);
    if (created) {
        json_t *place = json_object();
        put_text(place, "call", memory->created_by);
        json_put_frame(place, created);
        json_object_set_new(object, "created_at", place);
    }
    return object;
}

static json_t *write_pairs(const struct finding *finding)
{
    json_t *array = json_array();
    for (size_t i = 0; i < finding->pair_count; i++) {
        json_t *pair = json_array();
        json_array_append_new(pair, json_integer(finding->pairs[i].first));
        if (finding->pairs[i].second >= 0)
            json_array_append_new(pair, json_integer(finding->pairs[i].second));
        json_array_append_new(array, pair);
    }
    return array;
}

static json_t *write_modes(unsigned modes)
{
    json_t *array = json_array();
    for (int mode = 0; mode < MODES; mode++)
        if (modes >> mode & 1)
            json_array_append_new(array, json_string(mode_name(mode)));
    return array;
}

static json_t *write_suggestion(const struct suggestion *suggestion)
{
    json_t *object = json_object();
    put_text(object, "file", suggestion->file);
    put_number(object, "line", suggestion->line);
    put_text(object, "text", suggestion->text);
    return object;
}

enum { MOST_TRACES = 200 };

static json_t *write_finding(struct report *report, const struct finding *finding)
{
    struct suggestion suggestion;
    json_t *object = json_object();
    put_text(object, "id", finding->id);
    put_text(object, "rule", finding->rule);
    put_text(object, "case", finding->case_id);
    put_text(object, "severity", severity_name(finding->severity));
    put_text(object, "message", finding->message ? finding->message : "");
    put_text(object, "why", finding->why);
    put_text(object, "fix", finding->fix);
    if (suggestion_for(report, finding, &suggestion))
        json_object_set_new(object, "suggestion", write_suggestion(&suggestion));
    put_text(object, "cause", finding->cause);
    put_text(object, "blamed", finding->blames_second ? "second" : "first");
    json_object_set_new(object, "found_by", write_modes(finding->found_by));
    put_number(object, "count", (int64_t)finding->count);
    if (finding->generation >= 0)
        put_number(object, "generation", finding->generation);
    json_object_set_new(object, "ranks", write_pairs(finding));
    json_object_set_new(object, "first", write_access(&finding->first));
    if (finding->second.present)
        json_object_set_new(object, "second", write_access(&finding->second));
    if (finding->memory.present)
        json_object_set_new(object, "memory", write_memory(&finding->memory));
    /* Of very many findings one picture per cause is enough. */
    if (finding->trace &&
        (report->finding_count <= MOST_TRACES || !strcmp(finding->cause, finding->id)))
        json_object_set_new(object, "trace", trace_to_json(finding->trace));
    views_put_json(object, finding);
    return object;
}

static json_t *write_limit(const struct limit *limit)
{
    json_t *object = json_object();
    put_text(object, "kind", limit->kind);
    put_text(object, "what", limit->what);
    put_text(object, "why", limit->why);
    put_text(object, "do", limit->doing);
    if (limit->ranks)
        put_number(object, "ranks", limit->ranks);
    return object;
}

/* ---- source lines ----------------------------------------------------------------------------
 */

/* Of very many findings only the nearest lines: the file is to stay one that a browser opens. */
enum { LINES_AROUND = 3, MANY_FINDINGS = 1000 };

static void write_lines(struct report *report, json_t *files, const struct frame *frame,
                        unsigned around)
{
    if (!frame || !frame->file || !frame->line || !source_line(report, frame->file, frame->line))
        return;
    json_t *name = json_text(frame->file);
    json_t *lines = json_object_get(files, json_string_value(name));
    if (!lines) {
        lines = json_object();
        json_object_set_new(files, json_string_value(name), lines);
    }
    json_decref(name);
    unsigned first = frame->line > around ? frame->line - around : 1;
    for (unsigned i = first; i <= frame->line + around; i++) {
        const char *text = source_line(report, frame->file, i);
        char number[16];
        snprintf(number, sizeof number, "%u", i);
        if (text && !json_object_get(lines, number))
            json_object_set_new(lines, number, json_text(text));
    }
}

static void write_stack_lines(struct report *report, json_t *files, const struct stack *stack)
{
    unsigned around = report->finding_count > MANY_FINDINGS ? 1 : LINES_AROUND;
    const struct frame *place = stack_place(stack);
    for (size_t i = 0; i < stack->depth; i++)
        write_lines(report, files, &stack->frames[i], &stack->frames[i] == place ? around : 0);
}

static json_t *write_sources(struct report *report)
{
    json_t *files = json_object();
    for (size_t i = 0; i < report->finding_count; i++) {
        const struct finding *finding = &report->findings[i];
        write_stack_lines(report, files, &finding->first.stack);
        write_stack_lines(report, files, &finding->second.stack);
        write_stack_lines(report, files, &finding->memory.created);
        for (size_t k = 0; finding->path && k < finding->path->count; k++)
            write_lines(report, files, &finding->path->steps[k].place, 0);
    }
    return files;
}

json_t *json_of_report(struct report *report)
{
    json_t *root = json_object();
    put_number(root, "schema", 1);
    put_text(root, "tool", "regatta");
    put_text(root, "version", REGATTA_VERSION);
    put_text(root, "mode", report->mode);
    put_text(root, "mpi", report->mpi);
    put_number(root, "ranks", report->ranks);
    put_text(root, "program", report->program);
    json_t *findings = json_array();
    for (size_t i = 0; i < report->finding_count; i++)
        json_array_append_new(findings, write_finding(report, &report->findings[i]));
    json_object_set_new(root, "findings", findings);
    json_t *notes = json_array();
    for (size_t i = 0; i < report->note_count; i++)
        json_array_append_new(notes, json_text(report->notes[i]));
    json_object_set_new(root, "notes", notes);
    json_t *limits = json_array();
    for (size_t i = 0; i < report->limit_count; i++)
        json_array_append_new(limits, write_limit(&report->limits[i]));
    json_object_set_new(root, "limits", limits);
    json_object_set_new(root, "sources", write_sources(report));
    waiting_put_json(root, report);
    return root;
}

bool json_write_report(struct report *report, FILE *out)
{
    json_t *root = json_of_report(report);
    bool good = json_dumpf(root, out, JSON_INDENT(1)) == 0 && fputc('\n', out) != EOF;
    json_decref(root);
    return good && fflush(out) == 0;
}
