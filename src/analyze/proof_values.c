/* Values of the program as sums of symbols: ranks, iterations, and what nothing is known of. */
#include "proof_inside.h"

#include "alias.h"

enum { MOST_SYMBOLS = 400 };

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

/* The least and the greatest of the constants that a value is one of. */
static bool one_of_constants(LLVMValueRef value, int depth, int64_t *least, int64_t *most)
{
    unsigned n = LLVMIsAPHINode(value)      ? LLVMCountIncoming(value)
                 : LLVMIsASelectInst(value) ? 2
                                            : 0;
    if (LLVMIsAConstantInt(value) && LLVMGetIntTypeWidth(LLVMTypeOf(value)) <= 64) {
        int64_t number = LLVMConstIntGetSExtValue(value);
        *least = number < *least ? number : *least;
        *most = number > *most ? number : *most;
        return true;
    }
    for (unsigned i = 0; i < n; i++) {
        LLVMValueRef next =
            LLVMIsAPHINode(value) ? LLVMGetIncomingValue(value, i) : LLVMGetOperand(value, 1 + i);
        if (!depth || !one_of_constants(next, depth - 1, least, most))
            return false;
    }
    return n > 0;
}

static struct polynomial unknown(struct proof *proof, LLVMValueRef value)
{
    enum { DEEPEST = 4 };
    int64_t least = INT64_MAX, most = INT64_MIN;
    LLVMValueRef known_as = alias_representative(proof->moments->function, value);
    bool is_new, shared = !proof->moments->aligned && moments_share(proof->moments, value);
    symbol_id symbol = proof_symbol_of(proof, PROOF_value, known_as, 0, shared, &is_new);
    struct polynomial sum = polynomial_symbol(symbol);
    if (is_new && proof_is_truth(value)) {
        proof_never_negative(proof, symbol);
        proof_known_at_most(proof, &sum, 1);
    } else if (is_new && LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMIntegerTypeKind &&
               one_of_constants(value, DEEPEST, &least, &most)) {
        if (least >= 0)
            proof_never_negative(proof, symbol);
        proof_at_least(proof, &sum, least);
        proof_known_at_most(proof, &sum, most);
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

struct polynomial proof_rank_here(struct proof *proof)
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

bool proof_iteration(void *context, int loop, struct polynomial *result)
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
        bool known = proof_iteration(proof, loop, &then);
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

/* ---- values ---- */

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
        proof_add_truth(proof, &choice.either, LLVMGetOperand(value, 0), true, PROOF_DEEPEST);
        inequalities_equal(&choice.either, result, &first);
        proof_add_truth(proof, &choice.other, LLVMGetOperand(value, 0), false, PROOF_DEEPEST);
        inequalities_equal(&choice.other, result, &second);
        APPEND(&proof->known.choices, choice);
    }
    return true;
}

bool proof_given(const struct proof *proof, LLVMValueRef value, int64_t *number)
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

bool proof_leaf(void *context, LLVMValueRef leaf, struct polynomial *result)
{
    struct proof *proof = context;
    int64_t number;
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(leaf));
    if (kind != LLVMIntegerTypeKind && kind != LLVMPointerTypeKind)
        return false;
    if (LLVMIsAConstantInt(leaf)) {
        *result = polynomial_constant(proof_is_truth(leaf) ? (int64_t)LLVMConstIntGetZExtValue(leaf)
                                                           : LLVMConstIntGetSExtValue(leaf));
        return true;
    }
    if (proof_given(proof, leaf, &number)) {
        *result = polynomial_constant(number);
        return true;
    }
    enum query query = world_query(leaf);
    if (query != NO_QUERY) {
        *result = query == QUERY_rank ? proof_rank_here(proof) : size_of_world(proof);
        return true;
    }
    if (proof->fixed && draw_answer(proof->fixed, proof->side, leaf, &number)) {
        *result = polynomial_constant(number);
        return true;
    }
    for EACH (computed, &proof->computed)
        if (computed->value == leaf && computed->side == proof->side) {
            *result = computed->sum;
            return true;
        }
    bool plain = proof->depth >= PROOF_DEEPEST || proof->symbols.count > MOST_SYMBOLS;
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
        if (done)
            APPEND(&proof->computed, (struct proof_computed){leaf, proof->side, *result});
    }
    if (!done)
        *result = unknown(proof, leaf);
    return true;
}

static bool expand(struct proof *proof, expression e, struct polynomial *sum)
{
    struct bridge_symbols symbols = {proof, proof_leaf, proof_iteration, proof_other_shape};
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
    if ((LLVMIsAConstantInt(value) || proof_is_truth(value)) && proof_leaf(proof, value, &sum))
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

struct polynomial proof_rank(struct proof *proof, enum side side)
{
    proof->side = side;
    return proof_rank_here(proof);
}

struct polynomial proof_size(struct proof *proof)
{
    return size_of_world(proof);
}
