#include "history.h"
#include <stdlib.h>
#include "assertions.h"
#include "mutants.h"

void history_init(struct history *history)
{
    *history = (struct history){0};
    pool_init(&history->nodes, sizeof(struct node));
    pool_init(&history->ends, sizeof(struct node_end));
    pool_init(&history->seen, sizeof(struct seen_end));
}

void history_clear(struct history *history)
{
    pool_clear(&history->nodes);
    pool_clear(&history->ends);
    pool_clear(&history->seen);
    struct open_nodes *open, *next;
    HASH_ITER(hh, history->open, open, next)
    {
        HASH_DEL(history->open, open);
        free(open);
    }
}

static void list_add(struct node_list *list, struct node *node)
{
    node->before = NULL;
    node->next = list->first;
    if (list->first)
        list->first->before = node;
    list->first = node;
}

static void list_remove(struct node_list *list, struct node *node)
{
    if (node->before)
        node->before->next = node->next;
    else
        list->first = node->next;
    if (node->next)
        node->next->before = node->before;
}

static struct open_key open_key_of(const struct node *node)
{
    if (node->state == NODE_EXPOSED)
        return (struct open_key){node->window, 0, NODE_EXPOSED};
    return (struct open_key){node->lot, node->access.rank, NODE_LOT_OPEN};
}

static struct open_nodes *find_open(const struct history *history, const struct open_key *key)
{
    struct open_nodes *open;
    HASH_FIND(hh, history->open, key, sizeof *key, open);
    return open;
}

static bool is_listed(enum node_state state)
{
    return state == NODE_OVER || state == NODE_BUFFER_OPEN;
}

static void enlist(struct history *history, struct node *node)
{
    if (is_listed(node->state)) {
        list_add(node->state == NODE_OVER ? &history->ended : &history->buffers, node);
        return;
    }
    struct open_key key = open_key_of(node);
    struct open_nodes *open = find_open(history, &key);
    if (!open) {
        open = allocate_zeroed(1, sizeof *open);
        open->key = key;
        HASH_ADD(hh, history->open, key, sizeof open->key, open);
    }
    list_add(&open->nodes, node);
}

static void delist(struct history *history, struct node *node)
{
    if (is_listed(node->state)) {
        list_remove(node->state == NODE_OVER ? &history->ended : &history->buffers, node);
        return;
    }
    struct open_key key = open_key_of(node);
    struct open_nodes *open = find_open(history, &key);
    assert_cheap(open && open->nodes.first);
    list_remove(&open->nodes, node);
    if (!open->nodes.first) {
        HASH_DEL(history->open, open);
        free(open);
    }
}

struct node *history_lot(const struct history *history, uint32_t origin, uint64_t lot)
{
    struct open_key key = {lot, origin, NODE_LOT_OPEN};
    struct open_nodes *open = find_open(history, &key);
    return open ? open->nodes.first : NULL;
}

struct node *history_exposed(const struct history *history, window_t window)
{
    struct open_key key = {window, 0, NODE_EXPOSED};
    struct open_nodes *open = find_open(history, &key);
    return open ? open->nodes.first : NULL;
}

struct node *history_insert(struct history *history, const struct node *node)
{
    struct node *entered = pool_take(&history->nodes);
    *entered = *node;
    entered->number = ++history->entered;
    entered->span.low = node->section.start;
    entered->span.high = MUTANT(span_of_first_block) ? node->section.start + node->section.length
                                                     : section_end(&node->section);
    spans_insert(&history->spans, &entered->span);
    enlist(history, entered);
    if (history->spans.count > history->peak)
        history->peak = history->spans.count;
    return entered;
}

void history_remove(struct history *history, struct node *node)
{
    spans_remove(&history->spans, &node->span);
    delist(history, node);
    while (node->more_ends) {
        struct node_end *end = node->more_ends;
        node->more_ends = end->next;
        pool_give(&history->ends, end);
    }
    while (node->seen) {
        struct seen_end *end = node->seen;
        node->seen = end->next;
        pool_give(&history->seen, end);
    }
    pool_give(&history->nodes, node);
}

void history_end(struct history *history, struct node *node, actor_t actor, time_point time)
{
    if (node->state == NODE_OVER) {
        struct node_end *more = pool_take(&history->ends);
        *more = (struct node_end){actor, time, node->more_ends};
        node->more_ends = more;
        return;
    }
    delist(history, node);
    node->state = NODE_OVER;
    node->end_actor = actor;
    node->end = time;
    list_add(&history->ended, node);
}

bool history_supersedes(const struct node *newer, const struct node *older, bool newer_knows)
{
    const struct access *a = &newer->access, *b = &older->access;
    if (a->site != b->site && !MUTANT(forget_other_sites))
        return false;
    if (a->kind != b->kind || a->rank != b->rank || a->thread != b->thread || a->op != b->op ||
        a->type != b->type || a->same_op != b->same_op || newer->window != older->window ||
        newer->lock != older->lock || newer->lockset != older->lockset ||
        newer->after_seen != older->after_seen || older->state == NODE_BUFFER_OPEN)
        return false;
    bool ends_later;
    if (older->state != NODE_OVER)
        ends_later = newer->state == older->state && newer->lot == older->lot;
    else if (newer->state == NODE_OVER && newer->end_actor == older->end_actor)
        ends_later = newer->end >= older->end;
    else
        ends_later = newer_knows;
    return ends_later &&
           (section_covers(&newer->section, &older->section) || MUTANT(forget_uncovered));
}

void history_forget(struct history *history, history_needed *needed, void *context)
{
    struct node *next;
    for (struct node *node = history->ended.first; node; node = next) {
        next = node->next;
        if (!needed(context, node))
            history_remove(history, node);
    }
}
