/* Fortran's input and output: the compiler hands addresses of variables to libgfortran, and does
 * not load or store them itself. */
#include "wrap.h"

/* A number, logical or character variable: `bytes` is the kind, for complex numbers that of the
 * parts. */
#define TRANSFER(name, factor)                                                                     \
    void REAL(_gfortran_transfer_##name)(void *parameters, void *variable, int kind);              \
    void WRAP(_gfortran_transfer_##name)(void *parameters, void *variable, int kind)               \
    {                                                                                              \
        STORES(variable, (factor) * (size_t)kind);                                                 \
        REAL(_gfortran_transfer_##name)(parameters, variable, kind);                               \
    }                                                                                              \
    void REAL(_gfortran_transfer_##name##_write)(void *parameters, void *variable, int kind);      \
    void WRAP(_gfortran_transfer_##name##_write)(void *parameters, void *variable, int kind)       \
    {                                                                                              \
        LOADS(variable, (factor) * (size_t)kind);                                                  \
        REAL(_gfortran_transfer_##name##_write)(parameters, variable, kind);                       \
    }
TRANSFER(integer, 1)
TRANSFER(logical, 1)
/* x87's 80 bits are kind 10 and take 16 bytes, of which 10 matter. */
TRANSFER(real, 1)
TRANSFER(complex, 2)

void REAL(_gfortran_transfer_character)(void *parameters, void *text, size_t length);
void WRAP(_gfortran_transfer_character)(void *parameters, void *text, size_t length)
{
    STORES(text, length);
    REAL(_gfortran_transfer_character)(parameters, text, length);
}

void REAL(_gfortran_transfer_character_write)(void *parameters, void *text, size_t length);
void WRAP(_gfortran_transfer_character_write)(void *parameters, void *text, size_t length)
{
    LOADS(text, length);
    REAL(_gfortran_transfer_character_write)(parameters, text, length);
}

/* ---- internal units ---- */

/* What the compiler hands to libgfortran for one statement, since gcc 8; as far as it matters. */
struct transfer {
    unsigned flags;
    int unit;
    const char *file;
    int line;
    size_t message_length;
    char *message;
    int *status;
    int64_t record, *size, *length;
    const void *internal_array;
    char *format;
    size_t format_length, advance_length;
    char *advance;
    char *internal_unit;
    size_t internal_length;
};
_Static_assert(offsetof(struct transfer, internal_unit) == 112, "as gfortran lays it out");

enum { HAS_INTERNAL_UNIT = 1 << 14 };

/* A character variable in place of a file: one record, which is read, or written and filled up with
 * blanks. Of an array, each element is a record; how many are used is not known here. */
static size_t internal_bytes(const struct transfer *transfer)
{
    bool one_record = transfer->flags & HAS_INTERNAL_UNIT && !transfer->internal_array;
    return one_record ? transfer->internal_length : 0;
}

void REAL(_gfortran_st_read)(struct transfer *transfer);
void WRAP(_gfortran_st_read)(struct transfer *transfer)
{
    LOADS(transfer->internal_unit, internal_bytes(transfer));
    REAL(_gfortran_st_read)(transfer);
}

void REAL(_gfortran_st_write_done)(struct transfer *transfer);
void WRAP(_gfortran_st_write_done)(struct transfer *transfer)
{
    STORES(transfer->internal_unit, internal_bytes(transfer));
    REAL(_gfortran_st_write_done)(transfer);
}

/* ---- arrays ---- */

/* gfortran's descriptor of an array, since gcc 8. Strides count elements. */
struct dimension {
    ptrdiff_t stride, low, high;
};

struct descriptor {
    char *base;
    size_t offset;
    size_t element;
    int version;
    signed char rank, type;
    short attribute;
    ptrdiff_t span;
    struct dimension dimensions[15];
};

int REAL(memcmp)(const void *a, const void *b, size_t n);
void *REAL(memcpy)(void *to, const void *from, size_t n);

/* Runs along the first dimension are told in one piece if they are contiguous, else by element.
 * With the values that are about to be stored, packed, only elements that will be others then. */
static void check_array(const struct access_place *place, const struct descriptor *array,
                        enum hook_kind kind, const char *values)
{
    ptrdiff_t index[15] = {0}, extent[15];
    int rank = array->rank;
    if (!array->base || rank < 0 || rank > 15)
        return;
    for (int d = 0; d < rank; d++) {
        extent[d] = array->dimensions[d].high - array->dimensions[d].low + 1;
        if (extent[d] <= 0)
            return;
    }
    ptrdiff_t step = array->span ? array->span : (ptrdiff_t)array->element;
    bool runs = !values && rank > 0 && array->dimensions[0].stride == 1 &&
                step == (ptrdiff_t)array->element;
    size_t bytes = runs ? (size_t)extent[0] * array->element : array->element;
    for (;;) {
        const char *address = array->base;
        for (int d = 0; d < rank; d++)
            address += index[d] * array->dimensions[d].stride * step;
        if (!values || REAL(memcmp)(address, values, bytes))
            check_at(place, address, bytes, kind);
        if (values)
            values += bytes;
        int d = runs ? 1 : 0;
        while (d < rank && ++index[d] == extent[d])
            index[d++] = 0;
        if (d >= rank)
            return;
    }
}

void REAL(_gfortran_transfer_array)(void *parameters, struct descriptor *array, int kind,
                                    size_t length);
void WRAP(_gfortran_transfer_array)(void *parameters, struct descriptor *array, int kind,
                                    size_t length)
{
    if (access_is_watched())
        check_array(&HERE, array, HOOK_STORE, NULL);
    REAL(_gfortran_transfer_array)(parameters, array, kind, length);
}

void REAL(_gfortran_transfer_array_write)(void *parameters, struct descriptor *array, int kind,
                                          size_t length);
void WRAP(_gfortran_transfer_array_write)(void *parameters, struct descriptor *array, int kind,
                                          size_t length)
{
    if (access_is_watched())
        check_array(&HERE, array, HOOK_LOAD, NULL);
    REAL(_gfortran_transfer_array_write)(parameters, array, kind, length);
}

/* A non-contiguous array is packed into a contiguous copy for a call, and unpacked afterwards. A
 * contiguous one is passed as it is, and nothing is touched. MPI gets the address of the copy,
 * which is given back at the end of the call: what goes on after it reads or writes the memory of
 * the next copy. */
static size_t packed_bytes(const struct descriptor *array)
{
    size_t bytes = array->element;
    for (int d = 0; d < array->rank; d++) {
        ptrdiff_t extent = array->dimensions[d].high - array->dimensions[d].low + 1;
        bytes *= extent > 0 ? (size_t)extent : 0;
    }
    return bytes;
}

void *REAL(_gfortran_internal_pack)(struct descriptor *array);
void *WRAP(_gfortran_internal_pack)(struct descriptor *array)
{
    void *packed = REAL(_gfortran_internal_pack)(array);
    if (packed != array->base && access_is_watched()) {
        check_array(&HERE, array, HOOK_LOAD, NULL);
        STORES(packed, packed_bytes(array));
    }
    return packed;
}

/* All of the copy comes back, whatever the call did with it. Values that it left alone are no
 * stores of the program: it only reads what it sends. */
void REAL(_gfortran_internal_unpack)(struct descriptor *array, const void *packed);
void WRAP(_gfortran_internal_unpack)(struct descriptor *array, const void *packed)
{
    if (packed && packed != array->base && access_is_watched()) {
        LOADS(packed, packed_bytes(array));
        check_array(&HERE, array, HOOK_STORE, packed);
    }
    REAL(_gfortran_internal_unpack)(array, packed);
}

/* One element of a copy that loops in the program bring back (gcc_copies.cpp): the same rule. */
void __regatta_copy_back(void *to, const void *from, size_t bytes)
{
    if (access_is_watched()) {
        LOADS(from, bytes);
        if (REAL(memcmp)(to, from, bytes) != 0)
            STORES(to, bytes);
    }
    REAL(memcpy)(to, from, bytes);
}
