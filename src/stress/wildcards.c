#include "wildcards.h"

#include <limits.h>

#include "fingerprint.h"
#include "layer.h"
#include "settings.h"
#include "statuses.h"
#include "stress_thread.h"

/* How long other senders get to come, in microseconds; how often a probe may say no in vain. */
enum { PATIENCE = 3000, REFUSALS_MOST = 3 };

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
    bool sticks = stress_here.has_probed && stress_here.probed_comm == call->comm;
    stress_here.has_probed = false;
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
        stress_here.knows_message || stress_here.refusals >= REFUSALS_MOST || layer_random(2)) {
        stress_here.refusals = 0;
        return;
    }
    stress_here.refusals++;
    *(int *)call->flag = 0;
    call_replace(call, MPI_SUCCESS);
}

void wildcard_receive_started(void)
{
    stress_here.knows_message = false;
}

void wildcard_probed(const struct call *call)
{
    if (routine_has(call->routine, ROLE_new_message) ||
        (routine_has(call->routine, ROLE_flag) && !call_int_at(call->flag, 0)))
        return;
    stress_here.knows_message = true;
    if (call->source != MPI_ANY_SOURCE)
        return;
    fingerprint_choice();
    stress_here.has_probed = true;
    stress_here.probed_comm = call->comm;
}
