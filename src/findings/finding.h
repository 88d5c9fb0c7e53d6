/* What was found, in the one form that all detectors share.
 *
 *   frame    one level of a call stack: a place in the source, or module and offset until the
 *            symboliser (symbols.h) has been there
 *   access   one of the two sides of a finding: who did what, where
 *   place    the frame that stands for a whole stack in reports, ids and joining: the innermost
 *            one that is the user's (stack_place)
 *   finding  a rule that was broken, by one access or by a pair of them
 *   fact     what a finding is known by: whoever finds it gives it a case and facts, and
 * sentences.h the sentences. A finding that is read from a findings file has its sentences only
 *   process  one MPI process of the run and how it ended
 *   limit    something that was not looked at (limits.h)
 *   report   everything that is known about one run: processes, findings, limits, notes
 *
 * A report owns all memory that hangs on it, and pointers stay valid until report_free. Texts and
 * stacks live in its obstack, each different text once: thousands of ranks say the same. */
#ifndef REGATTA_FINDINGS_FINDING_H
#define REGATTA_FINDINGS_FINDING_H

#include "checked.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The commands that find. */
enum mode { MODE_RUN, MODE_CHECK, MODE_STRESS, MODES };

enum severity { SEVERITY_NOTE, SEVERITY_WARNING, SEVERITY_ERROR, SEVERITY_COUNT };

struct frame {
    const char *module; /* file that holds the code; NULL if the site came with its place */
    uint64_t offset;    /* return address in the file image; only with module */
    const char *file;   /* NULL: unknown */
    unsigned line;      /* 0: unknown */
    unsigned column;    /* 0: unknown */
    const char *function;
};

struct stack {
    struct frame *frames;
    size_t depth;
};

struct access {
    bool present;
    const char *kind;     /* load, store, put, send, … */
    const char *call;     /* MPI routine, NULL for plain loads and stores */
    const char *detail;   /* "writes 8 bytes of the same" */
    const char *variable; /* NULL: unknown */
    int rank;
    int thread;
    struct stack stack;
    /* Facts for sentences.h, each NULL or 0 if it does not apply; the README lists their values. */
    const char *made_by; /* routine that made the operation, if not the call itself */
    const char *deed;    /* read, write, update, give-back */
    const char *epoch;   /* of RMA operations at the target: fence, exposure, lock */
    const char *until;   /* what frees the buffer: request, request-or-epoch, epoch, file-end */
    const char *completed_by;  /* of RMA operations: the call that completed them, */
    struct frame completed_at; /* and where */
    const char *construct;     /* of OpenMP: parallel, task */
    const char *state;         /* hang, abort, crash, mpi-abort */
    uint64_t bytes;
    bool has_range; /* low, high: bytes of the target's part of a window */
    int64_t low, high;
    int target;
};

struct memory {
    bool present;
    const char *side;   /* target or origin */
    const char *window; /* NULL: not a window, or without a name */
    int rank;
    int64_t offset; /* -1: unknown */
    uint64_t bytes;
    const char *created_by; /* the call that made the window; NULL: unknown */
    struct stack created;   /* and where */
};

/* A fact of a finding that has no member of its own: {name} in cases.def. */
struct fact {
    const char *name, *value;
    struct fact *next;
};

/* `second` is -1 in a finding with one side. */
struct rank_pair {
    int first;
    int second;
};

struct finding {
    char id[17];       /* identity.h, in hex; empty until the report is settled */
    unsigned found_by; /* a bit per mode; 0: that of the report */
    const char *cause; /* id of the first finding with the same cause; causes.h */
    bool blames_second;
    struct trace *trace;       /* chronicle.h; NULL: not known */
    struct path *path;         /* views.h; NULL: none */
    struct outcomes *outcomes; /* views.h; NULL: none */
    const char *rule;
    const char *case_id; /* of its words; NULL: read from a file that has no cases */
    enum severity severity;
    struct fact *facts;
    const char *message;
    const char *why;
    const char *fix;
    uint64_t count;
    int64_t generation; /* -1: unknown */
    struct access first;
    struct access second;
    struct memory memory;
    struct rank_pair *pairs; /* sorted, without doubles */
    size_t pair_count;
};

enum ending { ENDED_FINALIZED, ENDED_ABORTED, ENDED_EXITED, ENDED_UNKNOWN };

struct process {
    int rank;
    int ranks;
    long pid;
    const char *host;
    enum ending ending;
};

/* Something that was not looked at, and why. */
struct limit {
    const char *kind;  /* limits.def */
    const char *what;  /* "loads and stores of ./halo" */
    const char *why;   /* "not built by regatta cc" */
    const char *doing; /* what the user can do about it; NULL: nothing */
    int ranks;         /* how many processes said so; 0: it is one of the whole run */
    size_t told_by;    /* the last process that said so, counted from 1 */
};

struct report {
    struct obstack texts;
    struct known_text *known_texts;
    const char *mode;         /* run, check, stress */
    const char *mpi;          /* "mpich 4.0.2", NULL: unknown */
    const char *program;      /* NULL: unknown */
    const char *directory;    /* relative file names are below it; NULL: the working directory */
    struct sources *sources;  /* sources.h */
    const char **own_sources; /* those of the program; ignores.h */
    size_t own_source_count, own_source_capacity;
    const char *draw[2]; /* places of which to tell what orders them; NULL: none */
    bool wants_ring;     /* keep all calls that are known: */
    struct trace *ring;  /* NULL: none */
    const char *checked; /* "checked 812 of 830 functions"; NULL: a run */
    int ranks;
    struct process *processes;
    size_t process_count, process_capacity;
    struct finding *findings;
    size_t finding_count, finding_capacity;
    const char **notes;
    size_t note_count, note_capacity;
    struct limit *limits;
    size_t limit_count, limit_capacity;
    struct waiting
        *waiting;        /* where the ranks were when the run was stopped (waiting.h), or NULL */
    struct death *death; /* the first process that a signal ended, or NULL */
    int exit_code;       /* the program's own; -1: not known */
};

struct report *report_new(const char *mode);
void report_free(struct report *report);

/* The report's own copy of a text; NULL stays NULL. */
const char *report_text(struct report *report, const char *text);
const char *report_textf(struct report *report, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A new finding, all unknown. The pointer is good until the next call. */
struct finding *report_add(struct report *report);
struct process *report_add_process(struct report *report);

/* A remark about the run itself, shown once however often it is made. */
void report_note(struct report *report, const char *text);

/* What sentences.h is to say of it, in the report's memory; the latest of a name counts. NULL is
 * none. */
void finding_add_fact(struct report *report, struct finding *finding, const char *name,
                      const char *value);

void finding_add_pair(struct finding *finding, struct rank_pair pair);

/* Gives every finding its id, joins those with equal rule and equal pair of places (in either
 * order; counts are added, rank pairs united) or with equal ids, and sorts: most serious first,
 * then by rule and place. The outcome does not depend on the order in which findings were added. */
void report_settle(struct report *report);

/* Orders a settled report otherwise: one of SORT_ORDERS. Equals stay in the usual order. */
#define SORT_ORDERS "severity|count|place|rank|rule"
void report_sort(struct report *report, const char *order);

/* Removes finding `index`, keeping the order of the others. */
void report_remove(struct report *report, size_t index);
/* Removes all that are not `wanted`, and returns how many that were. */
size_t report_keep(struct report *report, bool (*wanted)(const struct finding *, void *),
                   void *context);

/* How many findings there are of one severity. */
size_t report_count(const struct report *report, enum severity severity);

const char *mode_name(enum mode mode);
/* MODE_RUN for a name that is none. */
enum mode mode_number(const char *name);
/* Found by `check`, and then seen to happen. */
bool finding_is_confirmed(const struct finding *finding);
/* One side sends and the other one receives, both by calls of MPI. */
bool finding_is_exchange(const struct finding *finding);

const char *severity_name(enum severity severity);
/* False if there is no severity of that name. */
bool severity_parse(const char *name, enum severity *severity);

/* "halo.c:57", "libsolver.so+0x1234" or "?"; made in the report's memory. */
const char *frame_place(struct report *report, const struct frame *frame);
/* The innermost frame that is not in a system header: whoever calls std::sort looks for the race in
 * that line. The innermost of all if there is none; NULL for an empty stack. */
const struct frame *stack_place(const struct stack *stack);
/* The place of an access, NULL if nothing is known of it. */
const struct frame *access_frame(const struct access *access);
/* The place if its line is known, else the user's nearest line that called it: MPI may be called by
 * a library without debug information. NULL if no line is known. */
const struct frame *access_line(const struct access *access);

#endif
