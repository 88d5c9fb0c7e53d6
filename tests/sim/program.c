#include "program.h"

#include <stdlib.h>
#include <string.h>

const uint8_t type_bytes[TYPE_KINDS] = {1, 2, 4, 4, 8, 8};

enum access_kind step_access_kind(enum step_what what)
{
    switch (what) {
    case STEP_LOAD:
    case STEP_DIRECT_LOAD:
        return ACCESS_LOAD;
    case STEP_STORE:
    case STEP_DIRECT_STORE:
        return ACCESS_STORE;
    case STEP_GET:
        return ACCESS_GET;
    case STEP_PUT:
        return ACCESS_PUT;
    case STEP_ACCUMULATE:
        return ACCESS_ACCUMULATE;
    case STEP_GET_ACCUMULATE:
        return ACCESS_GET_ACCUMULATE;
    case STEP_FETCH_AND_OP:
        return ACCESS_FETCH_AND_OP;
    case STEP_COMPARE_AND_SWAP:
        return ACCESS_COMPARE_AND_SWAP;
    default:
        return ACCESS_KINDS;
    }
}

void program_init(struct program *program, uint32_t ranks, uint32_t memory)
{
    memset(program, 0, sizeof *program);
    program->ranks = ranks;
    program->memory = memory;
    program->comms[0] = (uint8_t)((1u << ranks) - 1);
    for (uint32_t r = 0; r < ranks; r++)
        program->base[r] = 0x10000;
}

void program_clear(struct program *program)
{
    for (uint32_t r = 0; r < MAX_RANKS; r++)
        for (uint32_t t = 0; t < MAX_THREADS; t++)
            free(program->lists[r][t].steps);
    memset(program, 0, sizeof *program);
}

void program_copy(struct program *to, const struct program *from)
{
    *to = *from;
    for (uint32_t r = 0; r < MAX_RANKS; r++)
        for (uint32_t t = 0; t < MAX_THREADS; t++) {
            const struct step_list *list = &from->lists[r][t];
            struct step *steps = list->count ? malloc(list->count * sizeof *steps) : NULL;
            if (list->count && !steps)
                abort();
            if (list->count)
                memcpy(steps, list->steps, list->count * sizeof *steps);
            to->lists[r][t] = (struct step_list){steps, list->count, list->count};
        }
}

struct step *program_append(struct program *program, uint32_t rank, uint32_t thread,
                            const struct step *step)
{
    struct step_list *list = &program->lists[rank][thread];
    if (list->count == list->capacity) {
        list->capacity = list->capacity ? 2 * list->capacity : 32;
        list->steps = realloc(list->steps, list->capacity * sizeof *list->steps);
        if (!list->steps)
            abort();
    }
    list->steps[list->count] = *step;
    return &list->steps[list->count++];
}

void program_remove_step(struct program *program, uint32_t rank, uint32_t thread, size_t index)
{
    struct step_list *list = &program->lists[rank][thread];
    memmove(&list->steps[index], &list->steps[index + 1],
            (list->count - index - 1) * sizeof *list->steps);
    list->count--;
}

size_t program_step_count(const struct program *program)
{
    size_t count = 0;
    for (uint32_t r = 0; r < MAX_RANKS; r++)
        for (uint32_t t = 0; t < MAX_THREADS; t++)
            count += program->lists[r][t].count;
    return count;
}

bool program_creates_thread(const struct program *program, uint32_t rank, uint32_t thread)
{
    for (size_t i = 0; i < program->lists[rank][0].count; i++) {
        const struct step *step = &program->lists[rank][0].steps[i];
        if (step->what == STEP_THREAD_CREATE && step->number == thread)
            return true;
    }
    return false;
}

bool program_has_threads(const struct program *program)
{
    for (uint32_t r = 0; r < program->ranks; r++)
        for (uint32_t t = 1; t < MAX_THREADS; t++)
            if (program->lists[r][t].count)
                return true;
    return false;
}
