#include "proof_inside.h"

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

void proof_add_truth(struct proof *proof, inequality_list *list, LLVMValueRef value, bool truth,
                     int depth)
{
    LLVMValueRef parts[2];
    bool conjunction;
    if (depth > 0 && LLVMIsAFreezeInst(value)) {
        proof_add_truth(proof, list, LLVMGetOperand(value, 0), truth, depth - 1);
    } else if (depth > 0 && LLVMIsAICmpInst(value) &&
               LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(value, 0))) == LLVMIntegerTypeKind &&
               !proof_is_truth(LLVMGetOperand(value, 0))) {
        add_comparison(proof, list, value, truth);
    } else if (depth > 0 && LLVMIsABinaryOperator(value) &&
               LLVMGetInstructionOpcode(value) == LLVMXor &&
               LLVMIsAConstantInt(LLVMGetOperand(value, 1))) {
        bool flips = !LLVMIsNull(LLVMGetOperand(value, 1));
        proof_add_truth(proof, list, LLVMGetOperand(value, 0), truth != flips, depth - 1);
    } else if (depth > 0 && is_connective(value, &conjunction, parts)) {
        if (conjunction == truth) {
            proof_add_truth(proof, list, parts[0], truth, depth - 1);
            proof_add_truth(proof, list, parts[1], truth, depth - 1);
        } else {
            struct choice choice = {0};
            proof_add_truth(proof, &choice.either, parts[0], truth, depth - 1);
            proof_add_truth(proof, &choice.other, parts[1], truth, depth - 1);
            add_choice(proof, list, &choice);
        }
    } else {
        struct polynomial sum, wanted = polynomial_constant(truth);
        if (proof_leaf(proof, value, &sum))
            inequalities_equal(list, &sum, &wanted);
    }
}

static void add_condition(struct proof *proof, const struct condition *condition)
{
    proof->side = condition->side;
    if (proof_is_truth(condition->value)) {
        proof_add_truth(proof, &proof->known.all, condition->value,
                        (condition->number != 0) != condition->negated, PROOF_DEEPEST);
        return;
    }
    if (LLVMGetTypeKind(LLVMTypeOf(condition->value)) != LLVMIntegerTypeKind)
        return;
    struct polynomial number = polynomial_constant(condition->number);
    if (!condition->negated && LLVMIsAPHINode(condition->value)) {
        /* The phi is replaced by its number wherever it occurs; two numbers cannot be. */
        int64_t given;
        if (proof_given(proof, condition->value, &given) && given != condition->number)
            proof->known.hopeless = true;
        /* As the counter of a loop it is another name for the iteration. */
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
            proof_iteration(proof, loop, &counter);
}

/* ---- proofs ---- */

void proof_open(struct proof *proof, const struct moments *moments, const struct draw *fixed)
{
    *proof = (struct proof){.moments = moments, .fixed = fixed};
    for (size_t i = 0; i < moments->nconditions; i++)
        add_condition(proof, &moments->conditions[i]);
    add_rounds(proof);
    if (moments->aligned && !fixed) {
        proof->side = THEN;
        struct polynomial one = proof_rank_here(proof);
        proof->side = NOW;
        struct polynomial two = proof_rank_here(proof);
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

void proof_takes_part(struct proof *proof, enum side side, const struct event *event,
                      const struct buffer *buffer)
{
    proof->side = side;
    if (event->root && event->comm && comm_is_world(event->comm) &&
        (buffer->where == AT_ROOT || buffer->where == NOT_AT_ROOT)) {
        struct polynomial root = proof_number(proof, event->root), rank = proof_rank_here(proof);
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
    DROP(&proof->computed);
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
