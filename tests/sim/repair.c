/* From programs that race everywhere to programs that race nowhere, or in one place. */
#include "execute.h"
#include "generate.h"
#include "oracle.h"
#include "random.h"

static bool find_step(const struct program *program, const struct step *wanted, uint32_t *rank,
                      uint32_t *thread, size_t *index)
{
    for (*rank = 0; *rank < program->ranks; ++*rank)
        for (*thread = 0; *thread < MAX_THREADS; ++*thread) {
            const struct step_list *list = &program->lists[*rank][*thread];
            if (wanted >= list->steps && wanted < list->steps + list->count) {
                *index = (size_t)(wanted - list->steps);
                return true;
            }
        }
    return false;
}

/* What stands in the way of the other side: the operation itself, or the buffer of a call. */
static void silence(struct program *program, const struct step *victim, enum access_kind kind)
{
    uint32_t rank, thread;
    size_t index;
    if (!find_step(program, victim, &rank, &thread, &index))
        return;
    struct step *step = &program->lists[rank][thread].steps[index];
    if (kind == ACCESS_BUFFER_READ)
        step->reads_buffer = false;
    else if (kind == ACCESS_BUFFER_WRITE)
        step->writes_buffer = false;
    else
        step->section_count = 0;
}

static bool is_silent(const struct step *step, enum access_kind kind)
{
    return kind == ACCESS_BUFFER_READ    ? !step->reads_buffer
           : kind == ACCESS_BUFFER_WRITE ? !step->writes_buffer
                                         : !step->section_count;
}

/* A request is used once; another thread may wait for it. */
static void remove_slot(struct program *program, uint32_t rank, uint8_t slot)
{
    for (uint32_t t = 0; t < MAX_THREADS; t++)
        for (size_t i = program->lists[rank][t].count; i-- > 0;)
            if (program->lists[rank][t].steps[i].slot == slot)
                program_remove_step(program, rank, t, i);
}

/* Steps that touch nothing any more, with the wait for their request. */
static void remove_silent(struct program *program)
{
    for (uint32_t r = 0; r < program->ranks; r++)
        for (uint32_t t = 0; t < MAX_THREADS; t++) {
            struct step_list *list = &program->lists[r][t];
            for (size_t i = list->count; i-- > 0;) {
                const struct step *step = &list->steps[i];
                uint8_t slot = step->slot;
                if (!step_is_access(step->what) || step->section_count)
                    continue;
                program_remove_step(program, r, t, i);
                if (slot)
                    remove_slot(program, r, slot);
            }
        }
}

static void protect(struct program *program, const struct oracle_race *race)
{
    for (int side = 0; side < 2; side++) {
        uint32_t rank, thread;
        size_t index;
        if (find_step(program, race->steps[side], &rank, &thread, &index))
            program->lists[rank][thread].steps[index].keep = true;
    }
}

void repair(struct program *program, uint64_t seed, bool keep_one_race)
{
    struct random random = {seed};
    for (int round = 0; round < 8; round++) {
        struct trace trace;
        struct oracle_result result;
        if (execute(program, seed, &trace, NULL) != EXECUTE_OK)
            return;
        oracle_check(&trace, 0, &result);
        size_t count = result.count, silenced = 0;
        if (keep_one_race && count && round == 0)
            protect(program, &result.races[random_below(&random, (uint32_t)count)]);
        for (size_t i = 0; i < count; i++) {
            const struct oracle_race *race = &result.races[i];
            if (is_silent(race->steps[0], race->sides[0].kind) ||
                is_silent(race->steps[1], race->sides[1].kind))
                continue;
            uint32_t side = random_below(&random, 2);
            if (race->steps[side]->keep)
                side = 1 - side;
            if (race->steps[side]->keep)
                continue;
            silenced++;
            silence(program, race->steps[side], race->sides[side].kind);
        }
        oracle_clear(&result);
        trace_clear(&trace);
        remove_silent(program);
        if (!silenced)
            return;
    }
}

/* ---- Breaking ---------------------------------------------------------------------------------
 */

static void drop_group(struct program *program, uint32_t group)
{
    for (uint32_t r = 0; r < program->ranks; r++)
        for (uint32_t t = 0; t < MAX_THREADS; t++)
            for (size_t i = program->lists[r][t].count; i-- > 0;)
                if (program->lists[r][t].steps[i].group == group)
                    program_remove_step(program, r, t, i);
}

static bool break_access(struct random *random, struct program *program, struct step *step)
{
    const struct program_window *window = &program->windows[step->window];
    bool own = step->what == STEP_LOAD || step->what == STEP_STORE;
    uint64_t size =
        own || window->kind == WINDOW_DYNAMIC ? program->memory : window->size[step->target];
    struct section *section = &step->sections[0];
    if (step->section_count != 1)
        return false;
    switch (random_below(random, 4)) {
    case 0:
        if (section_end(section) + 1 > size)
            return false;
        section->start++;
        return true;
    case 1:
        if (section_end(section) + 1 > size || step->op != ACC_NONE ||
            (section->count > 1 && section->length + 1 >= section->stride))
            return false;
        section->length++;
        return true;
    case 2:
        if (step->what == STEP_LOAD || step->what == STEP_GET)
            step->what = step->what == STEP_LOAD ? STEP_STORE : STEP_PUT;
        else if (step->op >= OP_SUM)
            step->op = step->op == OP_SUM ? OP_MAX : OP_SUM;
        else
            return false;
        return true;
    default:
        if (section->start == 0)
            return false;
        section->start--;
        return true;
    }
}

static bool break_step(struct random *random, struct program *program, struct step *step)
{
    if (step->keep)
        return false;
    switch (step->what) {
    case STEP_SSEND:
        step->what = STEP_SEND;
        return true;
    case STEP_FLUSH:
        step->what = STEP_FLUSH_LOCAL;
        return true;
    case STEP_FLUSH_LOCAL:
    case STEP_SEND:
    case STEP_RECV:
    case STEP_MUTEX_LOCK:
    case STEP_MUTEX_UNLOCK:
    case STEP_THREAD_BARRIER:
    case STEP_SIGNAL:
    case STEP_AWAIT:
    case STEP_NOTIFY:
    case STEP_LISTEN:
        drop_group(program, step->group);
        return true;
    default:
        if (step_is_collective(step->what)) {
            drop_group(program, step->group);
            return true;
        }
        return step_is_access(step->what) && break_access(random, program, step);
    }
}

static bool races(const struct program *program, uint64_t seed, bool *legal)
{
    struct trace trace;
    struct oracle_result result;
    *legal = execute(program, seed, &trace, NULL) == EXECUTE_OK;
    if (!*legal)
        return false;
    oracle_check(&trace, 0, &result);
    bool any = result.count > 0;
    oracle_clear(&result);
    trace_clear(&trace);
    return any;
}

/* One change after the other, each alone, until one makes it race; else the last one stays. Taking
 * a synchronisation out can make another one illegal: then it was not that one. */
void break_something(struct program *program, uint64_t seed)
{
    struct random random = {seed};
    struct program last;
    bool changed = false, raced = false;
    for (int attempt = 0; attempt < 16 && !raced; attempt++) {
        struct program broken;
        uint32_t rank = random_below(&random, program->ranks);
        uint32_t thread = random_chance(&random, 70) ? 0 : random_below(&random, MAX_THREADS);
        size_t count = program->lists[rank][thread].count;
        bool legal = false;
        if (!count)
            continue;
        program_copy(&broken, program);
        struct step *step =
            &broken.lists[rank][thread].steps[random_below(&random, (uint32_t)count)];
        if (break_step(&random, &broken, step))
            raced = races(&broken, seed, &legal);
        if (!legal) {
            program_clear(&broken);
            continue;
        }
        if (changed)
            program_clear(&last);
        last = broken;
        changed = true;
    }
    if (changed) {
        program_clear(program);
        *program = last;
    }
}
