/* Executes the program as a few virtual processes (replay/replay.h), and reports what races there.
 */
#ifndef REGATTA_ANALYZE_REPLAYED_H
#define REGATTA_ANALYZE_REPLAYED_H

#include "gaps.h"
#include "layout.h"
#include "wrappers.h"

/* The lines that were executed by a program that could be followed to its end with every number of
 * processes that was tried; none of any other. */
struct replayed_lines {
    struct replayed_line {
        const char *file;
        unsigned line;
    } *items;
    size_t count, room;
    bool lucky; /* tests and the like might have turned out otherwise */
};

/* The module must still be as the compiler made it. */
void report_replayed(LLVMModuleRef program, enum flavour flavour, struct report *report,
                     const struct wrappers *wrappers, struct gaps *gaps,
                     struct replayed_lines *lines);

/* An error among the findings from `first` on, which is to be made without an execution, becomes a
 * warning if both its lines were executed: it was not met there, and an error needs an example. A
 * warning about one process's own accesses goes, unless tests decided about the way. */
void report_weigh(struct report *report, size_t first, const struct replayed_lines *lines);

#endif
