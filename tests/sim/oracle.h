/* The oracle: all races of an executed program, by brute force from the semantics page.
 *
 * It builds the whole happens-before graph of the trace (every event a node, transitive closure as
 * bit sets), enumerates the bytes of every access, and looks at every pair. Nothing is forgotten,
 * merged or summarised, and nothing but the plain types of event.h is shared with the engine.
 *
 * A rank's own buffers against its own accesses are not the engine's business: they count only if
 * the program says so.
 *
 * Every rule can be taken out (`without`), to see for which programs it decides anything. */
#ifndef REGATTA_SIM_ORACLE_H
#define REGATTA_SIM_ORACLE_H

#include "trace.h"

enum oracle_rule {
    /* happens-before edges, section 3 */
    RULE_THREAD_CREATE,
    RULE_THREAD_JOIN,
    RULE_MUTEX,
    RULE_THREAD_BARRIER,
    RULE_SIGNAL,
    RULE_MESSAGE,
    RULE_SYNCHRONOUS_SEND,
    RULE_ALL_TO_ALL,
    RULE_ROOT_TO_ALL,
    RULE_ALL_TO_ROOT,
    RULE_SCAN,
    RULE_NEIGHBOR,
    RULE_NONBLOCKING_COLLECTIVE,
    RULE_CONSTRUCTOR,
    RULE_WIN_FREE,
    RULE_FENCE,
    RULE_OPENING_FENCE,
    RULE_POST,
    RULE_COMPLETE_WAIT,
    RULE_FETCHED_AFTER_POST,
    RULE_LOCK_INFORMATION,
    RULE_ATOMIC_ISSUE,
    RULE_ATOMIC_SEEN, /* an update that was fetched is over */
    /* what is not an edge: without these, there is one */
    RULE_NO_PRECEDE,
    RULE_ZERO_CONTRIBUTION,
    RULE_LOCK_ORDER_IS_LUCK,
    RULE_ATOMIC_FLUSH_UNSEEN, /* what the origin completes after the update stays unknown */
    RULE_FIRST_READ,          /* the edge of a lock ends at the reads, not at the lock */
    /* completion, section 2 */
    RULE_DONE_FLUSH,
    RULE_DONE_FLUSH_LOCAL_GET,
    RULE_DONE_REQUEST_GET,
    RULE_DONE_FENCE,
    RULE_DONE_UNLOCK,
    RULE_DONE_COMPLETE_GET,
    RULE_DONE_WAIT,
    RULE_FLUSH_LOCAL_IS_LOCAL, /* without: it completes everything */
    RULE_REQUEST_IS_LOCAL,
    RULE_COMPLETE_IS_LOCAL,
    RULE_FETCH_WRITES,      /* without: a fetching accumulate is over like a get */
    RULE_THREAD_COMPLETION, /* without: a flush completes what other threads issue concurrently */
    /* conflict, sections 3 and 5 */
    RULE_EXCLUSION,
    RULE_SHARED_DOES_NOT_EXCLUDE,
    RULE_ATOMIC,
    RULE_ATOMIC_TYPE,
    RULE_ATOMIC_ELEMENTS,
    RULE_ATOMIC_OP,
    RULE_ATOMIC_NO_OP,
    RULE_SAME_OP,
    RULE_CAS,
    RULE_STRICT,
    RULE_ATOMIC_READ,
    RULE_EXACT_BYTES,  /* without: granules of 8 bytes */
    RULE_EXACT_BLOCKS, /* without: a strided section covers its gaps */
    ORACLE_RULES
};
#define RULE_BIT(rule) ((uint64_t)1 << (rule))

extern const char *const oracle_rule_names[ORACLE_RULES];

#define BYTE_WORDS (MAX_MEMORY / 64)

struct oracle_race {
    enum race_rule rule;
    bool local; /* instead of a rule: between a rank's own buffer and what else it does */
    bool begun; /* … and one of the two had begun for the other */
    struct access_side sides[2];
    const struct step *steps[2];
    uint32_t owner;
    uint64_t common[BYTE_WORDS]; /* bit per byte of the owner's memory */
};

struct oracle_result {
    struct oracle_race *races;
    size_t count, capacity;
    /* Pairs that share bytes and are neither ordered nor excluded, by kinds: what the matrix said.
     */
    uint32_t racing[ACCESS_KINDS][ACCESS_KINDS];
    uint32_t compatible[ACCESS_KINDS][ACCESS_KINDS];
};

void oracle_check(const struct trace *trace, uint64_t without, struct oracle_result *result);
void oracle_clear(struct oracle_result *result);

/* Whether two results name the same pairs: rule, kinds, ranks and sites. */
bool oracle_same_pairs(const struct oracle_result *a, const struct oracle_result *b);

#endif
