/* Where the analysis gives up, counted by kind while it works and told at the end: "0 errors" must
 * not mean "stopped looking". */
#ifndef REGATTA_ANALYZE_GAPS_H
#define REGATTA_ANALYZE_GAPS_H

#include <llvm-c/Core.h>

#include <stddef.h>

struct report;

enum gap {
    GAP_late,       /* functions for which the time was not enough */
    GAP_conditions, /* questions about paths that nothing decided */
    GAP_calls,      /* calls not followed into functions that may touch buffers */
    GAP_windows,    /* windows beyond those that are followed at once in a function */
    GAP_phases,     /* functions with more calls in which everybody waits than can be told apart */
    GAP_other_windows, /* dynamic ones, and those of communicators other than MPI_COMM_WORLD */
    GAP_partitioned,   /* partitioned operations */
    GAP_openmp,        /* functions with tasks, or loops that OpenMP's runtime hands out */
    GAP_replay,        /* programs that were executed (replay.h), but not to their end */
    GAP_execution, /* programs whose execution ended because something is not known or modelled */
    GAP_excused,   /* pairs of accesses that annotations may excuse */
    GAP_COUNT
};

/* By kind: how many, and the function that has the most of them. */
struct gaps {
    struct {
        size_t count, most;
        const char *where;
        const char *why; /* instead of the kind's own words */
    } kinds[GAP_COUNT];
};

/* Adds so many of a kind in a function; the name goes into the report's memory. */
void gaps_add(struct gaps *gaps, struct report *report, enum gap gap, size_t count,
              LLVMValueRef function);
/* A program whose execution ended at an instruction (NULL: before it began anything). */
void gaps_add_execution(struct gaps *gaps, struct report *report, LLVMValueRef instruction,
                        const char *why);
/* Adds those of a program to those of all before it. */
void gaps_join(struct gaps *gaps, const struct gaps *more);
/* As limits of the report (findings/limits.h). */
void gaps_tell(const struct gaps *gaps, struct report *report);

#endif
