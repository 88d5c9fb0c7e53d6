#include "transfers.h"

#include <stdlib.h>
#include <unistd.h>

#include "aside.h"
#include "layer.h"
#include "settings.h"
#include "stand_ins.h"
#include "transfer.h"

/* So often a test may say no in vain. */
enum { REFUSALS_MOST = 3 };
/* How long MPI_Finalize waits for what still arrives, in steps of microseconds. */
enum { FINISH_TURNS = 1000, FINISH_PAUSE = 1000 };

/* ---- calls on requests ---- */

struct asked {
    int count;
    struct transfer *at[]; /* by index of the request; NULL: not ours */
};

static int request_count(const struct call *call)
{
    return routine_has(call->routine, ROLE_requests) ? call->nrequests : 1;
}

static MPI_Request request_at(const struct call *call, int i)
{
    if (routine_has(call->routine, ROLE_requests))
        return call_request_at(call, call->requests, i);
    if (routine_has(call->routine, ROLE_request))
        return call_request_at(call, call->request, 0);
    return call->request_value;
}

static void let_go(struct asked *asked)
{
    for (int i = 0; i < asked->count; i++)
        if (asked->at[i])
            asked->at[i]->asked_for = false;
    free(asked);
}

/* Legal: a test may find an operation not yet complete as long as repeated tests succeed in the
 * end, and MPI_Request_get_status has not told otherwise. */
static bool refuse(struct call *call, const struct asked *asked)
{
    if (!settings.late_tests || call->routine->verb != VERB_tests ||
        call->routine->object != OBJECT_one || !asked->at[0] || !asked->at[0]->active ||
        asked->at[0]->delivered || asked->at[0]->refusals >= REFUSALS_MOST || layer_random(2))
        return false;
    asked->at[0]->refusals++;
    *(int *)call->flag = 0; /* LOGICAL .FALSE. is 0 as well */
    call_replace(call, MPI_SUCCESS);
    return true;
}

/* A freed receive still delivers. Its request stays ours. */
static bool adopt(struct call *call, struct transfer *transfer)
{
    if (call->routine->verb != VERB_releases ||
        !(transfer->is_receive || transfer->aside || transfer->watched) || !transfer->active)
        return false;
    transfer_unlink(&under_way.transfers, transfer);
    transfer_link(&under_way.orphans, transfer);
    call_store_request(call, call->request, handles.request_null);
    call_replace(call, MPI_SUCCESS);
    return true;
}

void transfers_activate(struct call *call)
{
    for (int i = 0; under_way.transfers && i < request_count(call); i++) {
        struct transfer *transfer = transfer_claim(request_at(call, i));
        if (!transfer)
            continue;
        transfer->asked_for = false;
        transfer->active = transfer->persistent;
        if (transfer->aside)
            aside_hide(transfer->aside);
        else if (transfer->is_receive)
            transfer_hide(transfer);
        else if (!transfer->watched)
            transfer_remember(transfer);
    }
}

void transfers_before(struct call *call)
{
    if (!under_way.transfers)
        return;
    int count = request_count(call);
    struct asked *asked =
        calloc(1, sizeof *asked + (size_t)(count > 0 ? count : 0) * sizeof(struct transfer *));
    bool any = false;
    if (!asked)
        return;
    asked->count = count;
    for (int i = 0; i < count; i++)
        any |= (asked->at[i] = transfer_claim(request_at(call, i))) != NULL;
    if (any && call->routine->verb == VERB_releases && !adopt(call, asked->at[0])) {
        transfer_unlink(&under_way.transfers, asked->at[0]);
        transfers_conclude_alike(
            asked->at[0]->handle); /* it may be any of them that is not seen again */
        transfer_destroy(asked->at[0]);
        asked->at[0] = NULL;
        any = false;
    }
    if (!any || held(call)->replaced || refuse(call, asked)) {
        let_go(asked);
        return;
    }
    held(call)->scheduled = asked;
}

bool transfers_want_status(const struct call *call)
{
    const struct asked *asked = held(call)->scheduled;
    for (int i = 0; asked && i < asked->count; i++)
        if (asked->at[i] && asked->at[i]->is_receive)
            return true;
    return false;
}

static void finish_at(const struct call *call, struct asked *asked, int i, int status_index)
{
    MPI_Status status;
    if (i < 0 || i >= asked->count || !asked->at[i])
        return;
    if (!asked->at[i]->is_receive || call_status_at(call, status_index, &status))
        transfer_finish(asked->at[i], &status);
    asked->at[i] = NULL;
}

/* A persistent request keeps its handle; its status tells. */
static bool is_over(const struct call *call, const struct transfer *transfer, int i)
{
    MPI_Status status;
    return transfer->persistent &&
           call_status_at(call, routine_has(call->routine, ROLE_statuses) ? i : 0, &status) &&
           status.MPI_ERROR != MPI_ERR_PENDING;
}

/* Some requests failed: which ones are over shows at the program's variables. */
static void finish_after_error(const struct call *call, struct asked *asked)
{
    for (int i = 0; i < asked->count; i++)
        if (asked->at[i] &&
            (request_at(call, i) == handles.request_null || is_over(call, asked->at[i], i)))
            finish_at(call, asked, i, routine_has(call->routine, ROLE_statuses) ? i : 0);
}

static bool is_flagged(const struct call *call)
{
    return call->routine->verb == VERB_completes || call_int_at(call->flag, 0);
}

void transfers_after(struct call *call, int result)
{
    struct asked *asked = held(call)->scheduled;
    if (!asked)
        return;
    enum object which = call->routine->object;
    if (call->routine->verb == VERB_peeks) {
        MPI_Status status;
        struct transfer *transfer = asked->at[0];
        if (result == MPI_SUCCESS && call_int_at(call->flag, 0) && transfer->active &&
            (!transfer->is_receive || call_status_at(call, 0, &status))) {
            transfer_conclude(transfer, &status);
            if (!transfer->is_receive)
                transfers_conclude_alike(transfer->handle);
        }
    } else if (call->routine->verb == VERB_cancels || call->routine->verb == VERB_releases) {
        /* nothing is over yet */
    } else if (result != MPI_SUCCESS) {
        finish_after_error(call, asked);
    } else if (which == OBJECT_one) {
        if (is_flagged(call))
            finish_at(call, asked, 0, 0);
    } else if (which == OBJECT_any) {
        if (is_flagged(call))
            finish_at(call, asked, call_index_at(call, call->index, 0), 0);
    } else if (which == OBJECT_all) {
        for (int i = 0; is_flagged(call) && i < asked->count; i++)
            finish_at(call, asked, i, i);
    } else if (which == OBJECT_some) {
        for (int i = 0; i < call_int_at(call->outcount, 0); i++) /* MPI_UNDEFINED is negative */
            finish_at(call, asked, call_index_at(call, call->indices, i), i);
    }
    let_go(asked);
    held(call)->scheduled = NULL;
}

void transfers_finish(void)
{
    /* Their messages have been sent, or MPI_Finalize could not return either; a little patience for
     * those on the way. */
    for (int turns = 0; under_way.orphans && turns < FINISH_TURNS; turns++) {
        transfers_poll();
        usleep(FINISH_PAUSE);
    }
}

void transfers_poll(void)
{
    for (struct transfer *transfer = under_way.orphans, *next; transfer; transfer = next) {
        MPI_Status status;
        int flag = 0;
        next = transfer->next;
        if (pmpi.Test(&transfer->handle, &flag, &status) != MPI_SUCCESS || !flag)
            continue;
        transfer_deliver(transfer, &status);
        if (transfer->persistent)
            pmpi.Request_free(&transfer->handle);
        transfer_unlink(&under_way.orphans, transfer);
        transfer_destroy(transfer);
    }
}
