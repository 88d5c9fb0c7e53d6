#include "record.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "scripts.h"
#include "stacks.h"
#include "platform/file_room.h"
#include "platform/own_memory.h"

/* The file of this process. No lock: threads, and signals that end the process, add lines at any
 * time, each by one write(2) at the end of the file. What is kept here is only ever too small by a
 * line that another thread is just adding. */
static struct {
    int file; /* -1: none */
    char name[320];
    _Atomic uint64_t size;     /* of whole lines */
    _Atomic uint64_t reserved; /* the disk has room up to here */
    _Atomic bool reserves;     /* the file system can do that */
    _Atomic bool has_lost;     /* a line, and has said so */
} records = {.file = -1};

/* Room on the disk is taken in steps before it is needed, so that what has to be said when there is
 * none left can be said: the limit itself, and how the process ended. */
enum { STEP = 16 << 10, LAST_WORDS = 8 << 10 };

const char *record_name(void)
{
    return records.name;
}

static bool reserve(uint64_t size)
{
    if (!records.reserves || size <= records.reserved)
        return true;
    uint64_t wanted = size + STEP;
    int error = platform_file_reserve(records.file, 0, wanted);
    if (error == EOPNOTSUPP) {
        records.reserves = false;
        return true;
    }
    if (error) {
        errno = error;
        return false;
    }
    records.reserved = wanted;
    return true;
}

/* Whether a line may be added. The last words may use what is kept for them. */
static bool has_room(size_t length, bool last_words)
{
    uint64_t size = records.size + length + (last_words ? 0 : LAST_WORDS);
    if (size > platform_file_limit()) { /* writing would end the process by SIGXFSZ */
        errno = EFBIG;
        return false;
    }
    return last_words || reserve(size);
}

bool record_open(const char *directory)
{
    char host[256] = "host", path[PATH_MAX];
    gethostname(host, sizeof host - 1);
    /* In containers several processes have the same number, and maybe the same host. */
    for (int again = 0; records.file < 0; again++) {
        char more[16] = "";
        if (again)
            snprintf(more, sizeof more, "-%d", again);
        snprintf(records.name, sizeof records.name, "%s-%ld%s", host, (long)getpid(), more);
        int length = snprintf(path, sizeof path, "%s/%s.records", directory, records.name);
        if (length >= (int)sizeof path) {
            errno = ENAMETOOLONG;
            return false;
        }
        records.file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666);
        if (records.file < 0 && errno != EEXIST)
            return false;
    }
    /* Programs and shells close and reuse small descriptors by number: stay out of their way. */
    int high = fcntl(records.file, F_DUPFD_CLOEXEC, 700);
    if (high >= 0) {
        close(records.file);
        records.file = high;
    }
    records.size = records.reserved = 0;
    records.reserves = true;
    records.has_lost = false;
    if (has_room(0, false))
        return true;
    int error = errno;
    close(records.file);
    records.file = -1;
    unlink(path);
    errno = error;
    return false;
}

void record_close(void)
{
    if (records.file >= 0)
        close(records.file);
    records.file = -1;
}

static void grow(struct record *record, size_t room)
{
    bool is_own = record->text == record->own;
    char *larger = record->failed || record->fixed ? NULL
                   : is_own                        ? malloc(room)
                                                   : realloc(record->text, room);
    if (!larger) {
        record->failed = true;
        return;
    }
    if (is_own)
        memcpy(larger, record->own, record->length);
    record->text = larger;
    record->room = room;
}

static void append(struct record *record, const char *text, size_t length)
{
    if (record->length + length + 1 > record->room) {
        grow(record, 2 * (record->length + length));
        if (record->failed)
            return;
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
    *record = (struct record){.text = record->own, .room = sizeof record->own};
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

static void record_script_line(struct record *record, const struct script_line *script)
{
    record_object(record, NULL);
    record_string(record, "file", script->file);
    record_number(record, "line", script->line);
    if (script->function)
        record_string(record, "function", script->function);
    record_object_end(record);
}

static char executable[PATH_MAX]; /* found by the first stack; every thread finds the same */

void record_stack(struct record *record, const struct stack *stack)
{
    if (!executable[0])
        platform_program_path(executable, sizeof executable);
    if (!executable[0])
        strcpy(executable, "?");

    record_array(record, "stack");
    for (int i = 0; stack && i < stack->depth; i++) {
        Dl_info info;
        struct link_map *map = NULL;
        uintptr_t address = (uintptr_t)stack->addresses[i];
        const struct script_line *script = script_line_of(stack->addresses[i]);
        if (script) {
            record_script_line(record, script);
            continue;
        }
        if (!dladdr1((void *)(address - 1), &info, (void **)&map, RTLD_DL_LINKMAP) || !map)
            continue;
        record_object(record, NULL);
        record_string(record, "module", map->l_name && map->l_name[0] ? map->l_name : executable);
        record_number(record, "offset", address - map->l_addr);
        record_object_end(record);
    }
    record_array_end(record);
}

/* All of the line or nothing of it. */
static bool add_line(const struct record *record)
{
    if (record->failed || !has_room(record->length, record->fixed)) {
        errno = record->failed ? ENOMEM : errno;
        return false;
    }
    for (size_t done = 0; done < record->length;) {
        ssize_t written = write(records.file, record->text + done, record->length - done);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0) {
            int error = written < 0 ? errno : ENOSPC;
            if (done && ftruncate(records.file, (off_t)records.size))
                records.size += done; /* a line that cannot be read: readers count it */
            errno = error;
            return false;
        }
        done += (size_t)written;
    }
    records.size += record->length;
    return true;
}

/* Once: what is lost later is lost for the same reason. */
static void tell_loss(int error)
{
    char why[160];
    if (atomic_exchange(&records.has_lost, true))
        return;
    if (error == ENOMEM)
        snprintf(why, sizeof why, "no memory left");
    else
        snprintf(why, sizeof why, "no room for its records: %s", strerror(error));
    record_limit("disk", "some of what a process found", why);
}

void record_end(struct record *record)
{
    append(record, "}\n", 2);
    int error = records.file >= 0 && !add_line(record) ? errno : 0;
    if (!record->fixed && record->text != record->own)
        free(record->text);
    if (error)
        tell_loss(error);
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

void record_finish(const char *state)
{
    char text[64];
    struct record record;
    record_begin_in(&record, "end", text, sizeof text);
    record_string(&record, "state", state);
    record_end(&record);
    if (records.file < 0 || records.reserved <= records.size ||
        ftruncate(records.file, (off_t)records.size))
        return; /* what is reserved stays so until the file is removed: no harm */
    records.reserved = records.size;
}
