/* Lines of source files: for excerpts, and for ids that do not go by line numbers. They come from
 * the findings file that a report was read from, else from the disk. */
#ifndef REGATTA_FINDINGS_SOURCES_H
#define REGATTA_FINDINGS_SOURCES_H

#include "finding.h"

/* The line without its end, control characters other than tabs replaced; NULL if it is not known.
 * Each file is read once. Relative names are below report->directory. */
const char *source_line(struct report *report, const char *file, unsigned line);

/* Whether the file on the disk has that text anywhere. Keeps nothing of it. */
bool source_mentions(struct report *report, const char *file, const char *text);

/* Where the file would be found, to be freed. */
char *source_path(const struct report *report, const char *file);

/* What the comments of a line say that begin in it, in the report's memory; NULL if there are none.
 * `alone`: there is nothing else in the line. */
const char *source_comment(struct report *report, const char *file, unsigned line, bool *alone);

/* Makes a line known, whatever the disk has. */
void source_keep(struct report *report, const char *file, unsigned line, const char *text);

/* The whole statement that a line is part of, in a form that only changes if its meaning may: no
 * comments, no white space but between words. Compilers name different lines of one long call. NULL
 * if the line is not known. In the report's memory. */
const char *source_statement(struct report *report, const char *file, unsigned line);

/* The line alone in that form, allocated; NULL if it is not known. */
char *source_plain_line(struct report *report, const char *file, unsigned line);

/* The lines of that statement; the line itself if it is not known. */
void source_extent(struct report *report, const char *file, unsigned line, unsigned *first,
                   unsigned *last);

/* Where the statement of that line begins, in Fortran, whose compilers name its last line; in other
 * languages the line itself. */
unsigned source_first_line(struct report *report, const char *file, unsigned line);

/* Whether the line has that variable in it, and how many places of the file give it a value or its
 * address away. By the letters: too many rather than too few. */
bool source_line_names(struct report *report, const char *file, unsigned line, const char *name);
int source_changes(struct report *report, const char *file, const char *name);

void sources_free(struct report *report);

#endif
