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

static void check_entry(const struct operation_check *check, const struct shadow_entry *entry,
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
        return;
    if (clock_knows_event(engine, check->start, actor_of(engine->config.rank, thread), entry->time))
        return;
    if (node->access.rank != engine->config.rank &&
        rules_locks_exclude(node->lock, lockset_type(engine, entry_lockset(entry), node->window)))
        return;
    struct section run = run_of(granule, shared), common;
    enum race_rule rule;
    if (rules_conflict(&own, &run, &node->access, &run, engine->config.strict_accumulate, &rule,
                       &common))
        findings_add(engine, rule, &own, &node->access, node->window, &common);
}

static void check_cell(const struct operation_check *check, struct shadow_cell *cell,
                       uint64_t granule, uint8_t mask)
{
    for (int kind = 0; kind < 2; kind++)
        for (struct shadow_entry *entry = &cell->latest[kind]; entry;
             entry = shadow_next(&check->engine->shadow, entry)) {
            uint8_t shared = entry_mask(entry) & mask;
            if (shared && entry->word & ENTRY_USED)
                check_entry(check, entry, granule, shared);
        }
}

/* Most operations know everything that happened on a page, and it is skipped as a whole. */
static bool page_is_known(const struct operation_check *check, const struct shadow_page *page)
{
    return !page->threads &&
           clock_knows_event(check->engine, check->start, actor_of(check->engine->config.rank, 0),
                             page->newest);
}

static void check_block(const struct operation_check *check, uint64_t low, uint64_t high)
{
    while (low < high) {
        uint64_t page_end = ((low >> PAGE_SHIFT) + 1) << PAGE_SHIFT;
        uint64_t end = page_end && page_end < high ? page_end : high;
        struct shadow_page *page = shadow_find(&check->engine->shadow, low);
        if (page && !page_is_known(check, page))
            for (uint64_t granule = low & ~(uint64_t)7; granule < end; granule += 8) {
                uint8_t mask = 0xff;
                if (granule < low)
                    mask &= (uint8_t)(0xff << (low - granule));
                if (end - granule < 8)
                    mask &= (uint8_t)(0xff >> (8 - (end - granule)));
                check_cell(check, shadow_cell_of(page, granule), granule, mask);
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
    if (rules_conflict(&node->access, &node->section, &own->access, &own->bytes,
                       engine->config.strict_accumulate, &rule, &common))
        findings_add(engine, rule, &node->access, &own->access, node->window, &common);
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
    if (page->clear_at == engine->history.version)
        return true;
    bool touched = false;
    uint64_t start = page->number << PAGE_SHIFT;
    spans_visit(&engine->history.spans, start, start + ((uint64_t)1 << PAGE_SHIFT), meet_anything,
                &touched);
    if (!touched)
        page->clear_at = engine->history.version;
    return !touched;
}

/* Against the other threads of this process. */
static void check_threads(const struct own_access *own, struct shadow_cell *cell, uint64_t granule,
                          uint8_t mask)
{
    struct engine *engine = own->engine;
    for (int kind = own->access.kind == ACCESS_LOAD; kind < 2; kind++)
        for (struct shadow_entry *entry = &cell->latest[kind]; entry;
             entry = shadow_next(&engine->shadow, entry)) {
            uint8_t shared = entry_mask(entry) & mask;
            uint32_t thread = entry_thread(entry);
            if (!shared || !(entry->word & ENTRY_USED) || thread == own->thread->number)
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
            if (rules_conflict(&other, &run, &own->access, &run, false, &rule, &common))
                findings_add(engine, rule, &other, &own->access, 0, &common);
        }
}

static bool is_obsolete(void *context, const struct shadow_entry *entry)
{
    return generation_passed(context, entry_thread(entry), entry->time);
}

/* Part of an access: inside window memory and inside one page. */
static void access_page(struct own_access *own, uint64_t low, uint64_t high)
{
    struct engine *engine = own->engine;
    struct shadow_page *page = shadow_find(&engine->shadow, low);
    if (!page)
        page = shadow_make(&engine->shadow, low >> PAGE_SHIFT);
    bool store = own->access.kind == ACCESS_STORE;
    own->bytes = (struct section){low, high - low, 0, 1};
    if (!page_is_clear(engine, page))
        spans_visit(&engine->history.spans, low, high, meet_operation, own);
    uint32_t who = own->thread->number << 16 | engine->lockset;
    for (uint64_t granule = low & ~(uint64_t)7; granule < high; granule += 8) {
        uint8_t mask = 0xff;
        if (granule < low)
            mask &= (uint8_t)(0xff << (low - granule));
        if (high - granule < 8)
            mask &= (uint8_t)(0xff >> (8 - (high - granule)));
        if (MUTANT(no_byte_masks))
            mask = 0xff;
        struct shadow_cell *cell = shadow_cell_of(page, granule);
        if (page->threads || (own->thread->number && page->newest))
            check_threads(own, cell, granule, mask);
        shadow_note(&engine->shadow, page, cell, mask, store, own->access.site, who,
                    own->thread->now, is_obsolete, engine);
    }
}

static __attribute__((noinline)) void access_slow(struct engine *engine, uint32_t number,
                                                  uint64_t address, uint64_t size, site_t site,
                                                  bool store)
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
                                        .site = site & (SITE_LIMIT - 1)}};
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

/* The same access again, by the same thread at the same time: a look into the page cache, three
 * comparisons, about 20 instructions. It can be skipped because operations that arrive later are
 * compared with the entry that is there already. */
static inline bool access_repeats(struct engine *engine, uint32_t number, uint64_t address,
                                  uint64_t size, site_t site, bool store)
{
    uint64_t page_number = address >> PAGE_SHIFT;
    unsigned slot = page_number % PAGE_CACHE;
    struct shadow_page *page = engine->shadow.cache[slot].page;
    uint64_t offset = address & 7;
    if (engine->shadow.cache[slot].number != page_number || !page || offset + size > 8 ||
        number >= engine->thread_count || !engine->threads[number])
        return false;
    const struct shadow_entry *entry = &shadow_cell_of(page, address)->latest[store];
    uint64_t bits = (((uint64_t)1 << size) - 1) << (offset + ENTRY_MASK_SHIFT);
    uint64_t wanted = site | bits | ENTRY_USED | (store ? ENTRY_STORE : 0);
    return entry->time == engine->threads[number]->now &&
           entry->who == (number << 16 | engine->lockset) &&
           (entry->word & (bits | ~((uint64_t)0xff << ENTRY_MASK_SHIFT))) == wanted;
}

void engine_load(struct engine *engine, uint32_t thread, uint64_t address, uint64_t size,
                 site_t site)
{
    if (!access_repeats(engine, thread, address, size, site, false))
        access_slow(engine, thread, address, size, site, false);
}

void engine_store(struct engine *engine, uint32_t thread, uint64_t address, uint64_t size,
                  site_t site)
{
    if (!access_repeats(engine, thread, address, size, site, true))
        access_slow(engine, thread, address, size, site, true);
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
