/* Branch conditions: those of a block, those of an edge, and whether several can hold together.
 * (Their interface is moments.h.) What is remembered about them is part of the function. */
#ifndef REGATTA_ANALYZE_CONDITIONS_H
#define REGATTA_ANALYZE_CONDITIONS_H

#include "moments.h"

void conditions_free(struct function *function);

#endif
