/* What the declaration of a variable says of its bytes: the debug information knows which element
 * of counts or which member of cells[1] lies at an offset. */
#ifndef REGATTA_FINDINGS_DECLARATIONS_H
#define REGATTA_FINDINGS_DECLARATIONS_H

#include "symbols.h"

/* Gives loads and stores that have no name in the source the name of the memory that they touch: an
 * element of the buffer that a call was given, or of what a window was made of. Only where that is
 * sure: an array, or a pointer that is the same variable in both lines and keeps its value. */
void declarations_name(struct report *report, struct symbols *symbols, struct finding *finding);

#endif
