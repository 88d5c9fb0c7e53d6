/* Static race detection: bitcode in, findings out. */
#ifndef REGATTA_ANALYZE_ANALYZE_H
#define REGATTA_ANALYZE_ANALYZE_H

#include "extents.h"
#include "gaps.h"
#include "load.h"
#include "stages.h"
#include "wrappers.h"

#include "findings/finding.h"

/* A program that has a main, and the units it was linked from. */
struct whole_program {
    const char *name; /* the file with main: the fact "program" of its findings */
    LIST(const struct unit *) units;
};

struct analysis {
    struct wrappers wrappers; /* given, as is */
    bool wants_extents;       /* whether extents are of interest; the rest is what was done */
    extent_list extents;
    size_t programs, functions, instructions;
    size_t from_cache;   /* programs that were not analysed again */
    size_t bodies, late; /* functions of the programs; those of them that were too large */
    size_t largest;      /* instructions of the largest of these */
    const char *largest_place;
    LIST(struct whole_program) wholes;
    struct gaps gaps;
    double seconds;
    struct stages stages;
};

/* Links the units into programs (one for each main; without a main all are one library), analyses
 * each and adds what it finds to the report. */
void analyze(struct units *units, struct report *report, struct analysis *analysis);
void analysis_free(struct analysis *analysis);

#endif
