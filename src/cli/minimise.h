/* The fewest places whose operations must be perturbed for the failure to show, and findings tried
 * in both orders. */
#ifndef REGATTA_CLI_MINIMISE_H
#define REGATTA_CLI_MINIMISE_H

#include <stdbool.h>
#include <stddef.h>

/* Whether the failure shows if only these places are perturbed (indices into the caller's list). */
typedef bool (*minimise_test)(void *context, const size_t *places, size_t count);

/* Delta debugging (Zeller and Hildebrandt's ddmin): reduces `places`, of which all together fail,
 * to a list from which none can be left out, and returns its length. Calls `fails` at most `most`
 * times. */
size_t minimise(size_t *places, size_t count, minimise_test fails, void *context, int most);

#endif
