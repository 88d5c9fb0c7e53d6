/* What knowledge costs at scale: many engines in one process, exchanging clocks and batches.
 *
 *   halo     ranks in a row; every step each one puts to both neighbours, flushes, sends a message
 * to both and receives theirs; all ranks synchronise every 100 steps grid     the same in two
 * dimensions random   every step each rank sends a message to one random rank, with a dense vector
 * clock computed alongside and compared entry by entry
 *
 * usage: scale [HALO_RANKS [GRID_SIDE [RANDOM_RANKS]]]   (0: leave that one out) */
#include "engine.h"
#include "measure.h"

struct letter {
    uint8_t *bytes;
    size_t size, capacity;
};

struct mailbox {
    struct letter *letters;
    size_t count, capacity;
};

struct world {
    uint32_t ranks;
    struct engine **engines;
    struct mailbox *mailboxes;
    uint64_t events, messages, clock_bytes, clock_bytes_max;
    size_t entries_max;
};

static void deliver(void *context, uint32_t target, const void *batch, size_t size)
{
    struct mailbox *box = &((struct world *)context)->mailboxes[target];
    if (box->count == box->capacity) {
        size_t more = box->capacity ? 2 * box->capacity : 4;
        box->letters = realloc(box->letters, more * sizeof *box->letters);
        memset(box->letters + box->capacity, 0, (more - box->capacity) * sizeof *box->letters);
        box->capacity = more;
    }
    struct letter *letter = &box->letters[box->count++];
    if (letter->capacity < size)
        letter->bytes = realloc(letter->bytes, letter->capacity = size);
    memcpy(letter->bytes, batch, size);
    letter->size = size;
}

static void take_in(struct world *w, uint32_t rank)
{
    struct mailbox *box = &w->mailboxes[rank];
    for (size_t i = 0; i < box->count; i++)
        if (!engine_take_in(w->engines[rank], box->letters[i].bytes, box->letters[i].size))
            abort();
    box->count = 0;
}

static struct world *world_create(uint32_t ranks)
{
    struct world *w = calloc(1, sizeof *w);
    w->ranks = ranks;
    w->engines = calloc(ranks, sizeof *w->engines);
    w->mailboxes = calloc(ranks, sizeof *w->mailboxes);
    for (uint32_t r = 0; r < ranks; r++) {
        struct engine_config config = {
            .rank = r, .ranks = ranks, .implicit_world = true, .deliver = deliver, .context = w};
        w->engines[r] = engine_create(&config);
        engine_window_create(w->engines[r], 1, 1 << 20, 1 << 16, NULL);
        engine_lock(w->engines[r], 0, 1, RANK_ALL, LOCK_SHARED);
    }
    return w;
}

/* Returns the memory per rank. */
static double world_destroy(struct world *w)
{
    double memory = 0;
    for (uint32_t r = 0; r < w->ranks; r++) {
        struct engine_counters counters;
        engine_count(w->engines[r], &counters);
        memory += (double)counters.memory_bytes;
        engine_destroy(w->engines[r]);
        for (size_t i = 0; i < w->mailboxes[r].capacity; i++)
            free(w->mailboxes[r].letters[i].bytes);
        free(w->mailboxes[r].letters);
    }
    memory /= w->ranks;
    free(w->engines);
    free(w->mailboxes);
    free(w);
    return memory;
}

static void put(struct world *w, uint32_t from, uint32_t to, uint64_t offset)
{
    struct section bytes = {offset, 1024, 0, 1};
    struct rma_op op = {.kind = ACCESS_PUT,
                        .window = 1,
                        .target = to,
                        .sections = &bytes,
                        .section_count = 1,
                        .site = 1};
    engine_rma(w->engines[from], 0, &op, false);
    engine_flush(w->engines[from], 0, 1, to);
    w->events += 2;
}

/* The rank's clock, to be received by somebody later. */
static void send_clock(struct world *w, uint32_t from, struct letter *letter)
{
    size_t size;
    const void *clock = engine_clock_send(w->engines[from], 0, &size);
    if (letter->capacity < size)
        letter->bytes = realloc(letter->bytes, letter->capacity = size);
    memcpy(letter->bytes, clock, size);
    letter->size = size;
}

static void receive_clock(struct world *w, uint32_t to, const struct letter *letter)
{
    take_in(w, to);
    if (!engine_clock_receive(w->engines[to], 0, letter->bytes, letter->size))
        abort();
    w->events += 2; /* with its sending */
    w->messages++;
    w->clock_bytes += letter->size;
    if (letter->size > w->clock_bytes_max)
        w->clock_bytes_max = letter->size;
}

static void synchronise(struct world *w)
{
    for (uint32_t r = 0; r < w->ranks; r++)
        engine_world_enter(w->engines[r]);
    for (uint32_t r = 0; r < w->ranks; r++) {
        take_in(w, r);
        engine_world_leave(w->engines[r]);
    }
    w->events += 2 * (uint64_t)w->ranks;
}

static void note_entries(struct world *w)
{
    for (uint32_t r = 0; r < w->ranks; r++) {
        struct engine_counters counters;
        engine_count(w->engines[r], &counters);
        if (counters.known_entries > w->entries_max)
            w->entries_max = counters.known_entries;
    }
}

/* A dense clock of that many ranks: bytes per message are 8 a rank; the time is that of one join.
 */
static double dense_join_time(uint32_t ranks)
{
    uint64_t *a = malloc(ranks * sizeof *a), *b = malloc(ranks * sizeof *b),
             state = 88172645463325252u;
    for (uint32_t i = 0; i < ranks; i++) {
        a[i] = random_number(&state);
        b[i] = random_number(&state);
    }
    int rounds = (int)(200000000 / ranks) + 1;
    double begin = seconds();
    for (int k = 0; k < rounds; k++) {
        for (uint32_t i = 0; i < ranks; i++)
            a[i] = a[i] > b[i] ? a[i] : b[i];
        __asm__ volatile("" : : "r"(a) : "memory");
        b[k % ranks]++;
    }
    double time = (seconds() - begin) / rounds;
    free(a);
    free(b);
    return time;
}

static void print_head(void)
{
    printf("%-34s %9s %9s %9s %10s %9s | %10s %10s\n", "", "entries", "B/message", "B/message",
           "memory", "time", "dense", "dense");
    printf("%-34s %9s %9s %9s %10s %9s | %10s %10s\n", "", "max", "mean", "max", "KiB/rank",
           "ns/event", "B/message", "ns/join");
}

static void print_row(const char *name, struct world *w, double time)
{
    double mean = (double)w->clock_bytes / (double)w->messages,
           each = 1e9 * time / (double)w->events;
    uint32_t ranks = w->ranks;
    size_t entries = w->entries_max;
    uint64_t largest = w->clock_bytes_max;
    double memory = world_destroy(w);
    printf("%-34s %9zu %9.1f %9llu %10.1f %9.0f | %10llu %10.0f\n", name, entries, mean,
           (unsigned long long)largest, memory / 1024, each, 8ull * ranks,
           1e9 * dense_join_time(ranks));
}

/* `side` ranks in a row, `rows` rows. */
static struct world *halo(uint32_t side, uint32_t rows, int steps, double *time)
{
    uint32_t ranks = side * rows;
    struct world *w = world_create(ranks);
    struct letter *letters = calloc(ranks, sizeof *letters);
    double begin = seconds(), outside = 0;
    synchronise(w);
    for (int step = 1; step <= steps; step++) {
        for (uint32_t r = 0; r < ranks; r++) {
            if (r % side > 0)
                put(w, r, r - 1, 0);
            if (r % side < side - 1)
                put(w, r, r + 1, 4096);
            if (r / side > 0)
                put(w, r, r - side, 8192);
            if (r / side < rows - 1)
                put(w, r, r + side, 12288);
            send_clock(w, r, &letters[r]); /* the same clock to all of them */
        }
        for (uint32_t r = 0; r < ranks; r++) {
            if (r % side > 0)
                receive_clock(w, r, &letters[r - 1]);
            if (r % side < side - 1)
                receive_clock(w, r, &letters[r + 1]);
            if (r / side > 0)
                receive_clock(w, r, &letters[r - side]);
            if (r / side < rows - 1)
                receive_clock(w, r, &letters[r + side]);
        }
        if (step % 20 == 0 || step == steps) {
            double pause = seconds();
            note_entries(w);
            outside += seconds() - pause;
        }
        if (step % 100 == 0)
            synchronise(w);
    }
    *time = seconds() - begin - outside;
    for (uint32_t r = 0; r < ranks; r++)
        free(letters[r].bytes);
    free(letters);
    return w;
}

/* Dense clocks alongside: entry [r][a] is how many messages of a rank r knows of. A rank's own
 * events are its sends; in the engine each send is preceded by one put and flush, so that it has a
 * time of its own. */
static struct world *random_traffic(uint32_t ranks, int steps, double *time, double *dense_time,
                                    uint64_t *wrong)
{
    struct world *w = world_create(ranks);
    uint32_t *dense = calloc((size_t)ranks * ranks, sizeof *dense);
    uint32_t *partner = malloc(ranks * sizeof *partner);
    struct letter *letters = calloc(ranks, sizeof *letters);
    uint64_t state = 1234567890123456789u;
    *time = *dense_time = 0;
    for (int step = 0; step < steps; step++) {
        double begin = seconds();
        for (uint32_t r = 0; r < ranks; r++) {
            put(w, r, (r + 1) % ranks, 0);
            send_clock(w, r, &letters[r]);
            partner[r] = (uint32_t)(random_number(&state) % ranks);
        }
        /* One after the other, each with the clock from the beginning of the step. */
        for (uint32_t r = 0; r < ranks; r++)
            receive_clock(w, partner[r], &letters[r]);
        *time += seconds() - begin;
        begin = seconds();
        uint32_t *before = malloc((size_t)ranks * ranks * sizeof *before);
        for (uint32_t r = 0; r < ranks; r++)
            dense[(size_t)r * ranks + r]++;
        memcpy(before, dense, (size_t)ranks * ranks * sizeof *dense);
        double copied = seconds();
        for (uint32_t r = 0; r < ranks; r++)
            for (uint32_t a = 0; a < ranks; a++) {
                uint32_t *own = &dense[(size_t)partner[r] * ranks + a];
                uint32_t heard = before[(size_t)r * ranks + a];
                if (heard > *own)
                    *own = heard;
            }
        *dense_time += seconds() - copied;
        free(before);
    }
    note_entries(w);
    *wrong = 0;
    struct clock clock = CLOCK_EMPTY;
    for (uint32_t r = 0; r < ranks; r++) {
        size_t size;
        const void *bytes = engine_clock_send(w->engines[r], 0, &size);
        if (!clock_decode(&clock, bytes, size))
            abort();
        for (uint32_t a = 0; a < ranks; a++)
            *wrong += time_tick(clock_known(&clock, a)) != dense[(size_t)r * ranks + a];
    }
    clock_clear(&clock);
    for (uint32_t r = 0; r < ranks; r++)
        free(letters[r].bytes);
    free(letters);
    free(partner);
    free(dense);
    return w;
}

int main(int argc, char **argv)
{
    uint32_t row = argc > 1 ? (uint32_t)atoi(argv[1]) : 100000;
    uint32_t side = argc > 2 ? (uint32_t)atoi(argv[2]) : 64;
    uint32_t crowd = argc > 3 ? (uint32_t)atoi(argv[3]) : 4096;
    char name[64];
    double time, dense_time;

    print_head();
    if (row) {
        struct world *w = halo(row, 1, 110, &time);
        size_t entries = w->entries_max;
        uint64_t largest = w->clock_bytes_max;
        snprintf(name, sizeof name, "halo, %u ranks in a row", row);
        print_row(name, w, time);
        goal("at most 64 entries per rank", entries <= 64);
        goal("under 1 KiB per message", largest < 1024);
    }
    if (side) {
        struct world *w = halo(side, side, 110, &time);
        snprintf(name, sizeof name, "halo, %u x %u ranks", side, side);
        print_row(name, w, time);
    }
    if (crowd) {
        uint64_t wrong;
        struct world *w = random_traffic(crowd, 24, &time, &dense_time, &wrong);
        double dense_each = 1e9 * dense_time / (double)w->messages;
        snprintf(name, sizeof name, "random, %u ranks", crowd);
        print_row(name, w, time);
        printf("    dense clocks alongside: %.0f ns/join over the same messages, %llu entries "
               "differ\n",
               dense_each, (unsigned long long)wrong);
        goal("random: every entry equals the dense clock's", wrong == 0);
    }
    return missed_goals != 0;
}
