/* Systems of linear inequalities over whole numbers, and whether one can be shown to have no
 * solution. Products of symbols are unknowns of their own.
 *
 * "Impossible" is a proof; "not shown" says nothing. */
#ifndef REGATTA_ANALYZE_INEQUALITIES_H
#define REGATTA_ANALYZE_INEQUALITIES_H

#include "grow.h"
#include "polynomial.h"

enum relation { AT_LEAST_ZERO, IS_ZERO };

struct inequality {
    struct polynomial sum;
    enum relation relation;
};

typedef LIST(struct inequality) inequality_list;

/* One of two: all inequalities of the first list hold, or all of the second. */
struct choice {
    inequality_list either, other;
};

struct inequalities {
    inequality_list all;
    LIST(struct choice) choices;
    /* Choices within others: too many cases for elimination, left to the solver (solve.h). */
    LIST(struct choice) finer;
    bool hopeless; /* something that is always false was added */
};

void inequalities_add(inequality_list *list, const struct polynomial *sum, enum relation relation);
/* a < b, a <= b, a == b */
void inequalities_less(inequality_list *list, const struct polynomial *a,
                       const struct polynomial *b);
void inequalities_at_most(inequality_list *list, const struct polynomial *a,
                          const struct polynomial *b);
void inequalities_equal(inequality_list *list, const struct polynomial *a,
                        const struct polynomial *b);

bool inequalities_impossible(const struct inequalities *system);
/* … with these in addition. */
bool inequalities_exclude(struct inequalities *system, const inequality_list *more);

void inequalities_free(struct inequalities *system);

#endif
