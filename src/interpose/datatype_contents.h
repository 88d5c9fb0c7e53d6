/* What a datatype was made from: the arguments of its constructor. */
#ifndef REGATTA_INTERPOSE_DATATYPE_CONTENTS_H
#define REGATTA_INTERPOSE_DATATYPE_CONTENTS_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

/* The forms that Fortran's removed MPI-1 routines leave behind, with displacements among the
 * integers. Open MPI's header hides their names; both MPIs number them just before the others. */
enum {
    HVECTOR_INTEGER = MPI_COMBINER_HVECTOR - 1,
    HINDEXED_INTEGER = MPI_COMBINER_HINDEXED - 1,
    STRUCT_INTEGER = MPI_COMBINER_STRUCT - 1,
};
#ifdef MPICH
_Static_assert((int)HVECTOR_INTEGER == (int)MPI_COMBINER_HVECTOR_INTEGER &&
                   (int)HINDEXED_INTEGER == (int)MPI_COMBINER_HINDEXED_INTEGER &&
                   (int)STRUCT_INTEGER == (int)MPI_COMBINER_STRUCT_INTEGER,
               "numbers of the integer combiners");
#endif

/* The arguments of the constructor, to be taken in the order in which they were given. Types made
 * by the large-count routines (MPI_Type_vector_c …) have their counts and displacements in `large`,
 * all others in integers and addresses; the order is the same. */
struct contents {
    int combiner;
    MPI_Count integer_count, address_count, large_count, type_count;
    int *integers;
    MPI_Aint *addresses;
    MPI_Count *large;
    MPI_Datatype *types;
    MPI_Count integers_taken, addresses_taken, large_taken;
    bool exhausted; /* more was taken than there is: not the arguments of this combiner */
};

/* The combiner and how many arguments there are. */
bool contents_envelope(struct contents *contents, MPI_Datatype type);
/* The arguments; the envelope must be there already. On failure nothing is left to free. */
bool contents_get(struct contents *contents, MPI_Datatype type);
void contents_free(struct contents *contents);

/* Whether it is a parametrised Fortran type (MPI_Type_create_f90_real …). */
bool combiner_is_f90(int combiner);

int64_t take_integer(struct contents *contents);
int64_t take_count(struct contents *contents);   /* a count, or a displacement in elements */
int64_t take_address(struct contents *contents); /* a displacement in bytes */

#endif
