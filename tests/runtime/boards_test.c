/* usage: test_runtime_boards LIBRARY
 * Blackboards and letters of four ranks in one process, against plain arrays: within a node (node.c,
 * in real shared memory) and across nodes (boards.c, in a window that is memory of this process). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake_rank.h"

enum { KEYS = 400, STEPS = 60000, LARGEST = 700 };

static struct fake_world world;
static struct fake_rank ranks[FAKE_RANKS];

static struct {
    uint64_t key;
    size_t size;
    unsigned char bytes[LARGEST];
} model[FAKE_RANKS][KEYS];

static void fail(const char *what, int step)
{
    fprintf(stderr, "step %d: %s\n", step, what);
    exit(1);
}

struct way {
    const char *name;
    const void *(*take)(int rank, uint32_t owner, uint64_t key, size_t *size);
    void (*put_back)(int rank, uint32_t owner, uint64_t key);
    bool (*replace)(int rank, uint32_t owner, uint64_t key, const void *bytes, size_t size);
    void (*remove)(int rank, uint32_t owner, uint64_t key);
};

static const void *node_take(int rank, uint32_t owner, uint64_t key, size_t *size)
{
    return ranks[rank].node_board_take(owner, key, size);
}

static void node_put_back(int rank, uint32_t owner, uint64_t key)
{
    ranks[rank].node_board_put_back(owner, key);
}

static bool node_replace(int rank, uint32_t owner, uint64_t key, const void *bytes, size_t size)
{
    return ranks[rank].node_board_replace(owner, key, bytes, size);
}

static void node_remove(int rank, uint32_t owner, uint64_t key)
{
    ranks[rank].node_board_remove(owner, key);
}

static const void *network_take(int rank, uint32_t owner, uint64_t key, size_t *size)
{
    return ranks[rank].boards_take(owner, key, size);
}

static void network_put_back(int rank, uint32_t owner, uint64_t key)
{
    (void)key;
    ranks[rank].boards_put_back(owner);
}

static bool network_replace(int rank, uint32_t owner, uint64_t key, const void *bytes, size_t size)
{
    (void)key;
    return ranks[rank].boards_replace(owner, bytes, size);
}

static void network_remove(int rank, uint32_t owner, uint64_t key)
{
    ranks[rank].boards_remove(owner, key);
}

static const struct way ways[] = {
    {"node", node_take, node_put_back, node_replace, node_remove},
    {"network", network_take, network_put_back, network_replace, network_remove},
};

/* Keys fall into few groups of slots, so that these fill up and searches go on behind them. */
static uint64_t new_key(bool crowded)
{
    uint64_t key = random_next(&world.random) | 2;
    return crowded ? key << 20 | 2 | (key & 0x3) << 2 : key;
}

static void play_boards(const struct way *way, bool crowded)
{
    static unsigned char bytes[LARGEST];
    memset(model, 0, sizeof model);
    for (int step = 0; step < STEPS; step++) {
        int rank = (int)random_below(&world.random, FAKE_RANKS);
        uint32_t owner = random_below(&world.random, FAKE_RANKS);
        int which = (int)random_below(&world.random, KEYS);
        if (!model[owner][which].key)
            model[owner][which].key = new_key(crowded);
        uint64_t key = model[owner][which].key;
        if (random_chance(&world.random, 20)) { /* never to come back */
            way->remove(rank, owner, key);
            model[owner][which].key = model[owner][which].size = 0;
            continue;
        }
        size_t size, now = 1 + random_below(&world.random, LARGEST - 1);
        const void *found = way->take(rank, owner, key, &size);
        if (size != model[owner][which].size ||
            (size && memcmp(found, model[owner][which].bytes, size) != 0))
            fail(way->name, step);
        if (random_chance(&world.random, 40)) {
            way->put_back(rank, owner, key);
            continue;
        }
        memset(bytes, (int)random_below(&world.random, 256), now);
        if (!way->replace(rank, owner, key, bytes, now))
            fail("no room", step);
        memcpy(model[owner][which].bytes, bytes, now);
        model[owner][which].size = now;
    }
    for (uint32_t owner = 0; owner < FAKE_RANKS; owner++)
        for (int i = 0; i < KEYS; i++)
            if (model[owner][i].key)
                way->remove(0, owner, model[owner][i].key);
}

/* Across nodes a rank's wall has room for so many boards and bytes. What does not fit is refused,
 * which ends the search with a word (session_give_up_races); what stands there stays, and what is
 * removed makes room again. */
static void fill_wall(void)
{
    enum { MORE_THAN_SLOTS = 20000, OWNER = 1 };
    static unsigned char bytes[32 << 20];
    uint64_t key = 0, first = 0;
    size_t size, held = 8, asked = 1 << 20;
    int boards = 0;
    for (bool fits = true; fits; boards += fits) {
        if (boards == MORE_THAN_SLOTS)
            fail("a wall without end", boards);
        key = new_key(false);
        first = first ? first : key;
        ranks[0].boards_take(OWNER, key, &size);
        memset(bytes, boards, 8);
        fits = ranks[0].boards_replace(OWNER, bytes, 8);
    }
    ranks[0].boards_remove(OWNER, first);
    ranks[2].boards_take(OWNER, key, &size);
    if (!ranks[2].boards_replace(OWNER, bytes, 8))
        fail("what was removed has left no room", boards);
    for (bool fits = true; fits; held = fits ? asked : held, asked *= 2) {
        if (asked > sizeof bytes)
            fail("a wall of any size", (int)(asked >> 20));
        ranks[3].boards_take(OWNER, key, &size);
        fits = ranks[3].boards_replace(OWNER, bytes, asked);
    }
    const unsigned char *found = ranks[3].boards_take(OWNER, key, &size);
    if (size != held || memcmp(found, bytes, held) != 0)
        fail("refused bytes have done harm", (int)size);
    ranks[3].boards_put_back(OWNER);
}

/* ---- letters within a node ---- */

static uint64_t next_number[FAKE_RANKS]; /* of the letters to the reader, by sender */
static int read_count;

static void read_letter(const struct letter *letter)
{
    const unsigned char *bytes = letter->bytes;
    if (letter->number != next_number[letter->from]++)
        fail("letters of one rank are out of order", (int)letter->number);
    for (size_t i = 0; i < letter->size; i++)
        if (bytes[i] != (unsigned char)(letter->number + letter->from))
            fail("a letter is damaged", (int)letter->number);
    read_count++;
}

static void play_letters(void)
{
    static unsigned char bytes[4 * LARGEST];
    uint64_t sent[FAKE_RANKS] = {0};
    int total = 0;
    for (int step = 0; step < STEPS; step++) {
        uint32_t from = random_below(&world.random, FAKE_RANKS);
        size_t size = random_below(&world.random, sizeof bytes);
        memset(bytes, (int)(unsigned char)(sent[from] + from), size);
        struct letter letter = {LETTER_MESSAGE, from, 1, sent[from]++, bytes, size};
        if (!ranks[from].node_letter_send(2, &letter, NULL, 0))
            fail("no memory for a letter: chunks are not used again", step);
        total++;
        if (random_chance(&world.random, 5))
            ranks[2].node_letters_read(read_letter);
    }
    ranks[2].node_letters_read(read_letter);
    if (read_count != total)
        fail("letters are lost", read_count);
}

static void *open_node(void *rank)
{
    static const bool near[FAKE_RANKS] = {true, true, true, true};
    struct fake_rank *opening = rank;
    return opening->node_open(near) ? rank : NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[FAKE_RANKS];
    if (argc != 2)
        return 2;
    world.random.state = 20;
    fake_world_start(&world, ranks, argv[1], false);
    for (int i = 0; i < FAKE_RANKS; i++)
        pthread_create(&threads[i], NULL, open_node, &ranks[i]);
    for (int i = 0; i < FAKE_RANKS; i++) {
        void *opened;
        pthread_join(threads[i], &opened);
        if (!opened || !ranks[i].boards_open())
            fail("cannot be opened", i);
    }
    for (int crowded = 0; crowded < 2; crowded++)
        for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
            play_boards(&ways[i], crowded);
    fill_wall();
    play_letters();
    fake_world_stop(&world, ranks);
    return 0;
}
