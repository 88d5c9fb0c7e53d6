#include "junit.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* ---- texts in XML ---------------------------------------------------------------------------- */

/* Length of the UTF-8 character that begins here; 0 if there is none that XML may have. */
static size_t character(const unsigned char *c)
{
    static const struct {
        unsigned char mask, lead;
        unsigned long least;
    } forms[] = {{0xe0, 0xc0, 0x80}, {0xf0, 0xe0, 0x800}, {0xf8, 0xf0, 0x10000}};
    if (*c < 0x80)
        return (*c >= 0x20 && *c != 0x7f) || *c == '\t' || *c == '\n';
    for (size_t extra = 1; extra <= 3; extra++) {
        if ((*c & forms[extra - 1].mask) != forms[extra - 1].lead)
            continue;
        unsigned long code = *c & (0x3fu >> extra);
        for (size_t i = 1; i <= extra; i++) {
            if ((c[i] & 0xc0) != 0x80)
                return 0;
            code = code << 6 | (c[i] & 0x3f);
        }
        bool odd = code < forms[extra - 1].least || (code >= 0xd800 && code < 0xe000) ||
                   code == 0xfffe || code == 0xffff || code > 0x10ffff ||
                   (code >= 0x80 && code < 0xa0);
        return odd ? 0 : extra + 1;
    }
    return 0;
}

static void put_text(FILE *out, const char *text)
{
    while (*text) {
        size_t length = character((const unsigned char *)text);
        if (!length)
            fputc('?', out);
        else if (*text == '&')
            fputs("&amp;", out);
        else if (*text == '<')
            fputs("&lt;", out);
        else if (*text == '>')
            fputs("&gt;", out);
        else if (*text == '"')
            fputs("&quot;", out);
        else
            fwrite(text, 1, length, out);
        text += length ? length : 1;
    }
}

static void put_attribute(FILE *out, const char *name, const char *value)
{
    fprintf(out, " %s=\"", name);
    put_text(out, value);
    fputc('"', out);
}

/* ---- suite and tests ------------------------------------------------------------------------- */

static bool fails(const struct finding *finding, bool warnings_fail)
{
    return finding->severity == SEVERITY_ERROR ||
           (warnings_fail && finding->severity == SEVERITY_WARNING);
}

/* The finding as people read it. */
static void put_finding(struct report *report, const struct finding *finding, FILE *out)
{
    char *text;
    size_t size;
    FILE *words = open_memstream(&text, &size);
    if (!words)
        checked_malloc((size_t)-1); /* says that memory is out, and ends */
    text_finding(words, report, finding, &(struct text_style){0}, true);
    fclose(words);
    put_text(out, text);
    free(text);
}

static void write_case(struct report *report, const struct finding *finding, FILE *out, bool failed)
{
    const struct frame *place = access_line(&finding->first);
    fputs("  <testcase", out);
    put_attribute(out, "name",
                  report_textf(report, "%s [%s %s]", finding->message ? finding->message : "",
                               finding->rule, finding->id));
    put_attribute(out, "classname", place ? place->file : "regatta");
    if (!failed) {
        fputs(" time=\"0\"/>\n", out);
        return;
    }
    fputs(" time=\"0\">\n   <failure", out);
    put_attribute(out, "type", finding->rule);
    put_attribute(out, "message", finding->message ? finding->message : "");
    fputc('>', out);
    put_finding(report, finding, out);
    fputs("</failure>\n  </testcase>\n", out);
}

/* The output of the suite, since one of the schemas allows none in a test: the findings that fail
 * nothing, notes, and what was not looked at. */
static void write_output(struct report *report, FILE *out, bool warnings_fail)
{
    fputs("  <system-out>", out);
    for (size_t i = 0; i < report->finding_count; i++)
        if (!fails(&report->findings[i], warnings_fail))
            put_finding(report, &report->findings[i], out);
    for (size_t i = 0; i < report->note_count; i++)
        put_text(out, report_textf(report, "%s\n", report->notes[i]));
    for (size_t i = 0; i < report->limit_count; i++)
        put_text(out, report_textf(report, "not looked at: %s (%s)\n", report->limits[i].what,
                                   report->limits[i].why));
    fputs("</system-out>\n  <system-err/>\n", out);
}

bool junit_write(struct report *report, FILE *out, bool warnings_fail)
{
    char host[256] = "localhost", now[32];
    time_t seconds = time(NULL);
    struct tm utc;
    gethostname(host, sizeof host - 1);
    strftime(now, sizeof now, "%Y-%m-%dT%H:%M:%S", gmtime_r(&seconds, &utc));
    size_t failures = 0, count = report->finding_count;
    for (size_t i = 0; i < count; i++)
        failures += fails(&report->findings[i], warnings_fail);
    const char *name =
        report_textf(report, "regatta %s%s%s", report->mode, report->program ? " " : "",
                     report->program ? report->program : "");
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n <testsuite", out);
    put_attribute(out, "name", name);
    put_attribute(out, "hostname", host);
    fprintf(
        out,
        " package=\"regatta\" id=\"0\" timestamp=\"%s\" tests=\"%zu\" failures=\"%zu\" "
        "errors=\"0\" time=\"0\">\n  <properties>\n   <property name=\"regatta\" value=\"%s\"/>\n"
        "  </properties>\n",
        now, count ? count : 1, failures, REGATTA_VERSION);
    for (size_t i = 0; i < count; i++)
        write_case(report, &report->findings[i], out, fails(&report->findings[i], warnings_fail));
    if (!count) {
        fputs("  <testcase", out);
        put_attribute(out, "name", name);
        fputs(" classname=\"regatta\" time=\"0\"/>\n", out);
    }
    write_output(report, out, warnings_fail);
    fputs(" </testsuite>\n</testsuites>\n", out);
    return fflush(out) == 0 && !ferror(out);
}
