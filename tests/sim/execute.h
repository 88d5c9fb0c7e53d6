/* Executes a program under one legal interleaving, chosen by a seed: which actor goes on, which
 * message a wildcard takes, who gets a lock, when an accumulate takes effect at its target and
 * whether a compare-and-swap succeeds. */
#ifndef REGATTA_SIM_EXECUTE_H
#define REGATTA_SIM_EXECUTE_H

#include "trace.h"

enum execute_result {
    EXECUTE_OK,
    EXECUTE_ILLEGAL, /* the program breaks MPI's rules (an operation outside any epoch …) */
    EXECUTE_STUCK,   /* deadlock */
};

/* Part of a seed: the actors do not take turns, but go by a random priority. */
#define EXECUTE_BY_PRIORITY (UINT64_C(1) << 63)

/* The trace refers to the program's steps; the program must outlive it. On failure `trace` is
 * empty, and *complaint (if given) says why. */
enum execute_result execute(const struct program *program, uint64_t seed, struct trace *trace,
                            const char **complaint);

/* Whether the contribution of one rank in a collective arrives at another (MPI-4.0 chapter 6). */
bool collective_carries(const struct step *step, uint8_t members, uint32_t from, uint32_t to);

#endif
