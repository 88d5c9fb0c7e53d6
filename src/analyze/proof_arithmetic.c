/* Quotients, remainders, masks and choices of numbers as symbols with what is known about them. */
#include "proof_inside.h"

static bool same_sum(const struct polynomial *a, const struct polynomial *b)
{
    struct polynomial difference = polynomial_difference(a, b);
    return !difference.broken && !difference.count;
}

/* The symbol for what is derived from these two sums in this way: the same for the same sums, at
 * whichever moment they were computed. */
static symbol_id derived_symbol(struct proof *proof, int way, const struct polynomial *a,
                                const struct polynomial *b, bool *is_new)
{
    *is_new = false;
    for EACH (derived, &proof->derived)
        if (derived->way == way && same_sum(&derived->operands[0], a) &&
            same_sum(&derived->operands[1], b))
            return derived->symbol;
    symbol_id symbol =
        proof_symbol_of(proof, PROOF_derived, NULL, (int)proof->derived.count, true, is_new);
    APPEND(&proof->derived, (struct proof_derived){way, symbol, {*a, *b}});
    return symbol;
}

enum { WAY_quotient = 100, WAY_remainder, WAY_quotient_down, WAY_remainder_down };

/* n = divisor·quotient + remainder. Which of the two is asked for, is returned. */
static struct polynomial divided(struct proof *proof, const struct polynomial *n, int64_t divisor,
                                 bool rounds_down, bool want_remainder)
{
    bool is_new;
    int64_t number;
    if (polynomial_is_constant(n, &number) && number >= 0)
        return polynomial_constant(want_remainder ? number % divisor : number / divisor);
    struct polynomial by = polynomial_constant(divisor);
    symbol_id quotient =
        derived_symbol(proof, rounds_down ? WAY_quotient_down : WAY_quotient, n, &by, &is_new);
    symbol_id remainder =
        derived_symbol(proof, rounds_down ? WAY_remainder_down : WAY_remainder, n, &by, &is_new);
    struct polynomial q = polynomial_symbol(quotient), r = polynomial_symbol(remainder);
    if (is_new) {
        struct polynomial whole = polynomial_scaled(&q, divisor);
        whole = polynomial_sum(&whole, &r);
        inequalities_equal(&proof->known.all, n, &whole);
        bool positive = proof_is_positive(proof, n);
        if (positive)
            proof_never_negative(proof, quotient);
        if (positive || rounds_down)
            proof_never_negative(proof, remainder);
        else
            proof_at_least(proof, &r, 1 - divisor);
        proof_known_at_most(proof, &r, divisor - 1);
    }
    return want_remainder ? r : q;
}

bool proof_other_shape(void *context, expression node, enum bridge_shape shape,
                       const struct polynomial *operands, size_t count, struct polynomial *result)
{
    struct proof *proof = context;
    int64_t divisor;
    if ((shape == SHAPE_quotient || shape == SHAPE_remainder) &&
        polynomial_is_constant(&operands[1], &divisor) && divisor > 0) {
        *result = divided(proof, &operands[0], divisor, true, shape == SHAPE_remainder);
        return true;
    }
    bool is_new;
    if ((shape != SHAPE_minimum && shape != SHAPE_maximum) || count != 2) {
        *result =
            polynomial_symbol(proof_symbol_of(proof, PROOF_expression, node, 0, false, &is_new));
        return true;
    }
    *result =
        polynomial_symbol(derived_symbol(proof, (int)shape, &operands[0], &operands[1], &is_new));
    if (is_new) {
        for (size_t i = 0; i < count; i++) {
            const struct polynomial *operand = &operands[i];
            if (shape == SHAPE_minimum)
                inequalities_at_most(&proof->known.all, result, operand);
            else
                inequalities_at_most(&proof->known.all, operand, result);
        }
        struct choice choice = {0};
        inequalities_equal(&choice.either, result, &operands[0]);
        inequalities_equal(&choice.other, result, &operands[1]);
        APPEND(&proof->known.choices, choice);
    }
    return true;
}

/* n & mask, run of ones by run of ones: each is a remainder of a quotient. */
static bool masked(struct proof *proof, const struct polynomial *n, int64_t mask,
                   struct polynomial *result)
{
    enum { MOST_RUNS = 4, HIGHEST = 40 };
    *result = polynomial_constant(0);
    unsigned runs = 0;
    for (int low = 0; mask >> low; runs++) {
        while (!(mask >> low & 1))
            low++;
        int high = low;
        while (mask >> high & 1)
            high++;
        if (high > HIGHEST || runs == MOST_RUNS)
            return false;
        struct polynomial part = low ? divided(proof, n, (int64_t)1 << low, true, false) : *n;
        part = divided(proof, &part, (int64_t)1 << (high - low), true, true);
        part = polynomial_scaled(&part, (int64_t)1 << low);
        *result = polynomial_sum(result, &part);
        low = high;
    }
    return true;
}

/* n = divisor·quotient + remainder for a divisor that is not known: what is left over is smaller
 * than it and has the sign of n. */
static struct polynomial divided_by_unknown(struct proof *proof, const struct polynomial *n,
                                            const struct polynomial *divisor, bool want_remainder)
{
    bool is_new;
    symbol_id quotient = derived_symbol(proof, WAY_quotient, n, divisor, &is_new);
    symbol_id remainder = derived_symbol(proof, WAY_remainder, n, divisor, &is_new);
    struct polynomial q = polynomial_symbol(quotient), r = polynomial_symbol(remainder);
    if (is_new) {
        struct polynomial zero = polynomial_constant(0), minus = polynomial_scaled(divisor, -1);
        struct polynomial opposite = polynomial_scaled(&r, -1);
        struct polynomial whole = polynomial_product(&q, divisor);
        whole = polynomial_sum(&whole, &r);
        inequalities_equal(&proof->known.all, n, &whole);
        struct choice size = {0}, sign = {0};
        inequalities_less(&size.either, &r, divisor);
        inequalities_less(&size.either, &opposite, divisor);
        inequalities_less(&size.other, &r, &minus);
        inequalities_less(&size.other, &opposite, &minus);
        APPEND(&proof->known.finer, size);
        inequalities_at_most(&sign.either, &zero, n);
        inequalities_at_most(&sign.either, &zero, &r);
        inequalities_at_most(&sign.other, n, &zero);
        inequalities_at_most(&sign.other, &r, &zero);
        APPEND(&proof->known.finer, sign);
    }
    return want_remainder ? r : q;
}

/* Operations on bits, by a number that is known: in terms of n & number. */
static bool bits_changed(struct proof *proof, LLVMOpcode opcode, const struct polynomial *n,
                         int64_t number, struct polynomial *result)
{
    struct polynomial common;
    if (number < 0 || !masked(proof, n, number, &common))
        return false;
    struct polynomial sum = polynomial_plus(n, number);
    common = opcode == LLVMXor ? polynomial_scaled(&common, 2) : common;
    *result = opcode == LLVMAnd ? common : polynomial_difference(&sum, &common);
    return true;
}

/* Remainders, masks and shifts, which scalar evolution leaves alone. */
bool proof_arithmetic(struct proof *proof, LLVMValueRef value, struct polynomial *result)
{
    int64_t number;
    if (!LLVMIsABinaryOperator(value) || proof_is_truth(value))
        return false;
    LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
    bool shift = opcode == LLVMLShr || opcode == LLVMAShr;
    bool bits = opcode == LLVMAnd || opcode == LLVMOr || opcode == LLVMXor;
    bool remainder = opcode == LLVMSRem || opcode == LLVMURem;
    bool quotient = opcode == LLVMSDiv || opcode == LLVMUDiv;
    if (!shift && !bits && !remainder && !quotient)
        return false;
    struct polynomial by = proof_number(proof, LLVMGetOperand(value, 1));
    if (!polynomial_is_constant(&by, &number)) {
        if (!remainder && !quotient)
            return false;
        struct polynomial n = proof_number(proof, LLVMGetOperand(value, 0));
        *result = divided_by_unknown(proof, &n, &by, remainder);
        return true;
    }
    struct polynomial n = proof_number(proof, LLVMGetOperand(value, 0));
    int64_t first, known;
    if (polynomial_is_constant(&n, &first) && (bits || (first >= 0 && number >= 0)) &&
        draw_operation(opcode, first, number, &known)) {
        *result = polynomial_constant(known);
        return true;
    }
    if (number <= 0 || (shift && number > 40) || number == INT64_MAX)
        return false;
    if (bits)
        return bits_changed(proof, opcode, &n, number, result);
    int64_t divisor = shift ? (int64_t)1 << number : number;
    bool rounds_down = shift || opcode == LLVMURem || opcode == LLVMUDiv;
    *result = divided(proof, &n, divisor, rounds_down, remainder);
    return true;
}
