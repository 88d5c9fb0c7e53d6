/* usage: soak KIND EVENTS
 * Makes EVENTS events of one kind, at 2 ranks. At 10^4, 10^5 … events each rank prints a line: the
 * number, what an event costs there (CPU microseconds), and by how much the process has grown since
 * the warm-up (KiB, its own and shared memory). bench/soak/run makes a table of it. All numbers of
 * a kind come from one run, so what a run that is stopped has come to is told, too.
 *
 * Ranks that wait burn CPU time, on a busy machine most of it. So the events are timed in batches
 * of the same size everywhere, and of the last ones before a line the cheap ones count: the tenth
 * percentile. */
#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ELEMENTS = 1 << 16, WARM_UP = 200, BATCH = 200, BATCHES = 1000 };

static int rank, size, peer;
static MPI_Win win; /* ELEMENTS doubles, locked by all for ever */
static double *memory, local[256];

static uint64_t state = 88172645463325252u;

static uint32_t random_number(uint32_t below)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)((state >> 16) % below);
}

static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static long resident_kib(void)
{
    char line[256];
    long anonymous = 0, shared = 0;
    FILE *file = fopen("/proc/self/status", "r");
    while (file && fgets(line, sizeof line, file)) {
        sscanf(line, "RssAnon: %ld", &anonymous);
        sscanf(line, "RssShmem: %ld", &shared);
    }
    if (file)
        fclose(file);
    return anonymous + shared;
}

/* ---- timing ---- */

static long done, line_at; /* events so far; the next line (0: none) */
static long resident_before;
static double batch_start, batches[BATCHES]; /* the last ones, round */
static long batch_count;

static void timing_start(bool lines)
{
    done = batch_count = 0;
    line_at = lines ? 10000 : 0;
    resident_before = resident_kib();
    batch_start = cpu_seconds();
}

static int ascending(const void *a, const void *b)
{
    double difference = *(const double *)a - *(const double *)b;
    return (difference > 0) - (difference < 0);
}

/* Of the last tenth, at least 20 batches, as far as they are kept. */
static double microseconds_here(void)
{
    long last = batch_count / 10 > 20 ? batch_count / 10 : 20;
    double tail[BATCHES];
    if (last > BATCHES)
        last = BATCHES;
    for (long i = 0; i < last; i++)
        tail[i] = batches[(batch_count - 1 - i) % BATCHES];
    qsort(tail, (size_t)last, sizeof *tail, ascending);
    return 1e6 * tail[last / 10];
}

static void event(void)
{
    if (++done % BATCH)
        return;
    batches[batch_count++ % BATCHES] = (cpu_seconds() - batch_start) / BATCH;
    if (done == line_at) {
        printf("at %ld %.3f %ld\n", done, microseconds_here(), resident_kib() - resident_before);
        fflush(stdout);
        line_at *= 10;
    }
    batch_start = cpu_seconds();
}

/* Point-to-point synchronisation of neighbours, there and back. */
static void handshake(MPI_Comm comm)
{
    MPI_Sendrecv(NULL, 0, MPI_INT, peer, 0, NULL, 0, MPI_INT, peer, 0, comm, MPI_STATUS_IGNORE);
}

/* ---- windows, locks ---- */

static void windows(long events)
{
    for (long i = 0; i < events; i++) {
        MPI_Win other;
        double *mine;
        MPI_Win_allocate(sizeof *mine, sizeof *mine, MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &other);
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, other);
        MPI_Put(local, 1, MPI_DOUBLE, rank, 0, 1, MPI_DOUBLE, other);
        MPI_Win_unlock(rank, other);
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, peer, 0, other);
        MPI_Put(local, 1, MPI_DOUBLE, peer, 0, 1, MPI_DOUBLE, other);
        MPI_Win_unlock(peer, other);
        MPI_Win_free(&other);
        event();
    }
}

/* Locks of own memory in ever new combinations of 24 windows. */
static void locksets(long events)
{
    enum { WINDOWS = 24 };
    static MPI_Win some[WINDOWS];
    static double shown[WINDOWS];
    int locked[WINDOWS] = {0};
    for (int i = 0; i < WINDOWS; i++)
        MPI_Win_create(&shown[i], sizeof *shown, sizeof *shown, MPI_INFO_NULL, MPI_COMM_WORLD,
                       &some[i]);
    for (long i = 0; i < events; i++) {
        uint32_t which = random_number(WINDOWS);
        if (locked[which])
            MPI_Win_unlock(rank, some[which]);
        else
            MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, some[which]);
        locked[which] = !locked[which];
        event();
    }
    for (int i = 0; i < WINDOWS; i++) {
        if (locked[i])
            MPI_Win_unlock(rank, some[i]);
        MPI_Win_free(&some[i]);
    }
}

static void locks(long events)
{
    static MPI_Win other;
    static double mine[4];
    MPI_Win_create(mine, sizeof mine, sizeof *mine, MPI_INFO_NULL, MPI_COMM_WORLD, &other);
    for (long i = 0; i < events; i++) {
        MPI_Win_lock(i % 2 ? MPI_LOCK_SHARED : MPI_LOCK_EXCLUSIVE, peer, 0, other);
        MPI_Put(local, 1, MPI_DOUBLE, peer, rank, 1, MPI_DOUBLE, other);
        MPI_Win_unlock(peer, other);
        event();
    }
    MPI_Win_free(&other);
}

/* ---- dynamic windows ---- */

static void attach(long events)
{
    MPI_Win dynamic;
    char *piece = malloc(64 * 1024);
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &dynamic);
    for (long i = 0; i < events; i++) {
        MPI_Win_attach(dynamic, piece + i % 1000 * 64, 32);
        MPI_Win_detach(dynamic, piece + i % 1000 * 64);
        event();
    }
    MPI_Win_free(&dynamic);
    free(piece);
}

/* All pieces are live at once. */
static void attached(long events)
{
    MPI_Win dynamic;
    char *pieces = malloc((size_t)events * 64);
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &dynamic);
    for (long i = 0; i < events; i++) {
        MPI_Win_attach(dynamic, pieces + i * 64, 32);
        event();
    }
    for (long i = 0; i < events; i++)
        MPI_Win_detach(dynamic, pieces + i * 64);
    MPI_Win_free(&dynamic);
    free(pieces);
}

/* ---- requests ---- */

static void rput(long events)
{
    for (long i = 0; i < events; i++) {
        MPI_Request request;
        MPI_Rput(local, 1, MPI_DOUBLE, peer, rank, 1, MPI_DOUBLE, win, &request);
        MPI_Win_flush(peer, win);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        event();
    }
}

/* Flushes while a thousand gets have requests that nobody has waited for. */
static void requests(long events)
{
    enum { LIVE = 1000 };
    static MPI_Request list[LIVE];
    static double got[LIVE];
    for (long i = 0; i < events; i++) {
        if (i >= LIVE)
            MPI_Wait(&list[i % LIVE], MPI_STATUS_IGNORE);
        MPI_Rget(&got[i % LIVE], 1, MPI_DOUBLE, peer, 0, 1, MPI_DOUBLE, win, &list[i % LIVE]);
        MPI_Win_flush(peer, win);
        event();
    }
    MPI_Waitall(events < LIVE ? (int)events : LIVE, list, MPI_STATUSES_IGNORE);
}

static void isend(long events)
{
    MPI_Request list[2 * BATCH];
    static int in[BATCH], out[BATCH];
    for (long i = 0; i < events; i += BATCH) {
        for (int k = 0; k < BATCH; k++) {
            MPI_Irecv(&in[k], 1, MPI_INT, peer, 1, MPI_COMM_WORLD, &list[k]);
            MPI_Isend(&out[k], 1, MPI_INT, peer, 1, MPI_COMM_WORLD, &list[BATCH + k]);
        }
        MPI_Waitall(2 * BATCH, list, MPI_STATUSES_IGNORE);
        for (int k = 0; k < BATCH; k++)
            event();
    }
}

/* ---- operations ---- */

/* Long epochs of scattered puts, each to another place: what is issued is handed over before its end
 * is known. Neighbours keep step: what a rank is told while it sits in a call has to wait. */
static void epochs(long events)
{
    enum { EPOCH = ELEMENTS / 4 };
    for (long i = 0; i < events; i++) {
        long at = i * 7919 % EPOCH * 2 + (rank ? ELEMENTS / 2 : 0);
        MPI_Put(local, 1, MPI_DOUBLE, peer, at, 1, MPI_DOUBLE, win);
        if (i % EPOCH == EPOCH - 1) {
            MPI_Win_flush(peer, win);
            handshake(MPI_COMM_WORLD);
        }
        event();
    }
    MPI_Win_flush(peer, win);
}

/* Random updates, synchronised by messages only. */
static void updates(long events)
{
    for (long i = 0; i < events; i++) {
        uint32_t at = random_number(ELEMENTS);
        MPI_Accumulate(local, 1, MPI_DOUBLE, peer, at, 1, MPI_DOUBLE, MPI_SUM, win);
        if (i % 100 == 99) {
            MPI_Win_flush(peer, win);
            handshake(MPI_COMM_WORLD);
        }
        event();
    }
    MPI_Win_flush(peer, win);
}

static void puts_by_turns(long events)
{
    for (long i = 0; i < events; i += 100) {
        if (i / 100 % 2 == rank) {
            for (long k = 0; k < 100; k++)
                MPI_Put(local, 1, MPI_DOUBLE, peer, random_number(ELEMENTS), 1, MPI_DOUBLE, win);
            MPI_Win_flush(peer, win);
        }
        handshake(MPI_COMM_WORLD);
        for (long k = 0; k < 100; k++)
            event();
    }
}

static void fences(long events)
{
    MPI_Win fenced;
    static double mine[1024];
    MPI_Win_create(mine, sizeof mine, sizeof *mine, MPI_INFO_NULL, MPI_COMM_WORLD, &fenced);
    MPI_Win_fence(0, fenced);
    for (long i = 0; i < events; i++) {
        MPI_Put(local, 1, MPI_DOUBLE, peer, random_number(1024), 1, MPI_DOUBLE, fenced);
        MPI_Win_fence(0, fenced);
        event();
    }
    MPI_Win_free(&fenced);
}

static void pscw(long events)
{
    MPI_Win exposed;
    MPI_Group world, other;
    static double mine[1024];
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &peer, &other);
    MPI_Win_create(mine, sizeof mine, sizeof *mine, MPI_INFO_NULL, MPI_COMM_WORLD, &exposed);
    for (long i = 0; i < events; i++) {
        MPI_Win_post(other, 0, exposed);
        MPI_Win_start(other, 0, exposed);
        MPI_Put(local, 1, MPI_DOUBLE, peer, random_number(1024), 1, MPI_DOUBLE, exposed);
        MPI_Win_complete(exposed);
        MPI_Win_wait(exposed);
        event();
    }
    MPI_Win_free(&exposed);
    MPI_Group_free(&other);
    MPI_Group_free(&world);
}

/* Ends of epochs while ten thousand puts to another window are under way. */
static void closes(long events)
{
    enum { OPEN = 10000 };
    static double mine[2];
    MPI_Win other;
    MPI_Win_create(mine, sizeof mine, sizeof *mine, MPI_INFO_NULL, MPI_COMM_WORLD, &other);
    for (int i = 0; i < OPEN; i++)
        MPI_Put(local, 1, MPI_DOUBLE, peer, 2 * i, 1, MPI_DOUBLE, win);
    for (long i = 0; i < events; i++) {
        MPI_Win_lock(MPI_LOCK_SHARED, peer, 0, other);
        MPI_Put(local, 1, MPI_DOUBLE, peer, rank, 1, MPI_DOUBLE, other);
        MPI_Win_unlock(peer, other);
        event();
    }
    MPI_Win_flush(peer, win);
    MPI_Win_free(&other);
}

/* ---- atomics ---- */

/* Both wait for a word of the other that changes once in a thousand looks. */
static void polling(long events)
{
    double seen, one = 1;
    for (long i = 0; i < events; i++) {
        MPI_Fetch_and_op(NULL, &seen, MPI_DOUBLE, peer, 0, MPI_NO_OP, win);
        MPI_Win_flush_local(peer, win);
        if (i % 1000 == 999) {
            MPI_Accumulate(&one, 1, MPI_DOUBLE, rank, 0, 1, MPI_DOUBLE, MPI_SUM, win);
            MPI_Win_flush(rank, win);
        }
        event();
    }
}

/* Counters everywhere in the window: as many boards as there are elements. */
static void counters(long events)
{
    double seen, one = 1;
    for (long i = 0; i < events; i++) {
        MPI_Fetch_and_op(&one, &seen, MPI_DOUBLE, peer, random_number(ELEMENTS), MPI_SUM, win);
        MPI_Win_flush(peer, win);
        event();
    }
}

/* A counter in ever new windows: the slots of its boards. */
static void boards(long events)
{
    double seen, one = 1, *mine;
    for (long i = 0; i < events; i++) {
        MPI_Win other;
        MPI_Win_allocate(sizeof *mine, sizeof *mine, MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &other);
        MPI_Win_lock_all(0, other);
        MPI_Fetch_and_op(&one, &seen, MPI_DOUBLE, peer, 0, MPI_SUM, other);
        MPI_Win_unlock_all(other);
        MPI_Win_free(&other);
        event();
    }
}

/* The same with a thousand counters in each window: what making windows costs does not drown what a
 * slot does. */
static void slots(long events)
{
    enum { COUNTERS = 1000 };
    double seen, one = 1, *mine;
    for (long i = 0; i < events;) {
        MPI_Win other;
        MPI_Win_allocate(COUNTERS * sizeof *mine, sizeof *mine, MPI_INFO_NULL, MPI_COMM_WORLD,
                         &mine, &other);
        MPI_Win_lock_all(0, other);
        for (int counter = 0; counter < COUNTERS && i < events; counter++, i++) {
            MPI_Fetch_and_op(&one, &seen, MPI_DOUBLE, peer, counter, MPI_SUM, other);
            MPI_Win_flush(peer, other);
            event();
        }
        MPI_Win_unlock_all(other);
        MPI_Win_free(&other);
    }
}

/* ---- stacks ---- */

static void left(uint32_t path, int depth);

__attribute__((noinline)) static void right(uint32_t path, int depth)
{
    if (depth == 0)
        MPI_Put(local, 1, MPI_DOUBLE, peer, rank, 1, MPI_DOUBLE, win);
    else if (path & 1)
        left(path >> 1, depth - 1);
    else
        right(path >> 1, depth - 1);
    __asm__ volatile("");
}

__attribute__((noinline)) static void left(uint32_t path, int depth)
{
    if (depth == 0)
        MPI_Put(local, 1, MPI_DOUBLE, peer, rank, 1, MPI_DOUBLE, win);
    else if (path & 1)
        right(path >> 1, depth - 1);
    else
        left(path >> 1, depth - 1);
    __asm__ volatile("");
}

static void stacks(long events)
{
    for (long i = 0; i < events; i++) {
        right(random_number(1u << 30), 1 + (int)random_number(24));
        MPI_Win_flush(peer, win);
        event();
    }
}

/* ---- messages ---- */

static void messages(long events)
{
    int in, out = 0;
    for (long i = 0; i < events; i++) {
        MPI_Sendrecv(&out, 1, MPI_INT, peer, 1, &in, 1, MPI_INT, peer, 1, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        event();
    }
}

static int first_tag = 10;

static void tags(long events)
{
    int in, out = 0;
    for (long i = 0; i < events; i++, first_tag++) {
        MPI_Sendrecv(&out, 1, MPI_INT, peer, first_tag, &in, 1, MPI_INT, peer, first_tag,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        event();
    }
}

static void wildcards(long events)
{
    int in, out = 0;
    for (long i = 0; i < events; i++) {
        MPI_Request request;
        MPI_Irecv(&in, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
        MPI_Ssend(&out, 1, MPI_INT, peer, 3, MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        event();
    }
}

/* ---- communicators, collectives ---- */

static void dups(long events)
{
    for (long i = 0; i < events; i++) {
        MPI_Comm dup;
        MPI_Request request;
        MPI_Comm_dup(MPI_COMM_WORLD, &dup);
        handshake(dup);
        MPI_Irecv(NULL, 0, MPI_INT, MPI_ANY_SOURCE, 0, dup, &request);
        MPI_Send(NULL, 0, MPI_INT, peer, 0, dup);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Comm_free(&dup);
        event();
    }
}

static void barriers(long events)
{
    MPI_Comm self;
    MPI_Comm_split(MPI_COMM_WORLD, rank, 0, &self);
    for (long i = 0; i < events; i++) {
        MPI_Barrier(i % 2 ? self : MPI_COMM_WORLD);
        event();
    }
    MPI_Comm_free(&self);
}

static void reductions(long events)
{
    double in = 1, out;
    for (long i = 0; i < events; i++) {
        MPI_Request request;
        MPI_Iallreduce(&in, &out, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        event();
    }
}

static const struct kind {
    const char *name;
    void (*make)(long events);
} kinds[] = {
    {"polling", polling},   {"counters", counters}, {"boards", boards},
    {"windows", windows},   {"locks", locks},       {"locksets", locksets},
    {"attach", attach},     {"attached", attached}, {"rput", rput},
    {"requests", requests}, {"isend", isend},       {"epochs", epochs},
    {"closes", closes},     {"updates", updates},   {"puts", puts_by_turns},
    {"fences", fences},     {"pscw", pscw},         {"stacks", stacks},
    {"messages", messages}, {"tags", tags},         {"wildcards", wildcards},
    {"dups", dups},         {"barriers", barriers}, {"reductions", reductions},
    {"slots", slots},
};

int main(int argc, char **argv)
{
    const struct kind *kind = NULL;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (size_t i = 0; argc == 3 && i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(argv[1], kinds[i].name) == 0)
            kind = &kinds[i];
    if (!kind || size != 2) {
        fprintf(stderr, "usage: soak KIND EVENTS, at 2 ranks\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    peer = 1 - rank;
    state += (uint64_t)rank;
    MPI_Win_allocate(ELEMENTS * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD,
                     &memory, &win);
    memset(memory, 0, ELEMENTS * sizeof *memory);
    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    timing_start(false);
    kind->make(WARM_UP);
    MPI_Barrier(MPI_COMM_WORLD);
    timing_start(true);
    kind->make(atol(argv[2]));
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
