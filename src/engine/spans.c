#include "spans.h"

static uint64_t mixed(uint64_t x) /* a bijection, so serials stay unique */
{
    x ^= x >> 31;
    x *= 0x9e3779b97f4a7c15u;
    x ^= x >> 29;
    x *= 0xbf58476d1ce4e5b9u;
    return x ^ x >> 32;
}

/* Among equal low ends the low half of the priority decides first: an order of their own, since in heap order
 * many equal ranges would be one long chain. */
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

void spans_insert(struct spans *spans, struct span *span)
{
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
    spans->count++;
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
    spans->root = removed(spans->root, span);
    spans->count--;
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
    return visit_below(spans->root, low, high, visit, context);
}
