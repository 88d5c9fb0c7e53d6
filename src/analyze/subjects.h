/* What conditions are about, as sets of bits: the values that nothing more is known of, ranks, the
 * counters of loops. Conditions whose sets have none in common say nothing about each other. */
#ifndef REGATTA_ANALYZE_SUBJECTS_H
#define REGATTA_ANALYZE_SUBJECTS_H

#include "moments.h"

enum { SUBJECT_WORDS = 4 };

struct subjects {
    uint64_t bits[SUBJECT_WORDS];
};

const struct subjects *subjects_of(struct function *function, LLVMValueRef value);

/* What it depends on that the loops around `now` were gone round since `then`: how often they run.
 * False if none was. */
bool subjects_of_rounds(const struct moments *moments, struct subjects *rounds);

void subjects_free(struct function *function);

static inline void subjects_add(struct subjects *to, const struct subjects *more)
{
    for (int i = 0; i < SUBJECT_WORDS; i++)
        to->bits[i] |= more->bits[i];
}

static inline bool subjects_meet(const struct subjects *a, const struct subjects *b)
{
    uint64_t common = 0;
    for (int i = 0; i < SUBJECT_WORDS; i++)
        common |= a->bits[i] & b->bits[i];
    return common != 0;
}

#endif
