#include "statuses.h"

#include <stdlib.h>

#include "settings.h"
#include "transfers.h"

bool call_wants_status(const struct call *call)
{
    if (call->routine->verb == VERB_blocking)
        return settings.fingerprints && routine_is_plain_receive(call->routine);
    return transfers_want_status(call);
}

void call_store_status(const struct call *call, const MPI_Status *status)
{
    if (call_ignores_status(call, call->given_status, false))
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
