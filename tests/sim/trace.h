/* What happened when a program was executed: a total order of events, in MPI's terms.
 *
 * Calls that wait for others are two events, at entry and (…_DONE) at return; all others are one.
 * The order is one in which everything happened, so every cause stands before its effect. What is
 * ordered and what is luck is not said here: the oracle decides that from the rules, the engine
 * from clocks. */
#ifndef REGATTA_SIM_TRACE_H
#define REGATTA_SIM_TRACE_H

#include "program.h"

enum event_what {
    EVENT_ACCESS,   /* own load or store, or a direct one */
    EVENT_RMA,      /* operation `id` is issued */
    EVENT_EXECUTED, /* accumulate-family operation `id` takes effect at its target; no actor's event
                     */
    EVENT_REQUEST_DONE, /* of operation `id` */
    EVENT_REQUEST_FREE,
    EVENT_FLUSH,
    EVENT_FLUSH_DONE,
    EVENT_FLUSH_LOCAL,
    EVENT_FLUSH_LOCAL_DONE,
    EVENT_FENCE,
    EVENT_FENCE_DONE,
    EVENT_POST,
    EVENT_START,
    EVENT_COMPLETE,
    EVENT_COMPLETE_DONE,
    EVENT_WAIT_DONE,
    EVENT_LOCKED,
    EVENT_UNLOCK,
    EVENT_UNLOCK_DONE, /* now others can get the lock */
    EVENT_SEND,        /* of message `id` */
    EVENT_SEND_DONE,   /* synchronous sends only */
    EVENT_RECV,        /* receive `id` is posted */
    EVENT_RECV_DONE,   /* message `id` */
    EVENT_COLLECTIVE,  /* instance `id` */
    EVENT_COLLECTIVE_DONE,
    EVENT_WIN_CREATE,
    EVENT_WIN_CREATE_DONE,
    EVENT_WIN_FREE,
    EVENT_WIN_FREE_DONE,
    EVENT_ATTACH,
    EVENT_DETACH,
    EVENT_BUFFER_BEGIN, /* buffer `id` */
    EVENT_BUFFER_END,
    EVENT_THREAD_CREATE, /* thread `id` of the same rank */
    EVENT_THREAD_BEGIN,
    EVENT_THREAD_END,
    EVENT_THREAD_JOIN,
    EVENT_MUTEX_LOCK,
    EVENT_MUTEX_UNLOCK,
    EVENT_THREAD_BARRIER, /* `id`: barrier and round, trace_round */
    EVENT_THREAD_BARRIER_DONE,
    EVENT_SIGNAL, /* flag `id` */
    EVENT_AWAIT,
    EVENT_KINDS
};

struct trace_event {
    enum event_what what;
    uint8_t rank, thread;
    uint32_t id;
    const struct step *step; /* NULL for events that belong to no step */
};

struct trace_operation {
    const struct step *step;
    uint8_t rank, thread;
    bool updated; /* it changed its target (a compare-and-swap may fail) */
};

struct trace_message {
    const struct step *send;
    uint8_t from, to;
    bool synchronous;
    uint32_t receive; /* the receive it matched */
};

struct trace_collective {
    const struct step *step; /* of whoever came first: kind, communicator, root, zero */
};

struct trace_buffer {
    struct section bytes; /* offsets in the rank's memory */
    bool write;
    uint32_t site;
};

struct trace {
    const struct program *program;
    struct trace_event *events;
    size_t count, capacity;
    struct trace_operation *operations;
    size_t operation_count, operation_capacity;
    struct trace_message *messages;
    size_t message_count, message_capacity;
    struct trace_collective *collectives;
    size_t collective_count, collective_capacity;
    struct trace_buffer *buffers;
    size_t buffer_count, buffer_capacity;
    uint32_t receive_count;
};

void trace_clear(struct trace *trace);
void trace_print(FILE *file, const struct trace *trace);

/* Adds an element to one of the arrays above and returns its number. */
#define TRACE_ADD(array, count, capacity, ...)                                                     \
    ({                                                                                             \
        (array) = trace_room((array), (count), &(capacity), sizeof *(array));                      \
        (array)[(count)] = (__VA_ARGS__);                                                          \
        (uint32_t)(count)++;                                                                       \
    })
void *trace_room(void *array, size_t count, size_t *capacity, size_t size);

/* Round and number of a barrier of threads as one. */
static inline uint32_t trace_round(uint32_t barrier, uint32_t round)
{
    return barrier * MAX_ROUNDS + round;
}

/* The mutex of a condition variable, beside the program's own. */
static inline uint32_t trace_flag_mutex(uint32_t flag)
{
    return MAX_MUTEXES + flag;
}

/* The address at the target of the first byte that offset 0 of an RMA step means. */
static inline uint64_t trace_target_base(const struct program *program, const struct step *step)
{
    const struct program_window *window = &program->windows[step->window];
    uint64_t base = program->base[step->target];
    return window->kind == WINDOW_DYNAMIC ? base : base + window->at[step->target];
}

#endif
