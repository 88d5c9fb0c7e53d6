/* Operations whose target bytes are not all in the memory that the target shows (rule `usage`,
 * MPI-4.0 §12.3: the target buffer must be contained in the target window). What windows show is
 * known from their creation; memory that is attached to a dynamic window is the engine's business,
 * at the target. Needs the session's lock. */
#ifndef REGATTA_RUNTIME_BOUNDS_H
#define REGATTA_RUNTIME_BOUNDS_H

#include "engine/section.h"
#include "watched_call.h"

struct stack;

/* The part of a window that one rank shows, and that rank in MPI_COMM_WORLD. */
struct window_part {
    const char *window; /* its name, or empty */
    uint64_t size, disp_unit;
    int rank;
};

/* An operation is issued at `stack`: its bytes, from the start of the part. About 10 instructions
 * for each section that is inside. */
void bounds_check(const struct call *call, const struct stack *stack,
                  const struct window_part *part, const struct section *sections, size_t n);

#endif
