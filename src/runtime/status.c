/* Statuses that the program ignores and the runtime needs, to know who sent what a wildcard received. */
#include <stdlib.h>

#include "call.h"
#include "edges.h"
#include "session.h"

static bool is_ignored(const struct call *call, const void *status, bool array)
{
    if (!call->fortran)
        return array ? status == (void *)MPI_STATUSES_IGNORE : status == (void *)MPI_STATUS_IGNORE;
    return fortran_is_ignored(status, array);
}

void *call_status(struct call *call, void *status)
{
    call->statuses_inside = NULL;
    if (session_can_look_for_races() && is_ignored(call, status, false) && edges_want_status(call))
        status = &call->status_inside;
    call->status = is_ignored(call, status, false) ? NULL : status;
    return status;
}

void *call_statuses(struct call *call, void *statuses)
{
    call->statuses_inside = NULL;
    if (session_can_look_for_races() && is_ignored(call, statuses, true) && call->nrequests > 0 &&
        edges_want_status(call)) {
        call->statuses_inside = malloc(call->nrequests * sizeof(MPI_Status));
        if (call->statuses_inside)
            statuses = call->statuses_inside;
    }
    call->statuses = is_ignored(call, statuses, true) ? NULL : statuses;
    return statuses;
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
