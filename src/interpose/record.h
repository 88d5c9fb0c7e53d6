/* The record file of this process: lines of JSON, each written at once (src/findings/README.md). */
#ifndef REGATTA_INTERPOSE_RECORD_H
#define REGATTA_INTERPOSE_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct stack;

enum { RECORD_FORMAT = 2 }; /* what readers must know: src/findings/records.c has the same */

/* A line being built. */
struct record {
    char *text;
    size_t length, room;
    bool failed;    /* no memory: record_end drops it */
    bool fixed;     /* `text` is the caller's and cannot grow */
    char own[2048]; /* for ordinary lines, which so are not lost when memory is short */
};

/* Opens <directory>/<host>-<pid>.records, or one with a further number if that exists. False if
 * that is impossible; errno says why. */
bool record_open(const char *directory);
void record_close(void);
/* Adds how the process ended ("finalized", "aborted", "exited"), and gives back room on the disk
 * that was not needed. Lines may still follow. */
void record_finish(const char *state);
/* The name of the file without its ending, for others beside it. */
const char *record_name(void);

void record_begin(struct record *record, const char *type);
/* The same in `room` bytes at `text`, without memory from the heap; what does not fit is dropped.
 */
void record_begin_in(struct record *record, const char *type, char *text, size_t room);
void record_string(struct record *record, const char *name, const char *value);
void record_number(struct record *record, const char *name, int64_t value);
void record_object(struct record *record, const char *name); /* … record_object_end */
void record_object_end(struct record *record);
void record_array(struct record *record, const char *name); /* … record_array_end */
void record_array_end(struct record *record);
void record_stack(struct record *record, const struct stack *stack);
/* Writes the line with one write(2), all of it or nothing. One that is lost, because the disk is
 * full or has no more for this process, is told as a limit; there is always room for that, and for
 * lines that were begun by record_begin_in. */
void record_end(struct record *record);

/* Something that is not looked at: its kind (src/findings/limits.def), what, why. */
void record_limit(const char *kind, const char *what, const char *why);

#endif
