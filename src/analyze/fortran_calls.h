/* Fortran's calls of MPI, from flang: mpi_isend_ with the addresses of all arguments. */
#ifndef REGATTA_ANALYZE_FORTRAN_CALLS_H
#define REGATTA_ANALYZE_FORTRAN_CALLS_H

#include <llvm-c/Core.h>

/* Makes them what they would be in C with MPICH, whose handles are the same numbers in both
 * languages: MPI_Isend with values where C has values, the result stored as ierror. So nothing
 * behind it knows that there is Fortran. */
void fortran_calls_to_c(LLVMModuleRef module);

#endif
