/* What the containers of GNU's C++ library call that is not in its headers: nodes of trees
 * (std::map, std::set) and lists, and how tables of hashes grow. Trees are kept in order, not
 * balanced: nobody can tell. */
#include "world.h"

/* ---- Nodes ---- */

enum { DEEPEST = 1 << 20 }; /* what the program has damaged may go round */
enum { COLOUR = 0, PARENT = 8, LEFT = 16, RIGHT = 24, NEXT = 0, PREVIOUS = 8 };

static bool get(struct call *c, uint64_t node, unsigned field, uint64_t *value)
{
    return peek(c->w, c->p, node + field, 8, value);
}

static bool put(struct call *c, uint64_t node, unsigned field, uint64_t value)
{
    return poke(c->w, c->p, node + field, 8, value);
}

static bool known(const struct call *c, int n)
{
    for (int i = 0; i < n; i++)
        if (i >= c->n || !c->arguments[i].known)
            return false;
    return true;
}

static enum outcome result(struct call *c, bool ok, uint64_t bits)
{
    c->results[0] = (struct value){bits, 1};
    return ok ? OVER : STOPS;
}

/* ---- Trees: the header's parent is the root, its left the first node, its right the last one ----
 */

static bool outermost(struct call *c, uint64_t *node, unsigned side)
{
    uint64_t next;
    for (int i = 0; i < DEEPEST; i++) {
        c->w->steps++;
        if (!get(c, *node, side, &next))
            return false;
        if (!next)
            return true;
        *node = next;
    }
    return false;
}

/* The next node to this side: the outermost one below, or the first one above that is further. */
static enum outcome step(struct call *c, unsigned side)
{
    unsigned other = side == RIGHT ? LEFT : RIGHT;
    uint64_t node = c->arguments[0].bits, next, above, end;
    if (!known(c, 1) || !get(c, node, side, &next) || !get(c, node, PARENT, &above))
        return STOPS;
    /* Back from the end: the header is the only red node that is its grandparent. */
    if (side == LEFT && peek(c->w, c->p, node + COLOUR, 4, &end) && !end && above &&
        get(c, above, PARENT, &end) && end == node)
        return get(c, node, RIGHT, &next) ? result(c, true, next) : STOPS;
    if (next)
        return outermost(c, &next, other) ? result(c, true, next) : STOPS;
    for (int i = 0; get(c, above, side, &next) && next == node; i++) {
        c->w->steps++;
        node = above;
        if (i == DEEPEST || !get(c, node, PARENT, &above))
            return STOPS;
    }
    if (!get(c, node, side, &next))
        return STOPS;
    return result(c, true, side == LEFT || next != above ? above : node);
}

/* (left, node, parent, header) */
static enum outcome insert(struct call *c)
{
    uint64_t node = c->arguments[1].bits, parent = c->arguments[2].bits;
    uint64_t header = c->arguments[3].bits, first, last;
    if (!known(c, 4) || !get(c, header, LEFT, &first) || !get(c, header, RIGHT, &last))
        return STOPS;
    bool left = c->arguments[0].bits & 1, root = parent == header;
    /* Black, so that the header alone is red. */
    bool ok = poke(c->w, c->p, node + COLOUR, 4, 1) && put(c, node, PARENT, parent) &&
              put(c, node, LEFT, 0) && put(c, node, RIGHT, 0);
    if (root)
        ok = ok && put(c, header, PARENT, node) && put(c, header, LEFT, node) &&
             put(c, header, RIGHT, node);
    else
        ok = ok && put(c, parent, left ? LEFT : RIGHT, node) &&
             (!left || parent != first || put(c, header, LEFT, node)) &&
             (left || parent != last || put(c, header, RIGHT, node));
    return ok ? OVER : STOPS;
}

/* `new` takes the place of `old` below its parent. */
static bool replace(struct call *c, uint64_t header, uint64_t old, uint64_t new)
{
    uint64_t parent, left;
    if (!get(c, old, PARENT, &parent))
        return false;
    if (new && !put(c, new, PARENT, parent))
        return false;
    if (parent == header)
        return put(c, header, PARENT, new);
    return get(c, parent, LEFT, &left) && put(c, parent, left == old ? LEFT : RIGHT, new);
}

/* (node, header) */
static enum outcome erase(struct call *c)
{
    uint64_t node = c->arguments[0].bits, header = c->arguments[1].bits;
    uint64_t left, right, first, last, next, below, root;
    if (!known(c, 2) || !get(c, node, LEFT, &left) || !get(c, node, RIGHT, &right) ||
        !get(c, header, LEFT, &first) || !get(c, header, RIGHT, &last))
        return STOPS;
    bool ok = true;
    if (!left || !right) {
        ok = replace(c, header, node, left ? left : right);
    } else {
        next = right;
        ok = outermost(c, &next, LEFT) && get(c, next, RIGHT, &below);
        if (ok && next != right)
            ok = replace(c, header, next, below) && put(c, next, RIGHT, right) &&
                 put(c, right, PARENT, next);
        ok = ok && put(c, next, LEFT, left) && put(c, left, PARENT, next) &&
             replace(c, header, node, next);
    }
    ok = ok && get(c, header, PARENT, &root);
    if (ok && !root) {
        ok = put(c, header, LEFT, header) && put(c, header, RIGHT, header);
    } else if (ok && node == first) {
        next = root;
        ok = outermost(c, &next, LEFT) && put(c, header, LEFT, next);
    }
    if (ok && root && node == last) {
        next = root;
        ok = outermost(c, &next, RIGHT) && put(c, header, RIGHT, next);
    }
    return result(c, ok, node);
}

/* ---- Lists ---- */

static enum outcome hook(struct call *c)
{
    uint64_t node = c->arguments[0].bits, at = c->arguments[1].bits, before;
    bool ok = known(c, 2) && get(c, at, PREVIOUS, &before) && put(c, node, NEXT, at) &&
              put(c, node, PREVIOUS, before) && put(c, before, NEXT, node) &&
              put(c, at, PREVIOUS, node);
    return ok ? OVER : STOPS;
}

static enum outcome unhook(struct call *c)
{
    uint64_t node = c->arguments[0].bits, before, after;
    bool ok = known(c, 1) && get(c, node, PREVIOUS, &before) && get(c, node, NEXT, &after) &&
              put(c, before, NEXT, after) && put(c, after, PREVIOUS, before);
    return ok ? OVER : STOPS;
}

/* What lies in [first, last) comes in front of the node. */
static enum outcome transfer(struct call *c)
{
    uint64_t at = c->arguments[0].bits, first = c->arguments[1].bits, last = c->arguments[2].bits;
    uint64_t before_first, before_last, before;
    if (!known(c, 3))
        return STOPS;
    if (at == last)
        return OVER;
    bool ok = get(c, first, PREVIOUS, &before_first) && get(c, last, PREVIOUS, &before_last) &&
              get(c, at, PREVIOUS, &before) && put(c, before_last, NEXT, at) &&
              put(c, before_first, NEXT, last) && put(c, before, NEXT, first) &&
              put(c, at, PREVIOUS, before_last) && put(c, last, PREVIOUS, before_first) &&
              put(c, first, PREVIOUS, before);
    return ok ? OVER : STOPS;
}

/* ---- Tables of hashes: struct { float most_per_bucket; size_t next_resize; } ---- */

static uint64_t prime_from(uint64_t n)
{
    for (n = n < 2 ? 2 : n;; n++) {
        bool prime = true;
        for (uint64_t k = 2; k * k <= n && prime; k++)
            prime = n % k != 0;
        if (prime)
            return n;
    }
}

static enum outcome next_buckets(struct call *c)
{
    bool fits = known(c, 2) && c->arguments[1].bits < 1u << 30;
    uint64_t n = fits ? prime_from(c->arguments[1].bits) : 0;
    return result(c, n && put(c, c->arguments[0].bits, 8, n), n);
}

/* (policy, buckets, elements, more): whether, and to how many buckets. */
static enum outcome need_rehash(struct call *c)
{
    uint64_t resize, buckets = c->arguments[1].bits;
    uint64_t wanted = c->arguments[2].bits + c->arguments[3].bits;
    if (!known(c, 4) || wanted > 1u << 30 || !get(c, c->arguments[0].bits, 8, &resize))
        return STOPS;
    c->w->chosen = true; /* in which order the elements come */
    bool grows = wanted > resize || wanted > buckets;
    uint64_t n = grows ? prime_from(wanted > 2 * buckets ? wanted : 2 * buckets + 1) : 0;
    c->results[1] = (struct value){n, 1};
    return result(c, !grows || put(c, c->arguments[0].bits, 8, n), grows);
}

static enum outcome hash(struct call *c)
{
    uint64_t byte, sum = c->arguments[2].bits;
    if (!known(c, 3))
        return STOPS;
    for (uint64_t i = 0; i < c->arguments[1].bits; i++) {
        if (!peek(c->w, c->p, c->arguments[0].bits + i, 1, &byte))
            return STOPS;
        sum = (sum ^ byte) * 1099511628211u;
    }
    return result(c, true, sum);
}

enum outcome container_call(struct call *c, int kind)
{
    switch (kind) {
    case CONTAINER_NEXT:
        return step(c, RIGHT);
    case CONTAINER_PREVIOUS:
        return step(c, LEFT);
    case CONTAINER_INSERT:
        return insert(c);
    case CONTAINER_ERASE:
        return erase(c);
    case CONTAINER_HOOK:
        return hook(c);
    case CONTAINER_UNHOOK:
        return unhook(c);
    case CONTAINER_TRANSFER:
        return transfer(c);
    case CONTAINER_BUCKETS:
        return next_buckets(c);
    case CONTAINER_REHASH:
        return need_rehash(c);
    case CONTAINER_HASH:
        return hash(c);
    default:
        return STOPS;
    }
}
