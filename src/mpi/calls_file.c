#include "calls_file.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *current_path;
static int current_line;

static _Noreturn void __attribute__((format(printf, 1, 2))) mistake(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "%s:%d: ", current_path, current_line);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    exit(1);
}

static const struct {
    const char *name, *how, *type, *large_type;
} roles[ROLES] = {
    [ROLE_none] = {"none", "", "", ""},
#define ROLE(name, how, type, large_type) [ROLE_##name] = {#name, #how, type, large_type},
#include "roles.def"
#undef ROLE
};

static const char *const block_names[] = {"one",  "size",     "localsize", "sum",
                                          "mine", "indegree", "outdegree", "partitions"};

#define WORD(name) #name,
static const char *const verb_names[] = {VERBS(WORD) NULL};
static const char *const object_names[] = {OBJECTS(WORD) NULL};
static const char *const order_names[] = {ORDERS(WORD) NULL};
static const char *const attribute_names[] = {ATTRIBUTES(WORD) NULL};
#undef WORD

const char *role_how(enum role role)
{
    return roles[role].how;
}

const char *role_name(enum role role)
{
    return roles[role].name;
}

const char *attribute_name(enum attribute attribute)
{
    return attribute_names[attribute];
}

const char *row_short_name(const struct call_row *row, char *room)
{
    if (strncmp(row->name, "MPIX_", 5) == 0)
        sprintf(room, "X_%s", row->name + 5);
    else
        strcpy(room, row->name + 4);
    return room;
}

static enum role role_find(const char *name)
{
    for (int role = 1; role < ROLES; role++)
        if (strcmp(roles[role].name, name) == 0)
            return role;
    mistake("'%s' is not a role of roles.def", name);
}

static void copy(char *to, size_t room, const char *from, size_t length)
{
    if (length >= room)
        mistake("'%.*s' is too long", (int)length, from);
    memcpy(to, from, length);
    to[length] = 0;
}

/* role*blocks@root[type] name   |   [type] name   |   ... */
static void parse_argument(struct call_row *row, const char *text, size_t length)
{
    while (length > 0 && isspace((unsigned char)*text))
        text++, length--;
    while (length > 0 && isspace((unsigned char)text[length - 1]))
        length--;
    if (length == 0)
        return;
    if (row->narguments == ROUTINE_MAX_ARGUMENTS)
        mistake("more than %d arguments", ROUTINE_MAX_ARGUMENTS);
    struct call_argument *argument = &row->arguments[row->narguments++];
    if (length == 3 && memcmp(text, "...", 3) == 0) {
        strcpy(argument->type, "...");
        return;
    }
    size_t name = length;
    while (name > 0 && (isalnum((unsigned char)text[name - 1]) || text[name - 1] == '_'))
        name--;
    copy(argument->name, sizeof argument->name, text + name, length - name);
    if (name == 0 || argument->name[0] == 0)
        mistake("argument '%.*s' needs a role and a name", (int)length, text);

    char role[64] = "";
    size_t end = strcspn(text, " [*@");
    copy(role, sizeof role, text, end);
    if (role[0])
        argument->role = role_find(role);
    if (text[end] == '*') {
        size_t word = strcspn(text + end + 1, " [@");
        int blocks = 0;
        while (blocks <= BLOCKS_partitions && (strlen(block_names[blocks]) != word ||
                                               memcmp(block_names[blocks], text + end + 1, word)))
            blocks++;
        if (blocks > BLOCKS_partitions)
            mistake("'*%.*s' is not a number of blocks", (int)word, text + end + 1);
        argument->blocks = blocks;
        end += 1 + word;
    }
    if (strncmp(text + end, "@root", 5) == 0) {
        argument->at_root = true;
        end += 5;
    }
    if (text[end] == '[') {
        size_t close = name;
        while (close > end && text[close - 1] != ']')
            close--;
        copy(argument->type, sizeof argument->type, text + end + 1, close - end - 2);
    } else {
        strcpy(argument->type,
               row->large ? roles[argument->role].large_type : roles[argument->role].type);
    }
}

static bool is_one_of(enum role role, enum role a, enum role b, enum role c)
{
    return role == a || role == b || role == c;
}

/* A buffer belongs to the next type to its right and to the count and displs on the way there. */
static void bind_buffers(struct call_row *row)
{
    for (int i = 0; i < row->narguments; i++) {
        const struct call_argument *argument = &row->arguments[i];
        if (strcmp(role_how(argument->role), "BUFFER") != 0)
            continue;
        if (row->nbuffers == ROUTINE_MAX_BUFFERS)
            mistake("more than %d buffers", ROUTINE_MAX_BUFFERS);
        struct routine_buffer *buffer = &row->buffers[row->nbuffers++];
        *buffer = (struct routine_buffer){
            i,           argument->role, argument->blocks, argument->at_root,
            NO_ARGUMENT, NO_ARGUMENT,    NO_ARGUMENT};
        for (int j = i + 1; j < row->narguments && buffer->type == NO_ARGUMENT; j++) {
            enum role role = row->arguments[j].role;
            if (is_one_of(role, ROLE_count, ROLE_counts, ROLE_counts) &&
                buffer->count == NO_ARGUMENT)
                buffer->count = j;
            else if (is_one_of(role, ROLE_displs, ROLE_displs_bytes, ROLE_displs_aint))
                buffer->displs = j;
            else if (is_one_of(role, ROLE_type, ROLE_types, ROLE_types))
                buffer->type = j;
        }
        if (buffer->type == NO_ARGUMENT && argument->role != ROLE_packed &&
            strcmp(row->verb, "finishes") != 0)
            mistake("buffer '%s' has no datatype to its right", argument->name);
    }
}

/* Its place among the known words. */
static int check_word(const char *word, const char *const *known, const char *what)
{
    for (int i = 0; known[i]; i++)
        if (strcmp(known[i], word) == 0)
            return i;
    mistake("'%s' is not %s that calls.def may use (vocabulary.h)", word, what);
}

/* Splits into at most `most` words, with '_' for '-'. Their number. */
static int split_words(char *text, char *words[], int most)
{
    int n = 0;
    for (char *c = text; *c; c++)
        if (*c == '-')
            *c = '_';
    for (char *word = strtok(text, " \t\n"); word; word = strtok(NULL, " \t\n")) {
        if (n == most)
            mistake("too many words behind the arguments");
        words[n++] = word;
    }
    return n;
}

/* verb [object] [orders order] [, attribute …] */
static void parse_effect(struct call_row *row, char *text)
{
    strcpy(row->object, "none");
    strcpy(row->order, "none");
    char *words[4] = {0}, *attributes[ATTRIBUTE_KINDS], *comma = strchr(text, ',');
    if (comma)
        *comma++ = 0;
    int n = split_words(text, words, 4);
    int nattributes = comma ? split_words(comma, attributes, ATTRIBUTE_KINDS) : 0;
    if (n == 0)
        mistake("what does %s do?", row->name);
    if (n >= 3 || (n == 2 && strcmp(words[1], "orders") == 0)) {
        if (strcmp(words[n - 2], "orders") != 0)
            mistake("expected: verb object orders order");
        copy(row->order, sizeof row->order, words[n - 1], strlen(words[n - 1]));
        n -= 2;
    }
    copy(row->verb, sizeof row->verb, words[0], strlen(words[0]));
    if (n == 2)
        copy(row->object, sizeof row->object, words[1], strlen(words[1]));
    check_word(row->verb, verb_names, "a verb");
    check_word(row->object, object_names, "an object");
    check_word(row->order, order_names, "an order");
    for (int i = 0; i < nattributes; i++)
        row->attributes[check_word(attributes[i], attribute_names, "an attribute")] = true;
}

static struct call_row parse_row(char *line)
{
    struct call_row row = {0};
    char *open = strchr(line, '('), *close = strrchr(line, ')');
    if (!open || !close)
        mistake("expected: NAME(arguments) what it does");
    char *name = open;
    while (name > line && !isspace((unsigned char)name[-1]))
        name--;
    copy(row.name, sizeof row.name, name, open - name);
    while (name > line && isspace((unsigned char)name[-1]))
        name--;
    copy(row.return_type, sizeof row.return_type, name == line ? "int" : line,
         name == line ? 3 : (size_t)(name - line));
    size_t length = strlen(row.name);
    row.large = length > 2 && strcmp(row.name + length - 2, "_c") == 0;

    parse_effect(&row, close + 1);
    int depth = 0;
    const char *start = open + 1;
    for (const char *c = open + 1; c <= close; c++) {
        if (*c == '[' || *c == '(')
            depth++;
        if (c == close || (*c == ',' && depth == 0)) {
            parse_argument(&row, start, c - start);
            start = c + 1;
        } else if (*c == ']' || *c == ')') {
            depth--;
        }
    }
    bind_buffers(&row);
    return row;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct call_row *)a)->name, ((const struct call_row *)b)->name);
}

struct calls_file calls_file_read(const char *path)
{
    struct calls_file file = {0};
    FILE *input = fopen(path, "r");
    if (!input) {
        perror(path);
        exit(1);
    }
    current_path = path;
    char line[2048];
    while (current_line++, fgets(line, sizeof line, input)) {
        if (line[0] == '#' || line[strspn(line, " \t\n")] == 0)
            continue;
        if (!strchr(line, '\n'))
            mistake("the line is too long");
        file.rows = realloc(file.rows, (file.nrows + 1) * sizeof *file.rows);
        if (!file.rows)
            mistake("out of memory");
        file.rows[file.nrows++] = parse_row(line);
    }
    fclose(input);
    qsort(file.rows, file.nrows, sizeof *file.rows, by_name);
    for (int i = 1; i < file.nrows; i++)
        if (strcmp(file.rows[i - 1].name, file.rows[i].name) == 0)
            mistake("%s has two rows", file.rows[i].name);
    return file;
}
