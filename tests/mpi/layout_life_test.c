/* Datatypes that come and go, and those that cannot be decoded. */
#include "layout_check.h"

/* --- handles ----------------------------------------------------------------------------- */

static void layouts_are_kept_until_dropped(void **state)
{
    (void)state;
    MPI_Datatype type;

    MPI_Type_vector(3, 1, 2, MPI_INT, &type);
    const struct layout *layout = layout_of(cache, type);
    long envelopes = pmpi_envelopes;
    assert_ptr_equal(layout_of(cache, type), layout);
    assert_int_equal(pmpi_envelopes, envelopes);
    layout_drop(cache, type);
    assert_non_null(layout_of(cache, type));
    assert_true(pmpi_envelopes > envelopes);
    discard(type);

    layout = layout_of(cache, MPI_INT);
    layout_drop(cache, MPI_INT);
    assert_ptr_equal(layout_of(cache, MPI_INT), layout);
}

/* Handles come back for other types, as often as needed to see it happen. */
static void reused_handles_are_decoded_anew(void **state)
{
    (void)state;
    MPI_Datatype before = MPI_DATATYPE_NULL;
    int reused = 0;

    for (int i = 1; i <= 200; i++) {
        MPI_Datatype type;
        MPI_Type_contiguous(i, MPI_CHAR, &type);
        assert_int_equal(sections(type, 1), 1);
        assert_found(0, 0, (uint64_t)i, 0, 1);
        reused += type == before;
        before = type;
        discard(type);
    }
    assert_true(reused > 0);
}

/* mpi_f08 frees its datatypes for array sections by names that nobody sees. */
static void types_freed_unseen_are_noticed(void **state)
{
    (void)state;
    MPI_Datatype before = MPI_DATATYPE_NULL;
    int reused = 0;

    for (int i = 1; i <= 200; i++) {
        MPI_Datatype type;
        MPI_Type_vector(i, 1, 2, MPI_CHAR, &type);
        sections(type, 1);
        assert_found(0, 0, 1, i > 1 ? 2 : 0, (uint64_t)i);
        reused += type == before;
        before = type;
        MPI_Type_free(&type);
    }
    assert_true(reused > 0);
    assert_true(layout_is_permanent(cache, MPI_INT));
    MPI_Type_contiguous(2, MPI_INT, &before);
    assert_false(layout_is_permanent(cache, before));
    discard(before);
}

/* While a datatype is part of another one, or of a request, it lives on. */
static void types_live_on_in_others(void **state)
{
    (void)state;
    MPI_Datatype inner, outer;

    MPI_Type_vector(3, 1, 2, MPI_CHAR, &inner);
    assert_int_equal(sections(inner, 1), 1);
    MPI_Type_contiguous(2, inner, &outer);
    MPI_Type_free(&inner);
    sections(outer, 1);
    assert_int_equal(found[0].length, 1);
    discard(outer);
}

static void inner_types_may_be_freed(void **state)
{
    (void)state;
    MPI_Datatype inner, middle, outer;

    MPI_Type_vector(2, 1, 2, MPI_INT, &inner);
    MPI_Type_create_resized(inner, 0, 16, &middle);
    MPI_Type_contiguous(10, middle, &outer);
    discard(inner);
    discard(middle);
    assert_int_equal(sections(outer, 1), 1);
    assert_found(0, 0, 4, 8, 20);
    discard(outer);
}

/* More types alive at once than the first-level cache has places. */
static void many_types_do_not_mix(void **state)
{
    (void)state;
    MPI_Datatype types[500];

    for (int i = 0; i < 500; i++)
        MPI_Type_contiguous(i + 1, MPI_CHAR, &types[i]);
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < 500; i++) {
            assert_int_equal(sections(types[i], 1), 1);
            assert_found(0, 0, (uint64_t)i + 1, 0, 1);
        }
    for (int i = 0; i < 500; i++)
        discard(types[i]);
}

static void parametrised_fortran_types(void **state)
{
    (void)state;
    struct layout_basic basic;
    MPI_Datatype real, type;
    int size;

    MPI_Type_create_f90_real(15, 300, &real);
    MPI_Type_size(real, &size);
    assert_int_equal(sections(real, 10), 1);
    assert_found(0, 0, 10 * (uint64_t)size, 0, 1);
    /* Inside another type it is received and must not be freed. */
    for (int i = 0; i < 3; i++) {
        MPI_Type_vector(4, 1, 2, real, &type);
        assert_int_equal(sections(type, 1), 1);
        assert_found(0, 0, (uint64_t)size, 2 * (uint64_t)size, 4);
        assert_true(layout_basic(layout_of(cache, type), &basic));
        assert_int_equal(basic.size, size);
        discard(type);
    }
    assert_int_equal(sections(real, 1), 1);
}

/* --- what cannot be decoded -------------------------------------------------------------- */

#define COMBINER_OF_THE_FUTURE 12345

static int envelope_of_the_future(MPI_Datatype type, int *integers, int *addresses, int *types,
                                  int *combiner)
{
    int result = PMPI_Type_get_envelope(type, integers, addresses, types, combiner);

    if (*combiner == MPI_COMBINER_DUP)
        *combiner = COMBINER_OF_THE_FUTURE;
    return result;
}

#if MPI_VERSION >= 4
static int envelope_of_the_future_c(MPI_Datatype type, MPI_Count *integers, MPI_Count *addresses,
                                    MPI_Count *large, MPI_Count *types, int *combiner)
{
    int result = PMPI_Type_get_envelope_c(type, integers, addresses, large, types, combiner);

    if (*combiner == MPI_COMBINER_DUP)
        *combiner = COMBINER_OF_THE_FUTURE;
    return result;
}
#endif

static void unknown_combiners_are_unknown_bytes(void **state)
{
    (void)state;
    struct pmpi real = pmpi;
    MPI_Datatype type;

    MPI_Type_dup(MPI_INT, &type);
    pmpi.Type_get_envelope = envelope_of_the_future;
#if MPI_VERSION >= 4
    pmpi.Type_get_envelope_c = envelope_of_the_future_c;
#endif
    assert_null(layout_of(cache, type));
    pmpi = real;
    assert_null(layout_of(cache, type)); /* remembered */
    layout_drop(cache, type);
    assert_int_equal(sections(type, 1), 1);
    discard(type);
}

static void nested_too_deep_is_unknown_bytes(void **state)
{
    (void)state;
    MPI_Datatype type, next;

    MPI_Type_dup(MPI_INT, &type);
    for (int i = 0; i < 1000; i++) {
        MPI_Type_contiguous(1, type, &next);
        MPI_Type_free(&type);
        type = next;
    }
    assert_null(layout_of(cache, type));
    discard(type);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layouts_are_kept_until_dropped),
        cmocka_unit_test(reused_handles_are_decoded_anew),
        cmocka_unit_test(types_freed_unseen_are_noticed),
        cmocka_unit_test(types_live_on_in_others),
        cmocka_unit_test(inner_types_may_be_freed),
        cmocka_unit_test(many_types_do_not_mix),
        cmocka_unit_test(parametrised_fortran_types),
        cmocka_unit_test(unknown_combiners_are_unknown_bytes),
        cmocka_unit_test(nested_too_deep_is_unknown_bytes),
    };
    return cmocka_run_group_tests(tests, start_mpi, end_mpi);
}
