/* The vocabulary of calls.def as C: roles of arguments, what routines do, shapes of buffers. */
#ifndef REGATTA_MPI_VOCABULARY_H
#define REGATTA_MPI_VOCABULARY_H

#include <stdbool.h>
#include <stdint.h>

enum role {
    ROLE_none,
#define ROLE(name, how, type, large_type) ROLE_##name,
#include "roles.def"
#undef ROLE
    ROLES
};

/* The formatter does not come to rest on such tables. */
/* clang-format off */
/* VERBS, OBJECTS, ORDERS, ATTRIBUTES: the words that calls.def may use; '-' is written '_'. */
#define VERBS(X)                                                                                   \
    X(local) X(initialises) X(finalises) X(aborts) X(blocking) X(starts) X(prepares) X(activates)  \
    X(readies) X(completes) X(tests) X(peeks) X(releases) X(cancels) X(probes) X(issues) X(opens)  \
    X(closes) X(flushes) X(flushes_local) X(syncs) X(creates) X(frees) X(disconnects) X(names)     \
    X(attaches) X(detaches) X(begins) X(finishes) X(allocates) X(deallocates) X(agrees)
#define OBJECTS(X)                                                                                 \
    X(none) X(send) X(recv) X(sendrecv) X(partitioned_send) X(partitioned_recv) X(collective)      \
    X(local) X(pack) X(unpack) X(io) X(comm) X(type) X(file) X(window) X(allocated_window)         \
    X(shared_window) X(dynamic_window) X(memory) X(request) X(one) X(any) X(all) X(some) X(range)  \
    X(list) X(partition) X(put) X(get) X(accumulate) X(get_accumulate) X(fetch_and_op)             \
    X(compare_and_swap) X(fence) X(access) X(exposure) X(lock) X(lock_all) X(question)
#define ORDERS(X)                                                                                  \
    X(none) X(all) X(from_root) X(to_root) X(prefix) X(neighbours) X(channel) X(channel_both)
#define ATTRIBUTES(X) X(late) X(leaves_world) X(standard) X(together) X(collective)
/* clang-format on */

#define WORD(name) VERB_##name,
enum verb { VERBS(WORD) VERB_KINDS };
#undef WORD
#define WORD(name) OBJECT_##name,
enum object { OBJECTS(WORD) OBJECT_KINDS };
#undef WORD
#define WORD(name) ORDER_##name,
enum order { ORDERS(WORD) };
#undef WORD
#define WORD(name) ATTRIBUTE_##name,
enum attribute { ATTRIBUTES(WORD) ATTRIBUTE_KINDS };
#undef WORD

/* How many blocks of count × type a buffer has. */
enum blocks {
    BLOCKS_one,
    BLOCKS_size,      /* one for each rank at the other end: remote group of an intercommunicator */
    BLOCKS_localsize, /* one for each rank of the local group */
    BLOCKS_sum,       /* counts[] added up, contiguous */
    BLOCKS_mine,      /* counts[my rank] */
    BLOCKS_indegree,  /* one for each neighbour that sends to me */
    BLOCKS_outdegree, /* one for each neighbour that I send to */
    BLOCKS_partitions, /* one for each partition */
};

enum { ROUTINE_MAX_ARGUMENTS = 16, ROUTINE_MAX_BUFFERS = 3, NO_ARGUMENT = 255 };

/* A buffer argument and the arguments that give its shape, as indices into arguments[]. */
struct routine_buffer {
    uint8_t argument;
    uint8_t role;    /* ROLE_read, ROLE_write, ROLE_bcast, ROLE_packed */
    uint8_t blocks;  /* enum blocks */
    uint8_t at_root; /* significant at the root only */
    uint8_t count;   /* count or counts; NO_ARGUMENT: one element */
    uint8_t displs; /* displs, displs_bytes or displs_aint; NO_ARGUMENT: blocks one after another */
    uint8_t type;   /* type or types; NO_ARGUMENT: the call does not say (MPI_File_read_all_end) */
};

_Static_assert(ROLES <= 64 && ATTRIBUTE_KINDS <= 8, "one bit for each in struct routine");

#endif
