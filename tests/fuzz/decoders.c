/* libFuzzer target: everything in the engine that reads bytes from other ranks. Input that is no valid
 * batch, clock or lock state must be refused; input that is must do no harm. */
#include <stdlib.h>
#include <string.h>
#include "batch.h"
#include "engine.h"

static void deliver(void *context, uint32_t target, const void *batch, size_t size)
{
    (void)context;
    (void)target;
    struct batch decoded; /* what the engine writes, it must be able to read */
    if (!batch_decode(&decoded, batch, size))
        abort();
    batch_clear(&decoded);
}

static struct engine *busy_engine(void)
{
    struct engine_config config = {
        .rank = 1, .ranks = 4, .implicit_world = true, .deliver = deliver};
    struct engine *engine = engine_create(&config);
    uint32_t zero = 0;
    engine_window_create(engine, 1, 4096, 8192, NULL);
    engine_window_create(engine, 2, 8192, 8192, &(struct window_info){.same_op = true});
    engine_store(engine, 0, 4096, 64, 1);
    engine_load(engine, 0, 8190, 100, 2);
    engine_world_enter(engine);
    engine_world_leave(engine);
    engine_store(engine, 0, 4100, 64, 3);
    engine_post(engine, 0, 1, &zero, 1, NULL);
    engine_lock(engine, 0, 2, 1, LOCK_EXCLUSIVE);
    return engine;
}

static void round_trip(const uint8_t *bytes, size_t size)
{
    struct batch batch, again;
    if (!batch_decode(&batch, bytes, size))
        return;
    struct writer out = {0};
    batch_encode(&batch, &out);
    if (!batch_decode(&again, out.bytes, out.size) || again.record_count != batch.record_count ||
        again.lot_count != batch.lot_count || again.clock_count != batch.clock_count)
        abort();
    batch_clear(&again);
    batch_clear(&batch);
    free(out.bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size < 1)
        return 0;
    uint8_t what = bytes[0] % 4;
    bytes++;
    size--;
    struct engine *engine = busy_engine();
    size_t merged_size;
    switch (what) {
    case 0:
        round_trip(bytes, size);
        break;
    case 1: { /* two batches, split where the input says */
        size_t first = size > 1 ? bytes[0] | (size_t)bytes[1] << 8 : 0;
        if (size > 2 && first <= size - 2) {
            engine_take_in(engine, bytes + 2, first);
            engine_take_in(engine, bytes + 2 + first, size - 2 - first);
            engine_store(engine, 0, 4096, 8192, 9);
            engine_wait(engine, 0, 1);
        }
        break;
    }
    case 2:
        if (engine_clock_receive(engine, 0, bytes, size)) {
            size_t sent;
            engine_clock_send(engine, 0, &sent);
            engine_clock_receive(engine, 0, bytes, size);
        }
        break;
    default:
        if (engine_lock_acquired(engine, 0, 2, 1, bytes, size))
            engine_load(engine, 0, 8192, 8, 10);
        free(engine_lock_state_merge(bytes, size, bytes, size, &merged_size));
        break;
    }
    engine_destroy(engine);
    return 0;
}
