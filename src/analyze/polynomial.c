#include "polynomial.h"

#include <string.h>

static bool same_symbols(const struct term *a, const struct term *b)
{
    return !memcmp(a->symbols, b->symbols, sizeof a->symbols);
}

static void add_term(struct polynomial *sum, struct term term)
{
    if (!term.factor || sum->broken)
        return;
    for (unsigned i = 0; i < sum->count; i++) {
        if (!same_symbols(&sum->terms[i], &term))
            continue;
        if (__builtin_add_overflow(sum->terms[i].factor, term.factor, &sum->terms[i].factor))
            sum->broken = true;
        else if (!sum->terms[i].factor)
            sum->terms[i] = sum->terms[--sum->count];
        return;
    }
    if (sum->count == POLYNOMIAL_TERMS)
        sum->broken = true;
    else
        sum->terms[sum->count++] = term;
}

struct polynomial polynomial_constant(int64_t number)
{
    struct polynomial result = {0};
    add_term(&result, (struct term){number, {0}});
    return result;
}

struct polynomial polynomial_symbol(symbol_id symbol)
{
    struct polynomial result = {0};
    add_term(&result, (struct term){1, {symbol}});
    return result;
}

struct polynomial polynomial_scaled(const struct polynomial *a, int64_t factor)
{
    struct polynomial result = {.broken = a->broken};
    for (unsigned i = 0; i < a->count; i++) {
        struct term term = a->terms[i];
        if (__builtin_mul_overflow(term.factor, factor, &term.factor))
            result.broken = true;
        else
            add_term(&result, term);
    }
    return result;
}

struct polynomial polynomial_sum(const struct polynomial *a, const struct polynomial *b)
{
    struct polynomial result = *a;
    result.broken |= b->broken;
    for (unsigned i = 0; i < b->count; i++)
        add_term(&result, b->terms[i]);
    return result;
}

struct polynomial polynomial_difference(const struct polynomial *a, const struct polynomial *b)
{
    struct polynomial negative = polynomial_scaled(b, -1);
    return polynomial_sum(a, &negative);
}

struct polynomial polynomial_plus(const struct polynomial *a, int64_t number)
{
    struct polynomial constant = polynomial_constant(number);
    return polynomial_sum(a, &constant);
}

/* Merges two descending lists of symbols; false if they are too many together. */
static bool merge_symbols(const struct term *a, const struct term *b, struct term *product)
{
    unsigned i = 0, k = 0;
    for (unsigned n = 0; n < 2 * POLYNOMIAL_DEGREE; n++) {
        symbol_id left = i < POLYNOMIAL_DEGREE ? a->symbols[i] : 0;
        symbol_id right = k < POLYNOMIAL_DEGREE ? b->symbols[k] : 0;
        symbol_id next = left >= right ? left : right;
        if (!next)
            return true;
        if (n == POLYNOMIAL_DEGREE)
            return false;
        product->symbols[n] = next;
        if (left >= right)
            i++;
        else
            k++;
    }
    return true;
}

struct polynomial polynomial_product(const struct polynomial *a, const struct polynomial *b)
{
    struct polynomial result = {.broken = a->broken || b->broken};
    for (unsigned i = 0; i < a->count; i++)
        for (unsigned k = 0; k < b->count; k++) {
            struct term term = {0};
            if (__builtin_mul_overflow(a->terms[i].factor, b->terms[k].factor, &term.factor) ||
                !merge_symbols(&a->terms[i], &b->terms[k], &term))
                result.broken = true;
            else
                add_term(&result, term);
        }
    return result;
}

bool polynomial_is_constant(const struct polynomial *a, int64_t *number)
{
    if (a->broken || a->count > 1 || (a->count == 1 && a->terms[0].symbols[0]))
        return false;
    *number = a->count ? a->terms[0].factor : 0;
    return true;
}
