/* As much of JSON Schema as docs/findings.schema.json uses: type, enum, pattern, minimum,
 * required, properties, additionalProperties: false, items, minItems, maxItems, $ref to $defs.
 * A keyword that is not known here is a mistake, so that no condition is passed over. */
#ifndef REGATTA_TESTS_SCHEMA_H
#define REGATTA_TESTS_SCHEMA_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* False with the first violation in `problem`. */
bool schema_accepts(const json_t *schema, const json_t *value, char *problem, size_t size);

#endif
