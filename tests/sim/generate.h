/* Makes random legal programs.
 *
 * A program grows action by action, each appending the steps of all ranks that take part at once.
 * So there is one order in which every step's partners come before it, and no interleaving can get
 * stuck; what may block inside of a lock is kept out (generate_sync.c says how). Left alone, such
 * programs race all over the place. repair() takes racing accesses out until nothing races; half of
 * the programs stay like that, the others are then broken in one place. */
#ifndef REGATTA_SIM_GENERATE_H
#define REGATTA_SIM_GENERATE_H

#include "program.h"

/* Leave out everything by which the order of events is allowed to decide what is a race: wildcards,
 * exclusive locks, mutexes, fetching atomics, windows that come and go beside threads. */
#define GENERATE_ORDER_FREE 1u
/* Buffers of operations, messages and collectives lie in the ranks' memory. */
#define GENERATE_BUFFERS 2u
/* Two or three ranks with several threads each, and all that orders threads. */
#define GENERATE_THREADS 4u

void generate(uint64_t seed, unsigned flags, struct program *program);

/* Takes racing accesses out of a program (as executed with that seed) until none are left, or one
 * race, which is chosen at random. */
void repair(struct program *program, uint64_t seed, bool keep_one_race);

/* Changes one thing that might matter: a lost message or flush, a byte more, another operation. */
void break_something(struct program *program, uint64_t seed);

#endif
