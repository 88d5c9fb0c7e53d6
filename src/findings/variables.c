#include "variables.h"
#include "arguments.h"
#include "sources.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Calls that have one buffer, which is their first argument. */
static const char *const with_buffer[] = {
    "MPI_Send",       "MPI_Bsend",       "MPI_Ssend", "MPI_Rsend", "MPI_Isend", "MPI_Ibsend",
    "MPI_Issend",     "MPI_Irsend",      "MPI_Recv",  "MPI_Irecv", "MPI_Mrecv", "MPI_Imrecv",
    "MPI_Bcast",      "MPI_Ibcast",      "MPI_Put",   "MPI_Get",   "MPI_Rput",  "MPI_Rget",
    "MPI_Accumulate", "MPI_Raccumulate", "free",
};

static bool has_buffer(const char *call)
{
    for (size_t i = 0; i < sizeof with_buffer / sizeof with_buffer[0]; i++)
        if (!strcmp(call, with_buffer[i]))
            return true;
    return false;
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static bool is_c(const char *file)
{
    const char *dot = strrchr(file, '.');
    return dot && (tolower((unsigned char)dot[1]) == 'c' || tolower((unsigned char)dot[1]) == 'h');
}

/* How much of the text is a name: grid, *p, state->rows[i + 1].count. 0: it begins with none. No
 * calls, and nothing that changes an index. */
static size_t name_length(const char *text)
{
    const char *c = text + strspn(text, "*");
    if (!isalpha((unsigned char)*c) && *c != '_')
        return 0;
    int depth = 0;
    for (; *c; c++) {
        if (*c == '[') {
            depth++;
        } else if (*c == ']' && depth) {
            depth--;
        } else if (c[0] == '-' && c[1] == '>') {
            c++;
        } else if (depth ? !is_word(*c) && !strchr(".+-*/% ", *c) : !is_word(*c) && *c != '.') {
            return depth ? 0 : (size_t)(c - text);
        } else if (depth && (*c == '+' || *c == '-') && c[1] == c[0]) {
            return 0;
        }
    }
    return depth ? 0 : (size_t)(c - text);
}

/* ---- what a call is given ---- */

/* "row" of "row" and of "&row"; NULL: an expression, or a constant of MPI. */
static const char *buffer_name(struct report *report, const char *argument)
{
    argument += *argument == '&';
    size_t length = name_length(argument);
    if (!length || argument[length] || !strncmp(argument, "MPI_", 4) || !strcmp(argument, "NULL"))
        return NULL;
    return report_text(report, argument);
}

static const char *argument_of(struct report *report, const struct frame *place, const char *call)
{
    const char *statement = source_statement(report, place->file, place->line), *name = NULL;
    struct arguments arguments;
    if (!statement || strchr(statement, '#') || !arguments_read(&arguments, statement, call))
        return NULL;
    name = buffer_name(report, arguments.texts[0]);
    arguments_free(&arguments);
    return name;
}

/* ---- what an assignment stores to ---- */

/* An expression without stores of its own: no assignment, no call, no macro with arguments. */
static bool stores_nothing(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        char before = i ? text[i - 1] : ' ', next = i + 1 < length ? text[i + 1] : ' ';
        if (strchr("\"'#{};\\", text[i]) ||
            (text[i] == '(' && (is_word(before) || strchr(")]", before))) ||
            (strchr("+-", text[i]) && next == text[i]))
            return false;
        if (text[i] == '=' && next == '=')
            i++;
        else if (text[i] == '=' && !strchr("<>!", before))
            return false;
        else if (text[i] == '=' && i > 1 && strchr("<>", before) && text[i - 2] == before)
            return false; /* a <<= 1 */
    }
    return true;
}

/* Behind the bracket that closes the one here; NULL: none does. */
static const char *behind_bracket(const char *text)
{
    int depth = 0;
    for (const char *c = text; *c; c++) {
        depth += (*c == '(') - (*c == ')');
        if (depth == 0)
            return c + 1;
    }
    return NULL;
}

/* Behind "if (…)" and "else", if there is no store in them. */
static const char *skip_condition(const char *text)
{
    if (!strncmp(text, "else ", 5))
        text += 5;
    if (strncmp(text, "if(", 3) != 0)
        return text;
    const char *end = behind_bracket(text + 2);
    return end && stores_nothing(text + 3, (size_t)(end - text) - 4) ? end : NULL;
}

static bool is_balanced(const char *text)
{
    int depth = 0;
    for (; *text && depth >= 0; text++)
        depth += (*text == '(') - (*text == ')');
    return depth == 0;
}

/* The line is one assignment and nothing else: what it stores to. */
static const char *assigned_in(struct report *report, const char *line)
{
    const char *target = skip_condition(line);
    size_t length = target ? name_length(target) : 0, whole = target ? strlen(target) : 0;
    if (!length || target[whole - 1] != ';' || !is_balanced(target))
        return NULL;
    const char *sign = target + length, *value = NULL;
    size_t left = (size_t)(target + whole - 1 - sign);
    if (left == 2 && (!strncmp(sign, "++", 2) || !strncmp(sign, "--", 2)))
        return report_textf(report, "%.*s", (int)length, target);
    if (sign[0] == '=' && sign[1] != '=')
        value = sign + 1;
    else if (sign[0] && strchr("+-*/%&|^", sign[0]) && sign[1] == '=')
        value = sign + 2;
    if (!value || !stores_nothing(value, (size_t)(target + whole - 1 - value)))
        return NULL;
    return report_textf(report, "%.*s", (int)length, target);
}

/* ---- sides ---- */

static void name_side(struct report *report, struct access *side)
{
    const struct frame *place = access_frame(side);
    /* Deeper ones called something that is not seen in the line. */
    if (!side->present || side->variable || !place || place != side->stack.frames || !place->file ||
        !is_c(place->file))
        return;
    const char *call = side->call ? side->call : side->kind;
    if (call && has_buffer(call)) {
        side->variable = argument_of(report, place, call);
    } else if (!side->call && side->kind && !strcmp(side->kind, "store")) {
        char *line = source_plain_line(report, place->file, place->line);
        side->variable = line ? assigned_in(report, line) : NULL;
        free(line);
    }
}

void variables_name(struct report *report, struct finding *finding)
{
    name_side(report, &finding->first);
    name_side(report, &finding->second);
}
