/* Writes valid batches, clocks and lock states into a folder, for the fuzzer to start from. */
#include <stdio.h>
#include <stdlib.h>
#include "engine.h"

static const char *folder;
static int written;

static void save(uint8_t what, const void *bytes, size_t size)
{
    char name[4096];
    snprintf(name, sizeof name, "%s/seed%d", folder, written++);
    FILE *file = fopen(name, "wb");
    if (!file) {
        perror(name);
        exit(1);
    }
    fputc(what, file);
    if (what == 1) {
        fputc((int)(size & 0xff), file);
        fputc((int)(size >> 8), file);
    }
    fwrite(bytes, 1, size, file);
    if (what == 1)
        fwrite(bytes, 1, size, file);
    fclose(file);
}

static void deliver(void *context, uint32_t target, const void *batch, size_t size)
{
    (void)context;
    (void)target;
    save(0, batch, size);
    save(1, batch, size);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
        return 2;
    }
    folder = argv[1];
    struct engine_config config = {
        .rank = 0, .ranks = 4, .implicit_world = true, .deliver = deliver};
    struct engine *engine = engine_create(&config);
    uint32_t one = 1;
    size_t size;
    engine_window_create(engine, 1, 4096, 8192, NULL);
    engine_window_create(engine, 2, 8192, 8192, NULL);
    engine_lock(engine, 0, 1, RANK_ALL, LOCK_SHARED);
    for (int kind = ACCESS_GET; kind <= ACCESS_COMPARE_AND_SWAP; kind++) {
        struct section sections[] = {{8 * (uint64_t)kind, 16, 0, 1}, {256, 8, 24, 100}};
        bool accumulate = kind >= ACCESS_ACCUMULATE;
        struct rma_op op = {.kind = (enum access_kind)kind,
                            .window = 1,
                            .target = 1,
                            .op = accumulate ? (uint32_t)kind : ACC_NONE,
                            .type = accumulate,
                            .type_size = accumulate ? 8 : 0,
                            .sections = sections,
                            .section_count = 2,
                            .site = 100 + (uint64_t)kind};
        engine_rma(engine, 0, &op, false);
    }
    engine_world_enter(engine); /* open lots */
    engine_world_leave(engine);
    engine_flush(engine, 0, 1, RANK_ALL); /* closes */
    engine_direct(engine, 0, 1, 1, &(struct section){8, 8, 0, 1}, true, 7);
    save(2, engine_clock_send(engine, 0, &size), size);
    engine_start(engine, 0, 2, &one, 1);
    struct rma_op put = {.kind = ACCESS_PUT,
                         .window = 2,
                         .target = 1,
                         .sections = &(struct section){0, 8, 0, 1},
                         .section_count = 1};
    engine_rma(engine, 0, &put, false);
    engine_complete(engine, 0, 2);
    engine_lock(engine, 0, 2, 1, LOCK_EXCLUSIVE);
    engine_rma(engine, 0, &put, false);
    const void *state = engine_unlock(engine, 0, 2, 1, &size);
    save(3, state, size);
    engine_destroy(engine);
    return 0;
}
