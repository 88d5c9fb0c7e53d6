/* One intercepted MPI call, its arguments by role.
 *
 * The generated wrappers fill in the members whose roles the routine has (routine_has); the others
 * are not initialised, because clearing them would cost more than most calls' bookkeeping.
 * What a layer (the detector, the stress scheduler) keeps from before the call to after it stands
 * behind these members, in a struct of its own that begins with this one (LAYER_CALL in its
 * wrapper_layer.h). The same struct serves C and Fortran: what the C and the Fortran program see
 * differently (handles, indices, logicals behind pointers) is read through the accessors below. */
#ifndef REGATTA_INTERPOSE_CALL_H
#define REGATTA_INTERPOSE_CALL_H

#include "fortran.h"
#include "interpose_thread.h"
#include "pmpi.h"
#include "mpi/routine.h"

/* A buffer as the program gave it; which members count is in routine->buffers[]. */
struct call_buffer {
    void *base;
    MPI_Count count;
    const void *counts; /* int[] or, in _c routines, MPI_Count[] */
    const void *displs; /* int[] or MPI_Aint[] */
    MPI_Datatype type;
    const void *types; /* handles, read with call_type */
};

struct call {
    const struct routine *routine;
    const void *caller; /* return address in the program */
    const void *frame;  /* stack pointer of the caller at the call (its canonical frame address) */
    bool fortran;

    struct call_buffer buffers[ROUTINE_MAX_BUFFERS];
    MPI_Comm comm;
    MPI_Win win;
    MPI_File file;
    MPI_Group group;
    MPI_Info info;
    MPI_Op op;
    int root, dest, source, tag, recvtag;
    int target, assert, lock_type;
    MPI_Aint target_disp, size, disp_unit;
    MPI_Count target_count;
    MPI_Datatype target_type;
    MPI_Offset offset;
    MPI_Count position, position_end;
    void *base, *new_base;
    int partitions, partition, low, high, length;
    const void *list;

    MPI_Request request_value;
    void *new_request, *request, *requests;
    int nrequests;
    void *flag, *index, *outcount, *indices, *status, *statuses;
    void *message, *new_message;
    void *new_comm, *new_win, *new_file;
    int required;
    void *freed_comm, *freed_win, *freed_type, *freed_file;

    /* Statuses: the argument itself, also if it is the one that means none; memory of our own if
     * the program ignores what is needed, one or (allocated) an array. */
    void *given_status;
    MPI_Status status_inside;
    void *statuses_inside;
};

/* The status argument to hand to MPI: the program's, or one of ours if it is ignored and needed.
 * After call_before. call_status_at reads the i-th; false if there is none. */
void *call_status(struct call *call, void *status);
void *call_statuses(struct call *call, void *statuses);
bool call_status_at(const struct call *call, int i, MPI_Status *status);
/* Whether the program ignores this status (of an array: the statuses). */
bool call_ignores_status(const struct call *call, const void *status, bool array);
void call_statuses_free(struct call *call);

/* ---- what each layer has to provide ---- */

/* Before the call is handed to MPI, and after it has returned `result`. */
void call_before(struct call *call);
void call_after(struct call *call, int result);
/* Whether a status is needed that the program may ignore. */
bool call_wants_status(const struct call *call);

/* ---- arguments that C and Fortran keep differently ---- */

static inline MPI_Request call_request_at(const struct call *call, const void *requests, int i)
{
    return call->fortran ? FORTRAN_Request((const MPI_Fint *)requests + i)
                         : ((const MPI_Request *)requests)[i];
}

static inline const void *call_request_variable(const struct call *call, const void *requests,
                                                int i)
{
    return call->fortran ? (const void *)((const MPI_Fint *)requests + i)
                         : (const void *)((const MPI_Request *)requests + i);
}

static inline MPI_Datatype call_type_at(const struct call *call, const void *types, int i)
{
    return call->fortran ? FORTRAN_Type((const MPI_Fint *)types + i)
                         : ((const MPI_Datatype *)types)[i];
}

static inline MPI_Win call_win(const struct call *call, const void *win)
{
    return call->fortran ? FORTRAN_Win(win) : *(const MPI_Win *)win;
}

static inline MPI_Comm call_comm(const struct call *call, const void *comm)
{
    return call->fortran ? FORTRAN_Comm(comm) : *(const MPI_Comm *)comm;
}

static inline MPI_Datatype call_type(const struct call *call, const void *type)
{
    return call_type_at(call, type, 0);
}

static inline MPI_File call_file(const struct call *call, const void *file)
{
    return call->fortran ? FORTRAN_File(file) : *(const MPI_File *)file;
}

/* C int and Fortran INTEGER and LOGICAL have the same size in the MPIs that we support. */
_Static_assert(sizeof(MPI_Fint) == sizeof(int), "call_int reads either");

static inline int call_int_at(const void *integers, int i)
{
    return ((const int *)integers)[i];
}

/* An index that MPI returned, from 0, or MPI_UNDEFINED. */
static inline int call_index_at(const struct call *call, const void *indices, int i)
{
    int index = call_int_at(indices, i);
    return call->fortran && index != MPI_UNDEFINED ? index - fortran_first_index() : index;
}

#endif
