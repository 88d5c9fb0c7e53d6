/* Looks for numbers with which everything that is known holds, by changing one unknown at a time.
 * Finds most examples in a hundredth of the time that Z3 needs; finding none says nothing. */
#ifndef REGATTA_ANALYZE_SEARCH_H
#define REGATTA_ANALYZE_SEARCH_H

#include "proof.h"

/* Unfit: there are numbers for all that was understood, but they make no example, because of what
 * was not understood. To prove that there is none, or to look for others, is in vain then. */
enum searched { SEARCHED_in_vain, SEARCHED_unfit, SEARCHED_found };

/* Whether there are natural numbers, as a reader would choose them, for what is known and `more`
 * (may be NULL). `found` becomes an example, checked like any other one. */
enum searched search_example(const struct proof *proof, const inequality_list *more,
                             struct draw *found);

/* Makes an example of a number for each symbol (for those that are `given`; NULL: all), and of
 * others that are drawn. False if it does not hold after all, because something was not understood.
 */
bool example_from(const struct proof *proof, const int64_t *values, const bool *given,
                  uint64_t seed, struct draw *found);

#endif
