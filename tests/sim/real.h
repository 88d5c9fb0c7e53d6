/* What the C sources of random programs (translate.c) have in common. */
#include <mpi.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { COMMS = 4, WINDOWS = 5, SLOTS = 64, SPARE = 512, MOST_THREADS = 4, LOCKS = 4, FLAGS = 24 };

/* MPICH 4.0.2 with UCX may put beside a window whose base is not aligned: there is room for that.
 */
enum { MARGIN = 4096, ROOM = MARGIN + MEMORY + MARGIN };
static _Alignas(4096) char room[ROOM];
static char *memory = room + MARGIN;
static char spare[STEPS][3][SPARE]; /* buffers of each step, which nobody else uses */
static MPI_Aint address_of[RANKS];  /* everybody's memory */
static char *segment[RANKS];        /* the same, where it is shared */
static MPI_Comm comm[COMMS], ring[COMMS];
static MPI_Win window[WINDOWS];
static MPI_Request request[SLOTS];
static _Thread_local MPI_Request once;
static bool persistent[SLOTS];
static MPI_Info same_op;
static int rank, places[RANKS];

/* Each step is in one of these. With -DSHAPED some are in conditions that hold, or in loops with
 * one iteration: for `regatta check`. */
#ifdef SHAPED
static int ranks_of_world;
#define STEP_0(...)                                                                                \
    if (ranks_of_world == RANKS) {                                                                 \
        __VA_ARGS__                                                                                \
    }
#define STEP_1(...)                                                                                \
    if (rank >= 0 && rank < ranks_of_world) {                                                      \
        __VA_ARGS__                                                                                \
    }
#define STEP_2(...)                                                                                \
    for (int round = 0; round < ranks_of_world / RANKS; round++) {                                 \
        __VA_ARGS__                                                                                \
    }
#define STEP_3(...)                                                                                \
    for (int round = 0; round < 2; round++)                                                        \
        if (round == rank % 2) {                                                                   \
            __VA_ARGS__                                                                            \
        }
#define STEP_4(...)                                                                                \
    do {                                                                                           \
        __VA_ARGS__                                                                                \
    } while (rank >= ranks_of_world);
#else
#define STEP_0(...) __VA_ARGS__
#define STEP_1(...) __VA_ARGS__
#define STEP_2(...) __VA_ARGS__
#define STEP_3(...) __VA_ARGS__
#define STEP_4(...) __VA_ARGS__
#endif
#define STEP_5(...) __VA_ARGS__
#define STEP_6(...) __VA_ARGS__
#define STEP_7(...) __VA_ARGS__
static _Thread_local volatile long sink;
static _Thread_local MPI_Status seen;
static _Thread_local MPI_Message message;

struct blocks {
    int start, length, stride, count; /* in bytes */
};

/* ---- threads ---- */

static pthread_t thread[MOST_THREADS];
static pthread_mutex_t mutex[LOCKS], flag_mutex[FLAGS];
static pthread_spinlock_t spin[LOCKS];
static pthread_rwlock_t readers[LOCKS];
static pthread_barrier_t barrier[LOCKS];
static pthread_cond_t condition[FLAGS];
static sem_t semaphore[FLAGS];
static atomic_int flag[FLAGS];
static int flag_value[FLAGS]; /* under flag_mutex */

#define LOCK_0(n) pthread_mutex_lock(&mutex[n])
#define UNLOCK_0(n) pthread_mutex_unlock(&mutex[n])
#define LOCK_1(n) pthread_spin_lock(&spin[n])
#define UNLOCK_1(n) pthread_spin_unlock(&spin[n])
#define LOCK_2(n) pthread_rwlock_wrlock(&readers[n])
#define UNLOCK_2(n) pthread_rwlock_unlock(&readers[n])
#define LOCK_3(n)                                                                                  \
    while (pthread_mutex_trylock(&mutex[n]))                                                       \
    sched_yield()
#define UNLOCK_3(n) pthread_mutex_unlock(&mutex[n])

#define SIGNAL_0(n) atomic_store_explicit(&flag[n], 1, memory_order_release)
#define AWAIT_0(n)                                                                                 \
    while (!atomic_load_explicit(&flag[n], memory_order_acquire))                                  \
    sched_yield()
#define SIGNAL_1(n) sem_post(&semaphore[n])
#define AWAIT_1(n) sem_wait(&semaphore[n])
#define SIGNAL_2(n) atomic_fetch_add_explicit(&flag[n], 1, memory_order_acq_rel)
#define AWAIT_2(n)                                                                                 \
    while (!atomic_load(&flag[n]))                                                                 \
    sched_yield()
#define SIGNAL_3(n)                                                                                \
    atomic_thread_fence(memory_order_release),                                                     \
        atomic_store_explicit(&flag[n], 1, memory_order_relaxed)
#define AWAIT_3(n)                                                                                 \
    while (!atomic_load_explicit(&flag[n], memory_order_relaxed))                                  \
        sched_yield();                                                                             \
    atomic_thread_fence(memory_order_acquire)
#define NOTIFY(n)                                                                                  \
    pthread_mutex_lock(&flag_mutex[n]), flag_value[n] = 1, pthread_cond_signal(&condition[n]),     \
                                        pthread_mutex_unlock(&flag_mutex[n])
#define LISTEN(n)                                                                                  \
    pthread_mutex_lock(&flag_mutex[n]);                                                            \
    while (!flag_value[n])                                                                         \
        pthread_cond_wait(&condition[n], &flag_mutex[n]);                                          \
    pthread_mutex_unlock(&flag_mutex[n])

static inline void begin_threads(void)
{
    for (int i = 0; i < LOCKS; i++) {
        pthread_mutex_init(&mutex[i], NULL);
        pthread_spin_init(&spin[i], PTHREAD_PROCESS_PRIVATE);
        pthread_rwlock_init(&readers[i], NULL);
    }
    for (int i = 0; i < FLAGS; i++) {
        pthread_mutex_init(&flag_mutex[i], NULL);
        pthread_cond_init(&condition[i], NULL);
        sem_init(&semaphore[i], 0, 0);
    }
}

/* ---- the ways of messages and waits ---- */

#define DONE(r) MPI_Wait(&(r), MPI_STATUS_IGNORE)
/* A persistent request that is used once. */
#define ROUND(init, buffer, count, peer, tag)                                                      \
    init(buffer, count, MPI_BYTE, peer, tag, MPI_COMM_WORLD, &once), MPI_Start(&once), DONE(once), \
        MPI_Request_free(&once)
#define BEGIN(init, buffer, count, peer, tag, slot)                                                \
    init(buffer, count, MPI_BYTE, peer, tag, MPI_COMM_WORLD, &request[slot]),                      \
        persistent[slot] = true, MPI_Start(&request[slot])

#define SEND_0(b, n, to, tag) MPI_Send(b, n, MPI_BYTE, to, tag, MPI_COMM_WORLD)
#define SEND_1(b, n, to, tag) MPI_Bsend(b, n, MPI_BYTE, to, tag, MPI_COMM_WORLD)
#define SEND_2(b, n, to, tag) MPI_Isend(b, n, MPI_BYTE, to, tag, MPI_COMM_WORLD, &once), DONE(once)
#define SEND_3(b, n, to, tag) ROUND(MPI_Send_init, b, n, to, tag)
#define ISEND_0(b, n, to, tag, slot)                                                               \
    MPI_Isend(b, n, MPI_BYTE, to, tag, MPI_COMM_WORLD, &request[slot])
#define ISEND_1(b, n, to, tag, slot)                                                               \
    MPI_Ibsend(b, n, MPI_BYTE, to, tag, MPI_COMM_WORLD, &request[slot])
#define ISEND_2(b, n, to, tag, slot) BEGIN(MPI_Send_init, b, n, to, tag, slot)
#define SSEND_0(b, n, to, tag) MPI_Ssend(b, n, MPI_BYTE, to, tag, MPI_COMM_WORLD)
#define SSEND_1(b, n, to, tag)                                                                     \
    MPI_Issend(b, n, MPI_BYTE, to, tag, MPI_COMM_WORLD, &once), DONE(once)
#define SSEND_2(b, n, to, tag) ROUND(MPI_Ssend_init, b, n, to, tag)
#define ISSEND_0(b, n, to, tag, slot)                                                              \
    MPI_Issend(b, n, MPI_BYTE, to, tag, MPI_COMM_WORLD, &request[slot])
#define ISSEND_1(b, n, to, tag, slot) BEGIN(MPI_Ssend_init, b, n, to, tag, slot)
#define RECV_0(b, n, from, tag)                                                                    \
    MPI_Recv(b, n, MPI_BYTE, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
#define RECV_1(b, n, from, tag)                                                                    \
    MPI_Irecv(b, n, MPI_BYTE, from, tag, MPI_COMM_WORLD, &once), DONE(once)
#define RECV_2(b, n, from, tag)                                                                    \
    MPI_Probe(from, tag, MPI_COMM_WORLD, &seen),                                                   \
        MPI_Recv(b, n, MPI_BYTE, seen.MPI_SOURCE, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
#define RECV_3(b, n, from, tag)                                                                    \
    MPI_Mprobe(from, tag, MPI_COMM_WORLD, &message, &seen),                                        \
        MPI_Mrecv(b, n, MPI_BYTE, &message, MPI_STATUS_IGNORE)
#define RECV_4(b, n, from, tag) ROUND(MPI_Recv_init, b, n, from, tag)
#define RECV_5(b, n, from, tag)                                                                    \
    for (int f = 0; !f;)                                                                           \
        MPI_Iprobe(from, tag, MPI_COMM_WORLD, &f, &seen);                                          \
    MPI_Recv(b, n, MPI_BYTE, seen.MPI_SOURCE, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
#define RECV_6(b, n, from, tag)                                                                    \
    for (int f = 0; !f;)                                                                           \
        MPI_Improbe(from, tag, MPI_COMM_WORLD, &f, &message, &seen);                               \
    MPI_Imrecv(b, n, MPI_BYTE, &message, &once), DONE(once)
#define IRECV_0(b, n, from, tag, slot)                                                             \
    MPI_Irecv(b, n, MPI_BYTE, from, tag, MPI_COMM_WORLD, &request[slot])
#define IRECV_1(b, n, from, tag, slot) BEGIN(MPI_Recv_init, b, n, from, tag, slot)

#define FINISH(slot)                                                                               \
    if (persistent[slot])                                                                          \
    MPI_Request_free(&request[slot])
#define WAIT_0(slot)                                                                               \
    MPI_Wait(&request[slot], MPI_STATUS_IGNORE);                                                   \
    FINISH(slot)
#define WAIT_1(slot)                                                                               \
    for (int f = 0; !f;)                                                                           \
        MPI_Test(&request[slot], &f, MPI_STATUS_IGNORE);                                           \
    FINISH(slot)
#define WAIT_2(slot)                                                                               \
    MPI_Waitall(1, &request[slot], MPI_STATUSES_IGNORE);                                           \
    FINISH(slot)
#define WAIT_3(slot)                                                                               \
    for (int i = 0, n = 1; n; n = 0)                                                               \
        MPI_Waitany(1, &request[slot], &i, MPI_STATUS_IGNORE);                                     \
    FINISH(slot)
#define WAIT_4(slot)                                                                               \
    for (int i = 0, n = 0; !n;)                                                                    \
        MPI_Waitsome(1, &request[slot], &n, &i, MPI_STATUSES_IGNORE);                              \
    FINISH(slot)
#define WAIT_5(slot)                                                                               \
    for (int f = 0; !f;)                                                                           \
        MPI_Testall(1, &request[slot], &f, MPI_STATUSES_IGNORE);                                   \
    FINISH(slot)
#define WAIT_6(slot)                                                                               \
    for (int f = 0; !f;)                                                                           \
        MPI_Request_get_status(request[slot], &f, MPI_STATUS_IGNORE);                              \
    DONE(request[slot]);                                                                           \
    FINISH(slot)
#define WAIT_7(slot)                                                                               \
    for (int i = 0, f = 0; !f;)                                                                    \
        MPI_Testany(1, &request[slot], &i, &f, MPI_STATUS_IGNORE);                                 \
    FINISH(slot)

/* ---- layouts ---- */

static inline MPI_Datatype construct(int blocks, int *lengths, MPI_Aint *starts, MPI_Datatype basic)
{
    static _Thread_local int turn;
    MPI_Datatype type, types[SPARE];
    if (turn++ % 2) {
        MPI_Type_create_hindexed(blocks, lengths, starts, basic, &type);
        return type;
    }
    for (int i = 0; i < blocks; i++)
        types[i] = basic;
    MPI_Type_create_struct(blocks, lengths, starts, types, &type);
    return type;
}

/* The one before may be freed, though its operation may still be under way. */
static inline MPI_Datatype layout(MPI_Datatype basic, int element, int count,
                                  const struct blocks *sections)
{
    int lengths[SPARE], blocks = 0;
    MPI_Aint starts[SPARE];
    static _Thread_local MPI_Datatype type;
    static _Thread_local bool made;
    if (made)
        MPI_Type_free(&type);
    made = true;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < sections[i].count; k++) {
            starts[blocks] = sections[i].start + k * sections[i].stride;
            lengths[blocks++] = sections[i].length / element;
        }
    type = construct(blocks, lengths, starts, basic);
    MPI_Type_commit(&type);
    return type;
}

static inline MPI_Group group_of(MPI_Win win, int count, const int *ranks)
{
    MPI_Group all, some;
    MPI_Win_get_group(win, &all);
    MPI_Group_incl(all, count, ranks, &some);
    return some;
}

static inline void add_comm(int number, int members)
{
    int size, mine, before, after;
    MPI_Comm_split(MPI_COMM_WORLD, members >> rank & 1 ? 0 : MPI_UNDEFINED, rank, &comm[number]);
    if (comm[number] == MPI_COMM_NULL)
        return;
    MPI_Comm_size(comm[number], &size);
    MPI_Comm_rank(comm[number], &mine);
    before = (mine + size - 1) % size;
    after = (mine + 1) % size;
    MPI_Dist_graph_create_adjacent(comm[number], 1, &before, MPI_UNWEIGHTED, 1, &after,
                                   MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &ring[number]);
}

static inline void begin(int *argc, char ***argv)
{
    MPI_Aint mine;
    int ranks, level = MPI_THREAD_MULTIPLE;
    if (THREADS)
        MPI_Init_thread(argc, argv, MPI_THREAD_MULTIPLE, &level);
    else
        MPI_Init(argc, argv);
    if (level < MPI_THREAD_MULTIPLE)
        exit(77);
    begin_threads();
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
#ifdef SHAPED
    ranks_of_world = ranks;
#endif
    if (ranks != RANKS) /* what the oracle knows holds for these */
        MPI_Abort(MPI_COMM_WORLD, 77);
    add_comm(0, 0xff);
    MPI_Buffer_attach(malloc(1 << 20), 1 << 20);
    if (MEMORY_KIND == 1)
        memory = (char *)calloc(1, ROOM) + MARGIN;
    if (MEMORY_KIND == 2) {
        MPI_Alloc_mem(ROOM, MPI_INFO_NULL, &memory);
        memset(memory, 0, ROOM);
        memory += MARGIN;
    }
    MPI_Get_address(memory, &mine);
    MPI_Allgather(&mine, 1, MPI_AINT, address_of, 1, MPI_AINT, MPI_COMM_WORLD);
    for (int i = 0; i < WINDOWS; i++)
        window[i] = MPI_WIN_NULL;
    for (int i = 0; i < RANKS; i++)
        places[i] = i;
    for (int i = 0; i < STEPS; i++)
        for (int k = 0; k < SPARE; k++)
            spare[i][0][k] = (char)(31 * rank + 7 * i + k);
    MPI_Info_create(&same_op);
    MPI_Info_set(same_op, "accumulate_ops", "same_op");
}

/* The ranks' memory is that of a shared-memory window. */
static inline void find_segments(MPI_Win win)
{
    MPI_Aint mine;
    for (int i = 0; i < RANKS; i++) {
        MPI_Aint size;
        int unit;
        MPI_Win_shared_query(win, i, &size, &unit, &segment[i]);
    }
    memset(memory, 0, MEMORY);
    MPI_Get_address(memory, &mine);
    MPI_Allgather(&mine, 1, MPI_AINT, address_of, 1, MPI_AINT, MPI_COMM_WORLD);
}

static inline unsigned hash(const char *bytes, size_t size)
{
    unsigned result = 2166136261u;
    for (size_t i = 0; i < size; i++)
        result = (result ^ (unsigned char)bytes[i]) * 16777619u;
    return result;
}

static inline void end(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
    printf("rank %d: memory %08x, received %08x\n", rank, hash(memory, MEMORY),
           hash(spare[0][0], sizeof spare));
    for (int i = 0; i < WINDOWS; i++)
        if (window[i] != MPI_WIN_NULL)
            MPI_Win_free(&window[i]);
    MPI_Finalize();
}
