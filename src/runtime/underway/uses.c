#include "uses.h"

#include <stdlib.h>

#include "engine/table.h"
#include "interpose/stacks.h"
#include "renewals.h"
#include "session.h"

/* More than this many are not kept: the oldest go. That can miss a race. */
enum { MOST = 1 << 14, FORGET_AT = 256 };

/* Uses of the same place in the code, by the same actors, that begin at the same byte. */
struct lane_key {
    const struct stack *stack;
    const struct routine *routine;
    uint64_t start, bytes;
    uint64_t began, ended; /* the actors */
};
struct use_lane {
    struct lane_key key;
    struct use *newest;
    unsigned count;
    UT_hash_handle hh;
};
enum { IN_LANE = 16 };

static struct {
    struct inuse *map; /* their bytes */
    struct use *oldest, *newest;
    size_t count, forget_at;
    struct use_lane *lanes;
} uses;

static void leave_lane(struct use *use)
{
    struct use_lane *lane = use->lane;
    if (!lane)
        return;
    *(use->later ? &use->later->earlier : &lane->newest) = use->earlier;
    if (use->earlier)
        use->earlier->later = use->later;
    if (--lane->count > 0)
        return;
    HASH_DEL(uses.lanes, lane);
    free(lane);
}

static void drop(struct use *use)
{
    leave_lane(use);
    *(use->previous ? &use->previous->next : &uses.oldest) = use->next;
    *(use->next ? &use->next->previous : &uses.newest) = use->previous;
    inuse_remove(uses.map, use->inuse);
    past_drop(use->past);
    free(use);
    uses.count--;
}

static void forget_known(void)
{
    struct use *next;
    if (uses.count < uses.forget_at)
        return;
    for (struct use *use = uses.oldest; use; use = next) {
        next = use->next;
        if (actors_all_know(use->ended))
            drop(use);
    }
    while (uses.count >= MOST)
        drop(uses.oldest);
    uses.forget_at = 2 * uses.count > FORGET_AT ? 2 * uses.count : FORGET_AT;
}

static void mark(const struct use *use)
{
    uint64_t low, high;
    if (inuse_extent(use->inuse, &low, &high))
        renewals_mark(low, high);
}

static struct use *add(void)
{
    if (!uses.map) {
        uses.map = inuse_create();
        uses.forget_at = FORGET_AT;
    }
    forget_known();
    struct use *use = calloc(1, sizeof *use);
    if (!use)
        return NULL;
    use->previous = uses.newest;
    *(uses.newest ? &uses.newest->next : &uses.oldest) = use;
    uses.newest = use;
    uses.count++;
    return use;
}

/* ---- one after the other ---- */

static struct use_lane *lane_of(const struct use *use)
{
    struct lane_key key = {.stack = use->from.stack,
                           .routine = use->routine,
                           .start = use->start,
                           .bytes = use->bytes,
                           .began = use->began.actor,
                           .ended = use->ended.actor};
    struct use_lane *lane;
    HASH_FIND(hh, uses.lanes, &key, sizeof key, lane);
    if (!lane && (lane = calloc(1, sizeof *lane))) {
        lane->key = key;
        HASH_ADD(hh, uses.lanes, key, sizeof key, lane);
    }
    return lane;
}

/* Nobody can know its beginning and not its end. */
static bool is_at_once(const struct use *use)
{
    return use->began.actor == use->ended.actor && use->began.time == use->ended.time;
}

/* The same call of the same actor on the same bytes as before: who does something from now on and
 * does not know of the earlier one's end does not know of this one's either, so this one is enough.
 * Without it a thread that others never hear of would be compared with all that it ever sent.
 *
 * Only if somebody knows the beginning of the earlier one and not its end it is another mistake at
 * the same lines (a buffer in use, not a matter of threads). So the last IN_LANE of these are kept,
 * too. */
static void replace_earlier(struct use *use)
{
    struct use_lane *lane = lane_of(use);
    struct use *oldest = NULL, *earlier, *next;
    if (!lane)
        return;
    use->lane = lane;
    use->earlier = lane->newest;
    if (use->earlier)
        use->earlier->later = use;
    lane->newest = use;
    lane->count++;
    for (earlier = use->earlier; earlier; earlier = next) {
        next = earlier->earlier;
        if (!inuse_same(earlier->inuse, use->inuse))
            continue;
        if (is_at_once(earlier))
            drop(earlier);
        else
            oldest = earlier;
    }
    if (lane->count > IN_LANE && oldest)
        drop(oldest);
}

void use_ended(const struct operation_buffer *buffer)
{
    const struct operation *operation = buffer->operation;
    bool is_certain = !operation->mistakable || buffer->began.actor == actor_current();
    struct use *use = actors_are_concurrent() && buffer->inuse && is_certain ? add() : NULL;
    if (!use)
        return;
    use->from = operation_buffer_place(buffer);
    use->routine = operation->routine;
    use->thread = operation->thread;
    use->start = buffer->start;
    use->bytes = buffer->bytes;
    use->past = past_keep(buffer->past);
    use->began = buffer->began;
    use->ended = actor_moment();
    use->inuse = inuse_add_same(uses.map, buffer->inuse, use);
    mark(use);
    replace_earlier(use);
}

void use_made(const struct call *call, const struct section *sections, size_t n,
              enum buffer_access access)
{
    struct use *use = n > 0 ? add() : NULL;
    if (!use)
        return;
    use->from = (struct operation_place){call->routine, stack_take(call->caller, call->frame)};
    use->routine = call->routine;
    use->thread = session_thread();
    use->start = sections[0].start;
    use->bytes = sections_bytes(sections, n);
    use->past = actor_past();
    use->began = use->ended = actor_moment();
    use->inuse = inuse_add(uses.map, sections, n, access, use);
    mark(use);
    replace_earlier(use);
}

struct question {
    use_visitor *visit;
    void *context;
};

static bool hand_on(void *context, void *owner, enum buffer_access access,
                    const struct section *common)
{
    struct question *question = context;
    return question->visit(question->context, owner, access, common);
}

void uses_conflicts(const struct section *sections, size_t n, enum buffer_access access,
                    use_visitor *visit, void *context)
{
    struct question question = {visit, context};
    if (uses.count)
        inuse_conflicts(uses.map, sections, n, access, hand_on, &question);
}

struct erasure {
    struct use *found[16];
    size_t n;
};

static bool collect(void *context, void *owner, enum buffer_access access,
                    const struct section *common)
{
    struct erasure *erasure = context;
    (void)access, (void)common;
    erasure->found[erasure->n++] = owner;
    return erasure->n < sizeof erasure->found / sizeof *erasure->found;
}

void uses_erase(uint64_t low, uint64_t high)
{
    struct section section = {.start = low, .length = high - low, .count = 1};
    struct erasure erasure;
    if (!uses.count || low >= high)
        return;
    do {
        erasure.n = 0;
        inuse_conflicts(uses.map, &section, 1, BUFFER_WRITE, collect, &erasure);
        for (size_t i = 0; i < erasure.n; i++)
            drop(erasure.found[i]);
    } while (erasure.n > 0);
}

void uses_clear(void)
{
    while (uses.oldest)
        drop(uses.oldest);
}
