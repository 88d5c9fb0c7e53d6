#include "spans.h"

static uint64_t mixed(uint64_t x) /* a bijection, so serials stay unique */
{
    x ^= x >> 31;
    x *= 0x9e3779b97f4a7c15u;
    x ^= x >> 29;
    x *= 0xbf58476d1ce4e5b9u;
    return x ^ x >> 32;
}

/* Among equal low ends the low half of the priority decides first: an order of their own, since in
 * heap order many equal ranges would be one long chain. */
static uint64_t tie_break(const struct span *span)
{
    return span->priority << 32 | span->priority >> 32;
}

static bool before(const struct span *a, const struct span *b)
{
    return a->low != b->low ? a->low < b->low : tie_break(a) < tie_break(b);
}

static void update_reach(struct span *span)
{
    uint64_t reach = span->high;
    if (span->left && span->left->reach > reach)
        reach = span->left->reach;
    if (span->right && span->right->reach > reach)
        reach = span->right->reach;
    span->reach = reach;
}

/* Cuts a tree into what comes before `pivot` and what comes after. */
static void split(struct span *tree, const struct span *pivot, struct span **left,
                  struct span **right)
{
    if (!tree) {
        *left = *right = NULL;
        return;
    }
    if (before(tree, pivot)) {
        split(tree->right, pivot, &tree->right, right);
        *left = tree;
    } else {
        split(tree->left, pivot, left, &tree->left);
        *right = tree;
    }
    update_reach(tree);
}

static struct span *joined(struct span *left, struct span *right)
{
    if (!left)
        return right;
    if (!right)
        return left;
    struct span *top;
    if (left->priority > right->priority) {
        left->right = joined(left->right, right);
        top = left;
    } else {
        right->left = joined(left, right->left);
        top = right;
    }
    update_reach(top);
    return top;
}

/* ---- short ranges ---- */

enum { LINE = 64, LONGEST_CHAIN = 8 };

static size_t chain_of(uint64_t line)
{
    return mixed(line) % SPAN_CHAINS;
}

/* False if it is no short one, or its chain is long enough. */
static bool insert_short(struct spans *spans, struct span *span)
{
    uint64_t line = span->low / LINE;
    if (span->high <= span->low || (span->high - 1) / LINE != line)
        return false;
    struct span **chain = &spans->chains[chain_of(line)];
    int length = 0;
    for (const struct span *other = *chain; other; other = other->left)
        if (++length == LONGEST_CHAIN)
            return false;
    span->priority = 0;
    span->left = *chain;
    *chain = span;
    span->previous = NULL;
    span->right = spans->shorts;
    if (spans->shorts)
        spans->shorts->previous = span;
    spans->shorts = span;
    spans->short_count++;
    return true;
}

static void remove_short(struct spans *spans, struct span *span)
{
    struct span **link = &spans->chains[chain_of(span->low / LINE)];
    while (*link != span)
        link = &(*link)->left;
    *link = span->left;
    if (span->previous)
        span->previous->right = span->right;
    else
        spans->shorts = span->right;
    if (span->right)
        span->right->previous = span->previous;
    spans->short_count--;
}

/* By lines or one after the other, whichever are fewer. */
static bool visit_short(const struct spans *spans, uint64_t low, uint64_t high,
                        spans_visitor *visit, void *context)
{
    uint64_t first = low / LINE, last = (high - 1) / LINE;
    if (last - first >= spans->short_count) {
        for (struct span *span = spans->shorts; span; span = span->right)
            if (span->low < high && span->high > low && !visit(context, span))
                return false;
        return true;
    }
    for (uint64_t line = first; line <= last; line++)
        for (struct span *span = spans->chains[chain_of(line)]; span; span = span->left)
            if (span->low / LINE == line && span->low < high && span->high > low &&
                !visit(context, span))
                return false;
    return true;
}

/* ---- the set ---- */

void spans_insert(struct spans *spans, struct span *span)
{
    spans->count++;
    if (insert_short(spans, span))
        return;
    span->priority = mixed(++spans->serial);
    struct span **link = &spans->root;
    while (*link && (*link)->priority > span->priority) {
        if ((*link)->reach < span->high)
            (*link)->reach = span->high;
        link = before(*link, span) ? &(*link)->right : &(*link)->left;
    }
    split(*link, span, &span->left, &span->right);
    update_reach(span);
    *link = span;
}

static struct span *removed(struct span *tree, struct span *span)
{
    if (tree == span)
        return joined(span->left, span->right);
    if (before(tree, span))
        tree->right = removed(tree->right, span);
    else
        tree->left = removed(tree->left, span);
    update_reach(tree);
    return tree;
}

void spans_remove(struct spans *spans, struct span *span)
{
    spans->count--;
    if (span->priority == 0)
        remove_short(spans, span);
    else
        spans->root = removed(spans->root, span);
}

static bool visit_below(struct span *tree, uint64_t low, uint64_t high, spans_visitor *visit,
                        void *context)
{
    while (tree && tree->reach > low) {
        if (tree->left && tree->left->reach > low &&
            !visit_below(tree->left, low, high, visit, context))
            return false;
        if (tree->low >= high)
            return true;
        if (tree->high > low && !visit(context, tree))
            return false;
        tree = tree->right;
    }
    return true;
}

bool spans_visit(const struct spans *spans, uint64_t low, uint64_t high, spans_visitor *visit,
                 void *context)
{
    return (!spans->short_count || low >= high || visit_short(spans, low, high, visit, context)) &&
           visit_below(spans->root, low, high, visit, context);
}
