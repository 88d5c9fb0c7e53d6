/* What a function does with memory and with MPI, itself or through the functions it calls: for
 * calls that stay calls because what they call is too large, or not worth, to be inlined. */
#ifndef REGATTA_ANALYZE_EFFECTS_H
#define REGATTA_ANALYZE_EFFECTS_H

#include "callgraph.h"
#include "points.h"

struct effect {
    bool calls_mpi;       /* or may, through a pointer */
    bool calls_strangers; /* functions that are neither in the program nor in the C library */
    bool touches_buffers; /* reads or writes bytes that some MPI operation uses, perhaps */
    bool writes_anything;
    struct touched writes;
};

struct effects {
    struct callgraph *graph;
    struct points *points;
    struct effect *all; /* by number in the graph */
};

/* Which functions touch buffers; the other questions are not answered. */
struct effects *effects_on_buffers(struct callgraph *graph, struct points *points);
/* Everything but that. */
struct effects *effects_on_memory(struct callgraph *graph, struct points *points);
void effects_free(struct effects *effects);

/* NULL if the function has no body. */
const struct effect *effects_of(const struct effects *effects, LLVMValueRef function);

/* What a call may do that stays one in the analysed code, whoever it reaches. */
bool call_may_write(const struct effects *effects, LLVMValueRef call, LLVMValueRef address,
                    int64_t bytes);
/* `strangers`: somebody else's library may use it, too. */
bool call_may_use_mpi(const struct effects *effects, LLVMValueRef call, bool strangers);
/* Whether a function of the program that may call MPI is handed to one that is not known: a thread,
 * a task, whatever may run it now or later. */
bool call_hands_over_mpi(const struct effects *effects, LLVMValueRef call);

#endif
