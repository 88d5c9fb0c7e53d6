#include "variables.h"
#include "arguments.h"
#include "sources.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { NO_BUFFER = -1 };

/* Which argument of a call is the buffer that it reads, and which the one that it writes, counted
 * from 0. */
static const struct {
    const char *call;
    int read, written;
} with_buffer[] = {
    {"MPI_Send", 0, NO_BUFFER},
    {"MPI_Bsend", 0, NO_BUFFER},
    {"MPI_Ssend", 0, NO_BUFFER},
    {"MPI_Rsend", 0, NO_BUFFER},
    {"MPI_Isend", 0, NO_BUFFER},
    {"MPI_Ibsend", 0, NO_BUFFER},
    {"MPI_Issend", 0, NO_BUFFER},
    {"MPI_Irsend", 0, NO_BUFFER},
    {"MPI_Recv", NO_BUFFER, 0},
    {"MPI_Irecv", NO_BUFFER, 0},
    {"MPI_Mrecv", NO_BUFFER, 0},
    {"MPI_Imrecv", NO_BUFFER, 0},
    {"MPI_Bcast", 0, 0},
    {"MPI_Ibcast", 0, 0},
    {"MPI_Reduce", 0, 1},
    {"MPI_Ireduce", 0, 1},
    {"MPI_Allreduce", 0, 1},
    {"MPI_Iallreduce", 0, 1},
    {"MPI_Scan", 0, 1},
    {"MPI_Iscan", 0, 1},
    {"MPI_Exscan", 0, 1},
    {"MPI_Iexscan", 0, 1},
    {"MPI_Gather", 0, 3},
    {"MPI_Igather", 0, 3},
    {"MPI_Allgather", 0, 3},
    {"MPI_Iallgather", 0, 3},
    {"MPI_Scatter", 0, 3},
    {"MPI_Iscatter", 0, 3},
    {"MPI_Alltoall", 0, 3},
    {"MPI_Ialltoall", 0, 3},
    {"MPI_Sendrecv", 0, 5},
    {"MPI_Sendrecv_replace", 0, 0},
    {"MPI_Put", 0, NO_BUFFER},
    {"MPI_Rput", 0, NO_BUFFER},
    {"MPI_Get", NO_BUFFER, 0},
    {"MPI_Rget", NO_BUFFER, 0},
    {"MPI_Accumulate", 0, NO_BUFFER},
    {"MPI_Raccumulate", 0, NO_BUFFER},
    {"MPI_Get_accumulate", 0, 3},
    {"MPI_Rget_accumulate", 0, 3},
    {"MPI_Fetch_and_op", 0, 1},
    {"MPI_Compare_and_swap", 0, 2},
    {"MPI_File_iwrite", 1, NO_BUFFER},
    {"MPI_File_iwrite_all", 1, NO_BUFFER},
    {"MPI_File_iwrite_shared", 1, NO_BUFFER},
    {"MPI_File_iwrite_at", 2, NO_BUFFER},
    {"MPI_File_iwrite_at_all", 2, NO_BUFFER},
    {"MPI_File_write_all_begin", 1, NO_BUFFER},
    {"MPI_File_write_ordered_begin", 1, NO_BUFFER},
    {"MPI_File_write_at_all_begin", 2, NO_BUFFER},
    {"MPI_File_iread", NO_BUFFER, 1},
    {"MPI_File_iread_all", NO_BUFFER, 1},
    {"MPI_File_iread_shared", NO_BUFFER, 1},
    {"MPI_File_iread_at", NO_BUFFER, 2},
    {"MPI_File_iread_at_all", NO_BUFFER, 2},
    {"MPI_File_read_all_begin", NO_BUFFER, 1},
    {"MPI_File_read_ordered_begin", NO_BUFFER, 1},
    {"MPI_File_read_at_all_begin", NO_BUFFER, 2},
    {"free", 0, 0},
};

/* Routines of the C library that write where their first argument points. */
static const char *const writers[] = {"memcpy", "memmove",  "memset",  "strcpy",
                                      "strcat", "snprintf", "sprintf", "strncpy"};

/* NO_BUFFER: the call is not in the table. */
static int buffer_argument(const char *call, const struct access *side)
{
    bool writes = side->deed && strcmp(side->deed, "read") != 0 && !side->epoch;
    for (size_t i = 0; i < sizeof with_buffer / sizeof with_buffer[0]; i++)
        if (!strcasecmp(call, with_buffer[i].call)) {
            int read = with_buffer[i].read, written = with_buffer[i].written;
            return read == NO_BUFFER      ? written
                   : written == NO_BUFFER ? read
                   : writes               ? written
                                          : read;
        }
    return NO_BUFFER;
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* 'c' or 'f'; 0: of another language. */
static char language_of(const char *file)
{
    const char *dot = strrchr(file, '.');
    char letter = dot ? (char)tolower((unsigned char)dot[1]) : 0;
    return letter == 'h' ? 'c' : letter == 'c' || letter == 'f' ? letter : 0;
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

/* The same of Fortran: temperature(i, j + 1), state%rows(3)%count. A function that is called looks
 * alike, and is no buffer. */
static size_t fortran_name_length(const char *text)
{
    const char *c = text;
    int depth = 0;
    if (!isalpha((unsigned char)*c))
        return 0;
    for (; *c; c++) {
        depth += (*c == '(') - (*c == ')');
        if (depth < 0 || (depth && !is_word(*c) && !strchr("(),:%.+-*/ ", *c)))
            return 0;
        if (!depth && !is_word(*c) && *c != '%' && *c != ')')
            break;
    }
    return depth ? 0 : (size_t)(c - text);
}

/* ---- what a call is given ---- */

/* "row" of "row" and of "&row"; NULL: an expression, or a constant of MPI. */
static const char *buffer_name(struct report *report, const char *argument, char language)
{
    argument += *argument == '&';
    size_t length = language == 'f' ? fortran_name_length(argument) : name_length(argument);
    if (!length || argument[length] || !strncasecmp(argument, "MPI_", 4) ||
        !strcmp(argument, "NULL"))
        return NULL;
    return report_text(report, argument);
}

const char *variables_argument(struct report *report, const struct frame *place, const char *call,
                               int number)
{
    const char *statement = source_statement(report, place->file, place->line), *text = NULL;
    char language = language_of(place->file);
    struct arguments arguments;
    if (!statement || strchr(statement, '#'))
        return NULL;
    const char *written = language == 'f' ? strcasestr(statement, call) : NULL;
    if (written) /* Fortran does not mind the case */
        call = report_textf(report, "%.*s", (int)strlen(call), written);
    if (!arguments_read(&arguments, statement, call))
        return NULL;
    if (number < arguments.count)
        text = report_text(report, arguments.texts[number]);
    arguments_free(&arguments);
    return text;
}

const char *variables_buffer(struct report *report, const struct access *side)
{
    const struct frame *place = access_frame(side);
    const char *call = side->call ? side->call : side->kind;
    int number = call ? buffer_argument(call, side) : NO_BUFFER;
    return place && place->file && number != NO_BUFFER
               ? variables_argument(report, place, call, number)
               : NULL;
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

/* The same of Fortran, where a statement may go over several lines. */
static const char *assigned_in_fortran(struct report *report, const char *statement)
{
    size_t length = statement ? fortran_name_length(statement) : 0;
    if (!length || strpbrk(statement, ";\"'#") || statement[length] != '=' ||
        statement[length + 1] == '=' || statement[length + 1] == '>')
        return NULL;
    return report_textf(report, "%.*s", (int)length, statement);
}

/* The line is a call of a routine that writes where its first argument points, and nothing else. */
static const char *written_in(struct report *report, const char *line)
{
    const char *name = NULL;
    size_t length = strcspn(line, "("), whole = strlen(line);
    struct arguments arguments;
    for (size_t i = 0; i < sizeof writers / sizeof writers[0]; i++)
        if (strlen(writers[i]) == length && !strncmp(line, writers[i], length))
            name = writers[i];
    if (!name || whole < 2 || strcmp(line + whole - 2, ");") != 0 ||
        !stores_nothing(line + length + 1, whole - length - 3) ||
        !arguments_read(&arguments, line, name))
        return NULL;
    name = buffer_name(report, arguments.texts[0], 'c');
    arguments_free(&arguments);
    return name;
}

static const char *stored_in(struct report *report, const struct frame *place)
{
    if (language_of(place->file) == 'f')
        return assigned_in_fortran(report, source_statement(report, place->file, place->line));
    char *line = source_plain_line(report, place->file, place->line);
    const char *name = line ? assigned_in(report, line) : NULL;
    if (line && !name)
        name = written_in(report, line);
    free(line);
    return name;
}

/* ---- sides ---- */

static void name_side(struct report *report, struct access *side)
{
    const struct frame *place = access_frame(side);
    /* Deeper ones called something that is not seen in the line. */
    if (!side->present || side->variable || !place || place != side->stack.frames || !place->file ||
        !language_of(place->file))
        return;
    const char *call = side->call ? side->call : side->kind;
    int number = call ? buffer_argument(call, side) : NO_BUFFER;
    if (number != NO_BUFFER) {
        const char *argument = variables_buffer(report, side);
        side->variable = argument ? buffer_name(report, argument, language_of(place->file)) : NULL;
    } else if (!side->call && side->kind && !strcmp(side->kind, "store")) {
        side->variable = stored_in(report, place);
    }
}

void variables_name(struct report *report, struct finding *finding)
{
    name_side(report, &finding->first);
    name_side(report, &finding->second);
}
