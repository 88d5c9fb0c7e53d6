#include "subjects.h"

#include "alias.h"
#include "draws.h"

/* Bits are given out in turn: only functions with very many unknown values share some. */
enum { BIT_world, BIT_counter, BIT_FIRST, BITS = 64 * SUBJECT_WORDS, DEEPEST = 64 };

struct subject_table {
    struct value_map values; /* numbers in sets */
    LIST(struct subjects *) sets;
    struct value_map unknown; /* numbers of values that are subjects themselves */
    struct subjects *loops;   /* by loop */
    bool *loops_found;
};

static void add_bit(struct subjects *to, unsigned number)
{
    unsigned bit = number < BITS ? number : BIT_FIRST + (number - BIT_FIRST) % (BITS - BIT_FIRST);
    to->bits[bit / 64] |= (uint64_t)1 << bit % 64;
}

static void add_everything(struct subjects *to)
{
    memset(to, 0xff, sizeof *to);
}

static struct subject_table *table_of(struct function *function)
{
    if (!function->subjects) {
        size_t loops = (size_t)bridge_loop_count(function->bridge) + 1;
        function->subjects = checked(calloc(1, sizeof *function->subjects));
        function->subjects->loops = checked(calloc(loops, sizeof *function->subjects->loops));
        function->subjects->loops_found = checked(calloc(loops, sizeof(bool)));
    }
    return function->subjects;
}

/* A bit of its own for what has no parts: a value, or a loop's counter. */
static void add_unknown(struct function *function, const void *key, struct subjects *to)
{
    struct value_map *unknown = &table_of(function)->unknown;
    uint32_t number = value_map_get(unknown, key);
    if (number == VALUE_MAP_NONE) {
        number = BIT_FIRST + (uint32_t)unknown->count;
        value_map_add(unknown, key, number);
    }
    add_bit(to, number);
}

static const struct subjects *find(struct function *function, LLVMValueRef value, int depth);

struct parts {
    struct function *function;
    LLVMValueRef whole;
    struct subjects *to;
    int depth;
};

static void add_value(struct function *function, LLVMValueRef value, struct subjects *to, int depth)
{
    if (LLVMIsConstant(value))
        return;
    if (depth > 0)
        subjects_add(to, find(function, value, depth - 1));
    else
        add_everything(to);
}

static void add_leaf(void *context, LLVMValueRef leaf)
{
    const struct parts *parts = context;
    if (leaf != parts->whole)
        add_value(parts->function, leaf, parts->to, parts->depth);
}

/* A counter is about what bounds its loop, too, and about what the loops around it count. */
static void add_loop(void *context, int loop)
{
    const struct parts *parts = context;
    struct function *function = parts->function;
    struct subject_table *table = table_of(function);
    if (!table->loops_found[loop]) {
        table->loops_found[loop] = true;
        struct subjects set = {{0}};
        struct parts inner = {function, NULL, &set, parts->depth};
        add_everything(&table->loops[loop]); /* for whoever comes back to it on the way */
        expression trips = bridge_loop_trips(function->bridge, loop);
        int parent = bridge_loop_parent(function->bridge, loop);
        add_bit(&set, BIT_counter);
        add_unknown(function, bridge_loop_header(function->bridge, loop), &set);
        if (trips)
            bridge_parts(function->bridge, trips, add_leaf, add_loop, &inner);
        if (parent >= 0)
            add_loop(&inner, parent);
        table->loops[loop] = set;
    }
    subjects_add(parts->to, &table->loops[loop]);
}

static bool is_computed(LLVMValueRef value)
{
    return LLVMIsAICmpInst(value) || LLVMIsABinaryOperator(value) || LLVMIsASelectInst(value) ||
           LLVMIsACastInst(value) || LLVMIsAFreezeInst(value);
}

static void collect(struct function *function, LLVMValueRef value, struct subjects *to, int depth)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    LLVMValueRef known_as = alias_representative(function, value);
    if (known_as != value)
        add_value(function, known_as, to, depth);
    if (LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) > 1) {
        struct parts parts = {function, value, to, depth};
        expression e = bridge_expression(function->bridge, value);
        if (e)
            bridge_parts(function->bridge, e, add_leaf, add_loop, &parts);
    }
    if (is_computed(value)) {
        for (int i = 0; i < LLVMGetNumOperands(value); i++)
            add_value(function, LLVMGetOperand(value, (unsigned)i), to, depth);
    } else if (world_query(value) != NO_QUERY) {
        add_bit(to, BIT_world);
    } else if (known_as == value) {
        add_unknown(function, value, to);
    }
}

static const struct subjects *find(struct function *function, LLVMValueRef value, int depth)
{
    struct subject_table *table = table_of(function);
    uint32_t number = value_map_get(&table->values, value);
    if (number != VALUE_MAP_NONE)
        return table->sets.items[number];
    /* For whoever comes back to it on the way. */
    struct subjects *set = checked(calloc(1, sizeof *set));
    add_everything(set);
    value_map_add(&table->values, value, (uint32_t)table->sets.count);
    APPEND(&table->sets, set);
    struct subjects found = {{0}};
    collect(function, value, &found, depth);
    *set = found;
    return set;
}

const struct subjects *subjects_of(struct function *function, LLVMValueRef value)
{
    return find(function, value, DEEPEST);
}

bool subjects_of_rounds(const struct moments *moments, struct subjects *rounds)
{
    struct function *function = moments->function;
    bool any = false;
    struct parts parts = {function, NULL, rounds, DEEPEST};
    *rounds = (struct subjects){{0}};
    for (int loop = moments->distance
                        ? bridge_loop(function->bridge, function->blocks[moments->now_block])
                        : -1;
         loop >= 0; loop = bridge_loop_parent(function->bridge, loop))
        if (moments_gone_round(moments, loop)) {
            add_loop(&parts, loop);
            any = true;
        }
    return any;
}

void subjects_free(struct function *function)
{
    struct subject_table *table = function->subjects;
    if (!table)
        return;
    for EACH (set, &table->sets)
        free(*set);
    DROP(&table->sets);
    value_map_drop(&table->values);
    value_map_drop(&table->unknown);
    free(table->loops);
    free(table->loops_found);
    free(table);
}
