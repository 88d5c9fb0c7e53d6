/* What updates write. */
#include "release_boards.h"

static int64_t with_sign(uint64_t bytes, uint64_t size)
{
    unsigned above = 64 - 8 * (unsigned)size;
    return (int64_t)(bytes << above) >> above;
}

static uint64_t result_of(enum release_op op, uint64_t found, uint64_t operand, uint64_t size)
{
    bool less = with_sign(found, size) < with_sign(operand, size);
    switch (op) {
    case RELEASE_SUM:
        return found + operand;
    case RELEASE_AND:
        return found & operand;
    case RELEASE_OR:
        return found | operand;
    case RELEASE_XOR:
        return found ^ operand;
    case RELEASE_MIN:
        return less ? found : operand;
    case RELEASE_MAX:
        return less ? operand : found;
    case RELEASE_MIN_UNSIGNED:
        return found < operand ? found : operand;
    case RELEASE_MAX_UNSIGNED:
        return found < operand ? operand : found;
    default:
        return found;
    }
}

struct release_value release_value_written(enum release_op op, uint64_t found, uint64_t operand,
                                           uint64_t size)
{
    struct release_value written = {VALUE_KNOWN, result_of(op, found, operand, size)};
    if (size < sizeof written.bytes)
        written.bytes &= (UINT64_C(1) << 8 * size) - 1;
    return written;
}
