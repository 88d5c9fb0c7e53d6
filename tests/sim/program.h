/* Programs as data: what each thread of each rank does, in MPI's terms.
 *
 * A program is a list of steps per actor (rank, thread), plus the windows, communicators and memory
 * that the steps talk about. It says nothing about timing: execute.h runs it under one legal
 * interleaving. Programs have a text form (program_print, program_parse) that is used for failures
 * and for the hand-written examples:
 *
 *     ranks 2 memory 64
 *     window 0 ranks 0,1 at 0+64,0+64
 *     actor 0.0
 *       win_create w=0
 *       lock w=0 at=1 exclusive
 *       put w=0 at=1 bytes=8+4 site=7
 *       unlock w=0 at=1
 *     actor 1.0
 *       …
 *     actor *                    thread 0 of every rank
 *       barrier comm=0
 *
 * Memory. Every rank has `memory` bytes, at an address of its own (`base`). Steps name own bytes by
 * their offset in that memory; RMA steps by the offset in the target's part of the window (for
 * dynamic windows: in the target's memory). */
#ifndef REGATTA_SIM_PROGRAM_H
#define REGATTA_SIM_PROGRAM_H

#include <stdio.h>
#include "event.h"

#define MAX_RANKS 8
#define MAX_THREADS 4
#define MAX_SECTIONS 3
#define MAX_WINDOWS 5
#define MAX_COMMS 4
#define MAX_MEMORY 512
#define MAX_SLOTS 64
#define MAX_MUTEXES 4
#define MAX_FLAGS 24 /* signals, and condition variables with a mutex of their own each */
#define MAX_BARRIERS 4
#define MAX_ROUNDS 16 /* of a barrier */

enum step_what {
    STEP_LOAD,
    STEP_STORE,
    STEP_DIRECT_LOAD, /* in another rank's segment of a shared-memory window */
    STEP_DIRECT_STORE,
    STEP_GET,
    STEP_PUT,
    STEP_ACCUMULATE,
    STEP_GET_ACCUMULATE,
    STEP_FETCH_AND_OP,
    STEP_COMPARE_AND_SWAP,
    STEP_WAIT, /* Wait or successful Test on a request slot */
    STEP_REQUEST_FREE,
    STEP_FLUSH,
    STEP_FLUSH_LOCAL,
    STEP_FENCE,
    STEP_POST,
    STEP_START,
    STEP_COMPLETE,
    STEP_WIN_WAIT,
    STEP_LOCK,
    STEP_UNLOCK,
    STEP_SEND, /* with a request slot: the nonblocking flavour */
    STEP_SSEND,
    STEP_RECV,
    STEP_BARRIER, /* collectives; with a request slot: the nonblocking flavour */
    STEP_ALLREDUCE,
    STEP_ALLGATHER,
    STEP_ALLTOALL,
    STEP_REDUCE_SCATTER,
    STEP_BCAST,
    STEP_SCATTER,
    STEP_REDUCE,
    STEP_GATHER,
    STEP_SCAN,
    STEP_EXSCAN,
    STEP_NEIGHBOR, /* neighbourhood allgather on a directed ring */
    STEP_WIN_CREATE,
    STEP_WIN_FREE,
    STEP_ATTACH,
    STEP_DETACH,
    STEP_THREAD_CREATE,
    STEP_THREAD_JOIN,
    STEP_MUTEX_LOCK,
    STEP_MUTEX_UNLOCK,
    STEP_THREAD_BARRIER, /* of the threads `members`, the same ones each time */
    STEP_SIGNAL, /* a flag is set, once: an atomic store with release, or a semaphore's post */
    STEP_AWAIT,  /* … and one thread waits for it */
    STEP_NOTIFY, /* the same under a mutex, with a condition variable: the order in which */
    STEP_LISTEN, /* the two lock it is luck, and order all the same */
    STEP_KINDS
};

/* Between the threads of a rank. */
static inline bool step_is_of_threads(enum step_what what)
{
    return what >= STEP_THREAD_CREATE;
}

static inline bool step_is_rma(enum step_what what)
{
    return what >= STEP_GET && what <= STEP_COMPARE_AND_SWAP;
}

static inline bool step_is_collective(enum step_what what)
{
    return what >= STEP_BARRIER && what <= STEP_NEIGHBOR;
}

/* Touches memory and does nothing else: taking it out keeps a program legal (if no request). */
static inline bool step_is_access(enum step_what what)
{
    return what <= STEP_COMPARE_AND_SWAP;
}

enum access_kind step_access_kind(enum step_what what);

#define PEER_ANY 0xff
#define TARGET_ALL 0xff

/* Basic types of accumulates: two of 4 bytes and two of 8, to tell "same size" from "same type". */
enum { TYPE_BYTE, TYPE_SHORT, TYPE_INT, TYPE_FLOAT, TYPE_LONG, TYPE_DOUBLE, TYPE_KINDS };
extern const uint8_t type_bytes[TYPE_KINDS];
enum { OP_SUM = ACC_OTHER, OP_REPLACE, OP_MAX, OP_LIMIT };

struct step {
    enum step_what what;
    uint32_t site;
    uint32_t group; /* steps that only make sense together share one */
    uint8_t window;
    uint8_t target; /* TARGET_ALL: flush_all, lock_all … */
    uint8_t peer;   /* of messages; PEER_ANY: wildcard */
    uint8_t comm;
    uint8_t root;     /* rank */
    uint8_t zero;     /* ranks that contribute (or get) zero bytes in a collective */
    uint8_t members;  /* ranks in the group of post and start, threads of a barrier */
    uint8_t number;   /* of a thread, mutex, barrier or flag */
    uint8_t lock;     /* enum lock_type */
    uint8_t op, type; /* of accumulates */
    uint8_t slot;     /* request: 1 … MAX_SLOTS-1; 0: none */
    uint8_t ends;     /* slot of a freed request of which this receive shows the end */
    bool no_precede;
    bool keep; /* not to be taken out: the program would be another one, or illegal */
    uint16_t tag;
    uint8_t section_count;
    bool reads_buffer, writes_buffer;
    struct section sections[MAX_SECTIONS];
    struct section read_buffer, write_buffer; /* own bytes in use until local completion */
};

enum window_kind { WINDOW_PLAIN, WINDOW_SHARED, WINDOW_DYNAMIC };

struct program_window {
    bool exists;
    enum window_kind kind;
    uint8_t members; /* bit per rank */
    bool same_op;
    uint16_t at[MAX_RANKS], size[MAX_RANKS];
};

struct step_list {
    struct step *steps;
    size_t count, capacity;
};

struct program {
    uint32_t ranks;
    uint32_t memory;
    bool strict_accumulate;
    bool implicit_world; /* only thread 0 makes MPI calls */
    uint8_t segments;    /* number + 1 of the shared-memory window whose segments are the ranks'
                            memory; 0: none */
    bool local_races;    /* a rank's accesses to its own buffers in use count, too */
    uint64_t base[MAX_RANKS];
    struct program_window windows[MAX_WINDOWS];
    uint8_t comms[MAX_COMMS]; /* bit per rank; 0: no such; comm 0 is the world */
    struct step_list lists[MAX_RANKS][MAX_THREADS];
};

void program_init(struct program *program, uint32_t ranks, uint32_t memory);
void program_clear(struct program *program);
void program_copy(struct program *to, const struct program *from);
struct step *program_append(struct program *program, uint32_t rank, uint32_t thread,
                            const struct step *step);
void program_remove_step(struct program *program, uint32_t rank, uint32_t thread, size_t index);
size_t program_step_count(const struct program *program);
bool program_creates_thread(const struct program *program, uint32_t rank, uint32_t thread);
bool program_has_threads(const struct program *program);

const char *step_name(enum step_what what);
void step_print(FILE *file, const struct step *step);
void program_print(FILE *file, const struct program *program);

/* False, with a line on standard error, if the text is no program. Reads up to the end of the text
 * or up to a line `end`, and returns where it stopped in *rest if given. */
bool program_parse(struct program *program, const char *text, const char **rest);

#endif
