/* Executes the program as a few virtual processes (replay/replay.h), and reports what races there.
 */
#ifndef REGATTA_ANALYZE_REPLAYED_H
#define REGATTA_ANALYZE_REPLAYED_H

#include "gaps.h"
#include "layout.h"
#include "wrappers.h"

/* The module must still be as the compiler made it. */
void report_replayed(LLVMModuleRef program, enum flavour flavour, struct report *report,
                     const struct wrappers *wrappers, struct gaps *gaps);

#endif
