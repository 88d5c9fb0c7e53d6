#include "transfer.h"

#include <stdlib.h>
#include <string.h>

#include "aside.h"
#include "fingerprint.h"
#include "layer.h"
#include "reports.h"
#include "transfers.h"

struct transfers_under_way under_way;

/* One that no call asks for yet. */
struct transfer *transfer_claim(MPI_Request handle)
{
    if (handle == handles.request_null)
        return NULL;
    layer_lock();
    struct transfer *transfer = under_way.transfers;
    while (transfer && (transfer->handle != handle || transfer->asked_for))
        transfer = transfer->next;
    if (transfer)
        transfer->asked_for = true;
    layer_unlock();
    return transfer;
}

void transfer_link(struct transfer **list, struct transfer *transfer)
{
    layer_lock();
    transfer->next = *list;
    *list = transfer;
    layer_unlock();
}

void transfer_unlink(struct transfer **list, struct transfer *transfer)
{
    layer_lock();
    while (*list && *list != transfer)
        list = &(*list)->next;
    if (*list)
        *list = transfer->next;
    layer_unlock();
}

void transfer_destroy(struct transfer *transfer)
{
    if (transfer->has_held)
        bytes_forget_type(&transfer->held);
    if (transfer->aside)
        aside_free(transfer->aside);
    free(transfer->before);
    free(transfer->arriving);
    free(transfer);
}

/* ---- the program's buffer ---- */

/* Keeps what is in the buffer and poisons it. */
bool transfer_hide(struct transfer *transfer)
{
    struct bytes bytes;
    int position = 0;
    if (!bytes_of(&bytes, &transfer->buffer))
        return false;
    bool kept =
        pmpi.Pack(transfer->buffer.base, transfer->buffer.count, transfer->buffer.type,
                  transfer->before, transfer->size, &position, handles.comm_self) == MPI_SUCCESS &&
        position == transfer->size;
    if (kept)
        bytes_poison(&bytes);
    bytes_free(&bytes);
    return kept;
}

/* Puts `before` into the program's buffer. */
void transfer_restore(struct transfer *transfer)
{
    int position = 0;
    pmpi.Unpack(transfer->before, transfer->size, &position, transfer->buffer.base,
                transfer->buffer.count, transfer->buffer.type, handles.comm_self);
}

/* A persistent send is remembered when it is started; this tells whether that will be possible. */
bool transfer_remember(struct transfer *transfer)
{
    struct bytes bytes;
    if (!bytes_of(&bytes, &transfer->buffer))
        return false;
    if (transfer->active)
        transfer->hash = bytes_hash(&bytes);
    bytes_free(&bytes);
    return true;
}

/* ---- completion ---- */

/* What arrived goes into the buffer, behind it comes what was there before. */
void transfer_deliver(struct transfer *transfer, const MPI_Status *status)
{
    struct bytes bytes;
    int count = 0, cancelled = 0;
    if (transfer->delivered)
        return;
    transfer->delivered = true;
    if (transfer->watched)
        return;
    if (transfer->aside) {
        aside_deliver(transfer->aside, transfer->site, transfer->routine);
        return;
    }
    if (bytes_of(&bytes, &transfer->buffer)) {
        if (!bytes_are_poison(&bytes))
            report_changed(transfer->site, transfer->routine, false, bytes.high - bytes.low);
        bytes_free(&bytes);
    }
    pmpi.Test_cancelled(status, &cancelled);
    if (!cancelled && pmpi.Get_count(status, handles.byte, &count) == MPI_SUCCESS && count > 0)
        memcpy(transfer->before, transfer->arriving,
               (size_t)(count < transfer->size ? count : transfer->size));
    transfer_restore(transfer);
    int size = transfer->size / transfer->buffer.count;
    struct buffer received = {transfer->buffer.base, count / size, transfer->buffer.type};
    if (!cancelled && count > 0 && count % size == 0 && bytes_of(&bytes, &received)) {
        fingerprint_received(transfer->site, transfer->routine, status->MPI_SOURCE, status->MPI_TAG,
                             &bytes);
        bytes_free(&bytes);
    }
}

static void look_at_send(struct transfer *transfer)
{
    struct bytes bytes;
    if (!bytes_of(&bytes, &transfer->buffer))
        return;
    if (bytes_hash(&bytes) != transfer->hash)
        report_changed(transfer->site, transfer->routine, true, bytes.high - bytes.low);
    bytes_free(&bytes);
}

void transfer_conclude(struct transfer *transfer, const MPI_Status *status)
{
    if (transfer->concluded)
        return;
    transfer->concluded = true;
    if (transfer->is_receive || transfer->aside || transfer->watched)
        transfer_deliver(transfer, status);
    else
        look_at_send(transfer);
}

/* Another one with this request, not yet concluded; unlinked if no call asks for it. */
static struct transfer *take_alike(MPI_Request handle, bool *unlinked)
{
    layer_lock();
    struct transfer **link = &under_way.transfers;
    while (*link && ((*link)->handle != handle || (*link)->is_receive || (*link)->persistent ||
                     (*link)->concluded))
        link = &(*link)->next;
    struct transfer *transfer = *link;
    *unlinked = transfer && !transfer->asked_for;
    if (*unlinked)
        *link = transfer->next;
    layer_unlock();
    return transfer;
}

/* Sends and collectives that are complete when they are started share one request in both MPIs, so
 * that it cannot be seen which of them the program completes when. Until the first completion none
 * of their buffers may be touched; from then on all are taken for free. (Their results may be there
 * early: the program may not look yet.) */
void transfers_conclude_alike(MPI_Request handle)
{
    bool unlinked;
    for (struct transfer *other; (other = take_alike(handle, &unlinked)) != NULL;) {
        transfer_conclude(other, NULL);
        if (unlinked)
            transfer_destroy(other);
    }
}

void transfer_finish(struct transfer *transfer, const MPI_Status *status)
{
    if (!transfer->active)
        return; /* a persistent one that was not started is always complete */
    transfer_conclude(transfer, status);
    if (transfer->persistent) {
        transfer->active = transfer->delivered = transfer->asked_for = transfer->concluded = false;
        return;
    }
    if (!transfer->is_receive)
        transfers_conclude_alike(transfer->handle);
    transfer_unlink(&under_way.transfers, transfer);
    transfer_destroy(transfer);
}

bool transfers_write_to(uint64_t low, uint64_t high)
{
    bool any = false;
    layer_lock();
    for (int i = 0; i < 2; i++)
        for (const struct transfer *transfer = i ? under_way.orphans : under_way.transfers;
             transfer; transfer = transfer->next)
            any |= transfer->active && !transfer->delivered && transfer->low < high &&
                   low < transfer->high;
    layer_unlock();
    return any;
}
