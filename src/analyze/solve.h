/* What elimination (inequalities.h) leaves open is given to Z3, an SMT solver: it also understands
 * products of unknowns and any nesting of "or". Its answer is either a proof that there is no
 * solution, or a solution, from which an example is made (draws.h) that is then checked like any
 * other one.
 *
 * Each question may use a fixed amount of work (Z3's resource counter, not time): the same answer
 * on every machine. */
#ifndef REGATTA_ANALYZE_SOLVE_H
#define REGATTA_ANALYZE_SOLVE_H

#include "proof.h"

/* Strained: found, but only with numbers that nobody expects: negative or very large ones, very
 * many processes. */
enum solved { SOLVED_none, SOLVED_found, SOLVED_strained, SOLVED_undecided };

/* Whether what is known, and `more` (may be NULL), can be. If so, `found` becomes an example,
 * checked: where a solution turns out to be none, because something was not understood, the
 * question is undecided. */
enum solved solve_example(const struct proof *proof, const inequality_list *more,
                          struct draw *found);

/* Whether it is proved that it cannot be. */
bool solve_excludes(const struct proof *proof, const inequality_list *more);

#endif
