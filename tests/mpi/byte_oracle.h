/* What MPI itself touches: the oracle for layouts.
 *
 * MPI_Unpack of a stream of marks into a blank buffer shows which bytes a datatype writes. MPI_Pack
 * of a buffer that is marked only where a layout says shows whether it reads anything else. */
#ifndef REGATTA_TESTS_BYTE_ORACLE_H
#define REGATTA_TESTS_BYTE_ORACLE_H

#include <mpi.h>

#include "datatype_layout.h"

/* Buffers reach this far in both directions from the address given to MPI. */
#define ORACLE_REACH (96 * 1024)

/* Whether `count` elements stay so far within reach that even a wrong layout does no harm. */
bool oracle_can_hold(MPI_Datatype type, int count);

/* Compares the layout's sections of `count` elements with the bytes that MPI touches, and checks
 * their form. Prints the first difference and returns false if there is one. */
bool oracle_agrees(const struct layout *layout, MPI_Datatype type, int count);

#endif
