/* What is known about the numbers of two moments (moments.h), as inequalities: branch conditions,
 * how often loops run, which rank this is. For showing that something cannot be, or, with a way
 * found that it can (a draw), that it holds whatever the input is. For moments.c. */
#ifndef REGATTA_ANALYZE_PROOF_H
#define REGATTA_ANALYZE_PROOF_H

#include "draws.h"
#include "inequalities.h"

enum proof_kind {
    PROOF_value,      /* of the program: key is what it is known as */
    PROOF_expression, /* not understood */
    PROOF_counter,    /* of the loop with this number */
    PROOF_rank,
    PROOF_size,
    PROOF_derived,
    PROOF_switch /* 1: one side of a choice within a choice holds */
};

struct proof_symbol {
    enum proof_kind kind;
    const void *key;
    int number;
    bool shared, at_least_zero;
    enum side side;
};

/* A symbol for a quotient, a remainder, a minimum … of two sums. */
struct proof_derived {
    int way;
    symbol_id symbol;
    struct polynomial operands[2];
};

/* What is computed from other values is so once: quotients of quotients double at each step. */
struct proof_computed {
    LLVMValueRef value;
    enum side side;
    struct polynomial sum;
};

struct proof {
    const struct moments *moments;
    const struct draw *fixed; /* ranks, iterations and MPI's answers are those of this draw */
    enum side side;           /* the moment at which values are computed */
    int depth;
    struct inequalities known;
    LIST(struct proof_symbol) symbols;
    LIST(struct proof_derived) derived;
    LIST(struct proof_computed) computed;
};

/* Starts with the conditions of both moments. */
void proof_open(struct proof *proof, const struct moments *moments, const struct draw *fixed);
void proof_close(struct proof *proof);

/* A value or an expression as a sum; what cannot be understood is a symbol of its own. */
struct polynomial proof_value(struct proof *proof, enum side side, LLVMValueRef value);
struct polynomial proof_expression(struct proof *proof, enum side side, expression e);

struct polynomial proof_size(struct proof *proof); /* of MPI_COMM_WORLD */
struct polynomial proof_rank(struct proof *proof, enum side side);

/* From the first byte to behind the last one of `count` elements. */
void layout_hull(const struct layout *layout, const struct polynomial *at,
                 const struct polynomial *count, struct polynomial *start, struct polynomial *end);

/* Adds that this process is one of those whose buffer counts: the root, or not the root … */
void proof_takes_part(struct proof *proof, enum side side, const struct event *event,
                      const struct buffer *buffer);

/* Whether the sum depends on something unknown that is another one at each moment: an element of an
 * array of indices, for example. */
bool proof_is_guess(const struct proof *proof, const struct polynomial *sum);

/* Adds that two sums are different. */
void proof_differ(struct proof *proof, const struct polynomial *a, const struct polynomial *b);

/* Whether a <= b, and whether a == b, follow from what is known. */
bool proof_at_most(struct proof *proof, const struct polynomial *a, const struct polynomial *b);
bool proof_equal(struct proof *proof, const struct polynomial *a, const struct polynomial *b);

#endif
