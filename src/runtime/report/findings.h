/* What the runtime found in this process: each pair of places once, counted. */
#ifndef REGATTA_RUNTIME_FINDINGS_H
#define REGATTA_RUNTIME_FINDINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct stack;

/* One side of a finding. */
struct place {
    const char *kind;   /* as in the findings schema: "send", "put" … or NULL */
    const char *call;   /* "MPI_Isend" */
    const char *detail; /* "reads 400 bytes" */
    int thread;
    const struct stack *stack;
    /* A place in another process: its rank, and call and stack as text for record_members. */
    bool remote;
    int rank;
    const char *members;
    size_t members_length;
};

struct finding_text {
    const char *rule, *severity;
    char message[400], why[800], fix[500];
};

/* The bytes that both sides touch. */
struct finding_memory {
    uint64_t offset, bytes; /* from the first byte of the first side's buffer, or of the window */
    bool is_window;         /* window memory of this rank */
    const char *window;     /* name or NULL */
};

/* Whether this pair of places (second may be NULL) is seen for the first time; if not, it is
 * counted. A true answer obliges the caller to build the texts and call finding_report. */
bool finding_is_new(const char *rule, const struct stack *first, const struct stack *second);
/* A number for a finding that is known to be new; 0 if there are too many. */
int finding_number(void);
/* Writes the finding that got its number last to the records; `second` and `memory` may be NULL. */
void finding_report(const struct finding_text *text, const struct place *first,
                    const struct place *second, const struct finding_memory *memory);

/* Writes how often each finding was seen. */
void findings_record_counts(void);

#endif
