/* Programs as C sources: the same steps, one per line, in real MPI calls. */
#ifndef REGATTA_SIM_TRANSLATE_H
#define REGATTA_SIM_TRANSLATE_H

#include "program.h"

/* Makes a program one that C and MPI can express: if there are direct accesses, the
 * ranks' memory is that of one shared-memory window, to which they go, and other windows are
 * ordinary ones; buffers are as long as what is transferred. Its local races count. Again after
 * each change of the program. False if that is not enough: threads, unless these are wanted, or
 * what MPI forbids (the simulation does not mind to free the request of an RMA operation or to
 * compare and swap floats).
 */
bool translate_adapt(struct program *program, bool threads);

/* The rank of a world rank among members. */
static inline uint32_t rank_in(uint8_t members, uint32_t rank)
{
    return (uint32_t)__builtin_popcount(members & ((1u << rank) - 1));
}

static inline bool step_is_direct(const struct step *step)
{
    return step->what == STEP_DIRECT_LOAD || step->what == STEP_DIRECT_STORE;
}

/* What an operation transfers. */
static inline uint64_t step_bytes(const struct step *step)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < step->section_count; i++)
        bytes += step->sections[i].length * step->sections[i].count;
    return bytes;
}

/* Writes the source. What MPI offers several ways for is done in one of them, chosen by the seed.
 * The line of each step goes to lines[rank][thread], which has room for all steps. */
typedef uint32_t *translate_lines[MAX_RANKS][MAX_THREADS];
void translate(FILE *file, const struct program *program, uint64_t seed, translate_lines lines);

#endif
