#include "datatype_shape.h"

#include <stdlib.h>

#include "datatype_contents.h"
#include "interpose/pmpi.h" /* by this name, so that tests can put a stand-in before it */

/* Deeper nesting than any program's, but far from the end of a small thread's stack. */
#define MAX_DEPTH 400

MPI_Datatype datatype_null(void)
{
#ifdef OPEN_MPI
    return pmpi.Type_f2c(0); /* its C value is the address of a symbol of the library */
#else
    return MPI_DATATYPE_NULL;
#endif
}

/* A number for a predefined type on which all processes agree. */
static int predefined_id(MPI_Datatype type)
{
#ifdef MPI_Type_c2f
    return (int)MPI_Type_c2f(type);
#else
    return (int)pmpi.Type_c2f(type);
#endif
}

/* --- Placing shapes ---------------------------------------------------------------------- */

static int64_t times(struct section_list *list, int64_t a, int64_t b)
{
    int64_t product;

    if (!__builtin_mul_overflow(a, b, &product))
        return product;
    list->failed = true;
    return 0;
}

/* Adds `pattern`, moved to `at`, `copies` times `distance` bytes apart. */
static void spread(struct section_list *list, const struct section_list *pattern, int64_t at,
                   int64_t copies, int64_t distance)
{
    list->failed |= pattern->failed;
    if (copies < 1)
        return;
    for (size_t i = 0; i < pattern->count && !list->failed; i++) {
        struct section section = pattern->at[i];
        int64_t start;
        if (__builtin_add_overflow((int64_t)section.start, at, &start)) {
            list->failed = true;
            return;
        }
        section.start = (uint64_t)start;
        section_list_repeat(list, &section, (uint64_t)copies, distance);
    }
}

/* Blocks of `length` elements, the first at `at`, `copies` of them `distance` bytes apart. */
static void place(struct section_list *list, const struct shape *element, int64_t at,
                  int64_t length, int64_t copies, int64_t distance)
{
    if (copies == 1) {
        spread(list, &element->sections, at, length, element->extent);
        return;
    }
    struct section_list block = {0};
    spread(&block, &element->sections, at, length, element->extent);
    section_list_compact(&block);
    spread(list, &block, 0, copies, distance);
    section_list_free(&block);
}

/* Equal blocks at equal distances that were listed one after another: placed all at once, so
 * that a long regular list of a complicated type stays cheap. Simple types are placed block by
 * block, as section_list_compact finds more. */
struct run {
    int64_t at, length, copies, distance;
};

static void run_place(struct run *run, struct section_list *list, const struct shape *element)
{
    /* Two alone are no pattern, and each of them may touch other blocks. */
    if (run->copies == 2) {
        place(list, element, run->at, run->length, 1, 0);
        place(list, element, run->at + run->distance, run->length, 1, 0);
    } else if (run->copies > 0) {
        place(list, element, run->at, run->length, run->copies, run->distance);
    }
    run->copies = 0;
}

static void run_add(struct run *run, struct section_list *list, const struct shape *element,
                    int64_t at, int64_t length)
{
    int64_t distance = 0;

    if (length < 1)
        return;
    if (element->sections.count <= 1) {
        place(list, element, at, length, 1, 0);
        return;
    }
    if (run->copies > 0 &&
        (run->length != length ||
         __builtin_sub_overflow(at, run->at + (run->copies - 1) * run->distance, &distance) ||
         (run->copies > 1 && distance != run->distance)))
        run_place(run, list, element);
    if (run->copies == 0) {
        *run = (struct run){.at = at, .length = length, .copies = 1};
    } else {
        run->distance = distance;
        run->copies++;
    }
}

/* --- The combiners ----------------------------------------------------------------------- */

static void decode_vector(struct section_list *list, struct contents *contents,
                          const struct shape *element)
{
    int64_t count = take_count(contents), length = take_count(contents), stride;

    if (contents->combiner == MPI_COMBINER_VECTOR)
        stride = times(list, take_count(contents), element->extent);
    else
        stride = take_address(contents);
    place(list, element, 0, length, count, stride);
}

/* Lengths, then displacements: in elements for MPI_Type_indexed, in bytes for the others. */
static void decode_indexed(struct section_list *list, struct contents *contents,
                           const struct shape *element)
{
    bool one_length = contents->combiner == MPI_COMBINER_INDEXED_BLOCK ||
                      contents->combiner == MPI_COMBINER_HINDEXED_BLOCK;
    bool in_elements = contents->combiner == MPI_COMBINER_INDEXED_BLOCK ||
                       contents->combiner == MPI_COMBINER_INDEXED;
    int64_t count = take_count(contents);
    int64_t length = one_length ? take_count(contents) : 0;
    struct contents lengths = *contents; /* stays at the lengths, `contents` goes on behind them */
    struct run run = {0};

    for (int64_t i = 0; i < count && !one_length && !contents->exhausted; i++)
        take_count(contents);
    for (int64_t i = 0; i < count && !contents->exhausted && !list->failed; i++) {
        int64_t at = in_elements ? times(list, take_count(contents), element->extent)
                                 : take_address(contents);
        run_add(&run, list, element, at, one_length ? length : take_count(&lengths));
    }
    run_place(&run, list, element);
}

static void decode_subarray(struct section_list *list, struct contents *contents,
                            const struct shape *element)
{
    int64_t dimensions = take_integer(contents);

    if (dimensions < 1 || dimensions > contents->integer_count + contents->large_count) {
        contents->exhausted = true;
        return;
    }
    int64_t *numbers = calloc((size_t)dimensions * 3, sizeof *numbers);
    if (!numbers) {
        list->failed = true;
        return;
    }
    for (int64_t i = 0; i < 3 * dimensions; i++)
        numbers[i] = take_count(contents);
    const int64_t *sizes = numbers, *part = sizes + dimensions, *first = part + dimensions;
    bool fortran = take_integer(contents) == MPI_ORDER_FORTRAN;

    int64_t step = element->extent;
    spread(list, &element->sections, 0, 1, 0);
    for (int64_t i = 0; i < dimensions && !list->failed; i++) {
        int64_t d = fortran ? i : dimensions - 1 - i; /* the fastest one first */
        struct section_list rows = {0};
        spread(&rows, list, times(&rows, first[d], step), part[d], step);
        section_list_compact(&rows);
        section_list_free(list);
        *list = rows;
        step = times(list, step, sizes[d]);
    }
    free(numbers);
}

/* One dimension of a distributed array (MPI-4.0 §5.1.4). */
struct distribution {
    int64_t size, kind, argument, processes;
    int64_t coordinate; /* of the process whose part it is, among `processes` */
};

static void spread_cyclic(struct section_list *list, const struct section_list *pattern,
                          const struct distribution *dimension, int64_t step)
{
    int64_t block = dimension->argument;
    int64_t round = times(list, block, dimension->processes);
    int64_t begin = times(list, block, dimension->coordinate);
    struct section_list one = {0};

    if (block < 1 || round < 1 || begin >= dimension->size)
        return;
    int64_t whole = (dimension->size - begin) / round; /* rounds whose block is certainly full */
    if (dimension->size - begin - whole * round >= block)
        whole++;
    spread(&one, pattern, times(list, begin, step), block, step);
    section_list_compact(&one);
    spread(list, &one, 0, whole, times(list, round, step));
    section_list_free(&one);

    int64_t rest = begin + whole * round;
    if (rest < dimension->size)
        spread(list, pattern, times(list, rest, step), dimension->size - rest, step);
}

static void spread_distributed(struct section_list *list, const struct section_list *pattern,
                               const struct distribution *dimension, int64_t step)
{
    if (dimension->kind == MPI_DISTRIBUTE_CYCLIC) {
        spread_cyclic(list, pattern, dimension, step);
    } else if (dimension->kind == MPI_DISTRIBUTE_BLOCK) {
        int64_t begin = times(list, dimension->argument, dimension->coordinate);
        int64_t rest = dimension->size - begin;
        spread(list, pattern, times(list, begin, step),
               rest < dimension->argument ? rest : dimension->argument, step);
    } else {
        spread(list, pattern, 0, dimension->size, step);
    }
}

static void take_distributions(struct contents *contents, struct distribution *dimensions,
                               int64_t count, int64_t processes, int64_t rank)
{
    for (int64_t i = 0; i < count; i++)
        dimensions[i].size = take_count(contents);
    for (int64_t i = 0; i < count; i++)
        dimensions[i].kind = take_integer(contents);
    for (int64_t i = 0; i < count; i++)
        dimensions[i].argument = take_integer(contents);
    for (int64_t i = 0; i < count; i++) {
        struct distribution *dimension = &dimensions[i];
        dimension->processes = take_integer(contents);
        if (dimension->processes < 1) {
            contents->exhausted = true;
            return;
        }
        /* The process grid is row-major whatever the order of the array. */
        processes /= dimension->processes;
        dimension->coordinate = processes > 0 ? rank / processes : 0;
        rank = processes > 0 ? rank % processes : 0;
        if (dimension->argument == MPI_DISTRIBUTE_DFLT_DARG)
            dimension->argument =
                dimension->kind == MPI_DISTRIBUTE_CYCLIC
                    ? 1
                    : (dimension->size + dimension->processes - 1) / dimension->processes;
    }
}

static void decode_darray(struct section_list *list, struct contents *contents,
                          const struct shape *element)
{
    int64_t processes = take_integer(contents), rank = take_integer(contents);
    int64_t count = take_integer(contents);

    if (count < 1 || count > contents->integer_count) {
        contents->exhausted = true;
        return;
    }
    struct distribution *dimensions = calloc((size_t)count, sizeof *dimensions);
    if (!dimensions) {
        list->failed = true;
        return;
    }
    take_distributions(contents, dimensions, count, processes, rank);
    bool fortran = take_integer(contents) == MPI_ORDER_FORTRAN;

    int64_t step = element->extent;
    spread(list, &element->sections, 0, 1, 0);
    for (int64_t i = 0; i < count && !list->failed && !contents->exhausted; i++) {
        const struct distribution *dimension = &dimensions[fortran ? i : count - 1 - i];
        struct section_list rows = {0};
        spread_distributed(&rows, list, dimension, step);
        section_list_compact(&rows);
        section_list_free(list);
        *list = rows;
        step = times(list, step, dimension->size);
    }
    free(dimensions);
}

/* False for a combiner that did not exist when this was written. */
static bool decode_single(struct section_list *list, struct contents *contents,
                          const struct shape *element)
{
    switch (contents->combiner) {
    case MPI_COMBINER_DUP:
    case MPI_COMBINER_RESIZED:
        spread(list, &element->sections, 0, 1, 0);
        return true;
    case MPI_COMBINER_CONTIGUOUS:
        place(list, element, 0, take_count(contents), 1, 0);
        return true;
    case MPI_COMBINER_VECTOR:
    case MPI_COMBINER_HVECTOR:
    case HVECTOR_INTEGER:
        decode_vector(list, contents, element);
        return true;
    case MPI_COMBINER_INDEXED:
    case MPI_COMBINER_HINDEXED:
    case HINDEXED_INTEGER:
    case MPI_COMBINER_INDEXED_BLOCK:
    case MPI_COMBINER_HINDEXED_BLOCK:
        decode_indexed(list, contents, element);
        return true;
    case MPI_COMBINER_SUBARRAY:
        decode_subarray(list, contents, element);
        return true;
    case MPI_COMBINER_DARRAY:
        decode_darray(list, contents, element);
        return true;
    default:
        return false;
    }
}

/* --- Whole datatypes --------------------------------------------------------------------- */

static bool decode(struct shape *shape, MPI_Datatype type, enum shape_kind kind, int depth);

/* The type is also made of what `part` is made of. */
static void absorb_basics(struct shape *shape, const struct shape *part)
{
    shape->has_gapped_pairs |= part->has_gapped_pairs;
    if (part->basics == NO_BASIC)
        return;
    if (shape->basics == NO_BASIC) {
        shape->basics = part->basics;
        shape->basic = part->basic;
    } else if (part->basics == MIXED_BASICS || part->basic.id != shape->basic.id) {
        shape->basics = MIXED_BASICS;
    }
}

static bool decode_struct(struct shape *shape, struct contents *contents, enum shape_kind kind,
                          int depth)
{
    int64_t count = take_count(contents);
    struct contents lengths = *contents;
    struct shape member = {0};
    struct run run = {0};
    bool decoded = count <= contents->type_count;

    for (int64_t i = 0; i < count && !contents->exhausted; i++)
        take_count(contents);
    for (int64_t i = 0; i < count && decoded && !contents->exhausted; i++) {
        int64_t length = take_count(&lengths), at = take_address(contents);
        if (i == 0 || contents->types[i] != contents->types[i - 1]) {
            run_place(&run, &shape->sections, &member);
            section_list_free(&member.sections);
            member = (struct shape){0};
            decoded = decode(&member, contents->types[i], kind, depth + 1);
        }
        if (decoded && length > 0) {
            run_add(&run, &shape->sections, &member, at, length);
            absorb_basics(shape, &member);
        }
    }
    if (decoded)
        run_place(&run, &shape->sections, &member);
    section_list_free(&member.sections);
    return decoded;
}

static void append_block(struct section_list *list, uint64_t start, uint64_t length)
{
    struct section block = {start, length, 0, 1};

    section_list_repeat(list, &block, 1, 0);
}

/* A predefined type is contiguous, except for a pair of a value and an int: the int is aligned,
 * so that there is a gap before it (MPI_SHORT_INT) or behind it (MPI_DOUBLE_INT). */
static bool decode_predefined(struct shape *shape, MPI_Datatype type, enum shape_kind kind)
{
    int bytes;

    if (pmpi.Type_size(type, &bytes) != MPI_SUCCESS)
        return false;
    shape->predefined = true;
    if (bytes <= 0) /* MPI_LB, MPI_UB, or a Fortran type that this compiler does not have */
        return true;
    uint64_t size = (uint64_t)bytes, value = size - sizeof(int);
    bool pair = shape->extent > bytes && size > sizeof(int);
    uint64_t second = (value + sizeof(int) - 1) / sizeof(int) * sizeof(int);
    bool gap = pair && second > value;

    if (gap && kind == SHAPE_BYTES) {
        append_block(&shape->sections, 0, value);
        append_block(&shape->sections, second, sizeof(int));
    } else {
        append_block(&shape->sections, 0, gap ? second + sizeof(int) : size);
    }
    shape->has_gapped_pairs = gap;
    shape->basics = ONE_BASIC;
    shape->basic = (struct layout_basic){
        .type = type, .id = predefined_id(type), .size = gap ? second + sizeof(int) : size};
    return true;
}

/* MPI_Type_create_f90_real and its like give a type of their own for each pair of arguments, whose
 * handle depends on the order in which a process asked for them. The arguments identify it. */
static bool decode_f90(struct shape *shape, MPI_Datatype type, struct contents *contents,
                       enum shape_kind kind)
{
    if (!decode_predefined(shape, type, kind) || !contents_get(contents, type))
        return false;
    int first = (int)take_integer(contents);
    int second = contents->combiner == MPI_COMBINER_F90_INTEGER ? 0 : (int)take_integer(contents);
    int kind_of_number = contents->combiner == MPI_COMBINER_F90_REAL      ? 0
                         : contents->combiner == MPI_COMBINER_F90_COMPLEX ? 1
                                                                          : 2;
    /* 2 + 8 + 14 bits: no Fortran has more than 2^7 decimal digits or a decimal range of 2^13, and
     * MPI_UNDEFINED for one that was not given is -32766 or -1. Negative, unlike predefined_id. */
    shape->basic.id = -1 - (kind_of_number << 22 | (first & 0xFF) << 14 | (second & 0x3FFF));
    contents_free(contents);
    return true;
}

static bool decode_derived(struct shape *shape, MPI_Datatype type, struct contents *contents,
                           enum shape_kind kind, int depth)
{
    struct shape element = {0};
    bool decoded;

    if (!contents_get(contents, type))
        return false;
    if (contents->combiner == MPI_COMBINER_STRUCT || contents->combiner == STRUCT_INTEGER) {
        decoded = decode_struct(shape, contents, kind, depth);
    } else {
        decoded = contents->type_count == 1 &&
                  decode(&element, contents->types[0], kind, depth + 1) &&
                  decode_single(&shape->sections, contents, &element);
        absorb_basics(shape, &element);
    }
    decoded = decoded && !contents->exhausted;
    section_list_free(&element.sections);
    contents_free(contents);
    return decoded;
}

static bool decode(struct shape *shape, MPI_Datatype type, enum shape_kind kind, int depth)
{
    struct contents contents = {0};
    MPI_Aint lower, extent;
    bool decoded;

    if (depth > MAX_DEPTH || !contents_envelope(&contents, type) ||
        pmpi.Type_get_extent(type, &lower, &extent) != MPI_SUCCESS)
        return false;
    shape->extent = extent;
    if (contents.combiner == MPI_COMBINER_NAMED)
        decoded = decode_predefined(shape, type, kind);
    else if (combiner_is_f90(contents.combiner))
        decoded = decode_f90(shape, type, &contents, kind);
    else
        decoded = decode_derived(shape, type, &contents, kind, depth);
    if (!decoded)
        return false;
    section_list_compact(&shape->sections);
    if (shape->sections.count == 0) {
        shape->basics = NO_BASIC;
        shape->has_gapped_pairs = false;
    }
    return !shape->sections.failed;
}

bool shape_of(struct shape *shape, MPI_Datatype type, enum shape_kind kind)
{
    return decode(shape, type, kind, 0);
}
