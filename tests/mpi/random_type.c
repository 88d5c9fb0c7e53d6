#include "random_type.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "byte_oracle.h"

#define MOST 4 /* blocks, members, dimensions */

static uint64_t state;

void random_seed(uint64_t seed)
{
    state = seed * UINT64_C(0x9E3779B97F4A7C15) + 1;
}

static uint64_t random_bits(void)
{
    /* xorshift64*, enough for choosing test cases and the same everywhere */
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return state * UINT64_C(0x2545F4914F6CDD1D) >> 33;
}

int random_between(int low, int high)
{
    return low + (int)(random_bits() % (uint64_t)(high - low + 1));
}

/* Constructors are called through the routines with int or, if the MPI has them, MPI_Count
 * arguments: both leave their own kind of description behind. */
static bool large_counts(void)
{
#if MPI_VERSION >= 4
    return random_between(0, 2) == 0;
#else
    return false;
#endif
}

static void describe(struct random_type *made, const char *format, ...)
{
    size_t used = strlen(made->text);
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(made->text + used, sizeof made->text - used, format, arguments);
    va_end(arguments);
}

/* No MPI_LONG_DOUBLE: MPICH copies its 16 bytes or only the 10 that carry the value, depending on
 * the type around it. */
static void make_basic(struct random_type *made)
{
    const struct {
        MPI_Datatype type;
        const char *name;
    } basics[] = {
        {MPI_CHAR, "char"},
        {MPI_INT, "int"},
        {MPI_DOUBLE, "double"},
        {MPI_SHORT, "short"},
        {MPI_BYTE, "byte"},
        {MPI_SHORT_INT, "short_int"},
        {MPI_DOUBLE_INT, "double_int"},
        {MPI_2INT, "2int"},
        {MPI_PACKED, "packed"},
        {MPI_C_DOUBLE_COMPLEX, "double_complex"},
    };
    /* Few kinds, so that types of only one are not rare. */
    int i = random_between(0, 2) ? random_between(0, 2)
                                 : random_between(0, sizeof basics / sizeof *basics - 1);
    made->type = made->basic = basics[i].type;
    made->uniform = made->predefined = true;
    describe(made, "%s", basics[i].name);
}

struct numbers {
    int count;
    int small[MOST];
    MPI_Aint bytes[MOST];
    MPI_Count large[MOST];
};

static struct numbers random_numbers(struct random_type *made, int count, int low, int high)
{
    struct numbers numbers = {.count = count};

    describe(made, "[");
    for (int i = 0; i < count; i++) {
        numbers.small[i] = random_between(low, high);
        numbers.bytes[i] = numbers.large[i] = numbers.small[i];
        describe(made, i ? ",%d" : "%d", numbers.small[i]);
    }
    describe(made, "]");
    return numbers;
}

#if MPI_VERSION >= 4
#define EITHER(large, ordinary, big)                                                               \
    do {                                                                                           \
        if (large)                                                                                 \
            big;                                                                                   \
        else                                                                                       \
            ordinary;                                                                              \
    } while (0)
#else
#define EITHER(large, ordinary, big)                                                               \
    do {                                                                                           \
        (void)(large);                                                                             \
        ordinary;                                                                                  \
    } while (0)
#endif

static void make_contiguous(struct random_type *made, MPI_Datatype old, bool large)
{
    int count = random_between(0, 5);

    describe(made, "contiguous(%d", count);
    EITHER(large, MPI_Type_contiguous(count, old, &made->type),
           MPI_Type_contiguous_c(count, old, &made->type));
}

/* Open MPI 4.1.4 takes a stride of -1 byte for contiguous: not asked of it. */
static bool is_one_byte_back(int stride, MPI_Datatype unit)
{
    MPI_Aint lower, extent;

    MPI_Type_get_extent(unit, &lower, &extent);
    return stride * extent == -1;
}

static void make_vector(struct random_type *made, MPI_Datatype old, bool large)
{
    int count = random_between(0, 6), length = random_between(0, 4), stride = random_between(-9, 9);

    if (is_one_byte_back(stride, old))
        stride = -2;
    describe(made, "vector(%d,%d,%d", count, length, stride);
    EITHER(large, MPI_Type_vector(count, length, stride, old, &made->type),
           MPI_Type_vector_c(count, length, stride, old, &made->type));
}

static void make_hvector(struct random_type *made, MPI_Datatype old, bool large)
{
    int count = random_between(0, 6), length = random_between(0, 4);
    int stride = random_between(-200, 200);

    if (is_one_byte_back(stride, MPI_BYTE))
        stride = -2;
    describe(made, "hvector(%d,%d,%d", count, length, stride);
    EITHER(large, MPI_Type_create_hvector(count, length, stride, old, &made->type),
           MPI_Type_create_hvector_c(count, length, stride, old, &made->type));
}

static void make_indexed(struct random_type *made, MPI_Datatype old, bool large)
{
    int count = random_between(0, MOST);

    describe(made, "indexed(");
    struct numbers lengths = random_numbers(made, count, 0, 4);
    struct numbers places = random_numbers(made, count, -12, 12);
    EITHER(large, MPI_Type_indexed(count, lengths.small, places.small, old, &made->type),
           MPI_Type_indexed_c(count, lengths.large, places.large, old, &made->type));
}

static void make_hindexed(struct random_type *made, MPI_Datatype old, bool large)
{
    int count = random_between(0, MOST);

    describe(made, "hindexed(");
    struct numbers lengths = random_numbers(made, count, 0, 4);
    struct numbers places = random_numbers(made, count, -150, 150);
    EITHER(large, MPI_Type_create_hindexed(count, lengths.small, places.bytes, old, &made->type),
           MPI_Type_create_hindexed_c(count, lengths.large, places.large, old, &made->type));
}

static void make_indexed_block(struct random_type *made, MPI_Datatype old, bool large)
{
    int count = random_between(0, MOST), length = random_between(0, 4);

    describe(made, "indexed_block(%d", length);
    struct numbers places = random_numbers(made, count, -12, 12);
    EITHER(large, MPI_Type_create_indexed_block(count, length, places.small, old, &made->type),
           MPI_Type_create_indexed_block_c(count, length, places.large, old, &made->type));
}

static void make_hindexed_block(struct random_type *made, MPI_Datatype old, bool large)
{
    int count = random_between(0, MOST), length = random_between(0, 4);

    describe(made, "hindexed_block(%d", length);
    struct numbers places = random_numbers(made, count, -150, 150);
    EITHER(large, MPI_Type_create_hindexed_block(count, length, places.bytes, old, &made->type),
           MPI_Type_create_hindexed_block_c(count, length, places.large, old, &made->type));
}

static void make_resized(struct random_type *made, MPI_Datatype old, bool large)
{
    int lower = random_between(-40, 40), extent = random_between(0, 120);

    describe(made, "resized(%d,%d", lower, extent);
    EITHER(large, MPI_Type_create_resized(old, lower, extent, &made->type),
           MPI_Type_create_resized_c(old, lower, extent, &made->type));
}

static void make_dup(struct random_type *made, MPI_Datatype old, bool large)
{
    (void)large;
    describe(made, "dup(");
    MPI_Type_dup(old, &made->type);
}

static void make_subarray(struct random_type *made, MPI_Datatype old, bool large)
{
    int dimensions = random_between(1, MOST);
    int order = random_between(0, 1) ? MPI_ORDER_C : MPI_ORDER_FORTRAN;
    int sizes[MOST], parts[MOST], starts[MOST];
    MPI_Count large_sizes[MOST], large_parts[MOST], large_starts[MOST];

    describe(made, "subarray(%c", order == MPI_ORDER_C ? 'C' : 'F');
    for (int i = 0; i < dimensions; i++) {
        large_sizes[i] = sizes[i] = random_between(1, 5);
        large_parts[i] = parts[i] = random_between(1, sizes[i]);
        large_starts[i] = starts[i] = random_between(0, sizes[i] - parts[i]);
        describe(made, ",%d:%d+%d", sizes[i], starts[i], parts[i]);
    }
    (void)large_sizes, (void)large_parts, (void)large_starts;
    EITHER(large,
           MPI_Type_create_subarray(dimensions, sizes, parts, starts, order, old, &made->type),
           MPI_Type_create_subarray_c(dimensions, large_sizes, large_parts, large_starts, order,
                                      old, &made->type));
}

static void make_darray(struct random_type *made, MPI_Datatype old, bool large)
{
    int dimensions = random_between(1, 3), processes = 1;
    int order = random_between(0, 1) ? MPI_ORDER_C : MPI_ORDER_FORTRAN;
    int sizes[MOST], kinds[MOST], arguments[MOST], grid[MOST];
    MPI_Count large_sizes[MOST];

    describe(made, "darray(%c", order == MPI_ORDER_C ? 'C' : 'F');
    for (int i = 0; i < dimensions; i++) {
        const int all[] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_NONE};
        const char letters[] = "BCN";
        int kind = random_between(0, 2);
        kinds[i] = all[kind];
        large_sizes[i] = sizes[i] = random_between(1, 9);
        grid[i] = kinds[i] == MPI_DISTRIBUTE_NONE ? 1 : random_between(1, 3);
        arguments[i] = MPI_DISTRIBUTE_DFLT_DARG;
        if (kinds[i] == MPI_DISTRIBUTE_CYCLIC && random_between(0, 1))
            arguments[i] = random_between(1, 3);
        else if (kinds[i] == MPI_DISTRIBUTE_BLOCK && random_between(0, 1))
            arguments[i] = (sizes[i] + grid[i] - 1) / grid[i] + random_between(0, 2);
        processes *= grid[i];
        describe(made, ",%d%c%d/%d", sizes[i], letters[kind], arguments[i], grid[i]);
    }
    int rank = random_between(0, processes - 1);
    describe(made, ",%d of %d", rank, processes);
    (void)large_sizes;
    EITHER(large,
           MPI_Type_create_darray(processes, rank, dimensions, sizes, kinds, arguments, grid, order,
                                  old, &made->type),
           MPI_Type_create_darray_c(processes, rank, dimensions, large_sizes, kinds, arguments,
                                    grid, order, old, &made->type));
}

static bool is_empty(MPI_Datatype type)
{
    MPI_Count size;

    MPI_Type_size_x(type, &size);
    return size == 0;
}

/* A member without data makes MPICH 4.0.2 divide by zero in MPI_Unpack: not asked of it. */
static void make_member(struct random_type *member, int depth)
{
    random_type_make(member, depth);
    if (is_empty(member->type)) {
        random_type_free(member);
        random_type_make(member, 0);
    }
}

static void make_struct(struct random_type *made, int depth)
{
    struct random_type members[MOST];
    MPI_Datatype types[MOST];
    int count = random_between(0, MOST);
    bool large = large_counts();

    describe(made, large ? "struct_c(" : "struct(");
    struct numbers lengths = random_numbers(made, count, 0, 3);
    struct numbers places = random_numbers(made, count, -300, 300);
    made->uniform = true;
    for (int i = 0; i < count; i++) {
        if (i > 0 && random_between(0, 3) == 0) {
            members[i] = members[i - 1]; /* the same handle twice */
            members[i].predefined = true;
        } else {
            make_member(&members[i], depth - 1);
        }
        types[i] = members[i].type;
        describe(made, ",%s", members[i].text);
    }
    EITHER(large, MPI_Type_create_struct(count, lengths.small, places.bytes, types, &made->type),
           MPI_Type_create_struct_c(count, lengths.large, places.large, types, &made->type));
    for (int i = 0; i < count; i++) {
        if (lengths.small[i] == 0)
            continue;
        made->uniform = made->uniform && members[i].uniform &&
                        (made->basic == MPI_DATATYPE_NULL || made->basic == members[i].basic);
        made->basic = members[i].basic;
    }
    for (int i = 0; i < count; i++)
        random_type_free(&members[i]);
    describe(made, ")");
}

static void (*const makers[])(struct random_type *, MPI_Datatype, bool) = {
    make_contiguous, make_vector,        make_hvector,        make_indexed,
    make_hindexed,   make_indexed_block, make_hindexed_block, make_resized,
    make_dup,        make_subarray,      make_darray,
};

static void make_from_one(struct random_type *made, int depth)
{
    struct random_type old;
    bool large = large_counts();

    random_type_make(&old, depth - 1);
    /* Open MPI 4.1.4 refuses to distribute a type without data; darray is the last maker. */
    int last = (int)(sizeof makers / sizeof *makers) - 1 - is_empty(old.type);
    makers[random_between(0, last)](made, old.type, large);
    describe(made, large ? ",c,%s)" : ",%s)", old.text);
    made->uniform = old.uniform;
    made->basic = old.basic;
    random_type_free(&old);
}

void random_type_make(struct random_type *made, int depth)
{
    *made = (struct random_type){.basic = MPI_DATATYPE_NULL};
    if (depth <= 0 || random_between(0, 7) == 0) {
        make_basic(made);
        return;
    }
    if (random_between(0, 5) == 0)
        make_struct(made, depth);
    else
        make_from_one(made, depth);
    if (!oracle_can_hold(made->type, 1)) {
        random_type_free(made);
        *made = (struct random_type){.basic = MPI_DATATYPE_NULL};
        make_basic(made);
        return;
    }
    MPI_Type_commit(&made->type);
}

void random_type_free(struct random_type *made)
{
    if (!made->predefined)
        MPI_Type_free(&made->type);
}
