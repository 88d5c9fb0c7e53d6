/* Several ranks in one process, for tests of the runtime's parts that talk to other ranks.
 *
 * Those parts keep their state in file-scope variables, one set per process. So a rank is a copy of a
 * shared library that has them, loaded under a name of its own; the copies meet in a struct
 * fake_world. Nothing runs by itself: a test says which rank does what next, so a random program is
 * the same in every run. */
#ifndef REGATTA_TESTS_FAKE_RANK_H
#define REGATTA_TESTS_FAKE_RANK_H

#include <pthread.h>

#include "collectives.h"
#include "engine/engine.h"
#include "messages.h"
#include "boards.h"
#include "node.h"
#include "../sim/random.h"

enum { FAKE_RANKS = 4, FAKE_BOARDS = 4096 };

/* Letters of one rank to another, in the order in which they were sent. */
struct fake_letter {
    struct fake_letter *next;
    struct letter letter;
    uint64_t sequence; /* in all the world */
    char bytes[];
};

struct fake_mail {
    struct fake_letter *first, *last;
};

struct fake_board {
    uint32_t owner;
    uint64_t key;
    size_t size;
    char *bytes;
};

/* What all ranks share. Communicators are handles whose low bits are the set of their members. */
struct fake_world {
    bool spans_nodes; /* letters of different ranks overtake each other, and come late */
    struct random random;
    struct fake_mail mail[FAKE_RANKS][FAKE_RANKS]; /* from, to */
    uint64_t letters;
    struct fake_board boards[FAKE_BOARDS];
    size_t nboards;
    /* MPI_Request_get_status: whether that receive has got its message. */
    bool (*has_received)(int request, int *source, int *tag);
    const char *gave_up; /* why a rank stopped to look for races */

    /* Fake MPI: what is collective is done by threads that meet here, windows are memory. */
    pthread_barrier_t meeting;
    char job[64];
    int least;
    pthread_mutex_t lock;
    char *window[FAKE_RANKS];
    int window_lock[FAKE_RANKS];
};

enum { FAKE_COMM = 0x1000, FAKE_COMM_WORLD = FAKE_COMM | ((1 << FAKE_RANKS) - 1) };

/* A rank's functions, by the names that they have in the runtime. */
#define FAKE_RANK_FUNCTIONS(F)                                                                     \
    F(void, fake_rank_start, (struct fake_world *, uint32_t rank, bool implicit_world))            \
    F(void, fake_rank_stop, (void))                                                                \
    F(const void *, fake_rank_event, (size_t *))                                                   \
    F(const void *, fake_rank_clock, (size_t *))                                                   \
    F(void, fake_fill_call, (struct watched_call *, int routine, MPI_Comm, int root))              \
    F(void, message_send, (MPI_Comm, int, int, struct synchronous_send *))                         \
    F(void, send_complete, (struct synchronous_send *))                                            \
    F(void, receive_post, (struct receive *, MPI_Comm, int, int))                                  \
    F(void, receive_match, (struct receive *, int, int))                                           \
    F(void, receive_complete, (struct receive *))                                                  \
    F(void, receive_cancel, (struct receive *))                                                    \
    F(void, receive_forget, (struct receive *))                                                    \
    F(void, message_probed, (MPI_Comm, int, int))                                                  \
    F(void, clocks_drain, (void))                                                                  \
    F(void, comm_created, (MPI_Comm, uint64_t))                                                    \
    F(void, comm_freed, (MPI_Comm))                                                                \
    F(struct collective *, collective_enter, (struct call *, bool))                                \
    F(struct collective *, collective_enter_all, (MPI_Comm, bool))                                 \
    F(void, collective_leave, (struct collective *))                                               \
    F(bool, boards_open, (void))                                                                   \
    F(void *, boards_take, (uint32_t, uint64_t, size_t *))                                         \
    F(void, boards_put_back, (uint32_t))                                                           \
    F(bool, boards_replace, (uint32_t, const void *, size_t))                                      \
    F(void, boards_remove, (uint32_t, uint64_t))                                                   \
    F(bool, node_open, (const bool *))                                                             \
    F(bool, node_letter_send, (uint32_t, const struct letter *, const void *, size_t))             \
    F(void, node_letters_read, (letter_reader *))                                                  \
    F(const void *, node_board_take, (uint32_t, uint64_t, size_t *))                               \
    F(void, node_board_put_back, (uint32_t, uint64_t))                                             \
    F(bool, node_board_replace, (uint32_t, uint64_t, const void *, size_t))                        \
    F(void, node_board_remove, (uint32_t, uint64_t))

struct fake_rank {
    void *library;
#define MEMBER(type, name, arguments) type(*name) arguments;
    FAKE_RANK_FUNCTIONS(MEMBER)
#undef MEMBER
};

void fake_rank_start(struct fake_world *world, uint32_t rank, bool implicit_world);
void fake_rank_stop(void);
/* Something happens that others may have to know of; and what the rank knows, as bytes. */
const void *fake_rank_event(size_t *size);
const void *fake_rank_clock(size_t *size);
/* As the wrapper of that routine would, with one element per buffer. */
void fake_fill_call(struct watched_call *call, int routine, MPI_Comm comm, int root);

/* ---- in the test ---- */

/* Loads copies of the library (argument `library`: its path) and starts them. */
void fake_world_start(struct fake_world *world, struct fake_rank *ranks, const char *library,
                      bool implicit_world);
void fake_world_stop(struct fake_world *world, struct fake_rank *ranks);

#endif
