#ifndef REGATTA_REPLAY_ARITHMETIC_H
#define REGATTA_REPLAY_ARITHMETIC_H

#include "code.h"

/* False: the result is undefined (division by zero, too long a shift, too large a number). */
bool compute_integer(const struct step *step, uint64_t a, uint64_t b, uint64_t *result);
bool convert_number(const struct step *step, uint64_t a, uint64_t *result);
uint64_t compute_real(const struct step *step, uint64_t a, uint64_t b);

bool compare_numbers(unsigned predicate, uint64_t a, uint64_t b, unsigned width);
bool compare_reals(unsigned predicate, double a, double b);
int64_t extended(uint64_t bits, unsigned width);
double real_of(uint64_t bits, unsigned width);

#endif
