#include "shrink.h"

#include <string.h>

struct shrinking {
    struct program *program;
    uint64_t *seed;
    shrink_fails *fails;
    void *context;
};

/* Takes over `candidate` if it still fails; frees it otherwise. */
static bool keep(struct shrinking *s, struct program *candidate)
{
    uint64_t seed = *s->seed;
    if (!s->fails(s->context, candidate, &seed)) {
        program_clear(candidate);
        return false;
    }
    program_clear(s->program);
    *s->program = *candidate;
    *s->seed = seed;
    return true;
}

static uint32_t largest_group(const struct program *program)
{
    uint32_t largest = 0;
    for (uint32_t r = 0; r < program->ranks; r++)
        for (uint32_t t = 0; t < MAX_THREADS; t++)
            for (size_t i = 0; i < program->lists[r][t].count; i++)
                if (program->lists[r][t].steps[i].group > largest)
                    largest = program->lists[r][t].steps[i].group;
    return largest;
}

static size_t remove_groups(struct program *program, uint32_t from, uint32_t to)
{
    size_t removed = 0;
    for (uint32_t r = 0; r < program->ranks; r++)
        for (uint32_t t = 0; t < MAX_THREADS; t++)
            for (size_t i = program->lists[r][t].count; i-- > 0;) {
                uint32_t group = program->lists[r][t].steps[i].group;
                if (group >= from && group < to) {
                    program_remove_step(program, r, t, i);
                    removed++;
                }
            }
    return removed;
}

/* Runs of actions, then single ones. */
static bool fewer_groups(struct shrinking *s)
{
    bool better = false;
    uint32_t size = largest_group(s->program) / 2;
    for (; size > 0; size /= 2)
        for (uint32_t from = 1; from <= largest_group(s->program); from += size) {
            struct program candidate;
            program_copy(&candidate, s->program);
            if (!remove_groups(&candidate, from, from + size))
                program_clear(&candidate);
            else
                better |= keep(s, &candidate);
        }
    return better;
}

static bool fewer_steps(struct shrinking *s)
{
    bool better = false;
    for (uint32_t r = 0; r < s->program->ranks; r++)
        for (uint32_t t = 0; t < MAX_THREADS; t++)
            for (size_t i = s->program->lists[r][t].count; i-- > 0;) {
                struct program candidate;
                if (i >= s->program->lists[r][t].count)
                    continue;
                program_copy(&candidate, s->program);
                program_remove_step(&candidate, r, t, i);
                better |= keep(s, &candidate);
            }
    return better;
}

/* The last rank goes, with all that it takes part in as the only other one. */
static bool fewer_ranks(struct shrinking *s)
{
    struct program candidate;
    if (s->program->ranks < 2)
        return false;
    program_copy(&candidate, s->program);
    uint32_t gone = --candidate.ranks;
    uint8_t left = (uint8_t)~(1u << gone);
    for (uint32_t t = 0; t < MAX_THREADS; t++)
        candidate.lists[gone][t].count = 0;
    for (uint32_t c = 0; c < MAX_COMMS; c++)
        candidate.comms[c] &= left;
    for (uint32_t w = 0; w < MAX_WINDOWS; w++)
        candidate.windows[w].members &= left;
    for (uint32_t r = 0; r < gone; r++)
        for (uint32_t t = 0; t < MAX_THREADS; t++)
            for (size_t i = candidate.lists[r][t].count; i-- > 0;) {
                struct step *step = &candidate.lists[r][t].steps[i];
                if (step->what != STEP_THREAD_BARRIER)
                    step->members &= left;
                step->zero &= left;
                bool message = step->what >= STEP_SEND && step->what <= STEP_RECV;
                bool group = step->what == STEP_POST || step->what == STEP_START;
                if ((message && step->peer == gone) || (group && !step->members))
                    program_remove_step(&candidate, r, t, i);
            }
    return keep(s, &candidate);
}

static bool simpler_step(struct step *step, int how)
{
    struct section *section = &step->sections[0];
    uint32_t unit = step->op == ACC_NONE ? 1 : type_bytes[step->type];
    switch (how) {
    case 0:
        if (step->section_count < 2)
            return false;
        step->section_count--;
        return true;
    case 1:
        if (step->section_count < 2)
            return false;
        memmove(&step->sections[0], &step->sections[1], sizeof *section * --step->section_count);
        return true;
    case 2:
        if (!step->section_count || section->count < 2)
            return false;
        if (--section->count == 1)
            section->stride = 0;
        return true;
    case 3:
        if (!step->section_count || section->count < 2)
            return false;
        section->start += section->stride;
        if (--section->count == 1)
            section->stride = 0;
        return true;
    case 4:
        if (!step->section_count || section->length <= unit || step->what == STEP_ATTACH ||
            step->what == STEP_DETACH)
            return false;
        section->length = unit * ((section->length / unit + 1) / 2);
        return true;
    case 5:
        if (!step->section_count || section->length <= unit || section->count != 1 ||
            step->what == STEP_ATTACH || step->what == STEP_DETACH)
            return false;
        section->start += unit;
        section->length -= unit;
        return true;
    case 6:
        if (!step->reads_buffer)
            return false;
        step->reads_buffer = false;
        return true;
    case 7:
        if (!step->writes_buffer)
            return false;
        step->writes_buffer = false;
        return true;
    default:
        if (!step->zero)
            return false;
        step->zero = 0;
        return true;
    }
}

static bool simpler_steps(struct shrinking *s)
{
    bool better = false;
    for (uint32_t r = 0; r < s->program->ranks; r++)
        for (uint32_t t = 0; t < MAX_THREADS; t++)
            for (size_t i = 0; i < s->program->lists[r][t].count; i++)
                for (int how = 0; how <= 8; how++) {
                    struct program candidate;
                    program_copy(&candidate, s->program);
                    if (!simpler_step(&candidate.lists[r][t].steps[i], how))
                        program_clear(&candidate);
                    else
                        better |= keep(s, &candidate);
                }
    return better;
}

/* Windows that are not used any more, and settings that do not matter. */
static bool simpler_settings(struct shrinking *s)
{
    bool better = false;
    for (uint32_t what = 0; what < 2 + MAX_RANKS + MAX_WINDOWS + MAX_COMMS; what++) {
        struct program candidate;
        program_copy(&candidate, s->program);
        bool changed = false;
        if (what == 0) {
            changed = candidate.strict_accumulate;
            candidate.strict_accumulate = false;
        } else if (what == 1) {
            changed = candidate.implicit_world;
            candidate.implicit_world = false;
        } else if (what < 2 + MAX_RANKS) {
            changed = candidate.base[what - 2] != 0x10000 && what - 2 < candidate.ranks;
            candidate.base[what - 2] = 0x10000;
        } else if (what < 2 + MAX_RANKS + MAX_WINDOWS) {
            changed = candidate.windows[what - 2 - MAX_RANKS].exists;
            candidate.windows[what - 2 - MAX_RANKS].exists = false;
        } else if (what > 2 + MAX_RANKS + MAX_WINDOWS) {
            uint8_t *comm = &candidate.comms[what - 2 - MAX_RANKS - MAX_WINDOWS];
            changed = *comm;
            *comm = 0;
        }
        if (changed)
            better |= keep(s, &candidate);
        else
            program_clear(&candidate);
    }
    return better;
}

void shrink(struct program *program, uint64_t *seed, shrink_fails *fails, void *context)
{
    struct shrinking s = {program, seed, fails, context};
    bool better = true;
    for (int round = 0; better && round < 6; round++) {
        better = fewer_groups(&s);
        while (fewer_ranks(&s))
            better = true;
        better |= fewer_steps(&s);
        better |= simpler_steps(&s);
        better |= simpler_settings(&s);
    }
}
