#include "record.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stacks.h"
#include "platform/own_memory.h"

static int record_file = -1;
static char record_file_name[320];

const char *record_name(void)
{
    return record_file_name;
}

bool record_open(const char *directory)
{
    char host[256] = "host", path[PATH_MAX];
    gethostname(host, sizeof host - 1);
    /* In containers several processes have the same number, and maybe the same host. */
    for (int again = 0; record_file < 0; again++) {
        char more[16] = "";
        if (again)
            snprintf(more, sizeof more, "-%d", again);
        snprintf(record_file_name, sizeof record_file_name, "%s-%ld%s", host, (long)getpid(), more);
        int length = snprintf(path, sizeof path, "%s/%s.records", directory, record_file_name);
        if (length >= (int)sizeof path) {
            errno = ENAMETOOLONG;
            return false;
        }
        record_file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666);
        if (record_file < 0 && errno != EEXIST)
            return false;
    }
    /* Programs and shells close and reuse small descriptors by number: stay out of their way. */
    int high = fcntl(record_file, F_DUPFD_CLOEXEC, 700);
    if (high >= 0) {
        close(record_file);
        record_file = high;
    }
    return true;
}

void record_close(void)
{
    if (record_file >= 0)
        close(record_file);
    record_file = -1;
}

static void append(struct record *record, const char *text, size_t length)
{
    if (record->length + length + 1 > record->room) {
        size_t room = 2 * (record->length + length + 256);
        char *larger = record->failed || record->fixed ? NULL : realloc(record->text, room);
        if (!larger) {
            record->failed = true;
            return;
        }
        record->text = larger;
        record->room = room;
    }
    memcpy(record->text + record->length, text, length);
    record->length += length;
}

static void append_string(struct record *record, const char *string)
{
    append(record, "\"", 1);
    for (const unsigned char *c = (const unsigned char *)string; *c; c++) {
        char escaped[8];
        if (*c == '"' || *c == '\\')
            append(record, escaped, sprintf(escaped, "\\%c", *c));
        else if (*c < 0x20)
            append(record, escaped, sprintf(escaped, "\\u%04x", *c));
        else
            append(record, (const char *)c, 1);
    }
    append(record, "\"", 1);
}

/* A comma if one is due, and the name. */
static void append_name(struct record *record, const char *name)
{
    char last = record->length ? record->text[record->length - 1] : '{';
    if (last != '{' && last != '[')
        append(record, ",", 1);
    if (name) {
        append_string(record, name);
        append(record, ":", 1);
    }
}

void record_begin(struct record *record, const char *type)
{
    *record = (struct record){0};
    append(record, "{", 1);
    record_string(record, "type", type);
}

void record_begin_in(struct record *record, const char *type, char *text, size_t room)
{
    *record = (struct record){.text = text, .room = room, .fixed = true};
    append(record, "{", 1);
    record_string(record, "type", type);
}

void record_string(struct record *record, const char *name, const char *value)
{
    append_name(record, name);
    append_string(record, value);
}

void record_number(struct record *record, const char *name, int64_t value)
{
    char number[32];
    append_name(record, name);
    append(record, number, sprintf(number, "%lld", (long long)value));
}

void record_object(struct record *record, const char *name)
{
    append_name(record, name);
    append(record, "{", 1);
}

void record_object_end(struct record *record)
{
    append(record, "}", 1);
}

void record_array(struct record *record, const char *name)
{
    append_name(record, name);
    append(record, "[", 1);
}

void record_array_end(struct record *record)
{
    append(record, "]", 1);
}

void record_stack(struct record *record, const struct stack *stack)
{
    static char executable[PATH_MAX];
    if (!executable[0])
        platform_program_path(executable, sizeof executable);
    if (!executable[0])
        strcpy(executable, "?");

    record_array(record, "stack");
    for (int i = 0; stack && i < stack->depth; i++) {
        Dl_info info;
        struct link_map *map = NULL;
        uintptr_t address = (uintptr_t)stack->addresses[i];
        if (!dladdr1((void *)(address - 1), &info, (void **)&map, RTLD_DL_LINKMAP) || !map)
            continue;
        record_object(record, NULL);
        record_string(record, "module", map->l_name && map->l_name[0] ? map->l_name : executable);
        record_number(record, "offset", address - map->l_addr);
        record_object_end(record);
    }
    record_array_end(record);
}

void record_end(struct record *record)
{
    append(record, "}\n", 2);
    if (!record->failed && record_file >= 0) {
        const char *rest = record->text;
        size_t left = record->length;
        while (left > 0) {
            ssize_t written = write(record_file, rest, left);
            if (written < 0 && errno == EINTR)
                continue;
            if (written <= 0)
                break; /* disk full: nothing that the program should suffer from */
            rest += written;
            left -= written;
        }
    }
    if (!record->fixed)
        free(record->text);
}

void record_limit(const char *kind, const char *what, const char *why)
{
    char text[4096]; /* there may be no memory: that is what it tells */
    struct record record;
    record_begin_in(&record, "limit", text, sizeof text);
    record_string(&record, "kind", kind);
    record_string(&record, "what", what);
    record_string(&record, "why", why);
    record_end(&record);
}
