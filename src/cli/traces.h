/* What the layer recorded of one run beside findings: operations by place, fingerprints, where
 * processes ended. */
#ifndef REGATTA_CLI_TRACES_H
#define REGATTA_CLI_TRACES_H

#include "findings/finding.h"
#include "findings/symbols.h"

/* The operations of one place of the program on one rank's part of a window. */
struct traced_operation {
    int rank, target; /* in MPI_COMM_WORLD */
    char site[9];     /* the same in all runs */
    const char *call;
    int64_t window, low, high;
    struct stack stack;
};

struct traced_print {
    int rank;
    const char *key;    /* what is compared: the same in all runs */
    const char *window; /* name of the window, NULL: received data, or without a name */
    int64_t generation, hash, bytes, chunk, window_id;
    int64_t start;             /* displacement of its first byte: an address in dynamic windows */
    bool is_window, is_shared; /* window memory; that of a shared-memory window */
    uint32_t *chunks;          /* hashes of equal parts, or NULL */
    size_t chunk_count;
    struct stack stack; /* of the operation that received data */
    const char *call;
};

/* Where a process was when it hung, aborted, crashed or left. */
struct traced_place {
    int rank;
    const char *state; /* hang, abort, crash, mpi-abort */
    struct stack stack;
};

struct trace {
    struct report *report; /* texts and stacks live here; its findings are those of the layer */
    struct traced_operation *operations;
    size_t operation_count, operation_room;
    struct traced_print *prints;
    size_t print_count, print_room;
    struct traced_place *places;
    size_t place_count, place_room;
    int64_t first_choice; /* generation in which a process first chose by timing; -1: none did */
};

/* Whether differences from that generation on may be meant by the program. */
static inline bool trace_has_choice(const struct trace *trace, int64_t generation)
{
    return trace->first_choice >= 0 && trace->first_choice <= generation;
}

/* Reads the records in the directory. Frames are those of modules: trace_resolve gives them lines.
 */
struct trace *trace_read(const char *directory, struct symbols *symbols);
void trace_free(struct trace *trace);

/* Plain runs, i.e. without stress: what is the same in all of them is steady. What varies, but each
 * value of it came about twice as the runs are counted, depends on the schedule rather than on a
 * clock. The rest cannot be compared. */
enum steadiness { STEADY, REPEATS, ERRATIC };
enum { PLAIN_MOST = 6 };

static inline enum steadiness steadiness_of(int distinct, int runs)
{
    return distinct == 1 ? STEADY : 2 * distinct <= runs ? REPEATS : ERRATIC;
}

/* The first print of `run` that none of the plain runs had under the same key, or NULL; windows of
 * the ignored names do not count. `before` receives the first plain run's, `varies` whether it was
 * not the same in all of them. */
const struct traced_print *trace_difference(struct trace *const *plain, int count,
                                            const struct trace *run, const char *const *ignored,
                                            const struct traced_print **before, bool *varies);
/* The first print that is not the same in all plain runs though its values repeat, or NULL. */
const struct traced_print *trace_variation(struct trace *const *plain, int count,
                                           const char *const *ignored,
                                           const struct traced_print **before);

#endif
