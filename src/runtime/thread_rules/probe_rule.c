/* A probe P of one thread, its receive Q of what it found, and a receive R of another thread that
 * could take the message. All is well if R is over before P begins, or Q before R begins. Whatever
 * comes last of Q and R sees the other two:
 *
 *   Q comes: every R that P did not know of      (cases 1 to 4 of the MARMOT paper's table 2)
 *   R comes: every pair P, Q whose Q is not known to be over
 *
 * R may be the receive of what its own thread probed. Then it takes whatever that probe finds, and
 * counts as asking for what the probe asked for: two threads that probe with wildcards and receive
 * exactly what they found take each other's messages in another run (MPI-4.0 §3.8.2).
 *
 * Without a Q nothing is wrong: a thread may probe, and let another one receive. A thread that
 * probes again on the communicator has given up what it found before. */
#include "probe_rule.h"

#include <stdlib.h>

#include "interpose/call.h"
#include "operations.h"
#include "watched_call.h"

struct probe {
    MPI_Comm comm;
    int source, tag;             /* of the message */
    int asked_source, asked_tag; /* as the program gave them */
    struct encounter *by;
    struct past *past;         /* what it knew */
    struct encounter *receive; /* Q; NULL: not yet */
};

struct reception {
    MPI_Comm comm;
    int source, tag; /* as the program gave them */
    struct encounter *by;
};

enum { KEPT = 256 }; /* of either; the oldest go first */

static struct probe probes[KEPT];
static struct reception receptions[KEPT];
static unsigned nprobes, nreceptions;

static bool matches(MPI_Comm comm, int source, int tag, const struct probe *probe)
{
    return comm == probe->comm && (source == MPI_ANY_SOURCE || source == probe->source) &&
           (tag == MPI_ANY_TAG || tag == probe->tag);
}

/* A message leaves the queue by a receive, or by a matched probe. */
static bool takes_message(const struct routine *routine)
{
    if (routine->verb == VERB_probes)
        return routine_has(routine, ROLE_new_message);
    return (routine->object == OBJECT_recv || routine->object == OBJECT_sendrecv) &&
           routine_has(routine, ROLE_source) && routine->verb != VERB_prepares;
}

static bool leaves_message(const struct routine *routine)
{
    return routine->verb == VERB_probes && !routine_has(routine, ROLE_new_message);
}

static void charge(struct hearing *hearing, const struct probe *probe, struct encounter *taker,
                   enum relation relation)
{
    hearing_charge(hearing, &(struct charge){.rule = "thread-probe",
                                             .which = CASE_PROBED_MESSAGE,
                                             .relation = relation,
                                             .first = probe->by,
                                             .second = taker});
}

/* Q: whoever may have taken it since P began. */
static void check_takers(struct hearing *hearing, const struct probe *probe)
{
    for (unsigned i = 0; i < nreceptions; i++) {
        const struct reception *other = &receptions[i];
        if (other->by->actor == hearing->now->actor ||
            !matches(other->comm, other->source, other->tag, probe))
            continue;
        if (!other->by->over)
            charge(hearing, probe, other->by, OVERLAPPING);
        else if (!past_knows(probe->past, other->by->end))
            charge(hearing, probe, other->by, actor_knows(other->by->end) ? BETWEEN : UNORDERED);
    }
}

static void drop_probe(unsigned i)
{
    encounter_drop(probes[i].by);
    encounter_drop(probes[i].receive);
    past_drop(probes[i].past);
    for (nprobes--; i < nprobes; i++)
        probes[i] = probes[i + 1];
}

static void drop_reception(unsigned i)
{
    encounter_drop(receptions[i].by);
    for (nreceptions--; i < nreceptions; i++)
        receptions[i] = receptions[i + 1];
}

static void remember_reception(struct encounter *now, MPI_Comm comm, int source, int tag)
{
    for (unsigned i = nreceptions; i-- > 0;) {
        const struct reception *other = &receptions[i];
        bool same = other->by->actor == now->actor && other->by->stack == now->stack &&
                    other->comm == comm && other->source == source && other->tag == tag;
        if (other->by->over && (same || actors_all_know(other->by->end)))
            drop_reception(i);
    }
    if (nreceptions == KEPT)
        drop_reception(0);
    receptions[nreceptions++] = (struct reception){comm, source, tag, encounter_keep(now)};
}

static void check_reception(struct hearing *hearing, const struct call *call)
{
    const struct routine *routine = call->routine;
    int source = call->source;
    int tag = routine_has(routine, ROLE_recvtag) ? call->recvtag : call->tag;
    if (source == MPI_PROC_NULL)
        return;
    for (unsigned i = nprobes; i-- > 0;) {
        const struct probe *probe = &probes[i];
        if (probe->by->actor == hearing->now->actor && !probe->receive &&
            matches(call->comm, source, tag, probe)) {
            source = probe->asked_source;
            tag = probe->asked_tag;
            break;
        }
    }
    for (unsigned i = nprobes; i-- > 0;) {
        struct probe *probe = &probes[i];
        if (!matches(call->comm, source, tag, probe))
            continue;
        if (probe->by->actor == hearing->now->actor) {
            if (probe->receive)
                continue;
            check_takers(hearing, probe);
            probe->receive = encounter_keep(hearing->now);
        } else if (probe->receive) {
            charge(hearing, probe, hearing->now, encounter_relation(probe->receive));
        }
    }
    remember_reception(hearing->now, call->comm, source, tag);
}

/* The same thread looks for messages again. Pairs whose receive everybody knows of are over. */
static void give_up_earlier(const struct encounter *now, MPI_Comm comm)
{
    for (unsigned i = nprobes; i-- > 0;) {
        const struct probe *probe = &probes[i];
        bool same = probe->by->actor == now->actor && probe->comm == comm;
        if (probe->receive ? probe->receive->over && (actors_all_know(probe->receive->end) ||
                                                      (same && probe->by->stack == now->stack))
                           : same)
            drop_probe(i);
    }
}

/* A persistent receive takes its message when it is started. The session's lock is held. */
static void check_started(struct hearing *hearing, const struct call *call)
{
    bool several = routine_has(call->routine, ROLE_requests), ambiguous;
    const void *requests = several ? call->requests : call->request;
    for (int i = 0; i < (several ? call->nrequests : 1); i++) {
        const struct operation *operation =
            operation_by_request(call_request_at(call, requests, i),
                                 call_request_variable(call, requests, i), &ambiguous);
        const struct call *made =
            operation && operation->prepared ? &operation->prepared->call : NULL;
        if (made && !operation->partitioned && made->routine->object == OBJECT_recv &&
            routine_has(made->routine, ROLE_source))
            check_reception(hearing, made);
    }
}

void probe_check(struct hearing *hearing, const struct call *call)
{
    if (leaves_message(call->routine))
        give_up_earlier(hearing->now, call->comm);
    else if (takes_message(call->routine))
        check_reception(hearing, call);
    else if (call->routine->verb == VERB_activates)
        check_started(hearing, call);
}

bool probe_wants_status(const struct call *call)
{
    return leaves_message(call->routine) &&
           (call->source == MPI_ANY_SOURCE || call->tag == MPI_ANY_TAG);
}

void probe_over(struct encounter *now, const struct call *call)
{
    if (!leaves_message(call->routine) || call->source == MPI_PROC_NULL ||
        (routine_has(call->routine, ROLE_flag) && !call_int_at(call->flag, 0)))
        return;
    MPI_Status status = {.MPI_SOURCE = call->source, .MPI_TAG = call->tag};
    if (probe_wants_status(call) && !call_status_at(call, 0, &status))
        return;
    if (nprobes == KEPT)
        drop_probe(0);
    probes[nprobes++] = (struct probe){.comm = call->comm,
                                       .source = status.MPI_SOURCE,
                                       .tag = status.MPI_TAG,
                                       .asked_source = call->source,
                                       .asked_tag = call->tag,
                                       .by = encounter_keep(now),
                                       .past = actor_past()};
}
