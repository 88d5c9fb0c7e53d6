/* A set of address ranges, for "which of them touch this one?".
 *
 * A treap ordered by the low end, each node knowing the highest end below it (Cormen's interval
 * tree). Ranges may overlap and be equal. A strided section is entered with the range from its
 * first to its last byte, so a query returns all that can share a byte, and the caller decides
 * exactly. Nodes are part of the caller's objects: nothing is allocated here. Priorities come from
 * a counter through a mixing function, so the shape, and with it everything that depends on
 * visiting order, is the same in every run.
 *
 * Short ranges, like the words of a table that is updated at random, would make the tree deep for
 * nothing. Those within one line of 64 bytes stand in a hash table by line instead, as long as
 * its chains are short: 30 instructions to enter one instead of 300. */
#ifndef REGATTA_ENGINE_SPANS_H
#define REGATTA_ENGINE_SPANS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct span {
    uint64_t low, high; /* [low, high), set by the caller before span_insert */
    union {
        uint64_t reach;        /* the highest `high` in this subtree */
        struct span *previous; /* of the short ones */
    };
    struct span *left, *right; /* of the short ones: the next of the chain, the next of all */
    uint64_t priority; /* heap order; unique, so equal low ends have an order too; 0: a short one */
};

enum { SPAN_CHAINS = 1024 };

struct spans {
    struct span *root;
    uint64_t serial;
    size_t count;
    struct span *chains[SPAN_CHAINS]; /* the short ones by line */
    struct span *shorts;              /* all of them, newest first */
    size_t short_count;
};

void spans_insert(struct spans *spans, struct span *span);
void spans_remove(struct spans *spans, struct span *span);

/* Every span that touches [low, high): first the short ones, then those of the tree in ascending
 * order of low end. The set must not change meanwhile. `visit` returns false to stop. */
typedef bool spans_visitor(void *context, struct span *span);
bool spans_visit(const struct spans *spans, uint64_t low, uint64_t high, spans_visitor *visit,
                 void *context);

#endif
