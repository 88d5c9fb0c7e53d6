#include "datatype_contents.h"

#include <stdlib.h>

#include "interpose/pmpi.h" /* by this name, so that tests can put a stand-in before it */

bool contents_envelope(struct contents *contents, MPI_Datatype type)
{
#if MPI_VERSION >= 4
    if (pmpi.Type_get_envelope_c)
        return pmpi.Type_get_envelope_c(type, &contents->integer_count, &contents->address_count,
                                        &contents->large_count, &contents->type_count,
                                        &contents->combiner) == MPI_SUCCESS;
#endif
    int integers = 0, addresses = 0, types = 0;
    if (pmpi.Type_get_envelope(type, &integers, &addresses, &types, &contents->combiner) !=
        MPI_SUCCESS)
        return false;
    contents->integer_count = integers;
    contents->address_count = addresses;
    contents->type_count = types;
    return true;
}

static bool get_arguments(struct contents *contents, MPI_Datatype type)
{
#if MPI_VERSION >= 4
    if (pmpi.Type_get_contents_c)
        return pmpi.Type_get_contents_c(type, contents->integer_count, contents->address_count,
                                        contents->large_count, contents->type_count,
                                        contents->integers, contents->addresses, contents->large,
                                        contents->types) == MPI_SUCCESS;
#endif
    return pmpi.Type_get_contents(type, (int)contents->integer_count, (int)contents->address_count,
                                  (int)contents->type_count, contents->integers,
                                  contents->addresses, contents->types) == MPI_SUCCESS;
}

bool combiner_is_f90(int combiner)
{
    return combiner == MPI_COMBINER_F90_REAL || combiner == MPI_COMBINER_F90_COMPLEX ||
           combiner == MPI_COMBINER_F90_INTEGER;
}

/* Types that come out of MPI_Type_get_contents are ours to free, unless predefined; the
 * parametrised Fortran types count as predefined (MPI-4.0 §5.1.13, §18.1.5). */
static void free_inner(MPI_Datatype type)
{
    struct contents envelope = {0};

    if (contents_envelope(&envelope, type) && envelope.combiner != MPI_COMBINER_NAMED &&
        !combiner_is_f90(envelope.combiner))
        pmpi.Type_free(&type);
}

void contents_free(struct contents *contents)
{
    for (MPI_Count i = 0; contents->types && i < contents->type_count; i++)
        free_inner(contents->types[i]);
    free(contents->integers);
    free(contents->addresses);
    free(contents->large);
    free(contents->types);
}

static void *new_array(MPI_Count count, size_t size)
{
    return calloc(count > 0 ? (size_t)count : 1, size);
}

bool contents_get(struct contents *contents, MPI_Datatype type)
{
    contents->integers = new_array(contents->integer_count, sizeof *contents->integers);
    contents->addresses = new_array(contents->address_count, sizeof *contents->addresses);
    contents->large = new_array(contents->large_count, sizeof *contents->large);
    contents->types = new_array(contents->type_count, sizeof *contents->types);
    if (contents->integers && contents->addresses && contents->large && contents->types &&
        get_arguments(contents, type))
        return true;
    contents->type_count = 0;
    contents_free(contents);
    return false;
}

int64_t take_integer(struct contents *contents)
{
    if (contents->integers_taken < contents->integer_count)
        return contents->integers[contents->integers_taken++];
    contents->exhausted = true;
    return 0;
}

static int64_t take_large(struct contents *contents)
{
    if (contents->large_taken < contents->large_count)
        return contents->large[contents->large_taken++];
    contents->exhausted = true;
    return 0;
}

int64_t take_count(struct contents *contents)
{
    return contents->large_count > 0 ? take_large(contents) : take_integer(contents);
}

int64_t take_address(struct contents *contents)
{
    if (contents->large_count > 0)
        return take_large(contents);
    if (contents->combiner == HVECTOR_INTEGER || contents->combiner == HINDEXED_INTEGER ||
        contents->combiner == STRUCT_INTEGER)
        return take_integer(contents);
    if (contents->addresses_taken < contents->address_count)
        return contents->addresses[contents->addresses_taken++];
    contents->exhausted = true;
    return 0;
}
