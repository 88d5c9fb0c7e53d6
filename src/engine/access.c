#include <stdlib.h>
#include "internal.h"

/* ---- An operation against own loads and stores ---- */

struct operation_check {
    struct engine *engine;
    const struct node *node;
    const struct clock *start;
};

/* The lowest run of bytes of a granule, by mask. */
static struct section run_of(uint64_t granule, uint8_t mask)
{
    unsigned first = (unsigned)__builtin_ctz(mask);
    unsigned length = (unsigned)__builtin_ctz(~((unsigned)mask >> first));
    return (struct section){granule + first, length, 0, 1};
}

static bool check_entry(const struct operation_check *check, const struct shadow_entry *entry,
                        uint64_t granule, uint8_t shared)
{
    struct engine *engine = check->engine;
    const struct node *node = check->node;
    uint32_t thread = entry_thread(entry);
    struct access own = {.kind = entry->word & ENTRY_STORE ? ACCESS_STORE : ACCESS_LOAD,
                         .rank = engine->config.rank,
                         .thread = thread,
                         .site = entry->word & (SITE_LIMIT - 1)};
    if (!rules_kinds_conflict(&own, &node->access))
        return false;
    if (clock_knows_event(engine, check->start, actor_of(engine->config.rank, thread), entry->time))
        return false;
    if (node->access.rank != engine->config.rank &&
        rules_locks_exclude(node->lock, lockset_type(engine, entry_lockset(entry), node->window)))
        return false;
    struct section run = run_of(granule, shared), common;
    enum race_rule rule;
    if (seen_late_for_own(engine, node, thread, entry->time, run.start, section_end(&run)))
        return true;
    if (rules_conflict(&own, &run, &node->access, &run, engine->config.strict_accumulate, &rule,
                       &common))
        findings_add(engine, rule, &own, &node->access, node->window, &common);
    return true;
}

/* Most operations know everything that happened on a page, and it is skipped as a whole. */
static bool page_is_known(const struct operation_check *check, const struct shadow_page *page)
{
    time_point newest = page->noted[0] > page->noted[1] ? page->noted[0] : page->noted[1];
    return !page->threads && clock_knows_event(check->engine, check->start,
                                               actor_of(check->engine->config.rank, 0), newest);
}

/* Part of an operation that is inside one page. A state in which nothing is concurrent is not
 * looked at again for the granules behind. */
static void check_page(const struct operation_check *check, const struct shadow_page *page,
                       bool store, uint64_t low, uint64_t high)
{
    const struct shadow_entry *entries = check->engine->shadow.entries;
    uint32_t harmless = 0;
    for (uint64_t granule = low & ~(uint64_t)7; granule < high; granule += 8) {
        uint32_t first = *shadow_state_at(page, store, granule);
        if (first == harmless)
            continue;
        uint8_t mask = granule_mask(granule, low, high);
        bool concurrent = false;
        for (uint32_t state = first; state; state = entries[state].next) {
            uint8_t shared = entry_mask(&entries[state]) & mask;
            if (shared)
                concurrent |= check_entry(check, &entries[state], granule, shared);
        }
        if (!concurrent && mask == 0xff)
            harmless = first;
    }
}

static void check_block(const struct operation_check *check, uint64_t low, uint64_t high)
{
    while (low < high) {
        uint64_t page_end = ((low >> PAGE_SHIFT) + 1) << PAGE_SHIFT;
        uint64_t end = page_end && page_end < high ? page_end : high;
        struct shadow_page *page = shadow_find(&check->engine->shadow, low);
        if (page && !page_is_known(check, page)) {
            check_page(check, page, false, low, end);
            check_page(check, page, true, low, end);
        }
        low = end;
    }
}

/* Walks only the memory that windows show: an operation that claims more touches nothing there. */
void access_check_operation(struct engine *engine, const struct node *node,
                            const struct clock *start)
{
    struct operation_check check = {engine, node, start};
    const struct section *section = &node->section;
    size_t i;
    if (!ranges_touch(&engine->reachable, section->start, section_end(section), &i))
        return;
    for (; i < engine->reachable.count && engine->reachable.list[i].low < section_end(section);
         i++) {
        struct section pieces[3];
        size_t count = section_clip(section, engine->reachable.list[i].low,
                                    engine->reachable.list[i].high, pieces);
        for (size_t k = 0; k < count; k++)
            for (uint64_t block = 0; block < pieces[k].count; block++) {
                uint64_t low = pieces[k].start + block * pieces[k].stride;
                check_block(&check, low, low + pieces[k].length);
            }
    }
}

/* ---- Own loads and stores against operations ---- */

struct own_access {
    struct engine *engine;
    struct thread_state *thread;
    struct access access;
    struct section bytes;
    bool atomic;
};

static bool meet_operation(void *context, struct span *span)
{
    struct own_access *own = context;
    struct engine *engine = own->engine;
    const struct node *node = (struct node *)span;
    enum race_rule rule;
    struct section common;
    if (!rules_kinds_conflict(&node->access, &own->access))
        return true;
    if (target_over_for(engine, node, own->thread))
        return true;
    if (node->access.rank != engine->config.rank &&
        rules_locks_exclude(node->lock, lockset_type(engine, engine->lockset, node->window)))
        return true;
    struct section bytes[SEEN_PIECES];
    size_t count = 1;
    bytes[0] = own->bytes;
    seen_cut(engine, node, NULL, own->thread, bytes, &count);
    for (size_t i = 0; i < count; i++)
        if (rules_conflict(&node->access, &node->section, &own->access, &bytes[i],
                           engine->config.strict_accumulate, &rule, &common)) {
            findings_add(engine, rule, &node->access, &own->access, node->window, &common);
            break;
        }
    return true;
}

static bool meet_anything(void *context, struct span *span)
{
    (void)span;
    *(bool *)context = true;
    return false;
}

/* A page that no operation touches is remembered as such until the next operation arrives. */
static bool page_is_clear(struct engine *engine, struct shadow_page *page)
{
    if (page->clear_at == engine->shadow.version)
        return true;
    bool touched = false;
    uint64_t start = page->number << PAGE_SHIFT;
    spans_visit(&engine->history.spans, start, start + PAGE_BYTES, meet_anything, &touched);
    if (!touched)
        page->clear_at = engine->shadow.version;
    return !touched;
}

/* Whether the rest of the page is like the part that thread 0 has just accessed: no operations, no
 * other threads, and the same windows. */
static bool page_is_quiet(struct engine *engine, const struct shadow_page *page)
{
    uint64_t start = page->number << PAGE_SHIFT;
    return !page->threads && page->clear_at == engine->shadow.version &&
           windows_share_alike(engine, start, start + PAGE_BYTES);
}

/* Against the other threads of this process. False if there was a race. */
static bool check_threads(const struct own_access *own, uint32_t state, int kind, uint64_t granule,
                          uint8_t mask)
{
    struct engine *engine = own->engine;
    const struct shadow_entry *entries = engine->shadow.entries;
    bool clean = true;
    for (; state; state = entries[state].next) {
        const struct shadow_entry *entry = &entries[state];
        uint8_t shared = entry_mask(entry) & mask;
        uint32_t thread = entry_thread(entry);
        if (!shared || thread == own->thread->number || (own->atomic && entry->word & ENTRY_ATOMIC))
            continue;
        if (thread_knows_event(engine, own->thread, actor_of(engine->config.rank, thread),
                               entry->time))
            continue;
        struct access other = {.kind = kind ? ACCESS_STORE : ACCESS_LOAD,
                               .rank = engine->config.rank,
                               .thread = thread,
                               .site = entry->word & (SITE_LIMIT - 1)};
        struct section run = run_of(granule, shared), common;
        enum race_rule rule;
        if (rules_conflict(&other, &run, &own->access, &run, false, &rule, &common)) {
            findings_add(engine, rule, &other, &own->access, 0, &common);
            clean = false;
        }
    }
    return clean;
}

/* What was swept over has the same state granule by granule: one that held nothing against this
 * access is not looked at again. */
static void check_page_threads(const struct own_access *own, const struct shadow_page *page,
                               uint64_t low, uint64_t high)
{
    uint32_t clean[2] = {0};
    uint8_t clean_mask = 0; /* of both */
    for (uint64_t granule = low & ~(uint64_t)7; granule < high; granule += 8) {
        uint8_t mask = granule_mask(granule, low, high);
        if (mask != clean_mask)
            clean[0] = clean[1] = 0;
        clean_mask = mask;
        for (int kind = own->access.kind != ACCESS_STORE; kind < 2; kind++) {
            uint32_t state = *shadow_state_at(page, kind, granule);
            if (state != clean[kind] && check_threads(own, state, kind, granule, mask))
                clean[kind] = state;
        }
    }
}

bool access_obsolete(void *engine, const struct shadow_entry *entry)
{
    return generation_passed(engine, entry_thread(entry), entry->time);
}

/* Part of an access: inside window memory and inside one page. */
static void access_page(struct own_access *own, uint64_t low, uint64_t high)
{
    struct engine *engine = own->engine;
    struct shadow_page *page = shadow_find(&engine->shadow, low);
    if (!page)
        page = shadow_make(&engine->shadow, low >> PAGE_SHIFT);
    bool store = own->access.kind == ACCESS_STORE;
    uint32_t thread = own->thread->number;
    own->bytes = (struct section){low, high - low, 0, 1};
    if (!page_is_clear(engine, page))
        spans_visit(&engine->history.spans, low, high, meet_operation, own);
    if (MUTANT(no_byte_masks)) {
        low &= ~(uint64_t)7;
        high = (high + 7) & ~(uint64_t)7;
    }
    if (page->threads || (thread && (page->noted[0] || page->noted[1])))
        check_page_threads(own, page, low, high);
    struct shadow_entry access = {.word = own->access.site | (store ? ENTRY_STORE : 0) |
                                          (own->atomic ? ENTRY_ATOMIC : 0),
                                  .time = own->thread->now,
                                  .who = thread << 16 | engine->lockset};
    shadow_note(&engine->shadow, page, low, high, &access);
    if (thread) {
        page->threads = true;
        page->quiet_at = 0;
    } else {
        page->noted[store] = own->thread->now;
        if (store)
            engine->shadow.last_store = own->thread->now;
        if (page->quiet_at != engine->shadow.version)
            page->quiet_at = page_is_quiet(engine, page) ? engine->shadow.version : 0;
    }
}

static void access_any(struct engine *engine, uint32_t number, uint64_t address, uint64_t size,
                       site_t site, bool store, bool atomic)
{
    size_t i;
    if (size == 0 || engine->exhausted ||
        !ranges_touch(&engine->memory, address, address + size, &i))
        return;
    struct own_access own = {.engine = engine,
                             .thread = thread_of(engine, number),
                             .access = {.kind = store ? ACCESS_STORE : ACCESS_LOAD,
                                        .rank = engine->config.rank,
                                        .thread = number,
                                        .site = site & (SITE_LIMIT - 1)},
                             .atomic = atomic};
    engine->counters.shadow_slow++;
    if (engine->lockset)
        locks_note_own(engine, own.thread, address, address + size, store);
    thread_label(own.thread);
    uint64_t end = address + size;
    for (; i < engine->memory.count && engine->memory.list[i].low < end; i++) {
        uint64_t low = engine->memory.list[i].low > address ? engine->memory.list[i].low : address;
        uint64_t high = engine->memory.list[i].high < end ? engine->memory.list[i].high : end;
        while (low < high) {
            uint64_t page_end = ((low >> PAGE_SHIFT) + 1) << PAGE_SHIFT;
            uint64_t stop = page_end && page_end < high ? page_end : high;
            access_page(&own, low, stop);
            low = stop;
        }
    }
}

static __attribute__((noinline)) void access_slow(struct engine *engine, uint32_t number,
                                                  uint64_t address, uint64_t size, site_t site,
                                                  bool store)
{
    access_any(engine, number, address, size, site, store, false);
}

void engine_atomic(struct engine *engine, uint32_t thread, uint64_t address, uint64_t size,
                   bool store, site_t site)
{
    access_any(engine, thread, address, size, site, store, true);
}

/* Where something like it has just happened elsewhere in a quiet page, taking the step is all there
 * is to do. */
static __attribute__((noinline)) void access_step(struct engine *engine, uint32_t number,
                                                  uint64_t address, uint64_t access,
                                                  struct shadow_page *page,
                                                  const struct shadow_step *step)
{
    bool store = access & ENTRY_STORE;
    uint32_t *state = shadow_state_at(page, store, address);
    if (step->access == access && step->before == *state && !number &&
        step->who == engine->lockset && step->time == page->noted[store] &&
        step->time == engine->threads[0]->now && page->quiet_at == engine->shadow.version &&
        shadow_is_split(page, store, address))
        *state = step->after;
    else
        access_slow(engine, number, address, access >> STEP_LENGTH_SHIFT & 15,
                    access & (SITE_LIMIT - 1), store);
}

/* The same access again, by the same thread at the same time: a look into the page cache and at one
 * step, about 40 instructions. It can be skipped because operations that arrive later are compared
 * with the entry that is there already. (The thread exists if its step does.) */
static inline __attribute__((always_inline)) void access_quick(struct engine *engine,
                                                               uint32_t number, uint64_t address,
                                                               uint64_t size, site_t site,
                                                               bool store)
{
    uint64_t page_number = address >> PAGE_SHIFT;
    unsigned slot = shadow_slot(page_number);
    if (engine->shadow.cache[slot].number != page_number || size > 8) {
        access_slow(engine, number, address, size, site, store);
        return;
    }
    struct shadow_page *page = engine->shadow.cache[slot].page;
    uint32_t state = *shadow_state_at(page, store, address);
    uint64_t access = step_access(site, address & 7, size, store);
    const struct shadow_step *step = shadow_step_for(&engine->shadow, state, access);
    if (step->access == access && step->after == state &&
        step->who == (number << 16 | engine->lockset) &&
        (step->time == engine->threads[number]->now || MUTANT(steps_ignore_time)))
        return;
    access_step(engine, number, address, access, page, step);
}

void engine_load(struct engine *engine, uint32_t thread, uint64_t address, uint64_t size,
                 site_t site)
{
    access_quick(engine, thread, address, size, site, false);
}

void engine_store(struct engine *engine, uint32_t thread, uint64_t address, uint64_t size,
                  site_t site)
{
    access_quick(engine, thread, address, size, site, true);
}

/* ---- Buffers in use ---- */

uint64_t engine_buffer_begin(struct engine *engine, uint32_t number, const struct section *sections,
                             size_t count, bool write, site_t site)
{
    struct buffer *buffer = NULL;
    struct thread_state *thread = thread_of(engine, number);
    size_t capacity = 0;
    for (size_t i = 0; i < count && !engine->exhausted; i++) {
        size_t range;
        uint64_t end = section_end(&sections[i]);
        if (!ranges_touch(&engine->memory, sections[i].start, end, &range))
            continue;
        struct node node = {.access = {.kind = write ? ACCESS_BUFFER_WRITE : ACCESS_BUFFER_READ,
                                       .rank = engine->config.rank,
                                       .thread = number,
                                       .site = site & (SITE_LIMIT - 1)},
                            .state = NODE_BUFFER_OPEN,
                            .lockset = engine->lockset};
        for (; range < engine->memory.count && engine->memory.list[range].low < end; range++) {
            struct section pieces[3];
            size_t n = section_clip(&sections[i], engine->memory.list[range].low,
                                    engine->memory.list[range].high, pieces);
            for (size_t k = 0; k < n; k++) {
                if (!buffer) {
                    buffer = allocate_zeroed(1, sizeof *buffer);
                    buffer->id = ++engine->last_number;
                    buffer->start = thread_snapshot(engine, thread);
                    buffer->start->references++;
                    HASH_ADD(hh, engine->buffers, id, sizeof buffer->id, buffer);
                }
                node.section = pieces[k];
                node.lot = buffer->id;
                node.after_seen = seen_known_to(engine, &node, &buffer->start->clock);
                grow_array(buffer->nodes, buffer->count, capacity);
                buffer->nodes[buffer->count++] = target_enter(engine, &node, &buffer->start->clock);
            }
        }
    }
    return buffer ? buffer->id : 0;
}

static void delete_buffer(struct engine *engine, struct buffer *buffer)
{
    HASH_DEL(engine->buffers, buffer);
    snapshot_drop(buffer->start);
    free(buffer->nodes);
    free(buffer);
}

void engine_buffer_end(struct engine *engine, uint32_t number, uint64_t id)
{
    struct buffer *buffer;
    HASH_FIND(hh, engine->buffers, &id, sizeof id, buffer);
    if (!buffer || MUTANT(end_buffer))
        return;
    time_point time = thread_end_event(engine, thread_of(engine, number));
    for (size_t i = 0; i < buffer->count; i++)
        history_end(&engine->history, buffer->nodes[i], actor_of(engine->config.rank, number),
                    time);
    delete_buffer(engine, buffer);
}

void access_clear(struct engine *engine)
{
    struct buffer *buffer, *next;
    HASH_ITER(hh, engine->buffers, buffer, next)
    {
        delete_buffer(engine, buffer);
    }
    shadow_clear(&engine->shadow);
}
