#include "thread_rules.h"

#include "actor_state.h"
#include "collective_rule.h"
#include "interpose/stacks.h"
#include "level_rule.h"
#include "probe_rule.h"
#include "request_rule.h"
#include "watched_call.h"

static const struct stack *stack_of(const void *caller, const void *frame)
{
    const struct stack *stack = stack_recent(caller, frame);
    if (stack)
        return stack;
    session_lock();
    stack = stack_take(caller, frame);
    session_unlock();
    return stack;
}

void thread_rules_start(const struct call *call)
{
    level_start(call, stack_of(call->caller, call->frame));
}

/* MPI_Abort may come from anywhere; what MPI's callbacks do belongs to the call that they are in.
 */
static bool is_looked_at(const struct call *call)
{
    return !watched(call)->outer_frame && call->routine->verb != VERB_aborts;
}

static void check_order(struct hearing *hearing, const struct call *call)
{
    bool has_requests = request_rule_applies(call);
    if (has_requests)
        session_lock();
    spin_lock(&rules_lock);
    level_check_order(hearing);
    collective_check(hearing, call);
    probe_check(hearing, call);
    if (has_requests)
        request_check(hearing, call);
    spin_unlock(&rules_lock);
    if (has_requests)
        session_unlock();
}

void thread_rules_before(struct call *call)
{
    if (!is_looked_at(call))
        return;
    struct encounter *now = encounter_new(call->routine, stack_of(call->caller, call->frame));
    if (!now)
        return;
    level_check_thread(now);
    if (call->routine->verb == VERB_finalises)
        level_notes();
    /* A thread that nobody has seen begin is ordered with everything, as far as we know. */
    if (actor_is_seen() && actors_are_watched()) {
        struct hearing hearing = {.now = now};
        watched(call)->encounter = now;
        check_order(&hearing, call);
        hearing_report(&hearing);
    } else {
        spin_lock(&rules_lock);
        encounter_drop(now);
        spin_unlock(&rules_lock);
    }
}

void thread_rules_after(struct call *call, int result)
{
    struct encounter *now = watched(call)->encounter;
    if (!now)
        return;
    watched(call)->encounter = NULL;
    spin_lock(&rules_lock);
    now->end = actor_moment();
    now->over = true;
    if (result == MPI_SUCCESS) {
        collective_over(call);
        probe_over(now, call);
        if (request_rule_applies(call))
            request_over(call);
        else if (routine_has(call->routine, ROLE_new_request))
            request_made(call);
    }
    encounter_drop(now);
    spin_unlock(&rules_lock);
}

void thread_rules_outside(enum routine_id routine, const void *caller, const void *frame)
{
    enum verb verb = routines[routine].verb;
    if (verb == VERB_initialises || verb == VERB_aborts || stack_is_foreign(caller))
        return;
    struct encounter *now = encounter_new(&routines[routine], stack_of(caller, frame));
    if (now)
        level_after_end(now);
}

bool thread_rules_want_status(const struct call *call)
{
    return thread_rules_apply() && call->routine->verb == VERB_probes && probe_wants_status(call);
}
