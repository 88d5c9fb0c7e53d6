/* The virtual machine: P processes, each with memory of its own, and what they share. */
#ifndef REGATTA_REPLAY_WORLD_H
#define REGATTA_REPLAY_WORLD_H

#include "code.h"
#include "engine/engine.h"
#include "engine/inuse.h"
#include "replay.h"

enum { MOST_PROCESSES = 16 };

/* ---- Memory (memory.c) ----
 * An address is (process + 1) << 40 plus an offset: one process can name another's memory, which is
 * right only in shared windows. Every byte has a shadow. */
enum { ALIVE = 1, KNOWN = 2, WINDOW = 4, IN_USE = 8, STACK = 16 };
#define SPACE_SHIFT 40

struct space {
    uint8_t *bytes, *shadow;
    uint64_t stack, stack_start, stack_end, heap, most;
};

struct value {
    uint64_t bits;
    uint64_t known;
};

struct frame {
    struct function *function;
    uint32_t pc, base;
    uint32_t jumped; /* the step of the last jump */
    uint64_t stack;  /* of memory, at entry */
    int32_t to;      /* in the caller */
    int nresults;
    uint32_t node; /* of the call stack; 0: not asked for yet */
};

enum state { RUNNING, BLOCKED, ENDED, GAVE_UP };

struct process {
    int rank;
    enum state state;
    bool initialised, finalised, failed; /* failed: exit code, abort */
    struct space space;
    struct value *values;
    ROW(struct frame) frames;
    struct value *constants;
    size_t nconstants;
    LLVMValueRef instead; /* stands for the current instruction as a place, or NULL */
    uint32_t phase;       /* of the MPI call that it is in */
    uint64_t pending;     /* … number of what that waits for */
    bool progressed;      /* something has happened since the last look */
    struct engine *engine;
    struct inuse *inuse;
    void *listener;
    ROW(struct mail) mailbox;
    uint64_t spins; /* unsuccessful tests in a row */
    size_t freed_requests;
    struct outside *outside;
};

struct mail {
    void *data;
    size_t size;
};

/* A clock or the like, as bytes. */
struct bytes {
    void *data;
    size_t size;
};

/* ---- Sites: a place in the program with the calls that led there ---- */
struct node {
    uint32_t parent;
    LLVMValueRef call;
};
struct site {
    uint32_t node;
    LLVMValueRef at;
    const struct routine *routine;
    const char *call;
};

struct found {
    const char *rule;
    site_t sites[2];
    int ranks[2];
    const char *kinds[2];
    bool writes[2];
    bool own;           /* an operation of a process to its own memory */
    const char *misuse; /* of usage: the case of the findings format */
    int owner;          /* … whose memory */
};

/* Payload with the knowledge of every byte. */
struct payload {
    uint8_t *bytes, *known;
    uint64_t size;
};

struct world {
    struct code *code;
    bool openmpi;
    int n;
    struct process *processes;
    uint64_t steps, budget;
    bool spent, aborted,
        illegal;      /* illegal: the program is not meant for this number of processes */
    bool asked;       /* the program has looked how many processes there are */
    bool chosen;      /* an answer of the world outside was chosen that may decide about the way */
    bool lucky;       /* what had come by then decided: MPI_Test, MPI_Waitany and the like */
    bool interesting; /* something was sent, or operations started */
    const char *reason;
    char reason_room[160];
    LLVMValueRef where;
    ROW(struct node) nodes;
    ROW(struct site) sites;
    struct known_site *site_table;
    struct known_node *node_table;
    ROW(struct found) found;
    struct mpi *mpi; /* objects of MPI */
    uint8_t *image, *image_shadow;
    ROW(uint64_t) relocations;
};

static inline uint64_t process_base(int rank)
{
    return (uint64_t)(rank + 1) << SPACE_SHIFT;
}

/* What a call did: it is over, it waits (call again), the process cannot go on. */
enum outcome { OVER, WAITS, STOPS };

/* ---- memory.c ---- */
bool space_open(struct world *w, struct process *p);
void space_close(struct process *p);
void image_build(struct world *w);
/* NULL unless all bytes are alive; `owner` may be NULL: then only the process's own. */
uint8_t *memory_at(struct world *w, struct process *p, uint64_t address, uint64_t size,
                   uint8_t **shadow, struct process **owner);
uint64_t memory_allocate(struct process *p, uint64_t size, uint64_t align, bool zero);
bool memory_block(struct process *p, uint64_t address, uint64_t *size);
void memory_kill(struct process *p, uint64_t address, uint64_t size);
bool memory_has(struct process *p, uint64_t address, uint64_t size, uint8_t bits);
void memory_mark(struct world *w, uint64_t address, uint64_t size, uint8_t bits);
/* Plain reads and writes by the machinery: nobody judges them. */
bool peek(struct world *w, struct process *p, uint64_t address, unsigned bytes, uint64_t *value);
bool poke(struct world *w, struct process *p, uint64_t address, unsigned bytes, uint64_t value);

/* ---- run.c ---- */
void run_process(struct world *w, struct process *p, uint64_t quantum);
bool enter_function(struct world *w, struct process *p, struct function *function,
                    const struct value *arguments, int narguments, int32_t to, int nresults);
enum outcome crash(struct process *p);
void stop(struct world *w, struct process *p, const char *why, ...)
    __attribute__((format(printf, 3, 4)));
LLVMValueRef current_instruction(const struct process *p);

/* ---- library.c ---- */
struct call {
    struct world *w;
    struct process *p;
    const struct call_site *site;
    struct function *function;
    struct value arguments[64];
    int n;
    struct value results[8];
    bool entered; /* a function was entered instead: nothing to store */
};
enum outcome library_call(struct call *call);

/* ---- outside.c ---- */
void outside_open(struct process *p);
void outside_close(struct process *p);
/* The process's clock; it goes on with each look. */
uint64_t outside_microseconds(struct process *p);
enum outcome outside_call(struct call *call);

/* ---- texts.c ---- */
enum text_function {
    TEXT_LENGTH,
    TEXT_COMPARE,
    TEXT_COMPARE_SOME,
    TEXT_COPY,
    TEXT_COPY_SOME,
    TEXT_DUPLICATE,
    TEXT_FIND,
    TEXT_FIND_LAST,
    TEXT_NUMBER,
    TEXT_NUMBER_TO,
    TEXT_REAL,
    TEXT_PRINT,
    TEXT_PRINT_SOME,
    TEXT_SCAN
};
enum outcome text_call(struct call *call, int kind);

/* ---- containers.c ---- */
enum container_function {
    CONTAINER_NEXT,
    CONTAINER_PREVIOUS,
    CONTAINER_INSERT,
    CONTAINER_ERASE,
    CONTAINER_HOOK,
    CONTAINER_UNHOOK,
    CONTAINER_TRANSFER,
    CONTAINER_BUCKETS,
    CONTAINER_REHASH,
    CONTAINER_HASH
};
enum outcome container_call(struct call *call, int kind);

/* ---- strings.c: std::string ---- */
enum outcome string_call(struct call *call);

/* ---- judge.c ---- */
bool judge_open(struct world *w);
void judge_close(struct world *w);
site_t site_here(struct world *w, struct process *p, const struct routine *routine,
                 const char *call);
/* A load or store by the program, or by a blocking call for it. */
void judge_access(struct world *w, struct process *p, uint64_t address, uint64_t size, bool write,
                  site_t site, const struct routine *routine);
void judge_sections(struct world *w, struct process *p, const struct section *sections, size_t n,
                    bool write, site_t site, const struct routine *routine);
/* Memory is given back. */
void judge_end_of(struct world *w, struct process *p, uint64_t address, uint64_t size,
                  const char *call);

/* A buffer that MPI uses from here on. */
struct use {
    struct inuse_buffer *buffer;
    uint64_t engine_buffer;
    site_t site;
    const struct routine *routine;
    bool write, gone; /* gone: its memory was given back, and that was told */
    struct process *process;
};
struct use *judge_use(struct world *w, struct process *p, const struct section *sections, size_t n,
                      bool write, site_t site, const struct routine *routine);
void judge_use_end(struct world *w, struct use *use);
void judge_local(struct world *w, struct process *p, site_t one, const char *one_kind,
                 bool one_writes, site_t two, const char *two_kind, bool two_writes);

/* Two calls of the process of which the first excludes the second. */
void judge_misuse(struct world *w, struct process *p, const char *misuse, site_t one, site_t two);

struct bytes clock_now(struct process *p);
struct bytes bytes_copy(const void *data, size_t size);
void take_in(struct process *p);
void learn(struct process *p, const struct bytes *clock);

/* ---- mpi.c ---- */
void mpi_open(struct world *w);
void mpi_close(struct world *w);
enum outcome mpi_call(struct call *call);
/* The start of the segment of a shared window that has the address, and which window; false: none.
 */
bool mpi_shared_segment(struct world *w, int owner, uint64_t address, window_t *window,
                        uint64_t *start);
/* Operations that are still on their way at the end are told. */
void mpi_hand_over(struct world *w);
/* Whether messages were sent that nobody has received. */
bool mpi_has_messages(const struct world *w);

#endif
