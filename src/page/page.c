#include "html_page.h"
#include "findings/json.h"
#include "findings/rules.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

/* The parts as they stand in this folder; the build says when they change (CMakeLists.txt). */
#define PART(name, file)                                                                           \
    extern const char name##_begin[], name##_end[];                                                \
    __asm__(".section .rodata\n" #name "_begin: .incbin \"" PAGE_DIRECTORY "/" file "\"\n" #name   \
            "_end: .byte 0\n.previous\n")
PART(page_template, "template.html");
PART(page_style, "style.css");
PART(page_dom, "dom.js");
PART(page_list, "list.js");
PART(page_detail, "detail.js");
PART(page_diagram, "diagram.js");
PART(page_waiting, "waiting.js");
PART(page_main, "main.js");

static void put_part(FILE *out, const char *begin, const char *end)
{
    fwrite(begin, 1, (size_t)(end - begin), out);
}

/* Who controls names in the program must not know it: what they get into the page would be a script
 * that may run. Without randomness the clock has to do. */
static void make_nonce(char nonce[33])
{
    uint64_t bits[2];
    if (getrandom(bits, sizeof bits, 0) != sizeof bits) {
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        bits[0] = (uint64_t)now.tv_nsec * 0x9e3779b97f4a7c15u;
        bits[1] = (uint64_t)now.tv_sec ^ (uintptr_t)nonce;
    }
    snprintf(nonce, 33, "%016" PRIx64 "%016" PRIx64, bits[0], bits[1]);
}

static json_t *describe_rules(void)
{
    json_t *object = json_object();
    for (size_t i = 0; i < rule_count; i++)
        json_object_set_new(object, rules[i].id,
                            json_pack("{s:s, s:s, s:s, s:s}", "title", rules[i].title,
                                      "explanation", rules[i].explanation, "example",
                                      rules[i].example, "fix", rules[i].fix));
    return object;
}

/* Sentences come again and again in large reports: each is written once, and its number where it
 * stands. */
static void share_texts(json_t *object, json_t *numbers, json_t *texts)
{
    static const char *const members[] = {"message", "why", "fix", "detail"};
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
        json_t *text = json_object_get(object, members[i]);
        const char *key = json_string_value(text);
        if (!key)
            continue;
        json_t *number = json_object_get(numbers, key);
        if (!number) {
            number = json_integer((json_int_t)json_array_size(texts));
            json_object_set_new(numbers, key, number);
            json_array_append(texts, text);
        }
        json_object_set(object, members[i], number);
    }
}

static json_t *share_all_texts(json_t *report)
{
    json_t *findings = json_object_get(report, "findings"), *finding;
    json_t *numbers = json_object(), *texts = json_array();
    size_t i;
    json_array_foreach(findings, i, finding)
    {
        share_texts(finding, numbers, texts);
        share_texts(json_object_get(finding, "first"), numbers, texts);
        share_texts(json_object_get(finding, "second"), numbers, texts);
    }
    json_decref(numbers);
    return texts;
}

/* JSON in an element: nothing in it may end the element or begin a comment. */
static bool put_data(FILE *out, struct report *report)
{
    json_t *findings = json_of_report(report), *texts = share_all_texts(findings);
    json_t *root =
        json_pack("{s:o, s:o, s:o}", "report", findings, "rules", describe_rules(), "texts", texts);
    char *text = root ? json_dumps(root, JSON_COMPACT | JSON_ENSURE_ASCII) : NULL;
    json_decref(root);
    if (!text)
        return false;
    for (const char *c = text; *c;) {
        size_t plain = strcspn(c, "<>&");
        fwrite(c, 1, plain, out);
        c += plain;
        if (*c)
            fprintf(out, "\\u%04x", (unsigned char)*c++);
    }
    free(text);
    return true;
}

static void put_script(FILE *out)
{
    fputs("\"use strict\";\n(() => {\n"
          "const { report: data, rules, texts } = "
          "JSON.parse(document.getElementById(\"data\").textContent);\n",
          out);
    put_part(out, page_dom_begin, page_dom_end);
    put_part(out, page_list_begin, page_list_end);
    put_part(out, page_detail_begin, page_detail_end);
    put_part(out, page_diagram_begin, page_diagram_end);
    put_part(out, page_waiting_begin, page_waiting_end);
    put_part(out, page_main_begin, page_main_end);
    fputs("})();\n", out);
}

bool page_write(struct report *report, FILE *out)
{
    char nonce[33];
    bool good = true;
    make_nonce(nonce);
    for (const char *c = page_template_begin; c < page_template_end;) {
        const char *at = memchr(c, '@', (size_t)(page_template_end - c));
        const char *end = at ? at : page_template_end;
        put_part(out, c, end);
        c = end;
        if (!at)
            break;
        if (!strncmp(at, "@NONCE@", 7))
            fputs(nonce, out);
        else if (!strncmp(at, "@STYLE@", 7))
            put_part(out, page_style_begin, page_style_end);
        else if (!strncmp(at, "@DATA@", 6))
            good = put_data(out, report) && good;
        else if (!strncmp(at, "@SCRIPT@", 8))
            put_script(out);
        c = strchr(at + 1, '@') + 1;
    }
    return good && fflush(out) == 0 && !ferror(out);
}
