/* "waiting" and "exit" of a findings JSON. */
#ifndef REGATTA_FINDINGS_WAITING_JSON_H
#define REGATTA_FINDINGS_WAITING_JSON_H

#include <jansson.h>

#include "waiting.h"

void waiting_put_json(json_t *root, const struct report *report);
void waiting_read_json(const json_t *root, struct report *report);

#endif
