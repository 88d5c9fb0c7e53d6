/* Statuses that the program ignores and a layer needs, e.g. to know who sent what a wildcard
 * received. */
#include <stdlib.h>

#include "call.h"

bool call_ignores_status(const struct call *call, const void *status, bool array)
{
    if (!call->fortran)
        return array ? status == (void *)MPI_STATUSES_IGNORE : status == (void *)MPI_STATUS_IGNORE;
    return fortran_is_ignored(status, array);
}

void *call_status(struct call *call, void *status)
{
    call->statuses_inside = NULL;
    if (call_ignores_status(call, status, false) && call_wants_status(call))
        status = &call->status_inside;
    call->status = call_ignores_status(call, status, false) ? NULL : status;
    return status;
}

void *call_statuses(struct call *call, void *statuses)
{
    call->statuses_inside = NULL;
    if (call_ignores_status(call, statuses, true) && call->nrequests > 0 &&
        call_wants_status(call)) {
        call->statuses_inside = malloc((size_t)call->nrequests * sizeof(MPI_Status));
        if (call->statuses_inside)
            statuses = call->statuses_inside;
    }
    call->statuses = call_ignores_status(call, statuses, true) ? NULL : statuses;
    return statuses;
}

void call_statuses_free(struct call *call)
{
    if (routine_has(call->routine, ROLE_statuses))
        free(call->statuses_inside);
}

bool call_status_at(const struct call *call, int i, MPI_Status *status)
{
    bool array = routine_has(call->routine, ROLE_statuses);
    const MPI_Status *given = array ? call->statuses : call->status;
    if (!given)
        return false;
    /* A Fortran status is as large as a C one; Open MPI's has another order of members. */
    if (call->fortran)
        fortran_status(given + i, status);
    else
        *status = given[i];
    return true;
}
