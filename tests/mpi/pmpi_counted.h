/* A `pmpi` for tests that keeps the books on handles: those that layouts received must all have
 * been given back. */
#ifndef REGATTA_TESTS_PMPI_COUNTED_H
#define REGATTA_TESTS_PMPI_COUNTED_H

/* Handles of derived types received from MPI_Type_get_contents and not yet freed. */
extern long pmpi_handles_held;

/* Calls of MPI_Type_get_envelope(_c): whether something was decoded or came from a cache. */
extern long pmpi_envelopes;

#endif
