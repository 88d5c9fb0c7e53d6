/* The part of OpenMP's interface for tools (OpenMP 5.2, chapters 19 and 20) that is used here.
 * LLVM's own header for it, omp-tools.h, is for clang alone, and comes with the compiler; the
 * numbers are those of the specification. */
#ifndef REGATTA_RUNTIME_OMPT_H
#define REGATTA_RUNTIME_OMPT_H

#include <stdint.h>

/* A word that the OpenMP runtime keeps for the tool with each thread, task and region. */
union ompt_data {
    uint64_t value;
    void *ptr;
};

enum ompt_callback_number {
    OMPT_PARALLEL_BEGIN = 3,
    OMPT_PARALLEL_END = 4,
    OMPT_TASK_CREATE = 5,
    OMPT_TASK_SCHEDULE = 6,
    OMPT_IMPLICIT_TASK = 7,
    OMPT_MUTEX_RELEASED = 17,
    OMPT_DEPENDENCES = 18,
    OMPT_WORK = 20,
    OMPT_SYNC_REGION = 23,
    OMPT_LOCK_INIT = 24,
    OMPT_MUTEX_ACQUIRED = 27,
};

enum ompt_endpoint { OMPT_BEGIN = 1, OMPT_END = 2, OMPT_BEGIN_END = 3 };

enum ompt_sync_region {
    OMPT_BARRIER = 1,
    OMPT_BARRIER_IMPLICIT = 2,
    OMPT_BARRIER_EXPLICIT = 3,
    OMPT_BARRIER_IMPLEMENTATION = 4,
    OMPT_TASKWAIT = 5,
    OMPT_TASKGROUP = 6,
    OMPT_SYNC_REDUCTION = 7,
    OMPT_BARRIER_WORKSHARE = 8,
    OMPT_BARRIER_PARALLEL = 9,
    OMPT_BARRIER_TEAMS = 10,
};

enum ompt_mutex { OMPT_MUTEX_ORDERED = 7 };

enum ompt_work {
    OMPT_WORK_LOOP = 1,
    OMPT_WORK_LOOP_STATIC = 10,
    OMPT_WORK_LOOP_OTHER = 13,
};

enum ompt_task_flag {
    OMPT_TASK_INITIAL = 0x1,
    OMPT_TASK_TASKWAIT = 0x10,
    OMPT_TASK_UNDEFERRED = 0x08000000,
};

enum ompt_task_status {
    OMPT_COMPLETE = 1,
    OMPT_YIELD = 2,
    OMPT_CANCEL = 3,
    OMPT_DETACH = 4,
    OMPT_EARLY_FULFILL = 5,
    OMPT_LATE_FULFILL = 6,
    OMPT_SWITCH = 7,
    OMPT_TASKWAIT_COMPLETE = 8,
};

enum ompt_dependence_type {
    OMPT_DEPENDS_IN = 1,
    OMPT_DEPENDS_OUT = 2,
    OMPT_DEPENDS_INOUT = 3,
    OMPT_DEPENDS_MUTEXINOUTSET = 4,
    OMPT_DEPENDS_SOURCE = 5,
    OMPT_DEPENDS_SINK = 6,
    OMPT_DEPENDS_INOUTSET = 7,
    OMPT_DEPENDS_OUT_ALL_MEMORY = 34,
    OMPT_DEPENDS_INOUT_ALL_MEMORY = 35,
};

struct ompt_dependence {
    union ompt_data variable; /* an address; of a doacross loop: an iteration's number */
    int type;                 /* enum ompt_dependence_type */
};

typedef void (*ompt_function)(void);
typedef ompt_function (*ompt_function_lookup)(const char *name);
typedef int (*ompt_set_callback)(int callback, ompt_function function);

/* What ompt_start_tool gives back; NULL: no tool. */
struct ompt_start_tool_result {
    int (*initialize)(ompt_function_lookup lookup, int device, union ompt_data *tool);
    void (*finalize)(union ompt_data *tool);
    union ompt_data tool;
};

#endif
