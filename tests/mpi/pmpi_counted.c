#include "pmpi_counted.h"

#include "interpose/pmpi.h"

long pmpi_handles_held, pmpi_envelopes;

static int combiner_of(MPI_Datatype type)
{
    int combiner;
#if MPI_VERSION >= 4
    MPI_Count integers, addresses, large, inner;
    PMPI_Type_get_envelope_c(type, &integers, &addresses, &large, &inner, &combiner);
#else
    int integers, addresses, inner;
    PMPI_Type_get_envelope(type, &integers, &addresses, &inner, &combiner);
#endif
    return combiner;
}

static void receive(MPI_Count count, const MPI_Datatype types[])
{
    for (MPI_Count i = 0; i < count; i++) {
        int combiner = combiner_of(types[i]);
        if (combiner != MPI_COMBINER_NAMED && combiner != MPI_COMBINER_F90_REAL &&
            combiner != MPI_COMBINER_F90_COMPLEX && combiner != MPI_COMBINER_F90_INTEGER)
            pmpi_handles_held++;
    }
}

static int get_envelope(MPI_Datatype type, int *integers, int *addresses, int *types, int *combiner)
{
    pmpi_envelopes++;
    return PMPI_Type_get_envelope(type, integers, addresses, types, combiner);
}

static int get_contents(MPI_Datatype type, int max_integers, int max_addresses, int max_types,
                        int integers[], MPI_Aint addresses[], MPI_Datatype types[])
{
    int result = PMPI_Type_get_contents(type, max_integers, max_addresses, max_types, integers,
                                        addresses, types);
    receive(max_types, types);
    return result;
}

static int free_type(MPI_Datatype *type)
{
    pmpi_handles_held--;
    return PMPI_Type_free(type);
}

#if MPI_VERSION >= 4
static int get_envelope_c(MPI_Datatype type, MPI_Count *integers, MPI_Count *addresses,
                          MPI_Count *large, MPI_Count *types, int *combiner)
{
    pmpi_envelopes++;
    return PMPI_Type_get_envelope_c(type, integers, addresses, large, types, combiner);
}

static int get_contents_c(MPI_Datatype type, MPI_Count max_integers, MPI_Count max_addresses,
                          MPI_Count max_large, MPI_Count max_types, int integers[],
                          MPI_Aint addresses[], MPI_Count large[], MPI_Datatype types[])
{
    int result = PMPI_Type_get_contents_c(type, max_integers, max_addresses, max_large, max_types,
                                          integers, addresses, large, types);
    receive(max_types, types);
    return result;
}
#endif

struct pmpi pmpi = {
    .Type_get_envelope = get_envelope,
    .Type_get_contents = get_contents,
#if MPI_VERSION >= 4
    .Type_get_envelope_c = get_envelope_c,
    .Type_get_contents_c = get_contents_c,
#endif
    .Type_get_extent = PMPI_Type_get_extent,
    .Type_size = PMPI_Type_size,
    .Type_free = free_type,
    .Type_create_keyval = PMPI_Type_create_keyval,
    .Type_set_attr = PMPI_Type_set_attr,
#ifdef OPEN_MPI
    .Type_c2f = PMPI_Type_c2f,
    .Type_f2c = PMPI_Type_f2c,
#endif
};
