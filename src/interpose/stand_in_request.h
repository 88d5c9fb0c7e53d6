/* A request that a program gets instead of MPI's own: a generalized one, of which nothing is to be
 * told but that it is complete (pmpi.Grequest_complete). Returns MPI's error code. */
#ifndef REGATTA_INTERPOSE_STAND_IN_REQUEST_H
#define REGATTA_INTERPOSE_STAND_IN_REQUEST_H

#include <mpi.h>

int stand_in_request_start(MPI_Request *request);

#endif
