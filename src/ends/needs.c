#include "needs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "findings/checked.h"

const struct routine *page_routine(uint32_t number)
{
    return number < ROUTINES ? &routines[number] : NULL;
}

bool rank_has_ended(const struct world *world, int rank)
{
    const struct page *page = page_of_rank(world, rank);
    return page && (page->state != PAGE_RUNNING || !world->ranks[rank]->alive);
}

/* ---- groups ---- */

static bool is_of_window(const struct routine *routine)
{
    return routine_has(routine, ROLE_win) || routine_has(routine, ROLE_freed_win);
}

static const struct page_group *group_of(const struct page *page, const struct page_item *item)
{
    const struct routine *routine = page_routine(item->routine);
    uint32_t kind = routine && is_of_window(routine) ? PAGE_GROUP_WINDOW : PAGE_GROUP_COMM;
    for (int i = 0; i < PAGE_GROUPS; i++)
        if (page->groups[i].kind == kind && page->groups[i].handle == item->handle &&
            !page->groups[i].gone)
            return &page->groups[i];
    return NULL;
}

static const struct page_group *same_group(const struct page *page, const struct page_group *group)
{
    for (int i = 0; i < PAGE_GROUPS; i++)
        if (page->groups[i].kind == group->kind && page->groups[i].id == group->id)
            return &page->groups[i];
    return NULL;
}

static int rank_at(const struct page *page, int32_t list, int size, int i)
{
    if (i < 0 || i >= size)
        return -1;
    if (list < 0)
        return i;
    return (uint32_t)(list + i) < PAGE_RANKS ? (int)page->ranks_of_groups[list + i] : -1;
}

/* The rank in MPI_COMM_WORLD of a partner in the call: of the other group, where there are two. */
static int partner(const struct page *page, const struct page_group *group, int i)
{
    return rank_at(page, group->remote, group->remote_size, i);
}

static int member(const struct page *page, const struct page_group *group, int i)
{
    return rank_at(page, group->members, group->size, i);
}

static char *group_words(const struct page *page, const struct page_group *group)
{
    if (group->handle == page->world && group->kind == PAGE_GROUP_COMM)
        return checked_strdup("MPI_COMM_WORLD");
    char *text = checked_strdup(group->kind == PAGE_GROUP_WINDOW ? "a window of ranks "
                                                                 : "a communicator of ranks ");
    for (int i = 0; i < group->size && i < 8; i++) {
        char *longer = checked_printf("%s%s%d", text, i ? ", " : "", member(page, group, i));
        free(text);
        text = longer;
    }
    char *whole = checked_printf("%s%s%s", text, group->size > 8 ? ", …" : "",
                                 group->inter ? " and their partners" : "");
    free(text);
    return whole;
}

/* ---- needs ---- */

static void add(struct need *need, int rank)
{
    for (size_t i = 0; i < need->count; i++)
        if (need->ranks[i] == rank)
            return;
    need->ranks = checked_realloc(need->ranks, (need->count + 1) * sizeof *need->ranks);
    need->ranks[need->count++] = rank;
    if (rank < 0)
        need->open = true;
}

void need_clear(struct need *need)
{
    free(need->ranks);
    free(need->group);
    *need = (struct need){0};
}

bool need_is_past(const struct need *needs, size_t count, const struct need *need)
{
    for (size_t i = 0; need->met && i < count; i++)
        if (!needs[i].met)
            return true;
    return false;
}

/* ---- messages ---- */

static bool sends(const struct routine *routine)
{
    return routine->object == OBJECT_send || routine->object == OBJECT_sendrecv;
}

static bool receives(const struct routine *routine)
{
    return routine_has(routine, ROLE_source);
}

/* A message as one side sees it. */
struct message {
    uint64_t group;
    int from, to; /* in MPI_COMM_WORLD; -1: any */
    int tag;
    bool any_tag;
};

static struct message sent(const struct page *page, const struct page_group *group,
                           const struct page_item *item)
{
    return (struct message){group->id, page->rank, partner(page, group, item->peer), item->tag,
                            false};
}

static struct message received(const struct page *page, const struct page_group *group,
                               const struct page_item *item)
{
    bool any = item->source == page->any_source;
    int tag = page_routine(item->routine)->object == OBJECT_sendrecv ? item->recvtag : item->tag;
    return (struct message){group->id, any ? -1 : partner(page, group, item->source), page->rank,
                            tag, tag == page->any_tag};
}

static bool fits(const struct message *send, const struct message *receive)
{
    return send->group == receive->group && send->to == receive->to &&
           (receive->from < 0 || receive->from == send->from) &&
           (receive->any_tag || receive->tag == send->tag);
}

/* Whether the rank is in a call right now that has the other half of the message. */
static bool has_other_half(const struct world *world, int rank, const struct message *message,
                           bool is_send)
{
    const struct page *page = page_of_rank(world, rank);
    for (uint32_t i = 0; page && i < page->nplaces && i < PAGE_THREADS; i++) {
        const struct page_place *place = &page->places[i];
        for (uint32_t j = 0; place->inside && j < place->nitems && j < PAGE_ITEMS; j++) {
            const struct page_item *item = &place->items[j];
            const struct routine *routine = page_routine(item->routine);
            const struct page_group *group = routine ? group_of(page, item) : NULL;
            if (!group)
                continue;
            struct message other;
            if (is_send && receives(routine)) {
                other = received(page, group, item);
                if (fits(message, &other))
                    return true;
            } else if (!is_send && sends(routine)) {
                other = sent(page, group, item);
                if (fits(&other, message))
                    return true;
            }
        }
    }
    return false;
}

/* Whether the rank has begun the other half of message `number` of the channel: messages and
 * receives of a channel match in their order (MPI-4.1 section 3.5). */
static bool has_begun(const struct world *world, int rank, uint64_t group, const struct page *page,
                      int tag, bool sends, uint64_t number)
{
    const struct page *other = page_of_rank(world, rank);
    if (!other || !number || other->channels_lost || page->channels_lost)
        return false;
    for (int i = 0; i < PAGE_CHANNELS; i++) {
        const struct page_channel *channel = &other->channels[i];
        if (channel->group == group && channel->peer == page->rank && channel->tag == tag &&
            channel->sends == sends)
            return channel->count >= number;
    }
    return false;
}

static void need_receiver(struct need *need, const struct world *world, const struct page *page,
                          const struct page_group *group, const struct page_item *item)
{
    struct message message = sent(page, group, item);
    need->deed = "receive";
    need->all = true;
    need->tag = item->tag;
    if (item->peer == page->proc_null) {
        need->open = true;
        return;
    }
    add(need, message.to);
    need->met = has_begun(world, message.to, group->id, page, message.tag, false, item->number);
    if (has_other_half(world, message.to, &message, true)) {
        need->open = true;
        need->deed = "taken";
    }
}

static void need_sender(struct need *need, const struct world *world, const struct page *page,
                        const struct page_group *group, const struct page_item *item)
{
    struct message message = received(page, group, item);
    need->deed = "send";
    need->tag = message.any_tag ? WAIT_TAG_ANY : message.tag;
    if (item->source == page->proc_null) {
        need->open = true;
        return;
    }
    need->all = message.from >= 0;
    if (message.from >= 0)
        add(need, message.from);
    need->met = message.from >= 0 && !message.any_tag &&
                has_begun(world, message.from, group->id, page, message.tag, true, item->number);
    for (int i = 0; message.from < 0 && i < group->remote_size; i++)
        if (partner(page, group, i) != page->rank || group->remote_size == 1)
            add(need, partner(page, group, i));
    for (size_t i = 0; i < need->count; i++)
        if (has_other_half(world, need->ranks[i], &message, false)) {
            need->open = true;
            need->deed = "matched";
        }
}

/* ---- collectives ---- */

static bool is_collective(const struct routine *routine)
{
    switch (routine->verb) {
    case VERB_blocking:
    case VERB_starts:
        return routine->object == OBJECT_collective;
    case VERB_finalises:
        return true;
    case VERB_creates:
        return routine_has(routine, ROLE_comm) && !routine_is(routine, ATTRIBUTE_late) &&
               !routine_is(routine, ATTRIBUTE_leaves_world);
    case VERB_opens:
        return routine->object == OBJECT_fence;
    case VERB_frees:
        return routine->object == OBJECT_window;
    default:
        return false;
    }
}

/* Whether nobody leaves it before all have entered. */
static bool is_together(const struct routine *routine)
{
    return routine_is(routine, ATTRIBUTE_together) || routine->verb != VERB_blocking;
}

/* The number of the collective that the item is about, of those on its group. */
static uint64_t number_of(const struct page_group *group, const struct page_item *item)
{
    const struct routine *routine = page_routine(item->routine);
    return routine->verb == VERB_starts ? item->number : group->collectives;
}

/* The collective with this number, if the rank is in it now; NULL: it is not. */
static const struct routine *in_collective(const struct page *page, const struct page_group *group,
                                           uint64_t number)
{
    for (uint32_t i = 0; i < page->nplaces && i < PAGE_THREADS; i++) {
        const struct page_place *place = &page->places[i];
        for (uint32_t j = 0; place->inside && j < place->nitems && j < PAGE_ITEMS; j++) {
            const struct routine *routine = page_routine(place->items[j].routine);
            if (routine && is_collective(routine) && group_of(page, &place->items[j]) == group &&
                number_of(group, &place->items[j]) == number)
                return routine;
        }
    }
    return NULL;
}

enum attendance { ABSENT, ELSEWHERE, PRESENT, UNKNOWN };

static enum attendance attends(const struct world *world, int rank, const struct page_group *group,
                               uint64_t number, const struct routine *routine)
{
    const struct page *page = page_of_rank(world, rank);
    if (!page)
        return UNKNOWN;
    const struct page_group *its = same_group(page, group);
    if (!its)
        return UNKNOWN;
    uint64_t count = its->collectives;
    if (page->state == PAGE_FINALIZED && its->handle == page->world && count > 0)
        count--; /* that was MPI_Finalize */
    if (count < number)
        return ABSENT;
    const struct routine *in = in_collective(page, its, number);
    return in && in != routine ? ELSEWHERE : PRESENT;
}

static void need_members(struct need *need, const struct world *world, const struct page *page,
                         const struct page_group *group, const struct page_item *item)
{
    const struct routine *routine = page_routine(item->routine);
    uint64_t number = number_of(group, item);
    int both = group->inter ? group->size + group->remote_size : group->size;
    int root =
        routine_has(routine, ROLE_root) && !group->inter ? member(page, group, item->peer) : -1;
    bool root_is_missing = false;
    need->deed = "enter";
    need->all = is_together(routine) || (routine->order == ORDER_to_root && root == page->rank);
    need->open =
        number == 0 || (routine->object == OBJECT_fence && item->assertion & page->no_precede);
    for (int i = 0; i < both; i++) {
        int rank = i < group->size ? member(page, group, i) : partner(page, group, i - group->size);
        if (rank == page->rank)
            continue;
        enum attendance here = attends(world, rank, group, number, routine);
        if (here == UNKNOWN)
            need->open = true;
        if (here != ABSENT && here != ELSEWHERE)
            continue;
        add(need, rank);
        if (here == ELSEWHERE)
            need->deed = "other";
        root_is_missing |= rank == root;
    }
    /* Whoever gets from the root needs it, whatever the others do. */
    if (root_is_missing && routine->order == ORDER_from_root) {
        need->count = 0;
        add(need, root);
        need->all = true;
    }
    if (!need->count) {
        need->open = true;
        need->deed = "progress";
    }
}

/* ---- windows ---- */

/* Whether the rank is in this call on the same window, with the other one among those it is for. */
static bool is_in(const struct world *world, int rank, const struct page_group *group, int other,
                  enum verb verb, enum object object)
{
    const struct page *page = page_of_rank(world, rank);
    for (uint32_t i = 0; page && i < page->nplaces && i < PAGE_THREADS; i++) {
        const struct page_place *place = &page->places[i];
        const struct routine *routine = page_routine(place->routine);
        if (!place->inside || !routine || routine->verb != verb || routine->object != object)
            continue;
        for (uint32_t j = 0; j < place->nitems && j < PAGE_ITEMS; j++) {
            const struct page_group *its = group_of(page, &place->items[j]);
            if (its && its->id == group->id &&
                (place->items[j].in_world ? place->items[j].peer
                                          : partner(page, its, place->items[j].peer)) == other)
                return true;
        }
    }
    return false;
}

static void need_epoch(struct need *need, const struct world *world, const struct page *page,
                       const struct page_group *group, const struct page_item *item)
{
    const struct routine *routine = page_routine(item->routine);
    bool exposure = routine->object == OBJECT_exposure;
    int rank = item->in_world ? item->peer : partner(page, group, item->peer);
    need->deed = exposure ? "complete" : "post";
    need->all = true;
    add(need, rank);
    if (is_in(world, rank, group, page->rank, VERB_closes,
              exposure ? OBJECT_access : OBJECT_exposure))
        need->open = true;
}

static bool covers(const struct page_lock *lock, uint64_t handle, int target)
{
    return lock->handle && lock->handle == handle &&
           (lock->target < 0 || target < 0 || lock->target == target);
}

static bool is_exclusive(const struct page *page, const struct page_item *item, int target)
{
    const struct routine *routine = page_routine(item->routine);
    if (routine_has(routine, ROLE_lock_type))
        return item->assertion == page->exclusive;
    for (int i = 0; i < PAGE_LOCKS; i++)
        if (covers(&page->locks[i], item->handle, target) && page->locks[i].exclusive)
            return true;
    return false;
}

/* Everybody who has asked for a lock that excludes this one; some of them have it. The target may
 * have to take part as well. */
static void need_unlock(struct need *need, const struct world *world, const struct page *page,
                        const struct page_group *group, const struct page_item *item)
{
    const struct routine *routine = page_routine(item->routine);
    int target = routine_has(routine, ROLE_target) ? item->peer : -1;
    bool exclusive = is_exclusive(page, item, target);
    need->deed = "lock";
    for (int i = 0; i < group->size; i++) {
        int rank = member(page, group, i);
        const struct page *other = page_of_rank(world, rank);
        const struct page_group *its = other ? same_group(other, group) : NULL;
        if (!its || other->locks_lost)
            need->open = true;
        for (int j = 0; its && rank != page->rank && j < PAGE_LOCKS; j++)
            if (covers(&other->locks[j], its->handle, target) &&
                (exclusive || other->locks[j].exclusive))
                add(need, rank);
    }
    if (!need->count) {
        need->open = true;
        return;
    }
    need->deed = "unlock";
    if (target >= 0 && member(page, group, target) != page->rank)
        add(need, member(page, group, target));
}

/* ---- all of them ---- */

static bool is_lock(const struct routine *routine)
{
    bool lock = routine->object == OBJECT_lock || routine->object == OBJECT_lock_all;
    return ((routine->verb == VERB_opens || routine->verb == VERB_closes) && lock) ||
           routine->verb == VERB_flushes || routine->verb == VERB_flushes_local;
}

static bool is_epoch(const struct routine *routine)
{
    return (routine->verb == VERB_closes &&
            (routine->object == OBJECT_access || routine->object == OBJECT_exposure)) ||
           (routine->verb == VERB_opens && routine->object == OBJECT_access);
}

/* A buffered or ready send never waits for the receiver. */
static bool may_wait_for_receiver(const struct routine *routine)
{
    return sends(routine) &&
           (routine->object == OBJECT_sendrecv || routine_is(routine, ATTRIBUTE_standard) ||
            routine->order == ORDER_channel_both);
}

struct need need_of(const struct world *world, int rank, const struct page_place *place,
                    const struct page_item *item)
{
    const struct page *page = page_of_rank(world, rank);
    const struct routine *routine = page_routine(item->routine);
    const struct page_group *group = routine ? group_of(page, item) : NULL;
    struct need need = {.deed = "unknown", .tag = WAIT_TAG_NONE};
    (void)place;
    if (!group || routine_has(routine, ROLE_flag)) {
        need.open = true;
        return need;
    }
    need.group = group_words(page, group);
    if (routine->object == OBJECT_sendrecv) {
        /* Either half may be over: both have to be in vain. */
        struct need other = {.tag = WAIT_TAG_NONE};
        if (item->peer != page->proc_null)
            need_receiver(&other, world, page, group, item);
        if (item->source != page->proc_null)
            need_sender(&need, world, page, group, item);
        else
            need.deed = "receive";
        for (size_t i = 0; i < other.count; i++)
            add(&need, other.ranks[i]);
        need.all = false;
        need.open |= other.open;
        need_clear(&other);
    } else if (receives(routine)) {
        need_sender(&need, world, page, group, item);
    } else if (may_wait_for_receiver(routine)) {
        need_receiver(&need, world, page, group, item);
    } else if (is_collective(routine)) {
        need_members(&need, world, page, group, item);
    } else if (is_epoch(routine)) {
        need_epoch(&need, world, page, group, item);
    } else if (is_lock(routine)) {
        need_unlock(&need, world, page, group, item);
    } else {
        need.open = true;
    }
    return need;
}
