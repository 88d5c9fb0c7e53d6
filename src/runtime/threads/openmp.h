/* OpenMP through its interface for tools: regions and tasks as actors (actors.h), constructs as
 * order between them. Called by the OpenMP runtime, not by ours. */
#ifndef REGATTA_RUNTIME_OPENMP_H
#define REGATTA_RUNTIME_OPENMP_H

#include <stdbool.h>

/* An OpenMP runtime is there that tells us what it does. */
extern bool openmp_is_seen;

/* What this thread executes: "task", "parallel", or NULL outside of OpenMP. */
const char *openmp_construct(void);

#endif
