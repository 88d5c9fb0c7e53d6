#include "annotations.h"
#include "json.h"

#include <string.h>

/* ---- GitHub ---------------------------------------------------------------------------------- */

/* Line ends and percent signs would end the command; in a property colons and commas, too. */
static void put_escaped(FILE *out, const char *text, bool property)
{
    for (; *text; text++) {
        if (strchr("%\r\n", *text) || (property && strchr(":,", *text)))
            fprintf(out, "%%%02X", (unsigned char)*text);
        else
            fputc(*text, out);
    }
}

static void put_command(struct report *report, FILE *out, const struct finding *finding)
{
    static const char *const commands[SEVERITY_COUNT] = {"notice", "warning", "error"};
    const struct access *sides[2] = {&finding->first, &finding->second};
    const struct frame *place = access_line(&finding->first);
    fprintf(out, "::%s ", commands[finding->severity]);
    if (place) {
        fputs("file=", out);
        put_escaped(out, place->file, true);
        fprintf(out, ",line=%u,", place->line);
        if (place->column)
            fprintf(out, "col=%u,", place->column);
    }
    fputs("title=", out);
    put_escaped(out, finding->rule, true);
    fputs("::", out);
    put_escaped(out, finding->message ? finding->message : "", false);
    for (int i = 0; i < 2 && sides[i]->present; i++) {
        const char *name = sides[i]->call ? sides[i]->call : sides[i]->kind;
        fputs("%0A", out);
        put_escaped(out,
                    report_textf(report, "%s %s%s%s", frame_place(report, access_frame(sides[i])),
                                 name ? name : "", sides[i]->detail ? ": " : "",
                                 sides[i]->detail ? sides[i]->detail : ""),
                    false);
    }
    if (finding->why) {
        fputs("%0Awhy: ", out);
        put_escaped(out, finding->why, false);
    }
    if (finding->fix) {
        fputs("%0Afix: ", out);
        put_escaped(out, finding->fix, false);
    }
    fputc('\n', out);
}

bool annotations_github(struct report *report, FILE *out)
{
    for (size_t i = 0; i < report->finding_count; i++)
        put_command(report, out, &report->findings[i]);
    return fflush(out) == 0 && !ferror(out);
}

/* ---- GitLab ---------------------------------------------------------------------------------- */

static json_t *quality(struct report *report, const struct finding *finding)
{
    static const char *const severities[SEVERITY_COUNT] = {"info", "minor", "major"};
    const struct frame *place = access_line(&finding->first);
    const struct frame *other = access_line(&finding->second);
    const char *text = finding->message ? finding->message : "";
    if (other)
        text = report_textf(report, "%s (with %s)", text, frame_place(report, other));
    json_t *object = json_object();
    json_object_set_new(object, "description", json_text(text));
    json_object_set_new(object, "check_name", json_text(finding->rule));
    json_object_set_new(object, "fingerprint", json_string(finding->id));
    json_object_set_new(object, "severity", json_string(severities[finding->severity]));
    json_t *path = json_text(place ? place->file : report->program ? report->program : "unknown");
    json_object_set_new(
        object, "location",
        json_pack("{s:o, s:{s:i}}", "path", path, "lines", "begin", place ? (int)place->line : 1));
    return object;
}

bool annotations_gitlab(struct report *report, FILE *out)
{
    json_t *array = json_array();
    for (size_t i = 0; i < report->finding_count; i++)
        json_array_append_new(array, quality(report, &report->findings[i]));
    bool good = json_dumpf(array, out, JSON_INDENT(1)) == 0 && fputc('\n', out) != EOF;
    json_decref(array);
    return good && fflush(out) == 0;
}
