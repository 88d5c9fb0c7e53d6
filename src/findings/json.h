/* Findings as JSON: the file that `--json` writes and `regatta report` reads
 * (docs/findings.schema.json), and the finding objects in records, which have facts instead of
 * sentences. */
#ifndef REGATTA_FINDINGS_JSON_H
#define REGATTA_FINDINGS_JSON_H

#include "finding.h"

#include <jansson.h>
#include <stdio.h>

/* Adds the finding that `object` describes. Unknown fields are left alone. Returns NULL if it is
 * not a finding (no rule, or no first access). */
struct finding *json_read_finding(struct report *report, const json_t *object);

/* A text as terminals may have it: control characters become '?'. NULL if it is none. */
const char *json_plain_text(struct report *report, const json_t *value);

/* The stack of an access or place: its "stack", or the one frame that its own file, line and
 * function (or module and offset) make. */
struct stack json_read_stack(struct report *report, const json_t *object);

/* Adds the findings and notes of a findings file to `report`. On failure returns false and says
 * in `problem` (to be freed) what is wrong with the file. */
bool json_read_report(struct report *report, const char *path, char **problem);

/* The whole report as one object, with the source lines that its findings name. */
json_t *json_of_report(struct report *report);

/* Writes that object. False on a write error. */
bool json_write_report(struct report *report, FILE *out);

/* A text in JSON's UTF-8: names in programs need not be; what is not becomes '?'. */
json_t *json_text(const char *text);

/* function, file, line, column, or module and offset. */
void json_put_frame(json_t *object, const struct frame *frame);

#endif
