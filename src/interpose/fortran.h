/* What Fortran passes differently: handles are integers, special addresses are variables.
 * docs/fortran.md says which entry points each MPI's Fortran programs call. */
#ifndef REGATTA_INTERPOSE_FORTRAN_H
#define REGATTA_INTERPOSE_FORTRAN_H

#include "pmpi.h"

/* The C handle for the Fortran handle at this address. */
#ifdef OPEN_MPI
#define FORTRAN_HANDLE(kind, handle) (pmpi.kind##_f2c(*(const MPI_Fint *)(handle)))
#define FORTRAN_Comm(handle) FORTRAN_HANDLE(Comm, handle)
#define FORTRAN_Win(handle) FORTRAN_HANDLE(Win, handle)
#define FORTRAN_Group(handle) FORTRAN_HANDLE(Group, handle)
#define FORTRAN_Info(handle) FORTRAN_HANDLE(Info, handle)
#define FORTRAN_Op(handle) FORTRAN_HANDLE(Op, handle)
#define FORTRAN_Type(handle) FORTRAN_HANDLE(Type, handle)
#define FORTRAN_Request(handle) FORTRAN_HANDLE(Request, handle)
#define FORTRAN_Message(handle) FORTRAN_HANDLE(Message, handle)
#else /* MPICH's handles are the same integers in both languages */
#define FORTRAN_Comm(handle) (*(const MPI_Comm *)(handle))
#define FORTRAN_Win(handle) (*(const MPI_Win *)(handle))
#define FORTRAN_Group(handle) (*(const MPI_Group *)(handle))
#define FORTRAN_Info(handle) (*(const MPI_Info *)(handle))
#define FORTRAN_Op(handle) (*(const MPI_Op *)(handle))
#define FORTRAN_Type(handle) (*(const MPI_Datatype *)(handle))
#define FORTRAN_Request(handle) (*(const MPI_Request *)(handle))
#define FORTRAN_Message(handle) (*(const MPI_Message *)(handle))
#endif
#define FORTRAN_File(handle) (pmpi.File_f2c(*(const MPI_Fint *)(handle)))

/* The C value of a buffer address: MPI_BOTTOM and MPI_IN_PLACE are variables in Fortran. */
void *fortran_address(void *address);

/* The first index that MPI_Waitany and its like return to Fortran: 1, but for an MPI's mistake. */
int fortran_first_index(void);

/* Whether this is MPI_STATUS_IGNORE (MPI_STATUSES_IGNORE for arrays). */
bool fortran_is_ignored(const void *status, bool array);
/* The C status for a Fortran one. */
void fortran_status(const void *from, MPI_Status *to);

/* The MPI library's own version of a Fortran entry point. */
void *fortran_original(const char *symbol);

#endif
