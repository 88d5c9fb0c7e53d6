/* What happens to memory: the plain types that describe accesses, shared by the engine, by whoever
 * feeds it (the runtime, the simulator), and by the oracle that checks it. No behaviour here.
 * The rules that give these types their meaning are those of the semantics page, sections 1 to 5.
 */
#ifndef REGATTA_ENGINE_EVENT_H
#define REGATTA_ENGINE_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "section.h"

/* A place in the program: an opaque number below 2^48 (an address in user space fits). Two accesses
 * with equal sites are the same source place; findings name sites and nothing finer. */
typedef uint64_t site_t;
#define SITE_LIMIT ((site_t)1 << 48)

/* A window's name: chosen by the caller, equal on all members of the window, never used again for
 * another window. */
typedef uint64_t window_t;

#define RANK_ALL UINT32_MAX /* "every target", for flush_all and friends */

enum access_kind {
    ACCESS_LOAD, /* by the program, or by a blocking MPI call on its behalf */
    ACCESS_STORE,
    ACCESS_GET,            /* Get, Rget */
    ACCESS_PUT,            /* Put, Rput */
    ACCESS_ACCUMULATE,     /* Accumulate, Raccumulate */
    ACCESS_GET_ACCUMULATE, /* Get_accumulate, Rget_accumulate */
    ACCESS_FETCH_AND_OP,
    ACCESS_COMPARE_AND_SWAP,
    ACCESS_BUFFER_READ,  /* MPI reads a buffer in use, from the call to its local completion */
    ACCESS_BUFFER_WRITE, /* MPI writes one */
    ACCESS_KINDS
};

/* The reduction of an accumulate. Only equality matters, except for the two named ones; the caller
 * numbers all others (MPI_SUM, MPI_REPLACE …) as it likes, from ACC_OTHER on. Operations that are
 * not accumulates have ACC_NONE. */
enum { ACC_NONE = 0, ACC_NO_OP = 1, ACC_CAS = 2, ACC_OTHER = 3 };

/* One RMA operation as its origin issues it.
 *
 * `sections` are the bytes it touches at the target, in bytes from the start of the target's window
 * memory (for dynamic windows: addresses at the target). They are disjoint from each other and may
 * be none (zero count). For accumulates, each block of a section is a whole number of elements of
 * the basic type `type`, `type_size` bytes each, the first one at the start of the block.
 *
 * Two accumulates that share a byte are atomic to each other iff all of this holds:
 *   - their `type` is equal (types are numbered by the caller; equal number, equal type_size);
 *   - every two elements that share a byte are the same bytes;
 *   - their `op` is equal, or both come from one process (MPI keeps them in order),
 *     or one is ACC_NO_OP and the window does not have same_op set,
 *     or one is ACC_CAS and the check is not strict (strict: ACC_CAS pairs with ACC_CAS, and with
 *     ACC_NO_OP as the rule before says).
 * An accumulate with ACC_NO_OP is an atomic read: for everything that is not an accumulate it
 * counts as a get. The window meant for same_op is that of either operation (two windows may show
 * the same memory): the stricter one counts. */
struct rma_op {
    enum access_kind kind; /* ACCESS_GET … ACCESS_COMPARE_AND_SWAP */
    window_t window;
    uint32_t target; /* rank in the world, whatever communicator the window has */
    uint32_t op;
    uint32_t type;
    uint32_t type_size;
    const struct section *sections;
    size_t section_count;
    site_t site;
};

enum lock_type { LOCK_NONE, LOCK_SHARED, LOCK_EXCLUSIVE };

/* The kind of epoch that an RMA operation is in; all other accesses are in none. */
enum epoch_kind { EPOCH_FENCE, EPOCH_EXPOSURE, EPOCH_LOCK, EPOCH_NONE, EPOCH_KINDS };

/* Does an operation of this kind read, or write, the window bytes? A fetching accumulate does both.
 */
static inline bool access_reads_target(enum access_kind kind, uint32_t op)
{
    (void)op;
    return kind == ACCESS_GET || kind == ACCESS_GET_ACCUMULATE || kind == ACCESS_FETCH_AND_OP ||
           kind == ACCESS_COMPARE_AND_SWAP;
}

static inline bool access_writes_target(enum access_kind kind, uint32_t op)
{
    return kind == ACCESS_PUT ||
           (kind >= ACCESS_ACCUMULATE && kind <= ACCESS_COMPARE_AND_SWAP && op != ACC_NO_OP);
}

/* One side of a finding. */
struct access_side {
    enum access_kind kind;
    uint32_t rank;
    uint32_t thread;
    uint32_t op; /* of accumulates */
    uint32_t type;
    site_t site;
    enum epoch_kind epoch; /* of RMA operations; means nothing for others */
};

enum race_rule {
    RACE_REMOTE,    /* remote-race: an RMA operation and any other access to window bytes */
    RACE_ATOMICITY, /* atomicity: two accumulates that are not atomic to each other */
    RACE_SHARED,    /* shared-window: two processes' loads and stores in a shared-memory window */
    RACE_THREAD,    /* thread-race: two threads' loads and stores in window memory */
    /* No races, but what an operation or a promise about window memory does wrong. The call that
     * promised is a side of kind ACCESS_KINDS. */
    MISUSE_UNATTACHED, /* first: an operation on memory that is not attached; there is no second */
    MISUSE_NO_STORE,   /* first: wrote own window memory; second: the call that denies it */
    MISUSE_NO_PUT,     /* first: the call that excludes it; second: an operation that writes */
    MISUSE_OVERLAP,    /* first: in a lock epoch; second: in a fence or exposure epoch meanwhile */
    RACE_RULES
};

/* A race: two accesses to window bytes of `owner` that share `common`, conflict and are not
 * ordered. It is found by the owner of the memory. `first` is the one that the owner got to know
 * first; nothing else is meant by it. Findings are counted by (rule, kind, rank and site of both
 * sides). */
struct finding {
    enum race_rule rule;
    struct access_side first;
    struct access_side second;
    uint32_t owner;
    window_t window;       /* the window of the RMA operation (of `second` if both are) */
    struct section common; /* one run of shared bytes, as addresses at the owner */
    uint64_t count;        /* how often it was seen until now */
};

#endif
