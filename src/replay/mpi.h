/* The virtual MPI: objects and how calls name them. Ranks are those in the world if nothing else is
 * said. */
#ifndef REGATTA_REPLAY_MPI_H
#define REGATTA_REPLAY_MPI_H

#include "world.h"

enum kind {
    KIND_COMM,
    KIND_TYPE,
    KIND_OP,
    KIND_REQUEST,
    KIND_WIN,
    KIND_GROUP,
    KIND_INFO,
    KIND_MESSAGE,
    KINDS
};

/* The numbers in which the two MPIs differ. */
struct numbers {
    int any_source, proc_null, any_tag, undefined, exclusive, shared, tag_ub;
    int no_precede, no_succeed, no_put, no_store;
    uint64_t in_place, status_ignore, unweighted, win_base, win_size, win_disp_unit;
    unsigned handle, source, tag, error, count, status; /* bytes; offsets in the status; its size */
    int order_c, comm_type_shared;
};

/* ---- Datatypes (types.c) ---- */
enum element { ELEMENT_SIGNED, ELEMENT_UNSIGNED, ELEMENT_REAL, ELEMENT_BYTES, ELEMENT_PAIR };
struct piece {
    int64_t offset, length;
};
typedef ROW(struct section) section_row;
struct datatype {
    int64_t size, lower, extent;
    ROW(struct piece) pieces; /* in the order of the type map, joined where they touch */
    int basic;                /* number of the predefined type that it is made of; -1: several */
    enum element element;
    unsigned element_size;
};
bool type_of(struct call *c, uint64_t handle, const struct datatype **type);
bool type_sections(struct call *c, const struct datatype *type, uint64_t address, int64_t count,
                   section_row *sections);
enum outcome type_call(struct call *c);
void types_open(struct mpi *mpi);

/* ---- Payload ---- */
struct payload payload_read(struct world *w, const section_row *sections);
/* As far as both go; what is dead is left out. */
void payload_write(struct world *w, const struct payload *payload, const section_row *sections);
struct payload payload_copy(const struct payload *payload);
void payload_free(struct payload *payload);
/* to := to op from, element by element; what is not modelled becomes unknown. */
void payload_reduce(struct payload *to, const struct payload *from, int op,
                    const struct datatype *type);
bool sections_alive(struct world *w, struct process *p, const section_row *sections);

enum {
    OP_UNKNOWN,
    OP_MAX,
    OP_MIN,
    OP_SUM,
    OP_PROD,
    OP_LAND,
    OP_BAND,
    OP_LOR,
    OP_BOR,
    OP_LXOR,
    OP_BXOR,
    OP_MINLOC,
    OP_MAXLOC,
    OP_REPLACE,
    OP_NO_OP,
    OPS
};

/* ---- Communicators (comms.c) ---- */
struct comm {
    int number, size;
    int *ranks;
    uint64_t *turns; /* how many collectives each member has entered */
    struct comm *parent;
    int ndims, dims[8];
    bool periodic[8], cartesian, graph;
    ROW(int)
    sources[MOST_PROCESSES], destinations[MOST_PROCESSES]; /* of members, in ranks of this */
};
struct group {
    ROW(int) ranks;
};

/* One collective call: what each member brings. */
struct part {
    bool entered;
    struct payload *blocks;
    int nblocks;
    struct bytes clock;
    int64_t numbers[4];
    void *object; /* what a constructor gives this member */
};
struct gathering {
    struct comm *comm;
    uint64_t turn;
    const struct routine *routine;
    int entered;
    bool made;
    struct part parts[MOST_PROCESSES];
};
struct gathering *gathering_enter(struct call *c, struct comm *comm, int *mine);
/* For constructors and the like: enters once; true when all have. With `edges` their clocks are
 * learnt then, without it is left to gathering_learn. */
bool all_together(struct call *c, struct comm *comm, const int64_t numbers[4], bool edges,
                  struct gathering **gathering, int *mine);

void gathering_learn(struct call *c, const struct gathering *gathering, int mine);

/* ---- Requests and messages (messages.c, requests.c) ---- */
enum request_kind {
    REQUEST_SEND,
    REQUEST_RECV,
    REQUEST_COLLECTIVE,
    REQUEST_RMA,
    REQUEST_PARTITIONED,
    REQUEST_NOTHING
};
struct request {
    enum request_kind kind;
    uint32_t number;
    struct process *process;
    const struct routine *routine;
    site_t site;
    bool persistent, active, complete, freed;
    bool seen; /* by MPI_Request_get_status, which left it there */
    struct use *uses[3];
    /* messages */
    struct comm *comm;
    int peer, tag;
    bool synchronous;
    section_row sections;
    struct bytes start, clock; /* known at the start; learnt at the end */
    int source, got_tag;
    uint64_t bytes;
    /* collectives */
    struct gathering *gathering;
    struct collective_call *collective;
    /* RMA */
    struct operation *operation;
    struct partitioned *partitioned;
    /* persistent: the call that made it */
    struct value arguments[16];
    int narguments;
    const struct call_site *made_at;
    struct function *made_by;
};
struct message {
    struct comm *comm;
    int from, to, tag; /* in the communicator */
    struct process *destination;
    struct payload payload;
    struct bytes clock;
    struct request *send; /* of a synchronous send that waits for its receive */
    bool taken;           /* by a matched probe */
};

/* Updates by accumulates at some bytes of a process, joined. */
struct release {
    int target;
    uint64_t start, length;
    struct bytes clock;
    uint64_t stamps[MOST_PROCESSES]; /* plus 1; 0: none */
};

struct mpi {
    struct numbers numbers;
    ROW(struct datatype *) types; /* the first ones are predefined */
    size_t npredefined;
    ROW(struct comm *) comms;
    ROW(struct group *) groups;
    ROW(struct request *) requests;
    ROW(struct message *) messages; /* under way, in the order in which they were sent */
    ROW(struct message *) probed;
    ROW(struct request *) receives; /* posted, in that order */
    ROW(struct gathering *) gatherings;
    ROW(struct window *) windows;
    ROW(bool) infos;                    /* whether accumulate_ops is same_op */
    ROW(struct operation *) operations; /* not yet complete, or held by requests */
    ROW(struct release) releases;
};

/* ---- Arguments (arguments.c) ----
 * What is unknown, or no object, stops the process: look at failed(c) before acting. */
int64_t number_at(struct call *c, int i);
uint64_t address_at(struct call *c, int i);
int argument_with(const struct call *c, enum role role); /* -1: none */
int64_t number_with(struct call *c, enum role role);
uint64_t address_with(struct call *c, enum role role);
bool failed(const struct call *c);
enum outcome wrong(struct call *c); /* the program's mistake: not meant for so many processes */
int64_t element_at(struct call *c, uint64_t array, int64_t i, unsigned bytes);
void store_number(struct call *c, uint64_t address, unsigned bytes, uint64_t number);
int object_of(struct call *c, enum kind kind, uint64_t handle); /* -1: null, none, or unknown */
void store_handle(struct call *c, uint64_t address, enum kind kind, size_t number);
void store_null(struct call *c, uint64_t address, enum kind kind);
uint64_t handle_in(struct call *c, uint64_t address);
struct comm *comm_with(struct call *c);
struct comm *comm_at(struct call *c, int argument);
int rank_in(const struct comm *comm, int rank);
const char *global_name(const struct world *w, uint64_t address);

enum outcome comm_call(struct call *c);
enum outcome topology_call(struct call *c);
enum outcome message_call(struct call *c);
enum outcome local_call(struct call *c);
enum outcome collective_call(struct call *c);
enum outcome request_call(struct call *c);
enum outcome window_call(struct call *c);
enum outcome epoch_call(struct call *c);
enum outcome rma_call(struct call *c);

void requests_close(struct mpi *mpi);
void windows_close(struct mpi *mpi);
bool window_attribute(struct call *c, uint64_t key, uint64_t *value, bool *pointer);
struct comm *window_comm(struct call *c, int argument);

struct comm *comm_new(struct mpi *mpi, int size, const int *ranks);
struct request *request_new(struct call *c, enum request_kind kind);
bool request_ready(struct world *w, struct request *request);
void request_finish(struct call *c, struct request *request, uint64_t status);
bool collective_ready(const struct request *request);
void collective_finish(struct call *c, struct request *request);
void collective_start(struct call *c, struct request *request);
void message_start(struct call *c, struct request *request);
enum outcome partitioned_call(struct call *c);
void partitioned_start(struct call *c, struct request *request);
bool partitioned_ready(struct world *w, const struct request *request);
void partitioned_finish(struct call *c, struct request *request);
void partitioned_close(struct partitioned *partitioned);
void operation_over(struct call *c, struct operation *operation);
void write_status(struct call *c, uint64_t status, int source, int tag, uint64_t bytes);
void freed_uses_end(struct process *p, struct mpi *mpi);

#endif
