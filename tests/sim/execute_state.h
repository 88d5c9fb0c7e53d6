/* The state of an execution, shared by the files that execute programs (execute*.c) and nobody
 * else. */
#ifndef REGATTA_SIM_EXECUTE_STATE_H
#define REGATTA_SIM_EXECUTE_STATE_H

#include "execute.h"
#include "random.h"

#define NO_ID UINT32_MAX

enum progress {
    STEP_OVER,    /* go on with the next step */
    STEP_ENTERED, /* something happened, the step is not over */
    STEP_BLOCKED,
    STEP_ILLEGAL,
};

struct actor {
    uint8_t rank, thread;
    size_t next;
    bool created, begun, entered, ended;
};

enum epoch_mode { MODE_LOCK, MODE_PSCW, MODE_FENCE };

struct operation_state {
    enum epoch_mode mode;
    uint32_t epoch; /* number of the start or fence that opened it */
    bool pending;   /* accumulate family: not yet executed */
    bool locally_done;
    uint32_t buffers[2];
};

struct message_state {
    bool matched;
};

struct receive_state {
    uint8_t rank;
    const struct step *step;
    uint32_t message; /* NO_ID: not matched yet */
};

struct collective_state {
    uint8_t entered; /* bit per rank */
    uint8_t comm;
    uint32_t number; /* the how many-th on its communicator */
};

enum request_kind { REQUEST_NONE, REQUEST_RMA, REQUEST_SEND, REQUEST_RECV, REQUEST_COLLECTIVE };

struct request_state {
    enum request_kind kind;
    uint32_t id;
    uint32_t buffers[2];
};

struct window_state {
    uint8_t creating, live, freeing; /* ranks that entered the constructor, left it, entered free */
    uint32_t fences[MAX_RANKS];      /* entered */
    uint32_t fence_operations[MAX_RANKS];
    uint64_t no_precede, no_precede_known; /* by number of the fence */
    uint8_t held[MAX_RANKS][MAX_RANKS];    /* [origin][target]: enum lock_type */
    bool locked_all[MAX_RANKS];
    uint32_t posts[MAX_RANKS][MAX_RANKS];           /* [target][origin] */
    uint32_t starts[MAX_RANKS][MAX_RANKS];          /* [origin][target] */
    uint32_t completes[MAX_RANKS][MAX_RANKS];       /* [origin][target] */
    uint8_t access[MAX_RANKS], exposure[MAX_RANKS]; /* groups of the open epochs */
    bool started[MAX_RANKS], posted[MAX_RANKS];
    uint8_t attached[MAX_RANKS][MAX_MEMORY];
};

struct execution {
    const struct program *program;
    struct trace *trace;
    struct random random;
    const char *complaint;
    struct actor actors[MAX_RANKS][MAX_THREADS];
    struct window_state windows[MAX_WINDOWS];
    struct request_state requests[MAX_RANKS][MAX_SLOTS];
    struct request_state blocking[MAX_RANKS][MAX_THREADS];
    uint32_t collectives_entered[MAX_COMMS][MAX_RANKS];
    int8_t mutex_holder[MAX_RANKS][MAX_MUTEXES]; /* thread + 1 */
    bool flags[MAX_RANKS][MAX_FLAGS];            /* signals and notifications that were given */
    uint32_t rounds[MAX_RANKS][MAX_BARRIERS][MAX_THREADS]; /* barriers entered */
    struct operation_state *operations;
    size_t operation_capacity;
    struct message_state *messages;
    size_t message_capacity;
    struct receive_state *receives;
    size_t receive_capacity;
    struct collective_state *collectives;
    size_t collective_capacity;
};

/* Everything below returns STEP_ILLEGAL through this. */
enum progress illegal(struct execution *x, const char *complaint);

void emit(struct execution *x, const struct actor *actor, enum event_what what, uint32_t id,
          const struct step *step);

/* Buffers in use of a step; ids go to `buffers` (NO_ID: none). */
void buffers_begin(struct execution *x, const struct actor *actor, const struct step *step,
                   uint32_t buffers[2]);
void buffers_end(struct execution *x, const struct actor *actor, const struct step *step,
                 uint32_t buffers[2]);

/* execute_rma.c */
enum progress rma_issue(struct execution *x, struct actor *actor, const struct step *step);
bool operation_fetches(const struct step *step);
void operation_execute(struct execution *x, uint32_t id);
bool execute_some_pending(struct execution *x); /* one, at random */
void local_completion(struct execution *x, const struct actor *actor, const struct step *step,
                      uint32_t window, uint32_t target, bool whole_process);
void execute_pending(struct execution *x, uint32_t window, uint32_t origin, uint32_t target,
                     bool fetching_only);
enum progress direct_access(struct execution *x, struct actor *actor, const struct step *step);

/* execute_epoch.c: windows, epochs, flushes */
enum progress epoch_step(struct execution *x, struct actor *actor, const struct step *step);

/* execute_message.c: messages, collectives, requests */
enum progress message_step(struct execution *x, struct actor *actor, const struct step *step);
enum progress request_wait(struct execution *x, struct actor *actor, const struct step *step);
enum progress request_free(struct execution *x, struct actor *actor, const struct step *step);

#endif
