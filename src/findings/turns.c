/* Who came first of two operations of one thread. The target, which finds that both were under way
 * at the same time, does not know; the calls of the thread tell. */
#include "chronicle_parts.h"

#include <string.h>

static bool is_one_of(const char *call, const char *const *names)
{
    for (; *names; names++)
        if (!strcmp(call, *names))
            return true;
    return false;
}

static const char *const all_ends[] = {
    "MPI_Win_flush", "MPI_Win_flush_all", "MPI_Win_unlock", "MPI_Win_unlock_all",
    "MPI_Win_fence", "MPI_Win_complete",  "MPI_Win_free",   NULL};
static const char *const ends_of_reads[] = {"MPI_Win_flush_local",
                                            "MPI_Win_flush_local_all",
                                            "MPI_Wait",
                                            "MPI_Waitall",
                                            "MPI_Waitany",
                                            "MPI_Waitsome",
                                            "MPI_Test",
                                            "MPI_Testall",
                                            "MPI_Testany",
                                            "MPI_Testsome",
                                            NULL};

/* An operation of either side that may still be under way. */
struct issued {
    bool any;
    int64_t window;
};

static void end_some(const struct node *node, const struct access *side, struct issued *issued)
{
    bool all = is_one_of(node->call, all_ends) && node->window == issued->window;
    bool reads = side->deed && !strcmp(side->deed, "read");
    if (all || (reads && is_one_of(node->call, ends_of_reads)))
        issued->any = false;
}

static bool is_at(const struct access *side, const struct line *line, const struct node *node,
                  chronicle_site *site, void *context)
{
    if (!side->call || strcmp(side->call, node->call))
        return false;
    const struct stack *stack = site(context, line->process, node->site);
    return stack && is_on_stack(side, stack_place(stack));
}

/* Adds to `before` which side was issued before the other while nothing ended it. What looks like
 * an end and is none, e.g. a flush of another target, only takes evidence away. */
static void follow(const struct line *line, const struct access *const sides[2], bool before[2],
                   chronicle_site *site, void *context)
{
    struct issued issued[2] = {0};
    for (size_t i = 0; i < line->count; i++) {
        const struct node *node = &line->nodes[i];
        bool gap = i && node->gaps != node[-1].gaps;
        for (int k = 0; k < 2; k++) {
            end_some(node, sides[k], &issued[k]);
            issued[k].any = issued[k].any && !gap;
        }
        bool here[2];
        for (int k = 0; k < 2; k++)
            here[k] = is_at(sides[k], line, node, site, context);
        if (here[0] && here[1])
            before[0] = before[1] = true; /* one line, called from two: no telling */
        for (int k = 0; k < 2; k++) {
            if (!here[k])
                continue;
            before[!k] |= issued[!k].any && issued[!k].window == node->window;
            issued[k] = (struct issued){true, node->window};
        }
    }
}

static bool same_frame(const struct frame *a, const struct frame *b)
{
    return a->offset == b->offset && a->line == b->line && a->column == b->column;
}

static bool same_stack(const struct stack *a, const struct stack *b)
{
    for (size_t i = 0; i < a->depth && i < b->depth; i++)
        if (!same_frame(&a->frames[i], &b->frames[i]))
            return false;
    return a->depth && a->depth == b->depth;
}

enum turn chronicle_turn(struct chronicle *chronicle, const struct finding *finding,
                         const struct chronicle_side sides[2], chronicle_site *site, void *context)
{
    const struct access *const accesses[2] = {&finding->first, &finding->second};
    bool before[2] = {false, false};
    if (!accesses[1]->present || sides[0].process != sides[1].process ||
        sides[0].thread != sides[1].thread)
        return TURN_UNKNOWN;
    if (same_stack(&accesses[0]->stack, &accesses[1]->stack))
        return TURN_FIRST; /* one place: either is that one again */
    for (size_t i = 0; i < chronicle->count; i++)
        if (chronicle->lines[i].process == sides[0].process &&
            chronicle->lines[i].thread == sides[0].thread)
            follow(&chronicle->lines[i], accesses, before, site, context);
    return before[0] == before[1] ? TURN_UNKNOWN : before[0] ? TURN_FIRST : TURN_SECOND;
}
