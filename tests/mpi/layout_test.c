/* Layouts of chosen datatypes: how few sections they take, and the cases that random types do
 * not reach. */
#include "layout_check.h"

/* --- predefined types -------------------------------------------------------------------- */

static void predefined_types_are_contiguous(void **state)
{
    (void)state;
    const MPI_Datatype types[] = {
        MPI_CHAR,
        MPI_SHORT,
        MPI_INT,
        MPI_LONG,
        MPI_LONG_LONG,
        MPI_SIGNED_CHAR,
        MPI_UNSIGNED_CHAR,
        MPI_UNSIGNED_SHORT,
        MPI_UNSIGNED,
        MPI_UNSIGNED_LONG,
        MPI_UNSIGNED_LONG_LONG,
        MPI_FLOAT,
        MPI_DOUBLE,
        MPI_LONG_DOUBLE,
        MPI_WCHAR,
        MPI_C_BOOL,
        MPI_INT8_T,
        MPI_INT64_T,
        MPI_UINT16_T,
        MPI_AINT,
        MPI_COUNT,
        MPI_OFFSET,
        MPI_C_FLOAT_COMPLEX,
        MPI_C_DOUBLE_COMPLEX,
        MPI_C_LONG_DOUBLE_COMPLEX,
        MPI_BYTE,
        MPI_PACKED,
        MPI_INTEGER,
        MPI_REAL,
        MPI_DOUBLE_PRECISION,
        MPI_COMPLEX,
        MPI_LOGICAL,
        MPI_CHARACTER,
        MPI_2INTEGER,
        MPI_2REAL,
        MPI_2DOUBLE_PRECISION,
        MPI_2INT,
        MPI_FLOAT_INT,
        MPI_CXX_BOOL,
        MPI_CXX_DOUBLE_COMPLEX,
        MPI_INTEGER8,
        MPI_REAL8,
    };

    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        struct layout_basic basic;
        int size;
        MPI_Type_size(types[i], &size);
        assert_int_equal(sections(types[i], 1000), 1);
        assert_found(0, 0, 1000 * (uint64_t)size, 0, 1);
        assert_true(layout_basic(layout_of(cache, types[i]), &basic));
        assert_true(basic.type == types[i]);
        assert_int_equal(basic.size, size);
    }
}

static void pairs_have_gaps(void **state)
{
    (void)state;
    struct layout_basic basic;

    assert_int_equal(sections(MPI_SHORT_INT, 1), 2);
    assert_found(0, 0, 2, 0, 1);
    assert_found(1, 4, 4, 0, 1);
    assert_int_equal(sections(MPI_SHORT_INT, 100), 2);
    assert_found(0, 0, 2, 8, 100);
    assert_found(1, 4, 4, 8, 100);
    assert_int_equal(sections(MPI_DOUBLE_INT, 100), 1);
    assert_found(0, 0, 12, 16, 100);
    assert_int_equal(sections(MPI_LONG_INT, 100), 1);
    assert_found(0, 0, 12, 16, 100);
    assert_int_equal(sections(MPI_LONG_DOUBLE_INT, 100), 1);
    assert_found(0, 0, 20, 32, 100);

    const MPI_Datatype pairs[] = {MPI_SHORT_INT, MPI_DOUBLE_INT, MPI_LONG_INT, MPI_FLOAT_INT};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        assert_true(oracle_agrees(layout_of(cache, pairs[i]), pairs[i], 5));

    assert_true(layout_basic(layout_of(cache, MPI_DOUBLE_INT), &basic));
    assert_true(basic.type == MPI_DOUBLE_INT);
    assert_int_equal(basic.size, 12);
}

/* Accumulates need to know where an element starts, gap or not. */
static void elements_of_gapped_pairs_are_whole(void **state)
{
    (void)state;
    const int lengths[] = {1, 1}, places[] = {0, 1};
    struct layout_basic basic;
    MPI_Datatype type;

    MPI_Type_indexed(2, lengths, places, MPI_SHORT_INT, &type);
    const struct layout *layout = layout_of(cache, type);
    assert_true(layout_basic(layout, &basic));
    assert_true(basic.type == MPI_SHORT_INT);
    assert_int_equal(basic.size, 8);
    assert_int_equal(layout_elements(layout, 64, 1, found, MANY), 1);
    assert_found(0, 64, 16, 0, 1);
    discard(type);

    assert_int_equal(layout_elements(layout_of(cache, MPI_INT), 64, 3, found, MANY), 1);
    assert_found(0, 64, 12, 0, 1);
}

static void ids_tell_types_apart(void **state)
{
    (void)state;
    MPI_Datatype types[8] = {MPI_INT, MPI_FLOAT, MPI_INT32_T, MPI_DOUBLE};
    struct layout_basic basics[8];

    MPI_Type_create_f90_real(6, 30, &types[4]);
    MPI_Type_create_f90_real(15, 300, &types[5]);
    MPI_Type_create_f90_complex(6, 30, &types[6]);
    MPI_Type_create_f90_integer(9, &types[7]);
    for (int i = 0; i < 8; i++) {
        assert_true(layout_basic(layout_of(cache, types[i]), &basics[i]));
        for (int j = 0; j < i; j++)
            assert_int_not_equal(basics[i].id, basics[j].id);
    }
}

/* --- few sections ------------------------------------------------------------------------ */

static void a_million_rows_are_one_section(void **state)
{
    (void)state;
    MPI_Datatype type;

    MPI_Type_vector(1000000, 3, 10, MPI_DOUBLE, &type);
    assert_int_equal(sections(type, 1), 1);
    assert_found(0, 0, 24, 80, 1000000);
    discard(type);
}

static void records_are_one_section_per_field(void **state)
{
    (void)state;
    const int lengths[] = {1, 3, 2};
    const MPI_Aint places[] = {0, 8, 40};
    const MPI_Datatype types[] = {MPI_INT, MPI_DOUBLE, MPI_CHAR};
    struct layout_basic basic;
    MPI_Datatype record, sized, many;

    MPI_Type_create_struct(3, lengths, places, types, &record);
    MPI_Type_create_resized(record, 0, 48, &sized);
    assert_int_equal(sections(sized, 1000000), 3);
    assert_found(0, 0, 4, 48, 1000000);
    assert_found(1, 8, 24, 48, 1000000);
    assert_found(2, 40, 2, 48, 1000000);
    assert_false(layout_basic(layout_of(cache, sized), &basic));

    MPI_Type_contiguous(1000, sized, &many);
    assert_int_equal(sections(many, 1000), 3);
    assert_found(1, 8, 24, 48, 1000000);
    discard(many);
    discard(sized);
    discard(record);
}

static void only_the_smaller_dimensions_expand(void **state)
{
    (void)state;
    const int sizes[] = {7, 1000, 1000}, parts[] = {3, 900, 10}, first[] = {1, 2, 3};
    MPI_Datatype type;

    MPI_Type_create_subarray(3, sizes, parts, first, MPI_ORDER_C, MPI_INT, &type);
    assert_int_equal(sections(type, 1), 3);
    assert_found(0, 4 * (1000000 + 2000 + 3), 40, 4000, 900);
    assert_found(2, 4 * (3000000 + 2000 + 3), 40, 4000, 900);
    discard(type);

    MPI_Type_create_subarray(3, sizes, parts, first, MPI_ORDER_FORTRAN, MPI_INT, &type);
    assert_int_equal(sections(type, 1), 10);
    assert_found(0, 4 * (1 + 14 + 21000), 12, 28, 900);
    discard(type);

    const int whole[] = {3, 900, 1000}, all[] = {7, 900, 1000}, origin[] = {2, 0, 0};
    MPI_Type_create_subarray(3, all, whole, origin, MPI_ORDER_C, MPI_INT, &type);
    assert_int_equal(sections(type, 1), 1);
    assert_found(0, 2 * 3600000, 3 * 3600000, 0, 1);
    discard(type);
}

static void a_transposed_matrix_is_contiguous(void **state)
{
    (void)state;
    MPI_Datatype column, sized, matrix;

    MPI_Type_vector(1000, 1, 500, MPI_DOUBLE, &column);
    MPI_Type_create_resized(column, 0, sizeof(double), &sized);
    assert_int_equal(sections(sized, 3), 1);
    assert_found(0, 0, 24, 4000, 1000);
    MPI_Type_contiguous(500, sized, &matrix);
    assert_int_equal(sections(matrix, 1), 1);
    assert_found(0, 0, 4000000, 0, 1);
    discard(matrix);
    discard(sized);
    discard(column);
}

static void regular_indices_are_one_section(void **state)
{
    (void)state;
    enum { BLOCKS = 100000 };
    int *places = malloc(BLOCKS * sizeof *places), *lengths = malloc(BLOCKS * sizeof *lengths);
    MPI_Datatype type, inner;

    for (int i = 0; i < BLOCKS; i++) {
        places[i] = 7 * (i * 3 % BLOCKS); /* shuffled: 3 does not divide 100000 */
        lengths[i] = 2;
    }
    MPI_Type_create_indexed_block(BLOCKS, 2, places, MPI_INT, &type);
    assert_int_equal(sections(type, 1), 1);
    assert_found(0, 0, 8, 28, BLOCKS);
    discard(type);

    for (int i = 0; i < BLOCKS; i++)
        places[i] = 2 * i; /* touching */
    MPI_Type_indexed(BLOCKS, lengths, places, MPI_INT, &type);
    assert_int_equal(sections(type, 1), 1);
    assert_found(0, 0, 8 * BLOCKS, 0, 1);
    discard(type);

    /* Regular places of a type that has many sections itself. */
    int scattered[] = {0, 2, 5, 11, 23, 47, 95, 191};
    MPI_Type_create_indexed_block(8, 1, scattered, MPI_CHAR, &inner);
    for (int i = 0; i < BLOCKS; i++)
        places[i] = 3 * i;
    MPI_Type_create_indexed_block(BLOCKS, 1, places, inner, &type);
    assert_true(sections(type, 1) <= 8);
    discard(type);
    discard(inner);
    free(places);
    free(lengths);
}

/* --- bounds, bases, counts --------------------------------------------------------------- */

static void nothing_is_touched_by_nothing(void **state)
{
    (void)state;
    struct layout_basic basic;
    MPI_Datatype type;

    assert_int_equal(sections(MPI_INT, 0), 0);
    assert_int_equal(sections(MPI_INT, -1), 0);
    MPI_Type_contiguous(0, MPI_INT, &type);
    assert_int_equal(sections(type, 10), 0);
    assert_false(layout_basic(layout_of(cache, type), &basic));
    discard(type);
    MPI_Type_create_struct(0, NULL, NULL, NULL, &type);
    assert_int_equal(sections(type, 10), 0);
    discard(type);
    assert_null(layout_of(cache, MPI_DATATYPE_NULL));
}

static void strides_may_go_backwards(void **state)
{
    (void)state;
    MPI_Datatype type, reversed;

    MPI_Type_vector(10, 1, -3, MPI_INT, &type);
    assert_int_equal(sections(type, 1), 1);
    assert_found(0, -9 * 12, 4, 12, 10);
    assert_int_equal(layout_sections(layout_of(cache, type), 1000, 1, found, MANY), 1);
    assert_found(0, 1000 - 9 * 12, 4, 12, 10);
    MPI_Type_create_hvector(5, 1, -4, MPI_INT, &reversed);
    assert_int_equal(sections(reversed, 1), 1);
    assert_found(0, -16, 20, 0, 1);
    discard(type);
    discard(reversed);
}

static void absolute_addresses_need_no_base(void **state)
{
    (void)state;
    static double first[4];
    static int second[2];
    const int lengths[] = {4, 2};
    const MPI_Datatype types[] = {MPI_DOUBLE, MPI_INT};
    MPI_Aint places[2];
    MPI_Datatype type;

    MPI_Get_address(first, &places[0]);
    MPI_Get_address(second, &places[1]);
    MPI_Type_create_struct(2, lengths, places, types, &type);
    size_t count = sections(type, 1);
    if (places[0] + (MPI_Aint)sizeof first == places[1] ||
        places[1] + (MPI_Aint)sizeof second == places[0]) {
        assert_int_equal(count, 1);
    } else {
        assert_int_equal(count, 2);
        assert_found(places[0] < places[1] ? 0 : 1, places[0], sizeof first, 0, 1);
        assert_found(places[0] < places[1] ? 1 : 0, places[1], sizeof second, 0, 1);
    }
    discard(type);
}

static void overlaps_are_united(void **state)
{
    (void)state;
    const int lengths[] = {4, 4, 1}, places[] = {0, 2, 1};
    MPI_Datatype type, strided;

    MPI_Type_indexed(3, lengths, places, MPI_INT, &type);
    assert_int_equal(sections(type, 1), 1);
    assert_found(0, 0, 24, 0, 1);
    MPI_Type_vector(5, 4, 2, MPI_INT, &strided);
    assert_int_equal(sections(strided, 1), 1);
    assert_found(0, 0, 48, 0, 1);
    discard(strided);
    MPI_Type_vector(5, 4, 0, MPI_INT, &strided);
    assert_int_equal(sections(strided, 1), 1);
    assert_found(0, 0, 16, 0, 1);
    discard(strided);
    discard(type);
}

static void bounds_move_only_the_next_element(void **state)
{
    (void)state;
    MPI_Datatype type, empty;

    MPI_Type_create_resized(MPI_INT, -8, 32, &type);
    assert_int_equal(sections(type, 4), 1);
    assert_found(0, 0, 4, 32, 4);
    discard(type);
    MPI_Type_create_resized(MPI_INT, 0, 0, &type);
    assert_int_equal(sections(type, 4), 1);
    assert_found(0, 0, 4, 0, 1);
    discard(type);

    /* The old way to say the same, with markers; without data, but with an extent. */
    MPI_Type_contiguous(0, MPI_INT, &empty);
    MPI_Type_create_resized(empty, 0, 16, &type);
    assert_int_equal(sections(type, 4), 0);
    discard(type);
    discard(empty);
}

static void counts_beyond_int(void **state)
{
    (void)state;
    const MPI_Count big = (MPI_Count)INT_MAX * 5;
    MPI_Datatype row, type;

    assert_int_equal(sections(MPI_DOUBLE, big), 1);
    assert_found(0, 0, (uint64_t)big * 8, 0, 1);
    MPI_Type_contiguous(INT_MAX, MPI_DOUBLE, &row);
    assert_int_equal(sections(row, 5), 1);
    assert_found(0, 0, (uint64_t)big * 8, 0, 1);
    MPI_Type_vector(INT_MAX, 1, 2, MPI_INT, &type);
    assert_int_equal(sections(type, 1), 1);
    assert_found(0, 0, 4, 8, INT_MAX);
    discard(type);
    discard(row);

    /* No such buffer exists: nothing rather than numbers that wrap around. */
    assert_int_equal(sections(MPI_DOUBLE, (MPI_Count)1 << 61), 0);
}

#if MPI_VERSION >= 4
static void large_count_constructors(void **state)
{
    (void)state;
    const MPI_Count big = (MPI_Count)1 << 33;
    const MPI_Count sizes[] = {4, big}, parts[] = {2, 3}, first[] = {1, big - 3};
    const MPI_Count lengths[] = {big, 1}, places[] = {0, 2 * big};
    const MPI_Datatype types[] = {MPI_CHAR, MPI_INT};
    MPI_Datatype type;

    MPI_Type_contiguous_c(big, MPI_INT, &type);
    assert_int_equal(sections(type, 2), 1);
    assert_found(0, 0, 8 * (uint64_t)big, 0, 1);
    discard(type);
    MPI_Type_vector_c(3, big, 2 * big, MPI_CHAR, &type);
    assert_int_equal(sections(type, 1), 1);
    assert_found(0, 0, (uint64_t)big, 2 * (uint64_t)big, 3);
    discard(type);
    MPI_Type_create_subarray_c(2, sizes, parts, first, MPI_ORDER_C, MPI_CHAR, &type);
    assert_int_equal(sections(type, 1), 1);
    assert_found(0, 2 * big - 3, 3, (uint64_t)big, 2);
    discard(type);
    MPI_Type_create_struct_c(2, lengths, places, types, &type);
    assert_int_equal(sections(type, 1), 2);
    assert_found(0, 0, (uint64_t)big, 0, 1);
    assert_found(1, 2 * big, 4, 0, 1);
    discard(type);
    MPI_Type_create_resized_c(MPI_INT, 0, big, &type);
    assert_int_equal(sections(type, 3), 1);
    assert_found(0, 0, 4, (uint64_t)big, 3);
    discard(type);
    MPI_Type_create_hindexed_block_c(2, 4, places, MPI_CHAR, &type);
    assert_int_equal(sections(type, 1), 1);
    assert_found(0, 0, 4, 2 * (uint64_t)big, 2);
    discard(type);
}
#endif

/* --- distributed arrays ------------------------------------------------------------------ */

static void distributed_arrays_cover_each_element_once(void **state)
{
    (void)state;
    const int sizes[] = {11, 10, 3}, grid[] = {2, 3, 1};
    const int kinds[] = {MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_NONE};
    const int arguments[] = {2, MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG};
    const int orders[] = {MPI_ORDER_C, MPI_ORDER_FORTRAN};

    for (int order = 0; order < 2; order++) {
        unsigned char owners[11 * 10 * 3 * sizeof(int)] = {0};
        for (int rank = 0; rank < 6; rank++) {
            MPI_Datatype type;
            MPI_Type_create_darray(6, rank, 3, sizes, kinds, arguments, grid, orders[order],
                                   MPI_INT, &type);
            MPI_Type_commit(&type);
            const struct layout *layout = layout_of(cache, type);
            assert_true(oracle_agrees(layout, type, 1));
            struct section parts[64];
            size_t count = layout_sections(layout, 0, 1, parts, 64);
            assert_true(count <= 64);
            for (size_t i = 0; i < count; i++)
                for (uint64_t block = 0; block < parts[i].count; block++)
                    for (uint64_t at = 0; at < parts[i].length; at++)
                        owners[parts[i].start + block * parts[i].stride + at]++;
            discard(type);
        }
        for (size_t i = 0; i < sizeof owners; i++)
            assert_int_equal(owners[i], 1);
    }
}

static void cyclic_rows_are_one_section(void **state)
{
    (void)state;
    const int size = 1000000, kind = MPI_DISTRIBUTE_CYCLIC, argument = 5, grid = 4;
    MPI_Datatype type;

    MPI_Type_create_darray(4, 1, 1, &size, &kind, &argument, &grid, MPI_ORDER_C, MPI_INT, &type);
    assert_int_equal(sections(type, 1), 1);
    assert_found(0, 20, 20, 80, 50000);
    discard(type);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(predefined_types_are_contiguous),
        cmocka_unit_test(pairs_have_gaps),
        cmocka_unit_test(elements_of_gapped_pairs_are_whole),
        cmocka_unit_test(ids_tell_types_apart),
        cmocka_unit_test(a_million_rows_are_one_section),
        cmocka_unit_test(records_are_one_section_per_field),
        cmocka_unit_test(only_the_smaller_dimensions_expand),
        cmocka_unit_test(a_transposed_matrix_is_contiguous),
        cmocka_unit_test(regular_indices_are_one_section),
        cmocka_unit_test(nothing_is_touched_by_nothing),
        cmocka_unit_test(strides_may_go_backwards),
        cmocka_unit_test(absolute_addresses_need_no_base),
        cmocka_unit_test(overlaps_are_united),
        cmocka_unit_test(bounds_move_only_the_next_element),
        cmocka_unit_test(counts_beyond_int),
#if MPI_VERSION >= 4
        cmocka_unit_test(large_count_constructors),
#endif
        cmocka_unit_test(distributed_arrays_cover_each_element_once),
        cmocka_unit_test(cyclic_rows_are_one_section),
    };
    return cmocka_run_group_tests(tests, start_mpi, end_mpi);
}
