/* What is a conflict: the table of the semantics page, section 5, and one function that reads it.
 */
#ifndef REGATTA_ENGINE_CONFLICT_TABLE_H
#define REGATTA_ENGINE_CONFLICT_TABLE_H

#include "event.h"

/* All that the rules need to know of an access besides its place in time. */
struct access {
    enum access_kind kind;
    uint32_t op, type, type_size; /* of accumulates */
    uint32_t rank, thread;        /* who */
    site_t site;
    bool same_op;  /* its window has accumulate_ops=same_op */
    uint8_t epoch; /* enum epoch_kind, of RMA operations; no rule asks for it, findings tell it */
};

/* Whether two concurrent accesses to the sections conflict, with which rule, and where (one run of
 * shared bytes). Symmetric in a and b. */
bool rules_conflict(const struct access *a, const struct section *bytes_of_a,
                    const struct access *b, const struct section *bytes_of_b, bool strict,
                    enum race_rule *rule, struct section *common);

/* Whether any two accesses of these kinds can conflict at all: a cheap first question. */
bool rules_kinds_conflict(const struct access *a, const struct access *b);

/* Whether a lock of a and a lock of b, of the same window and target, keep each other out. */
bool rules_locks_exclude(enum lock_type a, enum lock_type b);

#endif
