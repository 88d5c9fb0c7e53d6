/* Makes a failing program small: takes out whatever is not needed for it to fail. */
#ifndef REGATTA_SIM_SHRINK_H
#define REGATTA_SIM_SHRINK_H

#include "program.h"

/* Whether the program still fails in the way that is looked for. The interleaving changes with the
 * program, so it should try several and leave the one that fails in *seed. */
typedef bool shrink_fails(void *context, const struct program *program, uint64_t *seed);

void shrink(struct program *program, uint64_t *seed, shrink_fails *fails, void *context);

#endif
