/* Numbers, as the program's processor has them. */
#include "arithmetic.h"

#include <math.h>

static uint64_t mask(uint64_t bits, unsigned width)
{
    return width >= 64 ? bits : bits & (((uint64_t)1 << width) - 1);
}

int64_t extended(uint64_t bits, unsigned width)
{
    return width >= 64 ? (int64_t)bits : (int64_t)(bits << (64 - width)) >> (64 - width);
}

double real_of(uint64_t bits, unsigned width)
{
    float single;
    double number;
    uint32_t low = (uint32_t)bits;
    if (width == 32) {
        memcpy(&single, &low, 4);
        return single;
    }
    memcpy(&number, &bits, 8);
    return number;
}

static uint64_t bits_of(double number, unsigned width)
{
    float single = (float)number;
    uint32_t low;
    uint64_t bits;
    if (width == 32) {
        memcpy(&low, &single, 4);
        return low;
    }
    memcpy(&bits, &number, 8);
    return bits;
}

bool compare_numbers(unsigned predicate, uint64_t a, uint64_t b, unsigned width)
{
    int64_t x = extended(a, width), y = extended(b, width);
    switch (predicate) {
    case LLVMIntEQ:
        return a == b;
    case LLVMIntNE:
        return a != b;
    case LLVMIntUGT:
        return a > b;
    case LLVMIntUGE:
        return a >= b;
    case LLVMIntULT:
        return a < b;
    case LLVMIntULE:
        return a <= b;
    case LLVMIntSGT:
        return x > y;
    case LLVMIntSGE:
        return x >= y;
    case LLVMIntSLT:
        return x < y;
    default:
        return x <= y;
    }
}

bool compare_reals(unsigned predicate, double a, double b)
{
    bool unordered = isnan(a) || isnan(b);
    switch (predicate) {
    case LLVMRealPredicateFalse:
        return false;
    case LLVMRealOEQ:
        return a == b;
    case LLVMRealOGT:
        return a > b;
    case LLVMRealOGE:
        return a >= b;
    case LLVMRealOLT:
        return a < b;
    case LLVMRealOLE:
        return a <= b;
    case LLVMRealONE:
        return !unordered && a != b;
    case LLVMRealORD:
        return !unordered;
    case LLVMRealUNO:
        return unordered;
    case LLVMRealUEQ:
        return unordered || a == b;
    case LLVMRealUGT:
        return unordered || a > b;
    case LLVMRealUGE:
        return unordered || a >= b;
    case LLVMRealULT:
        return unordered || a < b;
    case LLVMRealULE:
        return unordered || a <= b;
    case LLVMRealUNE:
        return unordered || a != b;
    default:
        return true;
    }
}

/* False: undefined (division by zero, too long a shift). */
static bool divide_or_shift(unsigned what, unsigned width, uint64_t a, uint64_t b, uint64_t *result)
{
    int64_t x = extended(a, width), y = extended(b, width);
    bool overflow = y == -1 && x == extended((uint64_t)1 << (width - 1), width);
    switch (what) {
    case DO_UDIV:
        return b && (*result = a / b, true);
    case DO_UREM:
        return b && (*result = a % b, true);
    case DO_SDIV:
        return y && !overflow && (*result = (uint64_t)(x / y), true);
    case DO_SREM:
        return y && !overflow && (*result = (uint64_t)(x % y), true);
    case DO_SHL:
        return b < width && (*result = a << b, true);
    case DO_LSHR:
        return b < width && (*result = a >> b, true);
    default:
        return b < width && (*result = (uint64_t)(x >> b), true);
    }
}

bool compute_integer(const struct step *step, uint64_t a, uint64_t b, uint64_t *result)
{
    switch (step->what) {
    case DO_ADD:
        *result = a + b;
        break;
    case DO_SUB:
        *result = a - b;
        break;
    case DO_MUL:
        *result = a * b;
        break;
    case DO_AND:
        *result = a & b;
        break;
    case DO_OR:
        *result = a | b;
        break;
    case DO_XOR:
        *result = a ^ b;
        break;
    default:
        if (!divide_or_shift(step->what, step->width, a, b, result))
            return false;
    }
    *result = mask(*result, step->width);
    return true;
}

uint64_t compute_real(const struct step *step, uint64_t a, uint64_t b)
{
    double x = real_of(a, step->width), y = real_of(b, step->width), z;
    switch (step->what) {
    case DO_FADD:
        z = x + y;
        break;
    case DO_FSUB:
        z = x - y;
        break;
    case DO_FMUL:
        z = x * y;
        break;
    case DO_FDIV:
        z = x / y;
        break;
    case DO_FREM:
        z = fmod(x, y);
        break;
    default:
        z = -x;
        break;
    }
    return bits_of(z, step->width);
}

bool convert_number(const struct step *step, uint64_t a, uint64_t *result)
{
    unsigned from = step->more, to = step->width;
    double number;
    switch (step->what) {
    case DO_TRUNC:
        *result = mask(a, to);
        return true;
    case DO_SEXT:
        *result = mask((uint64_t)extended(a, from), to);
        return true;
    case DO_FPTRUNC:
    case DO_FPEXT:
        *result = bits_of(real_of(a, from), to);
        return true;
    case DO_SITOFP:
        *result = to == 32 ? bits_of((float)extended(a, from), 32)
                           : bits_of((double)extended(a, from), 64);
        return true;
    case DO_UITOFP:
        *result = to == 32 ? bits_of((float)a, 32) : bits_of((double)a, 64);
        return true;
    default:
        number = real_of(a, from);
        if (!(fabs(number) < 9.2e18))
            return false;
        *result = mask(step->what == DO_FPTOSI ? (uint64_t)(int64_t)number : (uint64_t)number, to);
        return true;
    }
}
