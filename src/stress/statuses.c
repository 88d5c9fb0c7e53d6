#include "statuses.h"

#include <stdlib.h>

#include "settings.h"
#include "transfers.h"

static bool is_ignored(const struct call *call, const void *status, bool array)
{
    if (call->fortran)
        return fortran_is_ignored(status, array);
    return array ? status == (void *)MPI_STATUSES_IGNORE : status == (void *)MPI_STATUS_IGNORE;
}

static bool is_wanted(const struct call *call)
{
    if (call->routine->verb == VERB_blocking)
        return settings.fingerprints && call->routine == &routines[ROUTINE_Recv];
    return transfers_want_status(call);
}

void *call_status(struct call *call, void *status)
{
    call->statuses_inside = NULL;
    if (is_ignored(call, status, false) && is_wanted(call))
        status = &call->status_inside;
    call->status = is_ignored(call, status, false) ? NULL : status;
    return status;
}

void *call_statuses(struct call *call, void *statuses)
{
    call->statuses_inside = NULL;
    if (is_ignored(call, statuses, true) && call->nrequests > 0 && is_wanted(call)) {
        call->statuses_inside = malloc((size_t)call->nrequests * sizeof(MPI_Status));
        if (call->statuses_inside)
            statuses = call->statuses_inside;
    }
    call->statuses = is_ignored(call, statuses, true) ? NULL : statuses;
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
    if (call->fortran)
        fortran_status(given + i, status);
    else
        *status = given[i];
    return true;
}

void call_store_status(const struct call *call, const MPI_Status *status)
{
    if (is_ignored(call, call->given_status, false))
        return;
    MPI_Status changed = *status, *given = call->given_status;
#ifdef OPEN_MPI
    if (call->fortran) {
        MPI_Status before;
        fortran_status(given, &before);
        changed.MPI_ERROR = before.MPI_ERROR;
        pmpi.Status_c2f(&changed, call->given_status);
        return;
    }
#endif
    changed.MPI_ERROR = given->MPI_ERROR;
    *given = changed;
}
