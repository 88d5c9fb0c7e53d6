/* A set of address ranges, for "which of them touch this one?".
 *
 * A treap ordered by the low end, each node knowing the highest end below it (Cormen's interval
 * tree). Ranges may overlap and be equal. A strided section is entered with the range from its
 * first to its last byte, so a query returns all that can share a byte, and the caller decides
 * exactly. Nodes are part of the caller's objects: nothing is allocated here. Priorities come from
 * a counter through a mixing function, so the shape, and with it everything that depends on
 * visiting order, is the same in every run. */
#ifndef REGATTA_ENGINE_SPANS_H
#define REGATTA_ENGINE_SPANS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct span {
    uint64_t low, high; /* [low, high), set by the caller before span_insert */
    uint64_t reach;     /* the highest `high` in this subtree */
    struct span *left, *right;
    uint64_t priority; /* heap order; unique, so equal low ends have an order too */
};

struct spans {
    struct span *root;
    uint64_t serial;
    size_t count;
};

void spans_insert(struct spans *spans, struct span *span);
void spans_remove(struct spans *spans, struct span *span);

/* Every span that touches [low, high), in ascending order of low end. The tree must not change
 * meanwhile. `visit` returns false to stop. */
typedef bool spans_visitor(void *context, struct span *span);
bool spans_visit(const struct spans *spans, uint64_t low, uint64_t high, spans_visitor *visit,
                 void *context);

#endif
