#include "facts.h"

static bool same_condition(const struct condition *a, const struct condition *b)
{
    return a->value == b->value && a->number == b->number && a->negated == b->negated &&
           a->side == b->side;
}

void fact_add_condition(struct fact *fact, struct condition condition)
{
    for (unsigned i = 0; i < fact->nconditions; i++)
        if (same_condition(&fact->conditions[i], &condition))
            return;
    if (fact->nconditions < FACT_CONDITIONS) {
        fact->conditions[fact->nconditions++] = condition;
        return;
    }
    if (condition.sure)
        return;
    for (unsigned i = 0; i < fact->nconditions; i++)
        if (fact->conditions[i].sure) {
            fact->conditions[i] = condition;
            return;
        }
    fact->doubtful = true;
}

static void remove_condition(struct fact *fact, unsigned *index)
{
    fact->conditions[*index] = fact->conditions[--fact->nconditions];
    --*index;
}

void fact_forget_value(struct fact *fact, LLVMValueRef value)
{
    for (unsigned i = 0; i < fact->nconditions; i++)
        if (fact->conditions[i].value == value && fact->conditions[i].side == NOW)
            remove_condition(fact, &i);
}

void fact_forget_loop(struct fact *fact, struct bridge *bridge, int loop)
{
    for (unsigned i = 0; i < fact->nconditions; i++) {
        LLVMValueRef value = fact->conditions[i].value;
        if (fact->conditions[i].side == NOW && LLVMIsAInstruction(value) &&
            bridge_loop_contains(bridge, loop, LLVMGetInstructionParent(value)))
            remove_condition(fact, &i);
    }
}

void fact_go_round(struct fact *fact, int depth)
{
    if (depth < 1 || depth > 16)
        return;
    unsigned shift = 2 * (unsigned)(depth - 1);
    /* In another iteration of an outer loop, those of the inner ones have nothing to do with each
     * other any more. */
    if (fact->distance & ((1u << shift) - 1))
        return;
    uint32_t times = fact->distance >> shift & 3;
    uint32_t more = times < 2 ? times + 1 : 2;
    /* Inner loops start anew: how often they went round in an earlier iteration is no matter. */
    fact->distance &= (1u << shift) - 1;
    fact->distance |= more << shift;
}

void fact_list_add(struct fact_list *list, const struct fact *fact)
{
    APPEND(list, *fact);
}

void fact_list_copy(struct fact_list *to, const struct fact_list *from)
{
    to->count = 0;
    for EACH (fact, from)
        APPEND(to, *fact);
}

void fact_list_drop(struct fact_list *list)
{
    free(list->buckets);
    list->buckets = NULL;
    list->nbuckets = 0;
    DROP(list);
}

static bool same_state(const struct fact *a, const struct fact *b)
{
    return a->op == b->op && a->begun == b->begun && a->tested == b->tested &&
           a->distance == b->distance && a->flag == b->flag && a->not_yet == b->not_yet &&
           a->lost == b->lost && a->doubtful == b->doubtful && a->partial == b->partial;
}

static bool has_condition(const struct fact *fact, const struct condition *condition)
{
    for (unsigned i = 0; i < fact->nconditions; i++)
        if (same_condition(&fact->conditions[i], condition))
            return true;
    return false;
}

/* Whether everything that `general` demands is also demanded by `special`. */
static bool covers(const struct fact *general, const struct fact *special)
{
    for (unsigned i = 0; i < general->nconditions; i++)
        if (!has_condition(special, &general->conditions[i]))
            return false;
    return true;
}

static uint32_t *bucket_of(struct fact_list *list, const struct fact *fact)
{
    uint64_t hash = fact->op * 0x9E3779B97F4A7C15u + fact->distance;
    hash = hash * 0xD1B54A32D192ED03u + fact->begun + fact->tested * 31u + fact->lost;
    return &list->buckets[(hash ^ hash >> 31) & (list->nbuckets - 1)];
}

static void add_to_bucket(struct fact_list *list, size_t number)
{
    uint32_t *bucket = bucket_of(list, &list->items[number]);
    list->items[number].next_alike = *bucket;
    *bucket = (uint32_t)number + 1;
}

static void add_indexed(struct fact_list *list, const struct fact *fact)
{
    APPEND(list, *fact);
    if (list->count <= list->nbuckets) {
        add_to_bucket(list, list->count - 1);
        return;
    }
    list->nbuckets = list->nbuckets ? list->nbuckets * 4 : 16;
    free(list->buckets);
    list->buckets = checked(calloc(list->nbuckets, sizeof *list->buckets));
    for (size_t i = 0; i < list->count; i++)
        add_to_bucket(list, i);
}

bool fact_list_merge(struct fact_list *list, const struct fact *fact)
{
    struct fact *last = NULL;
    unsigned variants = 0;
    for (uint32_t at = list->nbuckets ? *bucket_of(list, fact) : 0; at;
         at = list->items[at - 1].next_alike) {
        struct fact *known = &list->items[at - 1];
        if (!same_state(known, fact))
            continue;
        if (covers(known, fact))
            return false;
        if (!last)
            last = known;
        variants++;
    }
    if (variants < FACT_VARIANTS) {
        add_indexed(list, fact);
        return true;
    }
    for (unsigned i = 0; i < last->nconditions; i++)
        if (!has_condition(fact, &last->conditions[i]))
            remove_condition(last, &i);
    return true;
}
