/* What the engine is told, and what it says. */
#include "world.h"

#include <uthash.h>

/* ---- Sites ---- */

struct known_node {
    struct {
        uint64_t parent;
        LLVMValueRef call;
    } key;
    uint32_t number;
    UT_hash_handle hh;
};

struct known_site {
    struct {
        uint64_t node;
        LLVMValueRef at;
        const struct routine *routine;
        const char *call;
    } key;
    site_t number;
    UT_hash_handle hh;
};

static uint32_t node_for(struct world *w, uint32_t parent, LLVMValueRef call)
{
    struct known_node *entry, look = {.key = {parent, call}};
    HASH_FIND(hh, w->node_table, &look.key, sizeof look.key, entry);
    if (!entry) {
        entry = zeroed(1, sizeof *entry);
        entry->key = look.key;
        struct node node = {parent, call};
        entry->number = (uint32_t)ADD(&w->nodes, node);
        HASH_ADD(hh, w->node_table, key, sizeof entry->key, entry);
    }
    return entry->number;
}

/* Node 0 is no call at all. Frames above the asked one stand at their calls. */
static uint32_t node_of(struct world *w, struct process *p, size_t frame)
{
    if (frame == 0)
        return 0;
    struct frame *at = &p->frames.at[frame];
    if (!at->node) {
        const struct frame *caller = &p->frames.at[frame - 1];
        at->node = node_for(w, node_of(w, p, frame - 1), caller->function->sources.at[caller->pc]);
    }
    return at->node;
}

site_t site_here(struct world *w, struct process *p, const struct routine *routine,
                 const char *call)
{
    struct known_site *entry, look;
    memset(&look, 0, sizeof look);
    look.key.node = node_of(w, p, p->frames.n - 1);
    look.key.at = p->instead ? p->instead : current_instruction(p);
    look.key.routine = routine;
    look.key.call = call;
    HASH_FIND(hh, w->site_table, &look.key, sizeof look.key, entry);
    if (!entry) {
        entry = zeroed(1, sizeof *entry);
        entry->key = look.key;
        struct site site = {(uint32_t)look.key.node, look.key.at, routine, call};
        entry->number = (site_t)ADD(&w->sites, site);
        HASH_ADD(hh, w->site_table, key, sizeof entry->key, entry);
    }
    return entry->number;
}

/* ---- Bytes and clocks ---- */

struct bytes bytes_copy(const void *data, size_t size)
{
    struct bytes bytes = {got(malloc(size + 1)), size};
    if (size)
        memcpy(bytes.data, data, size);
    return bytes;
}

struct bytes clock_now(struct process *p)
{
    size_t size;
    const void *clock = engine_clock_send(p->engine, 0, &size);
    return bytes_copy(clock, size);
}

void take_in(struct process *p)
{
    for (size_t i = 0; i < p->mailbox.n; i++) {
        engine_take_in(p->engine, p->mailbox.at[i].data, p->mailbox.at[i].size);
        free(p->mailbox.at[i].data);
    }
    p->mailbox.n = 0;
}

void learn(struct process *p, const struct bytes *clock)
{
    take_in(p);
    if (clock->size)
        engine_clock_receive(p->engine, 0, clock->data, clock->size);
}

struct listener {
    struct world *world;
    int rank;
};

static void deliver(void *context, uint32_t target, const void *batch, size_t size)
{
    struct listener *listener = context;
    struct bytes copy = bytes_copy(batch, size);
    if (target < (uint32_t)listener->world->n) {
        struct mail mail = {copy.data, copy.size};
        ADD(&listener->world->processes[target].mailbox, mail);
    }
}

/* ---- What is found ---- */

static const char USAGE[] = "usage";

static const char *kind_word(const struct world *w, const struct access_side *side)
{
    const struct routine *routine = w->sites.at[side->site].routine;
    switch (side->kind) {
    case ACCESS_KINDS: /* a call that promises */
        return NULL;
    case ACCESS_LOAD:
        return routine ? routine_kind(routine, false) : "load";
    case ACCESS_STORE:
        return routine ? routine_kind(routine, true) : "store";
    case ACCESS_BUFFER_READ:
        return routine ? routine_kind(routine, false) : "load";
    case ACCESS_BUFFER_WRITE:
        return routine ? routine_kind(routine, true) : "store";
    default:
        return routine ? routine_kind(routine, true) : "put";
    }
}

static bool side_writes(const struct access_side *side)
{
    return side->kind == ACCESS_STORE || side->kind == ACCESS_BUFFER_WRITE ||
           access_writes_target(side->kind, side->op);
}

static void add_found(struct world *w, struct found found)
{
    for (size_t i = 0; i < w->found.n; i++) {
        const struct found *old = &w->found.at[i];
        if (!strcmp(old->rule, found.rule) &&
            ((old->sites[0] == found.sites[0] && old->sites[1] == found.sites[1]) ||
             (old->sites[0] == found.sites[1] && old->sites[1] == found.sites[0])))
            return;
    }
    ADD(&w->found, found);
}

static void reported(void *context, const struct finding *finding)
{
    struct world *w = ((struct listener *)context)->world;
    static const char *const rules[RACE_RULES] = {
        [RACE_REMOTE] = "remote-race",   [RACE_ATOMICITY] = "atomicity",
        [RACE_SHARED] = "shared-window", [MISUSE_NO_STORE] = USAGE,
        [MISUSE_NO_PUT] = USAGE,         [MISUSE_OVERLAP] = USAGE};
    static const char *const misuses[RACE_RULES] = {[MISUSE_NO_STORE] = "false-nostore",
                                                    [MISUSE_NO_PUT] = "false-noput",
                                                    [MISUSE_OVERLAP] = "locked-and-exposed"};
    if (!rules[finding->rule])
        return;
    const struct access_side *a = &finding->first, *b = &finding->second;
    struct found found = {rules[finding->rule],
                          {a->site, b->site},
                          {(int)a->rank, (int)b->rank},
                          {kind_word(w, a), kind_word(w, b)},
                          {side_writes(a), side_writes(b)},
                          a->rank == b->rank,
                          misuses[finding->rule],
                          (int)finding->owner};
    add_found(w, found);
}

void judge_local(struct world *w, struct process *p, site_t one, const char *one_kind,
                 bool one_writes, site_t two, const char *two_kind, bool two_writes)
{
    struct found found = {"local-race",
                          {one, two},
                          {p->rank, p->rank},
                          {one_kind, two_kind},
                          {one_writes, two_writes},
                          true,
                          NULL,
                          p->rank};
    add_found(w, found);
}

void judge_misuse(struct world *w, struct process *p, const char *misuse, site_t one, site_t two)
{
    struct found found = {.rule = USAGE,
                          .sites = {one, two},
                          .ranks = {p->rank, p->rank},
                          .kinds = {NULL, routine_kind(w->sites.at[two].routine, true)},
                          .writes = {false, true},
                          .own = true,
                          .misuse = misuse,
                          .owner = p->rank};
    add_found(w, found);
}

bool judge_open(struct world *w)
{
    struct node none = {0, NULL};
    struct site nowhere = {0, NULL, NULL, NULL};
    ADD(&w->nodes, none);
    ADD(&w->sites, nowhere);
    for (int i = 0; i < w->n; i++) {
        struct listener *listener = zeroed(1, sizeof *listener);
        *listener = (struct listener){w, i};
        const struct engine_config config = {.rank = (uint32_t)i,
                                             .ranks = (uint32_t)w->n,
                                             .deliver = deliver,
                                             .report = reported,
                                             .context = listener};
        w->processes[i].engine = engine_create(&config);
        w->processes[i].inuse = inuse_create();
        w->processes[i].listener = listener;
        if (!w->processes[i].engine || !w->processes[i].inuse)
            return false;
    }
    return true;
}

void judge_close(struct world *w)
{
    struct known_node *node, *next_node;
    struct known_site *site, *next_site;
    for (int i = 0; i < w->n; i++) {
        struct process *p = &w->processes[i];
        for (size_t k = 0; k < p->mailbox.n; k++)
            free(p->mailbox.at[k].data);
        EMPTY(&p->mailbox);
        if (p->engine)
            engine_destroy(p->engine);
        if (p->inuse)
            inuse_destroy(p->inuse);
        free(p->listener);
    }
    HASH_ITER(hh, w->node_table, node, next_node)
    {
        HASH_DEL(w->node_table, node);
        free(node);
    }
    HASH_ITER(hh, w->site_table, site, next_site)
    {
        HASH_DEL(w->site_table, site);
        free(site);
    }
    EMPTY(&w->nodes);
    EMPTY(&w->sites);
    EMPTY(&w->found);
}

/* ---- Accesses ---- */

struct meeting {
    struct world *w;
    struct process *p;
    site_t site;
    const char *kind;
    bool write, ends; /* ends: the memory is gone, and with it the use */
};

static bool met(void *context, void *owner, enum buffer_access access, const struct section *common)
{
    struct meeting *meeting = context;
    struct use *use = owner;
    (void)common;
    if (use->gone)
        return true;
    judge_local(meeting->w, meeting->p, use->site,
                routine_kind(use->routine, access == BUFFER_WRITE), access == BUFFER_WRITE,
                meeting->site, meeting->kind, meeting->write);
    if (meeting->ends)
        use->gone = true;
    return true;
}

static void check_uses(struct world *w, struct process *p, const struct section *sections, size_t n,
                       bool write, site_t site, const char *kind, bool ends)
{
    struct meeting meeting = {w, p, site, kind, write, ends};
    if (!inuse_empty(p->inuse))
        inuse_conflicts(p->inuse, sections, n, write ? BUFFER_WRITE : BUFFER_READ, met, &meeting);
}

static uint8_t bits_in(struct world *w, uint64_t address, uint64_t size, struct process **owner)
{
    uint64_t number = address >> SPACE_SHIFT, offset = address & (((uint64_t)1 << SPACE_SHIFT) - 1);
    uint8_t any = 0;
    *owner = NULL;
    if (number == 0 || number > (uint64_t)w->n || offset + size > (uint64_t)1 << 28)
        return 0;
    *owner = &w->processes[number - 1];
    for (uint64_t i = 0; i < size; i++)
        any |= (*owner)->space.shadow[offset + i];
    return any;
}

void judge_access(struct world *w, struct process *p, uint64_t address, uint64_t size, bool write,
                  site_t site, const struct routine *routine)
{
    struct process *owner;
    uint8_t any = size ? bits_in(w, address, size, &owner) : 0;
    const struct section section = {address, size, 0, 1};
    if (!size || !owner)
        return;
    if (owner != p) {
        window_t window;
        uint64_t start;
        if (!mpi_shared_segment(w, owner->rank, address, &window, &start)) {
            stop(w, p, "an access to another process's memory");
            return;
        }
        const struct section there = {address - start, size, 0, 1};
        engine_direct(p->engine, 0, window, (uint32_t)owner->rank, &there, write, site);
        return;
    }
    if (any & IN_USE)
        check_uses(w, p, &section, 1, write, site,
                   routine ? routine_kind(routine, write)
                   : write ? "store"
                           : "load",
                   false);
    if (any & WINDOW) {
        if (write)
            engine_store(p->engine, 0, address, size, site);
        else
            engine_load(p->engine, 0, address, size, site);
    }
}

void judge_sections(struct world *w, struct process *p, const struct section *sections, size_t n,
                    bool write, site_t site, const struct routine *routine)
{
    for (size_t i = 0; i < n; i++)
        for (uint64_t k = 0; k < sections[i].count; k++)
            judge_access(w, p, sections[i].start + k * sections[i].stride, sections[i].length,
                         write, site, routine);
}

void judge_end_of(struct world *w, struct process *p, uint64_t address, uint64_t size,
                  const char *call)
{
    struct process *owner;
    uint8_t any = size ? bits_in(w, address, size, &owner) : 0;
    const struct section section = {address, size, 0, 1};
    if (!(any & (IN_USE | WINDOW)))
        return;
    site_t site = site_here(w, p, NULL, call);
    if (any & IN_USE)
        check_uses(w, p, &section, 1, true, site, "store", true);
    if (any & WINDOW)
        engine_store(p->engine, 0, address, size, site);
}

struct use *judge_use(struct world *w, struct process *p, const struct section *sections, size_t n,
                      bool write, site_t site, const struct routine *routine)
{
    struct use *use = zeroed(1, sizeof *use);
    *use = (struct use){.site = site, .routine = routine, .write = write, .process = p};
    bool window = false;
    check_uses(w, p, sections, n, write, site, routine_kind(routine, write), false);
    for (size_t i = 0; i < n; i++) {
        struct process *owner;
        uint64_t end = section_end(&sections[i]) - sections[i].start;
        window |= (bits_in(w, sections[i].start, end, &owner) & WINDOW) && owner == p;
        memory_mark(w, sections[i].start, end, IN_USE);
    }
    use->buffer = inuse_add(p->inuse, sections, n, write ? BUFFER_WRITE : BUFFER_READ, use);
    if (window)
        use->engine_buffer = engine_buffer_begin(p->engine, 0, sections, n, write, site);
    return use;
}

void judge_use_end(struct world *w, struct use *use)
{
    (void)w;
    if (!use)
        return;
    if (use->engine_buffer)
        engine_buffer_end(use->process->engine, 0, use->engine_buffer);
    inuse_remove(use->process->inuse, use->buffer);
    free(use);
}
