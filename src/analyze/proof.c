#include "proof_inside.h"

#include "alias.h"
#include "normalise.h"

enum { DEEPEST = 16, MOST_SYMBOLS = 400 };

/* ---- symbols ---- */

symbol_id proof_symbol_of(struct proof *proof, enum proof_kind kind, const void *key, int number,
                          bool shared, bool *is_new)
{
    *is_new = false;
    for EACH (symbol, &proof->symbols)
        if (symbol->kind == kind && symbol->key == key && symbol->number == number &&
            symbol->shared == shared && (shared || symbol->side == proof->side))
            return (symbol_id)(symbol - proof->symbols.items + 1);
    *is_new = true;
    APPEND(&proof->symbols,
           (struct proof_symbol){
               .kind = kind, .key = key, .number = number, .shared = shared, .side = proof->side});
    return (symbol_id)proof->symbols.count;
}

void proof_at_least(struct proof *proof, const struct polynomial *a, int64_t number)
{
    struct polynomial sum = polynomial_plus(a, -number);
    inequalities_add(&proof->known.all, &sum, AT_LEAST_ZERO);
}

void proof_known_at_most(struct proof *proof, const struct polynomial *a, int64_t number)
{
    struct polynomial limit = polynomial_constant(number);
    inequalities_at_most(&proof->known.all, a, &limit);
}

void proof_never_negative(struct proof *proof, symbol_id symbol)
{
    struct polynomial sum = polynomial_symbol(symbol);
    proof->symbols.items[symbol - 1].at_least_zero = true;
    proof_at_least(proof, &sum, 0);
}

/* Whether the sum is plainly at least zero: positive factors of symbols that are. */
bool proof_is_positive(const struct proof *proof, const struct polynomial *sum)
{
    for (unsigned i = 0; i < sum->count; i++) {
        if (sum->terms[i].factor < 0)
            return false;
        for (unsigned k = 0; k < POLYNOMIAL_DEGREE && sum->terms[i].symbols[k]; k++)
            if (!proof->symbols.items[sum->terms[i].symbols[k] - 1].at_least_zero)
                return false;
    }
    return !sum->broken;
}

bool proof_is_truth(LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 1;
}

static struct polynomial unknown(struct proof *proof, LLVMValueRef value)
{
    LLVMValueRef known_as = alias_representative(proof->moments->function, value);
    bool is_new, shared = !proof->moments->aligned && moments_share(proof->moments, value);
    symbol_id symbol = proof_symbol_of(proof, PROOF_value, known_as, 0, shared, &is_new);
    struct polynomial sum = polynomial_symbol(symbol);
    if (is_new && proof_is_truth(value)) {
        proof_never_negative(proof, symbol);
        proof_known_at_most(proof, &sum, 1);
    } else if (is_new && is_argument_count(known_as)) {
        proof_never_negative(proof, symbol);
        proof_at_least(proof, &sum, 1);
    }
    return sum;
}

/* ---- ranks and iterations ---- */

static struct polynomial size_of_world(struct proof *proof)
{
    if (proof->fixed)
        return polynomial_constant(proof->fixed->size);
    bool is_new;
    symbol_id symbol = proof_symbol_of(proof, PROOF_size, NULL, 0, true, &is_new);
    struct polynomial size = polynomial_symbol(symbol);
    if (is_new) {
        proof_never_negative(proof, symbol);
        proof_at_least(proof, &size, proof->moments->aligned ? 2 : 1);
    }
    return size;
}

static struct polynomial rank_in_world(struct proof *proof)
{
    if (proof->fixed)
        return polynomial_constant(proof->fixed->ranks[proof->side]);
    bool is_new;
    symbol_id symbol =
        proof_symbol_of(proof, PROOF_rank, NULL, 0, !proof->moments->aligned, &is_new);
    struct polynomial rank = polynomial_symbol(symbol);
    if (is_new) {
        struct polynomial size = size_of_world(proof);
        proof_never_negative(proof, symbol);
        inequalities_less(&proof->known.all, &rank, &size);
    }
    return rank;
}

static bool expand(struct proof *proof, expression e, struct polynomial *sum);

static void bound_iteration(struct proof *proof, int loop, const struct polynomial *counter)
{
    struct function *function = proof->moments->function;
    unsigned block = proof->side == THEN ? proof->moments->then_block : proof->moments->now_block;
    expression trips = bridge_loop_trips(function->bridge, loop);
    struct polynomial last;
    if (!trips || !expand(proof, trips, &last))
        return;
    bool in_header = bridge_loop_header(function->bridge, loop) == function->blocks[block];
    if (bridge_loop_leaves_early(function->bridge, loop) && !in_header)
        last = polynomial_plus(&last, -1);
    inequalities_at_most(&proof->known.all, counter, &last);
}

static bool iteration_of(void *context, int loop, struct polynomial *result)
{
    struct proof *proof = context;
    const struct moments *moments = proof->moments;
    struct bridge *bridge = moments->function->bridge;
    enum side side = proof->side;
    unsigned at = side == THEN ? moments->then_block : moments->now_block;
    if (loop < 0 || loop >= MAX_LOOPS ||
        !bridge_loop_contains(bridge, loop, moments->function->blocks[at]))
        return false; /* left: nobody knows in which iteration */
    int parent = bridge_loop_parent(bridge, loop);
    bool together =
        moments_in_loop(moments, loop) && (parent < 0 || !moments_gone_round(moments, parent));
    unsigned round = distance_at(moments->distance, bridge_loop_depth(bridge, loop));
    bool is_new;
    symbol_id symbol =
        proof_symbol_of(proof, PROOF_counter, NULL, loop, together && round == 0, &is_new);
    *result = polynomial_symbol(symbol);
    if (proof->fixed && proof->fixed->drawn[side][loop])
        *result = polynomial_constant(proof->fixed->counters[side][loop]);
    else if (proof->fixed && together && round < 2 && proof->fixed->drawn[THEN][loop])
        *result = polynomial_constant(proof->fixed->counters[THEN][loop] + round);
    else if (together && round && side == NOW) {
        struct polynomial then;
        proof->side = THEN;
        bool known = iteration_of(proof, loop, &then);
        proof->side = NOW;
        if (!known)
            return false;
        then = polynomial_plus(&then, round);
        if (round == 1)
            *result = then;
        else if (is_new)
            inequalities_at_most(&proof->known.all, &then, result);
    }
    if (!is_new)
        return true;
    proof_never_negative(proof, symbol);
    bound_iteration(proof, loop, result);
    return true;
}

static void add_truth(struct proof *proof, inequality_list *list, LLVMValueRef value, bool truth,
                      int depth);

/* A value that is one of two, depending on a condition. */
static bool selected(struct proof *proof, LLVMValueRef value, struct polynomial *result)
{
    if (!LLVMIsASelectInst(value) || proof_is_truth(value))
        return false;
    struct polynomial first = proof_number(proof, LLVMGetOperand(value, 1));
    struct polynomial second = proof_number(proof, LLVMGetOperand(value, 2));
    bool is_new;
    symbol_id symbol =
        proof_symbol_of(proof, PROOF_value, value, 0,
                        !proof->moments->aligned && moments_share(proof->moments, value), &is_new);
    *result = polynomial_symbol(symbol);
    if (is_new) {
        struct choice choice = {0};
        add_truth(proof, &choice.either, LLVMGetOperand(value, 0), true, DEEPEST);
        inequalities_equal(&choice.either, result, &first);
        add_truth(proof, &choice.other, LLVMGetOperand(value, 0), false, DEEPEST);
        inequalities_equal(&choice.other, result, &second);
        APPEND(&proof->known.choices, choice);
    }
    return true;
}

static bool given_by_condition(const struct proof *proof, LLVMValueRef value, int64_t *number)
{
    if (!LLVMIsAPHINode(value))
        return false;
    for (size_t i = 0; i < proof->moments->nconditions; i++) {
        const struct condition *condition = &proof->moments->conditions[i];
        if (condition->value == value && !condition->negated &&
            (condition->side == proof->side || moments_share(proof->moments, value))) {
            *number = proof_is_truth(value) ? condition->number != 0 : condition->number;
            return true;
        }
    }
    return false;
}

static bool leaf_of(void *context, LLVMValueRef leaf, struct polynomial *result)
{
    struct proof *proof = context;
    int64_t number;
    if (LLVMGetTypeKind(LLVMTypeOf(leaf)) != LLVMIntegerTypeKind)
        return false;
    if (LLVMIsAConstantInt(leaf)) {
        *result = polynomial_constant(proof_is_truth(leaf) ? (int64_t)LLVMConstIntGetZExtValue(leaf)
                                                           : LLVMConstIntGetSExtValue(leaf));
        return true;
    }
    if (given_by_condition(proof, leaf, &number)) {
        *result = polynomial_constant(number);
        return true;
    }
    enum query query = world_query(leaf);
    if (query != NO_QUERY) {
        *result = query == QUERY_rank ? rank_in_world(proof) : size_of_world(proof);
        return true;
    }
    if (proof->fixed && draw_answer(proof->fixed, proof->side, leaf, &number)) {
        *result = polynomial_constant(number);
        return true;
    }
    bool plain = proof->depth >= DEEPEST || proof->symbols.count > MOST_SYMBOLS;
    bool done = false;
    if (!plain) {
        proof->depth++;
        LLVMValueRef stored = alias_representative(proof->moments->function, leaf);
        if (stored != leaf && !LLVMIsALoadInst(stored)) {
            *result = proof_number(proof, stored);
            done = true;
        } else {
            done = proof_arithmetic(proof, leaf, result) || selected(proof, leaf, result);
        }
        proof->depth--;
    }
    if (!done)
        *result = unknown(proof, leaf);
    return true;
}

static bool expand(struct proof *proof, expression e, struct polynomial *sum)
{
    struct bridge_symbols symbols = {proof, leaf_of, iteration_of, proof_other_shape};
    return bridge_expand(proof->moments->function->bridge, e, &symbols, sum) && !sum->broken;
}

static struct polynomial expression_sum(struct proof *proof, expression e)
{
    struct polynomial sum;
    bool is_new;
    if (e && expand(proof, e, &sum))
        return sum;
    return polynomial_symbol(proof_symbol_of(proof, PROOF_expression, e, 1, false, &is_new));
}

struct polynomial proof_number(struct proof *proof, LLVMValueRef value)
{
    struct polynomial sum;
    if ((LLVMIsAConstantInt(value) || proof_is_truth(value)) && leaf_of(proof, value, &sum))
        return sum;
    expression e = bridge_expression(proof->moments->function->bridge, value);
    return e ? expression_sum(proof, e) : unknown(proof, value);
}

struct polynomial proof_value(struct proof *proof, enum side side, LLVMValueRef value)
{
    proof->side = side;
    return proof_number(proof, value);
}

struct polynomial proof_expression(struct proof *proof, enum side side, expression e)
{
    proof->side = side;
    return expression_sum(proof, e);
}

/* ---- conditions ---- */

static struct polynomial new_switch(struct proof *proof)
{
    bool is_new;
    return polynomial_symbol(
        proof_symbol_of(proof, PROOF_switch, NULL, (int)proof->symbols.count, true, &is_new));
}

/* Off, or all of the list hold. Takes the list over. */
static void add_switched(struct proof *proof, const struct polynomial *is_on, inequality_list *list)
{
    struct choice choice = {.other = *list};
    struct polynomial one = polynomial_constant(1);
    inequalities_add(&choice.either, is_on, IS_ZERO);
    inequalities_equal(&choice.other, is_on, &one);
    APPEND(&proof->known.finer, choice);
}

/* One of the two, if the list holds. Within another choice: each side has a switch, and one of them
 * is on. Takes the choice over. */
static void add_choice(struct proof *proof, inequality_list *list, struct choice *choice)
{
    if (list == &proof->known.all) {
        APPEND(&proof->known.choices, *choice);
        return;
    }
    struct polynomial first = new_switch(proof), second = new_switch(proof);
    struct polynomial any = polynomial_sum(&first, &second);
    any = polynomial_plus(&any, -1);
    inequalities_add(list, &any, AT_LEAST_ZERO);
    add_switched(proof, &first, &choice->either);
    add_switched(proof, &second, &choice->other);
}

static void differ(struct proof *proof, inequality_list *list, const struct polynomial *a,
                   const struct polynomial *b)
{
    struct choice choice = {0};
    inequalities_less(&choice.either, a, b);
    inequalities_less(&choice.other, b, a);
    add_choice(proof, list, &choice);
}

/* a < b, or a <= b. Unsigned numbers are taken not to be negative, but where a test of a range is
 * written as one comparison, (unsigned)a < b, its opposite has two cases. */
static void add_order(struct proof *proof, inequality_list *list, const struct polynomial *a,
                      const struct polynomial *b, bool strict, bool is_unsigned)
{
    int64_t limit;
    if (!is_unsigned || proof_is_positive(proof, b) || !polynomial_is_constant(a, &limit)) {
        strict ? inequalities_less(list, a, b) : inequalities_at_most(list, a, b);
        if (is_unsigned && polynomial_is_constant(b, &limit) && limit >= 0) {
            struct polynomial zero = polynomial_constant(0);
            inequalities_at_most(list, &zero, a);
        }
        return;
    }
    struct choice choice = {0};
    struct polynomial zero = polynomial_constant(0);
    strict ? inequalities_less(&choice.either, a, b) : inequalities_at_most(&choice.either, a, b);
    inequalities_less(&choice.other, b, &zero);
    add_choice(proof, list, &choice);
}

static void add_comparison(struct proof *proof, inequality_list *list, LLVMValueRef value,
                           bool truth)
{
    struct polynomial a = proof_number(proof, LLVMGetOperand(value, 0));
    struct polynomial b = proof_number(proof, LLVMGetOperand(value, 1));
    LLVMIntPredicate predicate = LLVMGetICmpPredicate(value);
    bool is_unsigned = predicate == LLVMIntULT || predicate == LLVMIntULE ||
                       predicate == LLVMIntUGT || predicate == LLVMIntUGE;
    switch (predicate) {
    case LLVMIntEQ:
    case LLVMIntNE:
        if ((predicate == LLVMIntEQ) == truth)
            inequalities_equal(list, &a, &b);
        else
            differ(proof, list, &a, &b);
        return;
    case LLVMIntSLT:
    case LLVMIntULT:
        truth ? add_order(proof, list, &a, &b, true, is_unsigned)
              : add_order(proof, list, &b, &a, false, is_unsigned);
        return;
    case LLVMIntSLE:
    case LLVMIntULE:
        truth ? add_order(proof, list, &a, &b, false, is_unsigned)
              : add_order(proof, list, &b, &a, true, is_unsigned);
        return;
    case LLVMIntSGT:
    case LLVMIntUGT:
        truth ? add_order(proof, list, &b, &a, true, is_unsigned)
              : add_order(proof, list, &a, &b, false, is_unsigned);
        return;
    case LLVMIntSGE:
    case LLVMIntUGE:
        truth ? add_order(proof, list, &b, &a, false, is_unsigned)
              : add_order(proof, list, &a, &b, true, is_unsigned);
        return;
    }
}

/* The parts of `a && b` and `a || b`, also as LLVM writes them for short-circuit evaluation. */
static bool is_connective(LLVMValueRef value, bool *conjunction, LLVMValueRef parts[2])
{
    if (LLVMIsABinaryOperator(value)) {
        LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
        parts[0] = LLVMGetOperand(value, 0);
        parts[1] = LLVMGetOperand(value, 1);
        *conjunction = opcode == LLVMAnd;
        return opcode == LLVMAnd || opcode == LLVMOr;
    }
    if (!LLVMIsASelectInst(value))
        return false;
    LLVMValueRef first = LLVMGetOperand(value, 1), second = LLVMGetOperand(value, 2);
    parts[0] = LLVMGetOperand(value, 0);
    *conjunction = LLVMIsAConstantInt(second) && LLVMIsNull(second);
    parts[1] = *conjunction ? first : second;
    return *conjunction || (LLVMIsAConstantInt(first) && !LLVMIsNull(first));
}

static void add_truth(struct proof *proof, inequality_list *list, LLVMValueRef value, bool truth,
                      int depth)
{
    LLVMValueRef parts[2];
    bool conjunction;
    if (depth > 0 && LLVMIsAFreezeInst(value)) {
        add_truth(proof, list, LLVMGetOperand(value, 0), truth, depth - 1);
    } else if (depth > 0 && LLVMIsAICmpInst(value) &&
               LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(value, 0))) == LLVMIntegerTypeKind &&
               !proof_is_truth(LLVMGetOperand(value, 0))) {
        add_comparison(proof, list, value, truth);
    } else if (depth > 0 && LLVMIsABinaryOperator(value) &&
               LLVMGetInstructionOpcode(value) == LLVMXor &&
               LLVMIsAConstantInt(LLVMGetOperand(value, 1))) {
        bool flips = !LLVMIsNull(LLVMGetOperand(value, 1));
        add_truth(proof, list, LLVMGetOperand(value, 0), truth != flips, depth - 1);
    } else if (depth > 0 && is_connective(value, &conjunction, parts)) {
        if (conjunction == truth) {
            add_truth(proof, list, parts[0], truth, depth - 1);
            add_truth(proof, list, parts[1], truth, depth - 1);
        } else {
            struct choice choice = {0};
            add_truth(proof, &choice.either, parts[0], truth, depth - 1);
            add_truth(proof, &choice.other, parts[1], truth, depth - 1);
            add_choice(proof, list, &choice);
        }
    } else {
        struct polynomial sum, wanted = polynomial_constant(truth);
        if (leaf_of(proof, value, &sum))
            inequalities_equal(list, &sum, &wanted);
    }
}

static void add_condition(struct proof *proof, const struct condition *condition)
{
    proof->side = condition->side;
    if (proof_is_truth(condition->value)) {
        add_truth(proof, &proof->known.all, condition->value,
                  (condition->number != 0) != condition->negated, DEEPEST);
        return;
    }
    if (LLVMGetTypeKind(LLVMTypeOf(condition->value)) != LLVMIntegerTypeKind)
        return;
    struct polynomial number = polynomial_constant(condition->number);
    if (!condition->negated && LLVMIsAPHINode(condition->value)) {
        /* The phi is replaced by its number wherever it occurs; two numbers cannot be. */
        int64_t given;
        if (given_by_condition(proof, condition->value, &given) && given != condition->number)
            proof->known.hopeless = true;
        return;
    }
    struct polynomial sum = proof_number(proof, condition->value);
    if (condition->negated)
        differ(proof, &proof->known.all, &sum, &number);
    else
        inequalities_equal(&proof->known.all, &sum, &number);
}

/* The loops that were gone round must have let that happen. */
static void add_rounds(struct proof *proof)
{
    const struct moments *moments = proof->moments;
    struct bridge *bridge = moments->function->bridge;
    struct polynomial counter;
    proof->side = NOW;
    for (int loop = bridge_loop(bridge, moments->function->blocks[moments->now_block]); loop >= 0;
         loop = bridge_loop_parent(bridge, loop))
        if (moments_gone_round(moments, loop))
            iteration_of(proof, loop, &counter);
}

void proof_open(struct proof *proof, const struct moments *moments, const struct draw *fixed)
{
    *proof = (struct proof){.moments = moments, .fixed = fixed};
    for (size_t i = 0; i < moments->nconditions; i++)
        add_condition(proof, &moments->conditions[i]);
    add_rounds(proof);
    if (moments->aligned && !fixed) {
        proof->side = THEN;
        struct polynomial one = rank_in_world(proof);
        proof->side = NOW;
        struct polynomial two = rank_in_world(proof);
        differ(proof, &proof->known.all, &one, &two);
    }
}

void layout_hull(const struct layout *layout, const struct polynomial *at,
                 const struct polynomial *count, struct polynomial *start, struct polynomial *end)
{
    int64_t low = 0, high = 0;
    for (unsigned i = 0; i < layout->nruns; i++) {
        const struct run *run = &layout->runs[i];
        int64_t reach = run->count > 1 ? run->stride * (run->count - 1) : 0;
        int64_t first = run->offset + (reach < 0 ? reach : 0);
        int64_t last = run->offset + run->length + (reach > 0 ? reach : 0);
        low = i == 0 || first < low ? first : low;
        high = i == 0 || last > high ? last : high;
    }
    *start = polynomial_plus(at, low);
    struct polynomial more = polynomial_plus(count, -1);
    more = polynomial_scaled(&more, layout->extent);
    *end = polynomial_sum(at, &more);
    *end = polynomial_plus(end, high);
}

struct polynomial proof_rank(struct proof *proof, enum side side)
{
    proof->side = side;
    return rank_in_world(proof);
}

struct polynomial proof_size(struct proof *proof)
{
    return size_of_world(proof);
}

void proof_takes_part(struct proof *proof, enum side side, const struct event *event,
                      const struct buffer *buffer)
{
    proof->side = side;
    if (event->root && event->comm && comm_is_world(event->comm) &&
        (buffer->where == AT_ROOT || buffer->where == NOT_AT_ROOT)) {
        struct polynomial root = proof_number(proof, event->root), rank = rank_in_world(proof);
        if (buffer->where == AT_ROOT)
            inequalities_equal(&proof->known.all, &rank, &root);
        else
            differ(proof, &proof->known.all, &rank, &root);
    }
}

bool proof_is_guess(const struct proof *proof, const struct polynomial *sum)
{
    for (unsigned i = 0; i < sum->count; i++)
        for (unsigned k = 0; k < POLYNOMIAL_DEGREE && sum->terms[i].symbols[k]; k++) {
            const struct proof_symbol *symbol = &proof->symbols.items[sum->terms[i].symbols[k] - 1];
            if (symbol->kind == PROOF_value && !symbol->shared)
                return true;
        }
    return false;
}

void proof_close(struct proof *proof)
{
    inequalities_free(&proof->known);
    DROP(&proof->symbols);
    DROP(&proof->derived);
}

void proof_differ(struct proof *proof, const struct polynomial *a, const struct polynomial *b)
{
    differ(proof, &proof->known.all, a, b);
}

bool proof_at_most(struct proof *proof, const struct polynomial *a, const struct polynomial *b)
{
    inequality_list opposite = {0};
    inequalities_less(&opposite, b, a);
    bool proved = opposite.count && inequalities_exclude(&proof->known, &opposite);
    DROP(&opposite);
    return proved;
}

bool proof_equal(struct proof *proof, const struct polynomial *a, const struct polynomial *b)
{
    return proof_at_most(proof, a, b) && proof_at_most(proof, b, a);
}
