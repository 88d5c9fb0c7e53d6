/* What the files of the symboliser share. */
#ifndef REGATTA_FINDINGS_SYMBOLS_INSIDE_H
#define REGATTA_FINDINGS_SYMBOLS_INSIDE_H

#include "symbols.h"

#include <elfutils/libdw.h>

/* The variable or parameter of that name that is visible at a place, innermost first. */
bool symbols_variable(struct symbols *symbols, const struct frame *place, const char *name,
                      Dwarf_Die *variable);

#endif
