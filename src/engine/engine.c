#include <stdlib.h>
#include "internal.h"

struct engine *engine_create(const struct engine_config *config)
{
    struct engine *engine = allocate_zeroed(1, sizeof *engine);
    engine->config = *config;
    /* Nothing is known to all at the start, so no clock's generation is the first one yet. */
    engine->generation = config->generations_left ? GENERATION_LIMIT - config->generations_left : 1;
    engine->parked_end = &engine->parked;
    history_init(&engine->history);
    shadow_init(&engine->shadow, access_obsolete, engine);
    locksets_init(engine);
    thread_of(engine, 0);
    return engine;
}

void engine_destroy(struct engine *engine)
{
    if (!engine)
        return;
    findings_clear(engine);
    access_clear(engine);
    target_clear(engine);
    forget_clear(engine);
    origin_clear(engine);
    locks_clear(engine);
    locksets_clear(engine);
    windows_clear(engine);
    threads_clear(engine);
    free(engine->batch_out.bytes);
    free(engine->clock_out.bytes);
    free(engine);
}

bool engine_is_exhausted(const struct engine *engine)
{
    return engine->exhausted;
}

void engine_close(struct engine *engine)
{
    engine->exhausted = true;
    access_clear(engine);
    target_clear(engine);
    origin_clear(engine);
    engine->parked_end = &engine->parked;
    history_init(&engine->history);
    shadow_init(&engine->shadow, access_obsolete, engine);
}

void engine_count(const struct engine *engine, struct engine_counters *counters)
{
    *counters = engine->counters;
    counters->history_nodes = engine->history.spans.count;
    counters->history_peak = engine->history.peak;
    counters->shadow_pages = engine->shadow.page_count;
    counters->exhausted = engine->exhausted;
    size_t bytes = sizeof *engine + engine->history.nodes.bytes + shadow_bytes(&engine->shadow) +
                   engine->batch_out.capacity + engine->clock_out.capacity;
    for (uint32_t i = 0; i < engine->thread_count; i++) {
        const struct thread_state *thread = engine->threads[i];
        if (!thread)
            continue;
        if (thread->known.run_count > counters->known_entries)
            counters->known_entries = thread->known.run_count;
        bytes += sizeof *thread + thread->known.run_capacity * sizeof *thread->known.runs;
        if (thread->snapshot)
            bytes += sizeof *thread->snapshot +
                     thread->snapshot->clock.run_capacity * sizeof *thread->known.runs;
    }
    struct target_log *log, *next;
    HASH_ITER(hh, engine->logs, log, next)
    {
        bytes += sizeof *log + log_bytes(&log->reads) + log_bytes(&log->writes) +
                 log_bytes(&log->direct);
    }
    bytes += HASH_COUNT(engine->windows) * sizeof(struct window_state);
    bytes += HASH_COUNT(engine->findings) * sizeof(struct finding_entry);
    counters->memory_bytes = bytes;
}
