/* A finding as facts: what readers (src/findings) make the sentences of. */
#ifndef REGATTA_INTERPOSE_FINDING_RECORD_H
#define REGATTA_INTERPOSE_FINDING_RECORD_H

#include <stdbool.h>
#include <stdint.h>

/* The cases by name. Their words are the readers' business. */
enum finding_case {
#define CASE(name, id, severity, message, why, fix, first, second) CASE_##name,
#include "findings/cases.def"
#undef CASE
    CASES
};

/* One side. What does not apply is NULL or 0; src/findings/README.md lists the words. */
struct side_record {
    const char *kind;          /* "send", "put", "store" …; the site may know better */
    const char *call;          /* "MPI_Start"; NULL: the site knows, or none */
    const char *made_by;       /* "MPI_Send_init" */
    const char *access;        /* "read", "write", "update", "give-back" */
    const char *construct;     /* of OpenMP: "parallel", "task" */
    const char *epoch, *until; /* what ends an operation at the target; what frees a buffer */
    int rank, thread;
    uint64_t bytes;
    uint64_t site;  /* of that rank; 0: unknown */
    uint64_t after; /* of own accesses: 1 + the number of events before it (type "recent") */
};

/* The bytes on which the two sides meet: window memory of this rank, or a buffer. */
struct memory_record {
    bool is_window;
    int rank;
    uint64_t offset, bytes;
    const char *window;     /* its name, or NULL */
    const char *created_by; /* the call that made it, or NULL, and its site */
    uint64_t created;
};

/* A number that the words of a case name; the list ends with a name of NULL. */
struct number_record {
    const char *name;
    int64_t value;
};

enum { FINDING_NUMBERS = 6 };

struct finding_record {
    int64_t key;
    const char *rule;
    const char *severity; /* NULL: the usual one of the case */
    enum finding_case which;
    struct side_record first, second;
    bool has_second, has_memory, polls;
    struct memory_record memory;
    const char *missing; /* "completion" of the first, "order" between the two; or NULL */
    const char *differ;  /* accumulates: "type", "operator", "elements"; or NULL */
    struct number_record numbers[FINDING_NUMBERS + 1];
    /* Rules of threads: what the two calls met at ("communicator", "window", "file"), and how it is
     * known that they could be at the same time: "overlap", "unordered", "unseen" (unordered, as
     * far as it was seen), "between", "luck"; or NULL. */
    const char *object, *concurrent;
};

void finding_record_write(const struct finding_record *finding);

#endif
