#include "wildcards.h"

#include <limits.h>

#include "fingerprint.h"
#include "layer.h"
#include "settings.h"
#include "statuses.h"

/* How long other senders get to come, in microseconds; how often a probe may say no in vain. */
enum { PATIENCE = 3000, REFUSALS_MOST = 3 };

/* What this thread did last. */
static __thread struct {
    /* The last probe with MPI_ANY_SOURCE found a message: a receive with the same arguments must
     * get that very one (MPI-4.0 §3.8.1), which MPI itself sees to. */
    bool has_probed;
    MPI_Comm probed_comm;
    int refusals;
    /* A probe has found a message that no receive was called for yet: it is there, and a further
     * probe must say so. */
    bool knows_message;
} thread;

/* Takes a message from any sender that has one, in random order. */
static bool take(struct call *call, int senders)
{
    const struct call_buffer *given = &call->buffers[0];
    int first = (int)layer_random((uint64_t)senders);
    for (int i = 0; i < senders; i++) {
        MPI_Message message;
        MPI_Status status;
        int flag = 0;
        int error =
            pmpi.Improbe((first + i) % senders, call->tag, call->comm, &flag, &message, &status);
        if (error != MPI_SUCCESS)
            return false;
        if (!flag)
            continue;
        error = pmpi.Mrecv(given->base, (int)given->count, given->type, &message, &status);
        call_store_status(call, &status);
        call_replace(call, error);
        return true;
    }
    return false;
}

/* Legal: messages of different senders are not ordered (MPI-4.0 §3.5), so a receive from any of
 * them may get any that is there; those of one sender stay in order because the probe asks for that
 * sender. */
void wildcard_receive(struct call *call)
{
    MPI_Status status;
    int senders = 0, inter = 0;
    bool sticks = thread.has_probed && thread.probed_comm == call->comm;
    thread.has_probed = false;
    if (call->source != MPI_ANY_SOURCE)
        return;
    fingerprint_choice();
    if (!settings.wildcards || sticks || call->buffers[0].count < 0 ||
        call->buffers[0].count > INT_MAX || call->comm == handles.comm_null)
        return;
    if (pmpi.Comm_test_inter(call->comm, &inter) != MPI_SUCCESS)
        return;
    if (inter)
        pmpi.Comm_remote_size(call->comm, &senders);
    else
        pmpi.Comm_size(call->comm, &senders);
    if (pmpi.Probe(MPI_ANY_SOURCE, call->tag, call->comm, &status) != MPI_SUCCESS)
        return;
    layer_sleep(PATIENCE);
    /* Another thread may have taken what was there: then MPI goes on as usual. */
    take(call, senders);
}

/* Legal: a probe may find nothing as long as repeated probes succeed in the end (MPI-4.0 §3.8.1).
 * For MPI_PROC_NULL it finds something at once (§3.10). */
void wildcard_probe(struct call *call)
{
    bool nonblocking = routine_has(call->routine, ROLE_flag);
    if (nonblocking)
        fingerprint_choice();
    if (!settings.late_tests || !nonblocking || call->source == MPI_PROC_NULL ||
        thread.knows_message || thread.refusals >= REFUSALS_MOST || layer_random(2)) {
        thread.refusals = 0;
        return;
    }
    thread.refusals++;
    *(int *)call->flag = 0;
    call_replace(call, MPI_SUCCESS);
}

void wildcard_receive_started(void)
{
    thread.knows_message = false;
}

void wildcard_probed(const struct call *call)
{
    if (routine_has(call->routine, ROLE_new_message) ||
        (routine_has(call->routine, ROLE_flag) && !call_int_at(call->flag, 0)))
        return;
    thread.knows_message = true;
    if (call->source != MPI_ANY_SOURCE)
        return;
    fingerprint_choice();
    thread.has_probed = true;
    thread.probed_comm = call->comm;
}
