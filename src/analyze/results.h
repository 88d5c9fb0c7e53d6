/* What was found in programs in earlier runs. A program none of whose units has changed is not
 * analysed again. */
#ifndef REGATTA_ANALYZE_RESULTS_H
#define REGATTA_ANALYZE_RESULTS_H

#include "analyze.h"

/* A hash of all that the result depends on: the bitcode of the units, the wrappers, where the user
 * stands (files are named relative to it) and this very program with its libraries. NULL if nothing
 * is kept; the caller's. */
char *results_key(const struct cache *cache, const struct wrappers *wrappers,
                  const struct unit *const *units, size_t count);

/* Adds to the report, and to the numbers, what is kept under the key. False if nothing is. */
bool results_take(const struct cache *cache, const char *key, struct report *report,
                  struct analysis *numbers);
/* Keeps findings from the one with number `first` on. What a busy machine may have cut short is not
 * kept. */
void results_keep(const struct cache *cache, const char *key, struct report *report, size_t first,
                  struct analysis *numbers);

#endif
