/* Sums of products of symbols with whole factors: 4·n·k + 8·i − 4. Small and by value; a sum that
 * does not fit, or overflows, is broken, and nothing is ever proved from a broken one. */
#ifndef REGATTA_ANALYZE_POLYNOMIAL_H
#define REGATTA_ANALYZE_POLYNOMIAL_H

#include <stdbool.h>
#include <stdint.h>

enum { POLYNOMIAL_TERMS = 12, POLYNOMIAL_DEGREE = 3 };

typedef uint16_t symbol_id; /* 0: none */

/* Symbols in descending order, so that equal products look equal. */
struct term {
    int64_t factor;
    symbol_id symbols[POLYNOMIAL_DEGREE];
};

struct polynomial {
    uint8_t count;
    bool broken;
    struct term terms[POLYNOMIAL_TERMS];
};

#ifdef __cplusplus
extern "C" {
#endif

struct polynomial polynomial_constant(int64_t number);
struct polynomial polynomial_symbol(symbol_id symbol);
struct polynomial polynomial_sum(const struct polynomial *a, const struct polynomial *b);
struct polynomial polynomial_difference(const struct polynomial *a, const struct polynomial *b);
struct polynomial polynomial_product(const struct polynomial *a, const struct polynomial *b);
struct polynomial polynomial_scaled(const struct polynomial *a, int64_t factor);
struct polynomial polynomial_plus(const struct polynomial *a, int64_t number);
bool polynomial_is_constant(const struct polynomial *a, int64_t *number);

#ifdef __cplusplus
}
#endif

#endif
