#include "sources.h"
#include "plain.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <uthash.h>

enum {
    MOST_BYTES = 64 << 20, /* a larger file is no source that anybody would want to see lines of */
    STATEMENT_REACH = 12,  /* lines that a statement is looked for in, each way */
};

struct source_file {
    const char *name;
    const char **lines; /* NULL: the file cannot be read */
    size_t count;
    UT_hash_handle hh;
};

struct kept_line {
    struct {
        const char *file; /* the report has each text once: the pointer tells */
        uint64_t line;
    } key;
    const char *text;
    UT_hash_handle hh;
};

/* How often a file changes a variable, counted once. */
struct counted_changes {
    char *key; /* file and variable */
    int changes;
    UT_hash_handle hh;
};

struct sources {
    struct source_file *files;
    struct kept_line *kept;
    struct counted_changes *counted;
};

static struct sources *sources_of(struct report *report)
{
    if (!report->sources) {
        report->sources = checked_malloc(sizeof *report->sources);
        *report->sources = (struct sources){0};
    }
    return report->sources;
}

void sources_free(struct report *report)
{
    struct source_file *file, *next_file;
    struct kept_line *line, *next_line;
    struct counted_changes *counted, *next_counted;
    if (!report->sources)
        return;
    HASH_ITER(hh, report->sources->counted, counted, next_counted)
    {
        HASH_DEL(report->sources->counted, counted);
        free(counted->key);
        free(counted);
    }
    HASH_ITER(hh, report->sources->files, file, next_file)
    {
        HASH_DEL(report->sources->files, file);
        free(file->lines);
        free(file);
    }
    HASH_ITER(hh, report->sources->kept, line, next_line)
    {
        HASH_DEL(report->sources->kept, line);
        free(line);
    }
    free(report->sources);
    report->sources = NULL;
}

/* ---- files ----------------------------------------------------------------------------------- */

/* Source files may hold anything; what moves a cursor is shown as '?'. */
static const char *plain_line(struct report *report, const char *text, size_t length)
{
    while (length && strchr(" \t\r", text[length - 1]) && text[length - 1])
        length--;
    char *line = obstack_copy0(&report->texts, text, length);
    plain_make(line, true);
    return line;
}

static char *read_whole(const char *path, size_t *length)
{
    struct stat status; /* the name comes from outside: a pipe of that name would be waited for */
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size > MOST_BYTES)
        return NULL;
    FILE *file = fopen(path, "r");
    if (!file)
        return NULL;
    char *text = checked_malloc((size_t)status.st_size + 1);
    *length = fread(text, 1, (size_t)status.st_size, file);
    fclose(file);
    return text;
}

char *source_path(const struct report *report, const char *file)
{
    return file[0] == '/' || !report->directory ? checked_strdup(file)
                                                : checked_printf("%s/%s", report->directory, file);
}

bool source_mentions(struct report *report, const char *file, const char *text)
{
    char *path = source_path(report, file);
    size_t length = 0;
    char *whole = read_whole(path, &length);
    bool mentions = whole && memmem(whole, length, text, strlen(text));
    free(whole);
    free(path);
    return mentions;
}

static void read_file(struct report *report, struct source_file *file)
{
    char *path = source_path(report, file->name);
    size_t length = 0, capacity = 0;
    char *text = read_whole(path, &length);
    for (size_t at = 0; text && at < length;) {
        const char *end = memchr(text + at, '\n', length - at);
        size_t line = end ? (size_t)(end - text) - at : length - at;
        file->lines = checked_grow(file->lines, file->count, &capacity, sizeof *file->lines);
        file->lines[file->count++] = plain_line(report, text + at, line);
        at += line + 1;
    }
    free(text);
    free(path);
}

static const struct source_file *find_file(struct report *report, const char *name)
{
    struct sources *sources = sources_of(report);
    struct source_file *file;
    HASH_FIND_STR(sources->files, name, file);
    if (file)
        return file;
    file = checked_malloc(sizeof *file);
    *file = (struct source_file){.name = report_text(report, name)};
    HASH_ADD_KEYPTR(hh, sources->files, file->name, strlen(file->name), file);
    read_file(report, file);
    return file;
}

static struct kept_line *find_kept(struct report *report, const char *file, unsigned line)
{
    struct kept_line *kept, wanted;
    memset(&wanted.key, 0, sizeof wanted.key);
    wanted.key.file = report_text(report, file);
    wanted.key.line = line;
    HASH_FIND(hh, sources_of(report)->kept, &wanted.key, sizeof wanted.key, kept);
    return kept;
}

void source_keep(struct report *report, const char *file, unsigned line, const char *text)
{
    struct kept_line *kept = find_kept(report, file, line);
    if (kept)
        return;
    kept = checked_malloc(sizeof *kept);
    memset(kept, 0, sizeof *kept);
    kept->key.file = report_text(report, file);
    kept->key.line = line;
    kept->text = plain_line(report, text, strlen(text));
    HASH_ADD(hh, report->sources->kept, key, sizeof kept->key, kept);
}

const char *source_line(struct report *report, const char *file, unsigned line)
{
    if (!file || !line)
        return NULL;
    const struct kept_line *kept = find_kept(report, file, line);
    if (kept)
        return kept->text;
    const struct source_file *source = find_file(report, file);
    return line <= source->count ? source->lines[line - 1] : NULL;
}

/* ---- statements -------------------------------------------------------------------------------
 */

enum language { LANGUAGE_C, LANGUAGE_FORTRAN, LANGUAGE_PYTHON };

static enum language language_of(const char *file)
{
    const char *dot = strrchr(file, '.');
    if (dot && !strcasecmp(dot, ".py"))
        return LANGUAGE_PYTHON;
    return dot && tolower((unsigned char)dot[1]) == 'f' ? LANGUAGE_FORTRAN : LANGUAGE_C;
}

struct words {
    char *text;
    size_t length, room;
};

static void add_character(struct words *words, char c)
{
    if (words->length + 2 > words->room) {
        words->room = 2 * words->room + 128;
        words->text = checked_realloc(words->text, words->room);
    }
    words->text[words->length++] = c;
    words->text[words->length] = '\0';
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* The length of a comment that begins here, as far as it is in this line; 0 if none does. */
static size_t comment_length(const char *text, enum language language)
{
    if (language == LANGUAGE_FORTRAN)
        return *text == '!' ? strlen(text) : 0;
    if (language == LANGUAGE_PYTHON)
        return *text == '#' ? strlen(text) : 0;
    if (text[0] == '/' && text[1] == '/')
        return strlen(text);
    if (text[0] == '/' && text[1] == '*') {
        const char *end = strstr(text + 2, "*/");
        return end ? (size_t)(end - text) + 2 : strlen(text);
    }
    return 0;
}

/* Adds what a line says: comments are left out (NULL) or gathered, and spaces that part no two
 * words are left out. Those in string literals go, too: it does not matter here. */
static void add_line(struct words *words, struct words *comments, const char *line,
                     enum language language)
{
    char quote = 0;
    bool space = true;
    while (*line) {
        size_t skip = quote ? 0 : comment_length(line, language);
        if (skip) {
            for (size_t i = 0; comments && i < skip; i++)
                add_character(comments, line[i]);
            line += skip;
            space = true;
            continue;
        }
        char c = *line++;
        if (isspace((unsigned char)c) || (c == '&' && language == LANGUAGE_FORTRAN)) {
            space = true;
            continue;
        }
        if (space && words->length && is_word(c) && is_word(words->text[words->length - 1]))
            add_character(words, ' ');
        space = false;
        add_character(words, c);
        if (quote && c == '\\' && *line)
            add_character(words, *line++);
        else if (c == quote)
            quote = 0;
        else if (!quote && (c == '"' || c == '\''))
            quote = c;
    }
}

static char *normalised(const char *line, enum language language)
{
    struct words words = {0};
    if (line)
        add_line(&words, NULL, line, language);
    return words.text ? words.text : checked_strdup("");
}

char *source_plain_line(struct report *report, const char *file, unsigned line)
{
    const char *text = source_line(report, file, line);
    return text ? normalised(text, language_of(file)) : NULL;
}

const char *source_comment(struct report *report, const char *file, unsigned line, bool *alone)
{
    struct words words = {0}, comments = {0};
    const char *text = source_line(report, file, line);
    if (text)
        add_line(&words, &comments, text, language_of(file));
    const char *comment = report_text(report, comments.text);
    *alone = comments.text && !words.text;
    free(words.text);
    free(comments.text);
    return comment;
}

/* Whether a statement cannot go on behind this line. */
static bool ends_statement(struct report *report, const char *file, unsigned line,
                           enum language language)
{
    const char *text = source_line(report, file, line);
    if (!text || language == LANGUAGE_PYTHON)
        return true;
    if (language == LANGUAGE_FORTRAN) {
        const char *comment = strchr(text, '!');
        size_t length = comment ? (size_t)(comment - text) : strlen(text);
        while (length && isspace((unsigned char)text[length - 1]))
            length--;
        return !length || text[length - 1] != '&';
    }
    char *plain = normalised(text, language);
    size_t length = strlen(plain);
    bool ends = !length || strchr(";{}:", plain[length - 1]) || plain[0] == '#';
    free(plain);
    return ends;
}

void source_extent(struct report *report, const char *file, unsigned line, unsigned *first,
                   unsigned *last)
{
    enum language language = language_of(file);
    *first = *last = line;
    while (*first > 1 && line - *first < STATEMENT_REACH &&
           !ends_statement(report, file, *first - 1, language))
        --*first;
    while (*last - line < STATEMENT_REACH && !ends_statement(report, file, *last, language))
        ++*last;
}

const char *source_statement(struct report *report, const char *file, unsigned line)
{
    if (!source_line(report, file, line))
        return NULL;
    enum language language = language_of(file);
    unsigned first, last;
    source_extent(report, file, line, &first, &last);
    struct words words = {0};
    for (unsigned i = first; i <= last; i++) {
        const char *text = source_line(report, file, i);
        if (text)
            add_line(&words, NULL, text, language);
    }
    const char *statement = report_text(report, words.text ? words.text : "");
    free(words.text);
    return statement;
}

unsigned source_first_line(struct report *report, const char *file, unsigned line)
{
    unsigned first = line, last;
    if (file && line && language_of(file) == LANGUAGE_FORTRAN)
        source_extent(report, file, line, &first, &last);
    return first;
}

/* ---- variables ---- */

/* What comes behind the next place of the variable in a line, as normalised() has it; NULL: none.
 */
static const char *find_name(const char *line, const char *from, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = from; (at = strstr(at, name)); at += length) {
        char before = at > line ? at[-1] : ' ';
        if (!is_word(before) && !is_word(at[length]) && before != '.' && before != '>')
            return at + length;
    }
    return NULL;
}

static int changes_in(const char *line, const char *name)
{
    size_t length = strlen(name);
    int changes = 0;
    for (const char *next = line; (next = find_name(line, next, name));) {
        const char *at = next - length;
        bool assigned = next[0] == '=' && next[1] != '=';
        bool moved = *next && strchr("+-", *next) && (next[1] == next[0] || next[1] == '=');
        bool stepped = at - line >= 2 && strchr("+-", at[-1]) && at[-2] == at[-1];
        changes += assigned || moved || stepped || (at > line && at[-1] == '&');
    }
    return changes;
}

bool source_line_names(struct report *report, const char *file, unsigned line, const char *name)
{
    char *plain = source_plain_line(report, file, line);
    bool names = plain && find_name(plain, plain, name);
    free(plain);
    return names;
}

int source_changes(struct report *report, const char *file, const char *name)
{
    struct counted_changes *counted;
    char *key = checked_printf("%s\n%s", file, name);
    HASH_FIND_STR(sources_of(report)->counted, key, counted);
    if (counted) {
        free(key);
        return counted->changes;
    }
    counted = checked_malloc(sizeof *counted);
    *counted = (struct counted_changes){.key = key};
    const char *text;
    for (unsigned line = 1; (text = source_line(report, file, line)); line++) {
        char *plain = strstr(text, name) ? source_plain_line(report, file, line) : NULL;
        counted->changes += plain ? changes_in(plain, name) : 0;
        free(plain);
    }
    HASH_ADD_KEYPTR(hh, report->sources->counted, counted->key, strlen(counted->key), counted);
    return counted->changes;
}
