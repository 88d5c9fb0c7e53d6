#include "changes.h"
#include "cli.h"
#include "paths.h"
#include "findings/sources.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

/* Lines of a file as it is now. Where lines were only taken away, they are the two that have met.
 */
struct range {
    unsigned first, last;
    bool is_gap;
};

struct changed_file {
    char *path; /* without detours */
    LIST(struct range) ranges;
    UT_hash_handle hh;
};

struct changes {
    struct changed_file *files;
    char *top;
};

/* ---- git ------------------------------------------------------------------------------------- */

/* A name as git writes it: where it has unusual characters, as a string of C. Decoded in place. */
static char *decode_name(char *name)
{
    if (name[0] != '"')
        return name;
    char *to = name, *from = name + 1;
    while (*from && *from != '"') {
        static const char letters[] = "abtnvfr", meanings[] = "\a\b\t\n\v\f\r";
        if (*from != '\\') {
            *to++ = *from++;
            continue;
        }
        const char *letter = *++from ? strchr(letters, *from) : NULL;
        if (isdigit((unsigned char)*from)) {
            *to++ = (char)strtol((char[]){from[0], from[1], from[2], 0}, NULL, 8);
            from += strnlen(from, 3);
        } else if (*from) {
            *to++ = letter ? meanings[letter - letters] : *from;
            from++;
        }
    }
    *to = '\0';
    return name;
}

/* NULL if there is no such file any more. */
static struct changed_file *add_file(struct changes *changes, const char *name)
{
    char *named = checked_printf("%s/%s", changes->top, name);
    char *path = realpath(named, NULL);
    struct changed_file *file = NULL;
    free(named);
    if (path)
        HASH_FIND_STR(changes->files, path, file);
    if (!path || file) {
        free(path);
        return file;
    }
    file = checked_malloc(sizeof *file);
    memset(file, 0, sizeof *file);
    file->path = path;
    HASH_ADD_KEYPTR(hh, changes->files, file->path, strlen(file->path), file);
    return file;
}

/* "@@ -12 +12,3 @@": as many lines follow with - and + in front as it names. */
static bool read_hunk(const char *line, struct range *range, unsigned *follow)
{
    unsigned old = 1, now = 1, first;
    int at = 0;
    if (sscanf(line, "@@ -%*u%n", &at) != 0 || !at)
        return false;
    if (line[at] == ',' && sscanf(line + at, ",%u", &old) != 1)
        return false;
    const char *plus = strchr(line + at, '+');
    if (!plus || sscanf(plus, "+%u%n", &first, &at) != 1)
        return false;
    if (plus[at] == ',' && sscanf(plus + at, ",%u", &now) != 1)
        return false;
    *range = (struct range){first, now ? first + now - 1 : first + 1, !now};
    *follow = old + now;
    return true;
}

static void read_diff(struct changes *changes, char *text)
{
    static const char header[] = "+++ ", prefix[] = "new/";
    struct changed_file *file = NULL;
    unsigned follow = 0;
    for (char *rest = text, *line; (line = strsep(&rest, "\n"));) {
        struct range range;
        if (line[0] == '\\') /* no newline at the end of the file */
            continue;
        if (follow) { /* of the file, whatever it looks like */
            follow--;
        } else if (!strncmp(line, header, strlen(header))) {
            char *name = line + strlen(header);
            if (name[0] != '"')
                name[strcspn(name, "\t")] = '\0'; /* stands behind names with spaces */
            name = decode_name(name);
            bool gone = strncmp(name, prefix, strlen(prefix)) != 0;
            file = gone ? NULL : add_file(changes, name + strlen(prefix));
        } else if (read_hunk(line, &range, &follow) && file) {
            APPEND(&file->ranges, range);
        }
    }
}

static void read_new_files(struct changes *changes, char *text)
{
    for (char *rest = text, *line; (line = strsep(&rest, "\n"));) {
        struct changed_file *file = *line ? add_file(changes, decode_name(line)) : NULL;
        if (file)
            APPEND(&file->ranges, (struct range){1, UINT_MAX, false});
    }
}

static char *ask_git(char *const *words, const char *revision)
{
    char *answer = paths_output_of(words);
    if (!answer)
        fail(EXIT_USAGE, "check: --changed-since %s: git %s failed", revision, words[1]);
    return answer;
}

struct changes *changes_since(const char *revision)
{
    char *git = paths_program("git");
    if (!git)
        fail(EXIT_USAGE, "check: --changed-since: git is not installed");
    char *top = paths_output_of((char *[]){git, "rev-parse", "--show-toplevel", NULL});
    if (!top || !top[0])
        fail(EXIT_USAGE,
             "check: --changed-since: the working directory is in no git repository that can be "
             "read (git status tells more)");
    top[strcspn(top, "\n")] = '\0';
    char *meant = checked_printf("%s^{commit}", revision);
    char *commit =
        revision[0] == '-'
            ? NULL
            : paths_output_of((char *[]){git, "rev-parse", "--verify", "--quiet", meant, NULL});
    if (!commit || !commit[0])
        fail(EXIT_USAGE, "check: --changed-since: there is no revision '%s' in %s", revision, top);
    commit[strcspn(commit, "\n")] = '\0';

    struct changes *changes = checked_malloc(sizeof *changes);
    *changes = (struct changes){.top = top};
    char *diff =
        ask_git((char *[]){git, "diff", "-U0", "--no-color", "--no-ext-diff", "--no-textconv", "-M",
                           "--src-prefix=old/", "--dst-prefix=new/", commit, "--", NULL},
                revision);
    read_diff(changes, diff);
    char *names = ask_git((char *[]){git, "ls-files", "--others", "--exclude-standard",
                                     "--full-name", "--", ":/", NULL},
                          revision);
    read_new_files(changes, names);
    free(names);
    free(diff);
    free(commit);
    free(meant);
    free(git);
    return changes;
}

void changes_free(struct changes *changes)
{
    struct changed_file *file, *next;
    if (!changes)
        return;
    HASH_ITER(hh, changes->files, file, next)
    {
        HASH_DEL(changes->files, file);
        DROP(&file->ranges);
        free(file->path);
        free(file);
    }
    free(changes->top);
    free(changes);
}

/* ---- findings -------------------------------------------------------------------------------- */

/* A file of findings or functions, by the name that they have for it. */
struct named_file {
    const char *name;
    const struct changed_file *changed; /* NULL: it has not */
    LIST(struct extent) functions;      /* that have changed */
    UT_hash_handle hh;
};

struct filter {
    struct report *report;
    const struct changes *changes;
    struct named_file *files;
};

static struct named_file *find_named(struct filter *filter, const char *name)
{
    struct named_file *file;
    HASH_FIND_STR(filter->files, name, file);
    if (file)
        return file;
    file = checked_malloc(sizeof *file);
    memset(file, 0, sizeof *file);
    file->name = name;
    char *named = source_path(filter->report, name), *path = realpath(named, NULL);
    struct changed_file *changed = NULL;
    if (path)
        HASH_FIND_STR(filter->changes->files, path, changed);
    file->changed = changed;
    free(named);
    free(path);
    HASH_ADD_KEYPTR(hh, filter->files, file->name, strlen(file->name), file);
    return file;
}

static bool line_changed(const struct changed_file *file, unsigned line)
{
    for EACH (range, &file->ranges)
        if (!range->is_gap && range->first <= line && line <= range->last)
            return true;
    return false;
}

static bool function_changed(const struct changed_file *file, const struct extent *extent)
{
    for EACH (range, &file->ranges)
        if (range->is_gap ? extent->first <= range->first && range->last <= extent->last
                          : range->first <= extent->last && extent->first <= range->last)
            return true;
    return false;
}

static bool frame_changed(struct filter *filter, const struct frame *frame)
{
    const struct named_file *file = frame->file ? find_named(filter, frame->file) : NULL;
    if (!file || !file->changed)
        return false;
    for EACH (function, &file->functions)
        if (function->first <= frame->line && frame->line <= function->last)
            return true;
    return line_changed(file->changed, frame->line);
}

static bool is_about_changes(const struct finding *finding, void *context)
{
    const struct stack *stacks[] = {&finding->first.stack, &finding->second.stack};
    for (int side = 0; side < 2; side++)
        for (size_t i = 0; i < stacks[side]->depth; i++)
            if (frame_changed(context, &stacks[side]->frames[i]))
                return true;
    return false;
}

size_t filter_unchanged(struct report *report, const struct changes *changes,
                        const extent_list *extents)
{
    struct filter filter = {.report = report, .changes = changes};
    struct named_file *file, *next;
    for EACH (extent, extents) {
        file = find_named(&filter, extent->file);
        if (file->changed && function_changed(file->changed, extent))
            APPEND(&file->functions, *extent);
    }
    size_t count = report_keep(report, is_about_changes, &filter);
    HASH_ITER(hh, filter.files, file, next)
    {
        HASH_DEL(filter.files, file);
        DROP(&file->functions);
        free(file);
    }
    return count;
}
