#include "encounters.h"

#include <stdlib.h>
#include <string.h>

#include "actor_state.h"
#include "findings.h"
#include "interpose/regatta_options.h"
#include "interpose/site_records.h"
#include "mpi/routine.h"
#include "openmp.h"
#include "pages.h"
#include "session.h"

_Atomic uint32_t rules_lock;

struct encounter *encounter_new(const struct routine *routine, const struct stack *stack)
{
    struct encounter *encounter = calloc(1, sizeof *encounter);
    if (!encounter)
        return NULL;
    encounter->references = 1;
    encounter->actor = actor_current();
    encounter->thread = actor_thread_number();
    encounter->routine = routine;
    encounter->stack = stack;
    encounter->construct = openmp_construct();
    encounter->locks = actor_locks();
    return encounter;
}

struct encounter *encounter_keep(struct encounter *encounter)
{
    encounter->references++;
    return encounter;
}

void encounter_drop(struct encounter *encounter)
{
    if (encounter && --encounter->references == 0)
        free(encounter);
}

/* ---- lists ---- */

enum { FEW = 64, MANY = 512 };

static void remove_at(struct encounters *encounters, unsigned i)
{
    encounter_drop(encounters->list[i]);
    encounters->list[i] = encounters->list[--encounters->count];
}

static bool is_same(const struct encounter *a, const struct encounter *b)
{
    return a->actor == b->actor && a->stack == b->stack && a->routine == b->routine &&
           a->waits == b->waits;
}

/* What everybody knows meets nobody any more. Where there are many, what this actor knows is left
 * out, too: who is not ordered with that is not ordered with this actor's call either. */
static void thin_out(struct encounters *encounters)
{
    for (unsigned i = encounters->count; i-- > 0;) {
        const struct encounter *encounter = encounters->list[i];
        if (encounter->over && (actors_all_know(encounter->end) ||
                                (encounters->count > MANY && actor_knows(encounter->end))))
            remove_at(encounters, i);
    }
}

void encounters_add(struct encounters *encounters, struct encounter *encounter)
{
    for (unsigned i = encounters->count; i-- > 0;)
        if (encounters->list[i]->over && is_same(encounters->list[i], encounter))
            remove_at(encounters, i);
    if (encounters->count >= FEW && encounters->count == encounters->room)
        thin_out(encounters);
    if (encounters->count == encounters->room) {
        unsigned room = encounters->room ? 2 * encounters->room : 4;
        struct encounter **larger = realloc(encounters->list, room * sizeof *larger);
        if (!larger)
            return;
        encounters->list = larger;
        encounters->room = room;
    }
    encounters->list[encounters->count++] = encounter_keep(encounter);
}

void encounters_clear(struct encounters *encounters)
{
    while (encounters->count)
        encounter_drop(encounters->list[--encounters->count]);
    free(encounters->list);
    *encounters = (struct encounters){0};
}

enum relation encounter_relation(const struct encounter *earlier)
{
    if (earlier->actor == actor_current())
        return ORDERED;
    if (!earlier->over)
        return OVERLAPPING;
    if (!actor_knows(earlier->end))
        return UNORDERED;
    if (!options.predict || actor_surely_knows(earlier->end))
        return ORDERED;
    struct held_locks locks = actor_locks();
    return locks_meet(&earlier->locks, &locks) ? ORDERED : ORDERED_BY_LUCK;
}

/* ---- findings ---- */

void hearing_charge(struct hearing *hearing, const struct charge *charge)
{
    if (charge->relation == ORDERED || hearing->count == CHARGES)
        return;
    struct charge *kept = &hearing->charges[hearing->count++];
    *kept = *charge;
    encounter_keep(kept->first);
    encounter_keep(kept->second);
}

void hearing_compare(struct hearing *hearing, struct encounter *earlier, const char *rule,
                     enum finding_case which, const char *object)
{
    hearing_charge(hearing, &(struct charge){.rule = rule,
                                             .which = which,
                                             .relation = encounter_relation(earlier),
                                             .object = object,
                                             .first = earlier,
                                             .second = hearing->now});
}

void hearing_compare_all(struct hearing *hearing, const struct encounters *encounters,
                         const char *rule, enum finding_case which, const char *object)
{
    for (unsigned i = 0; i < encounters->count; i++)
        hearing_compare(hearing, encounters->list[i], rule, which, object);
}

static struct side_record side_of(const struct encounter *encounter)
{
    return (struct side_record){.call = encounter->routine->name,
                                .rank = session.rank,
                                .thread = (int)encounter->thread,
                                .construct = encounter->construct,
                                .site = site_recorded(encounter->stack)};
}

/* The program may order by atomics or flags of its own, which only compiled-in checks see: without
 * them, what did not overlap is not certain. */
static const char *severity_of(const struct charge *charge)
{
    if (charge->relation == ORDERED_BY_LUCK || (charge->relation == UNORDERED && !pages))
        return "warning";
    return NULL;
}

static const char *missing_of(enum relation relation)
{
    switch (relation) {
    case OVERLAPPING:
        return "overlap";
    case BETWEEN:
        return "between";
    case ORDERED_BY_LUCK:
        return "luck";
    default:
        return pages ? "unordered" : "unseen";
    }
}

static void report(const struct charge *charge)
{
    if (!finding_is_new(charge->which, charge->first->stack, charge->second->stack))
        return;
    struct finding_record record = {.rule = charge->rule,
                                    .which = charge->which,
                                    .severity = severity_of(charge),
                                    .first = side_of(charge->first),
                                    .second = side_of(charge->second),
                                    .has_second = true,
                                    .object = charge->object,
                                    .concurrent = missing_of(charge->relation)};
    finding_report(&record);
}

void hearing_report(struct hearing *hearing)
{
    if (hearing->count == 0)
        return;
    session_lock();
    for (unsigned i = 0; i < hearing->count; i++)
        report(&hearing->charges[i]);
    session_unlock();
    spin_lock(&rules_lock);
    for (unsigned i = 0; i < hearing->count; i++) {
        encounter_drop(hearing->charges[i].first);
        encounter_drop(hearing->charges[i].second);
    }
    spin_unlock(&rules_lock);
}

void thread_finding(const char *rule, enum finding_case which, const struct encounter *first,
                    const struct encounter *second)
{
    session_lock();
    if (finding_is_new(which, first->stack, second ? second->stack : NULL)) {
        struct finding_record record = {
            .rule = rule, .which = which, .first = side_of(first), .has_second = second != NULL};
        if (second)
            record.second = side_of(second);
        finding_report(&record);
    }
    session_unlock();
}
