#include "level_rule.h"

#include "interpose/call.h"
#include "interpose/pmpi.h"

static struct {
    int provided, required;
    struct encounter *started, *finalized; /* where; kept for good */
    bool exceeded;                         /* another thread has called MPI */
    struct encounters calls;               /* of all threads */
} level = {.provided = MPI_THREAD_MULTIPLE};

void level_start(const struct call *call, const struct stack *stack)
{
    pmpi.Query_thread(&level.provided);
    level.required = routine_has(call->routine, ROLE_required) ? call->required : MPI_THREAD_SINGLE;
    level.started = encounter_new(call->routine, stack);
}

static bool ends_mpi(const struct encounter *encounter)
{
    return encounter->routine->verb == VERB_finalises;
}

/* SINGLE and FUNNELED do not depend on order: the thread alone decides. */
void level_check_thread(const struct encounter *now)
{
    if (!level.started || actor_is_main_thread())
        return;
    if (ends_mpi(now))
        thread_finding("thread-finalize", CASE_FINALIZE_OFF_MAIN, level.started, now);
    else if (level.provided == MPI_THREAD_SINGLE)
        thread_finding("thread-level", CASE_LEVEL_SINGLE, level.started, now);
    else if (level.provided == MPI_THREAD_FUNNELED)
        thread_finding("thread-level", CASE_LEVEL_FUNNELED, level.started, now);
    level.exceeded = true;
}

void level_check_order(struct hearing *hearing)
{
    if (ends_mpi(hearing->now)) {
        hearing_compare_all(hearing, &level.calls, "thread-finalize", CASE_FINALIZE_CONCURRENT,
                            NULL);
        level.finalized = encounter_keep(hearing->now);
    } else if (level.provided == MPI_THREAD_SERIALIZED) {
        hearing_compare_all(hearing, &level.calls, "thread-level", CASE_LEVEL_SERIALIZED, NULL);
    }
    encounters_add(&level.calls, hearing->now);
}

void level_notes(void)
{
    if (!level.started || !actors_are_watched())
        return;
    if (level.provided < level.required)
        thread_finding("thread-level", CASE_LEVEL_LESS, level.started, NULL);
    if (level.provided == MPI_THREAD_SINGLE && !level.exceeded)
        thread_finding("thread-level", CASE_LEVEL_THREADS_EXIST, level.started, NULL);
}

void level_after_end(const struct encounter *now)
{
    if (level.finalized)
        thread_finding("thread-finalize", CASE_AFTER_FINALIZE, level.finalized, now);
}
