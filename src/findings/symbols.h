/* From return addresses to places in the source, with elfutils.
 *
 * Works on the module files alone, after the processes are gone. A module is opened once and each
 * of its addresses resolved once, however many ranks and findings name it. */
#ifndef REGATTA_FINDINGS_SYMBOLS_H
#define REGATTA_FINDINGS_SYMBOLS_H

#include "finding.h"

struct symbols;

/* File names below `directory` (the user's working directory) are given relative to it. */
struct symbols *symbols_new(const char *directory);
void symbols_free(struct symbols *symbols);

/* Replaces each module+offset frame by the source frames it stands for: one, or several where
 * functions were inlined. The code before main is left out. What is not known stays: function from
 * the symbol table, else module and offset. Texts come from `report`. */
void symbols_resolve(struct symbols *symbols, struct report *report, struct stack *stack);

#endif
