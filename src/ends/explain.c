#include "explain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "deadlock.h"
#include "findings/checked.h"
#include "findings/plain.h"

/* How long a rank must have been in the same call before it counts as blocked. Whatever was begun
 * before, all those who take part being in MPI calls, is over by then. */
static const double SETTLED = 1.0;

/* ---- code ---- */

static const struct page_module *module_of(const struct page *page, uint64_t address)
{
    for (uint32_t i = 0; i < page->nmodules && i < PAGE_MODULES; i++)
        if (address > page->modules[i].low && address <= page->modules[i].high &&
            page->modules[i].name < PAGE_NAMES)
            return &page->modules[i];
    return NULL;
}

static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Code of MPI, of Regatta or of the system: not where a program is, in the eyes of its author. */
static bool is_of_others(const struct page *page, const struct page_module *module)
{
    static const char *const names[] = {
        "libregatta", "libmpi",     "libmpich", "libopen-",   "libpmix",   "libpmi",     "libprrte",
        "libucp",     "libucs",     "libuct",   "libucm",     "libfabric", "libpsm",     "libhwloc",
        "libevent",   "mca_",       "libc.so",  "libc-",      "ld-linux",  "libpthread", "librt",
        "libnuma",    "libibverbs", "libmunge", "libfakeroot"};
    if (!module)
        return true; /* the kernel's page, or what is not known */
    const char *name = file_name(page->names + module->name);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (!strncmp(name, names[i], strlen(names[i])))
            return true;
    return false;
}

static struct frame frame_of(struct report *report, const struct page *page, uint64_t address)
{
    const struct page_module *module = module_of(page, address);
    struct frame frame = {0};
    if (module) {
        frame.module = report_text(report, page->names + module->name);
        frame.offset = address - module->base;
    }
    return frame;
}

static struct stack stack_of(struct report *report, struct symbols *symbols,
                             const struct page *page, const uint64_t *addresses, int count)
{
    struct stack stack = {0};
    struct frame *frames = checked_malloc((count + 1) * sizeof *frames);
    for (int i = 0; i < count; i++) {
        frames[stack.depth] = frame_of(report, page, addresses[i]);
        stack.depth += frames[stack.depth].module != NULL;
    }
    stack.frames =
        stack.depth ? obstack_copy(&report->texts, frames, stack.depth * sizeof *frames) : NULL;
    free(frames);
    symbols_resolve(symbols, report, &stack);
    return stack;
}

static struct stack stack_of_frames(struct report *report, struct symbols *symbols,
                                    const struct page *page, const uint64_t *frames, int depth,
                                    uint64_t caller)
{
    int first = 0;
    depth = depth < 0 ? 0 : depth > PAGE_FRAMES ? PAGE_FRAMES : depth;
    /* In a call, where the program made it; else the program's innermost code. */
    for (int i = 0; caller && i < depth; i++)
        if (frames[i] == caller)
            return stack_of(report, symbols, page, frames + i, depth - i);
    if (caller)
        return stack_of(report, symbols, page, &caller, 1);
    while (first < depth && is_of_others(page, module_of(page, frames[first])))
        first++;
    return stack_of(report, symbols, page, frames + first, depth - first);
}

/* `  File "x.py", line 12 in main`; all unknown if it is something else. */
static struct frame frame_of_script(struct report *report, const char *line)
{
    static const char start[] = "  File \"", middle[] = "\", line ";
    const char *file = strncmp(line, start, sizeof start - 1) ? NULL : line + sizeof start - 1;
    const char *end = file ? strstr(file, middle) : NULL;
    char *rest;
    if (!end || !strncmp(file, "<frozen", 7)) /* Python's own, such as import */
        return (struct frame){0};
    unsigned number = (unsigned)strtoul(end + sizeof middle - 1, &rest, 10);
    bool named = !strncmp(rest, " in ", 4) && rest[4] != '<';
    return (struct frame){.file = report_textf(report, "%.*s", (int)(end - file), file),
                          .line = number,
                          .function = named ? report_text(report, rest + 4) : NULL};
}

/* Where a thread is in a script; no frames if it is in none. */
static struct stack stack_of_script(struct report *report, struct symbols *symbols,
                                    const char *script)
{
    struct stack stack = {0};
    struct frame frames[PAGE_FRAMES];
    for (const char *end; stack.depth < PAGE_FRAMES && (end = strchr(script, '\n'));
         script = end + 1) {
        char *line = checked_printf("%.*s", (int)(end - script), script);
        plain_make(line, false);
        frames[stack.depth] = frame_of_script(report, line);
        stack.depth += frames[stack.depth].file && frames[stack.depth].line;
        free(line);
    }
    stack.frames = obstack_copy(&report->texts, frames, stack.depth * sizeof *frames);
    symbols_resolve(symbols, report, &stack);
    return stack;
}

/* ---- the ranks ---- */

static struct world make_world(const struct pages *pages)
{
    struct world world = {.clear = true};
    for (size_t i = 0; i < pages->count; i++) {
        const struct page *page = page_of(&pages->list[i]);
        world.size = page->ranks > world.size ? page->ranks : world.size;
    }
    world.ranks = checked_malloc((world.size + 1) * sizeof *world.ranks);
    memset(world.ranks, 0, (world.size + 1) * sizeof *world.ranks);
    for (size_t i = 0; i < pages->count; i++) {
        const struct page *page = page_of(&pages->list[i]);
        if (world.ranks[page->rank] || page->ranks != world.size)
            world.clear = false; /* spawned processes, or several runs */
        else
            world.ranks[page->rank] = &pages->list[i];
    }
    return world;
}

static int thread_count(const struct page *page)
{
    return page->nplaces < PAGE_THREADS ? (int)page->nplaces : PAGE_THREADS;
}

/* Whether a thread that is not in MPI belongs to MPI itself: nothing of the program is on its
 * stack. */
static bool is_internal(const struct page *page, const struct page_place *place)
{
    if (place->calls || place->depth <= 0)
        return false;
    for (int i = 0; i < place->depth && i < PAGE_FRAMES; i++) {
        const struct page_module *module = module_of(page, place->frames[i]);
        if (module && !is_of_others(page, module))
            return false;
    }
    return true;
}

/* Below MPI_THREAD_MULTIPLE nobody else may call MPI while one thread is in it. */
static bool is_blocked(const struct watched_page *watched)
{
    const struct page *page = page_of(watched);
    int inside = 0, idle = 0, threads = thread_count(page);
    if (page->state != PAGE_RUNNING || !watched->alive)
        return false;
    for (int i = 0; i < threads; i++) {
        if (page->places[i].inside && page_place_age(watched, i) >= SETTLED)
            inside++;
        else if (page->places[i].inside)
            return false;
        else if (!is_internal(page, &page->places[i]))
            idle++;
    }
    if (!page->several_threads)
        return inside > 0;
    return inside > 0 && !idle && watched->tasks == threads;
}

static void stand(const struct world *world, int rank, struct standing *standing)
{
    const struct page *page = page_of_rank(world, rank);
    if (!page || !world->clear)
        return;
    standing->blocked = is_blocked(world->ranks[rank]);
    for (int i = 0; i < thread_count(page); i++) {
        const struct page_place *place = &page->places[i];
        if (!place->inside)
            continue;
        if (place->nitems > PAGE_ITEMS || !place->nitems)
            standing->blocked = false; /* not all is known that it waits for */
        for (uint32_t j = 0; j < place->nitems && j < PAGE_ITEMS; j++) {
            standing->needs =
                checked_realloc(standing->needs, (standing->count + 1) * sizeof *standing->needs);
            standing->needs[standing->count++] = need_of(world, rank, place, &place->items[j]);
        }
    }
}

/* ---- into the report ---- */

static int *keep_ranks(struct report *report, const int *ranks, size_t count)
{
    return count ? obstack_copy(&report->texts, ranks, count * sizeof *ranks) : NULL;
}

struct explaining {
    struct report *report;
    struct symbols *symbols;
    const struct world *world;
    struct waiting *waiting;
    size_t capacity;
};

static void add_parts(struct explaining *explaining, const struct page *page,
                      const struct page_place *place, struct wait *wait)
{
    struct report *report = explaining->report;
    size_t known = place->nitems < PAGE_ITEMS ? place->nitems : PAGE_ITEMS;
    struct need needs[PAGE_ITEMS];
    wait->more = place->nitems - known;
    wait->parts = obstack_alloc(&report->texts, (known + 1) * sizeof *wait->parts);
    for (size_t i = 0; i < known; i++)
        needs[i] = need_of(explaining->world, page->rank, place, &place->items[i]);
    for (size_t i = 0; i < known; i++) {
        const struct page_item *item = &place->items[i];
        const struct routine *routine = page_routine(item->routine);
        struct need need = needs[i];
        if (need_is_past(needs, known, &need))
            continue;
        struct wait_part part = {.call = routine ? routine->name : NULL,
                                 .deed = need.deed,
                                 .ranks = keep_ranks(report, need.ranks, need.count),
                                 .rank_count = need.count,
                                 .all = need.all,
                                 .tag = need.tag,
                                 .group = report_text(report, need.group)};
        if (item->routine != place->routine && item->caller)
            part.made = stack_of(report, explaining->symbols, page, &item->caller, 1);
        wait->parts[wait->part_count++] = part;
    }
    for (size_t i = 0; i < known; i++)
        need_clear(&needs[i]);
}

static struct wait *add_wait(struct explaining *explaining, int rank, int thread)
{
    struct waiting *waiting = explaining->waiting;
    waiting->waits = checked_grow(waiting->waits, waiting->wait_count, &explaining->capacity,
                                  sizeof *waiting->waits);
    struct wait *wait = &waiting->waits[waiting->wait_count++];
    *wait = (struct wait){.rank = rank, .thread = thread};
    return wait;
}

static void add_place(struct explaining *explaining, const struct watched_page *watched, int thread,
                      bool stuck)
{
    const struct page *page = page_of(watched);
    const struct page_place *place = &page->places[thread];
    const struct routine *routine = page_routine(place->routine);
    if (!place->calls && (!place->depth || is_internal(page, place)))
        return;
    bool inside = place->inside && routine;
    struct stack stack = stack_of_script(explaining->report, explaining->symbols, place->script);
    if (!stack.depth)
        stack = stack_of_frames(explaining->report, explaining->symbols, page, place->frames,
                                place->depth, inside || !place->depth ? place->caller : 0);
    struct wait *wait = add_wait(explaining, page->rank, thread);
    wait->inside = inside;
    wait->call = place->calls && routine ? routine->name : NULL;
    wait->stack = stack;
    wait->seconds = page_place_age(watched, thread);
    wait->stuck = stuck && inside;
    if (inside)
        add_parts(explaining, page, place, wait);
}

static void add_rank(struct explaining *explaining, int rank, bool stuck)
{
    const struct watched_page *watched = explaining->world->ranks[rank];
    if (!watched)
        return;
    if (rank_has_ended(explaining->world, rank)) {
        add_wait(explaining, rank, 0)->ended = true;
        return;
    }
    for (int i = 0; i < thread_count(page_of(watched)); i++)
        add_place(explaining, watched, i, stuck);
}

struct waiting *explain_waiting(struct report *report, struct symbols *symbols,
                                const struct pages *pages)
{
    if (!pages->count)
        return NULL;
    struct world world = make_world(pages);
    struct waiting *waiting = obstack_alloc(&report->texts, sizeof *waiting);
    *waiting = (struct waiting){0};
    struct explaining explaining = {report, symbols, &world, waiting, 0};
    struct standing *standings = checked_malloc((world.size + 1) * sizeof *standings);
    memset(standings, 0, (world.size + 1) * sizeof *standings);
    for (int i = 0; i < world.size; i++)
        stand(&world, i, &standings[i]);
    deadlock_find(&world, standings);
    for (int i = 0; i < world.size; i++)
        add_rank(&explaining, i, standings[i].stuck);
    int *cycle = deadlock_cycle(&world, standings, &waiting->cycle_count, &waiting->cycle_ends);
    waiting->cycle = keep_ranks(report, cycle, waiting->cycle_count);
    struct wait *kept = waiting->wait_count
                            ? obstack_copy(&report->texts, waiting->waits,
                                           waiting->wait_count * sizeof *waiting->waits)
                            : NULL;
    free(waiting->waits);
    waiting->waits = kept;
    free(cycle);
    for (int i = 0; i < world.size; i++) {
        for (size_t j = 0; j < standings[i].count; j++)
            need_clear(&standings[i].needs[j]);
        free(standings[i].needs);
    }
    free(standings);
    free(world.ranks);
    return waiting;
}

struct death *explain_death(struct report *report, struct symbols *symbols,
                            const struct pages *pages)
{
    const struct watched_page *first = NULL;
    for (size_t i = 0; i < pages->count; i++) {
        const struct page_death *death = &pages->list[i].live->death;
        const struct page_death *best = first ? &first->live->death : NULL;
        if (death->signal &&
            (!best || death->seconds < best->seconds ||
             (death->seconds == best->seconds && death->nanoseconds < best->nanoseconds)))
            first = &pages->list[i];
    }
    if (!first)
        return NULL;
    const struct page *page = first->live;
    const struct page_death *how = &page->death;
    struct death *death = obstack_alloc(&report->texts, sizeof *death);
    *death = (struct death){.rank = page->rank, .signal = how->signal};
    uint64_t caller = 0;
    if (how->place >= 0 && how->place < PAGE_THREADS) {
        const struct page_place *place = &page->places[how->place];
        const struct routine *routine = page_routine(place->routine);
        death->thread = how->place;
        if (place->inside && routine) {
            death->call = routine->name;
            caller = place->caller;
        }
    }
    death->stack = stack_of_frames(report, symbols, page, how->frames, how->depth, caller);
    return death;
}

void explain_calls(struct report *report, struct symbols *symbols, const struct pages *pages)
{
    enum { MOST = 4 };
    int told = 0;
    for (size_t i = 0; i < pages->count && told < MOST; i++) {
        const struct page *page = pages->list[i].live;
        const struct page_place *place = &page->places[0];
        const struct routine *routine = page_routine(place->routine);
        if (page->state != PAGE_RUNNING || !place->inside || !routine)
            continue;
        struct stack stack = stack_of_frames(report, symbols, page, NULL, 0, place->caller);
        const struct frame *frame = stack_place(&stack);
        report_note(report,
                    report_textf(report, "rank %d ended in %s%s%s", page->rank, routine->name,
                                 frame ? " at " : "", frame ? frame_place(report, frame) : ""));
        told++;
    }
}
