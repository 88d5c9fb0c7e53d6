/* The entry points that layouts call, linked instead of looked up at run time. They can be
 * exchanged by a test. */
#ifndef REGATTA_TESTS_STANDIN_PMPI_H
#define REGATTA_TESTS_STANDIN_PMPI_H

#include <mpi.h>

struct pmpi {
    __typeof__(&PMPI_Type_get_envelope) Type_get_envelope;
    __typeof__(&PMPI_Type_get_contents) Type_get_contents;
#if MPI_VERSION >= 4
    __typeof__(&PMPI_Type_get_envelope_c) Type_get_envelope_c;
    __typeof__(&PMPI_Type_get_contents_c) Type_get_contents_c;
#endif
    __typeof__(&PMPI_Type_get_extent) Type_get_extent;
    __typeof__(&PMPI_Type_size) Type_size;
    __typeof__(&PMPI_Type_free) Type_free;
    __typeof__(&PMPI_Type_create_keyval) Type_create_keyval;
    __typeof__(&PMPI_Type_set_attr) Type_set_attr;
#ifdef OPEN_MPI
    __typeof__(&PMPI_Type_c2f) Type_c2f;
    __typeof__(&PMPI_Type_f2c) Type_f2c;
#endif
};
extern struct pmpi pmpi;

#endif
