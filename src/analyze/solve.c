#include "solve.h"

#include "search.h"

#ifdef REGATTA_HAVE_Z3
#include <z3.h>

/* Work that one question may cost, mostly a millisecond, seldom some hundreds. Where the questions
 * about one function have cost so much together, the next ones, much the same, get little. */
enum { WORK = 400000, WORK_FOR_ALL = 1000000, LITTLE_WORK = 20000 };

/* Objects of one context live as long as it does. Each function starts with a new one: its answers
 * are not to depend on what was asked before, in other functions or programs. */
enum { QUESTIONS_PER_CONTEXT = 200 };

static Z3_context shared_context(struct function *function)
{
    static Z3_context context;
    static unsigned questions;
    questions = function->asks_solver ? questions + 1 : 0;
    function->asks_solver = true;
    if (context && questions % QUESTIONS_PER_CONTEXT == 0) {
        Z3_del_context(context);
        context = NULL;
    }
    if (!context) {
        Z3_config config = Z3_mk_config();
        context = Z3_mk_context(config);
        Z3_set_error_handler(context, NULL); /* answers of failed calls are "undecided" */
        Z3_del_config(config);
    }
    return context;
}

struct question {
    Z3_context context;
    const struct proof *proof;
    Z3_ast *unknowns; /* by number of the symbol */
    Z3_solver solver;
};

static Z3_ast number(const struct question *question, int64_t value)
{
    return Z3_mk_int64(question->context, value, Z3_mk_int_sort(question->context));
}

static Z3_ast sum_of(const struct question *question, const struct polynomial *sum)
{
    Z3_ast terms[POLYNOMIAL_TERMS];
    for (unsigned i = 0; i < sum->count; i++) {
        Z3_ast factors[POLYNOMIAL_DEGREE + 1] = {number(question, sum->terms[i].factor)};
        unsigned count = 1;
        for (unsigned k = 0; k < POLYNOMIAL_DEGREE && sum->terms[i].symbols[k]; k++)
            factors[count++] = question->unknowns[sum->terms[i].symbols[k] - 1];
        terms[i] = count == 1 ? factors[0] : Z3_mk_mul(question->context, count, factors);
    }
    return sum->count ? Z3_mk_add(question->context, sum->count, terms) : number(question, 0);
}

static Z3_ast all_of(const struct question *question, const inequality_list *list)
{
    Z3_context context = question->context;
    Z3_ast *parts = checked(calloc(list->count + 1, sizeof *parts)), zero = number(question, 0);
    for (size_t i = 0; i < list->count; i++) {
        Z3_ast sum = sum_of(question, &list->items[i].sum);
        parts[i] = list->items[i].relation == IS_ZERO ? Z3_mk_eq(context, sum, zero)
                                                      : Z3_mk_ge(context, sum, zero);
    }
    Z3_ast all = Z3_mk_and(context, (unsigned)list->count, parts);
    free(parts);
    return all;
}

static void demand(const struct question *question, Z3_ast formula)
{
    Z3_solver_assert(question->context, question->solver, formula);
}

static void demand_range(const struct question *question, size_t symbol, int64_t low, int64_t high)
{
    Z3_ast unknown = question->unknowns[symbol];
    demand(question, Z3_mk_ge(question->context, unknown, number(question, low)));
    demand(question, Z3_mk_le(question->context, unknown, number(question, high)));
}

static void demand_choices(const struct question *question, const struct choice *choices,
                           size_t count)
{
    for (size_t i = 0; i < count; i++) {
        Z3_ast parts[2] = {all_of(question, &choices[i].either),
                           all_of(question, &choices[i].other)};
        demand(question, Z3_mk_or(question->context, 2, parts));
    }
}

/* Numbers that a reader finds natural, if there are such. */
static void demand_small(const struct question *question)
{
    enum { FEW_PROCESSES = 64, SMALL = 5000 };
    for (size_t i = 0; i < question->proof->symbols.count; i++) {
        enum proof_kind kind = question->proof->symbols.items[i].kind;
        if (kind == PROOF_size)
            demand_range(question, i, 1, FEW_PROCESSES);
        else if (kind == PROOF_value)
            demand_range(question, i, 0, SMALL);
    }
}

/* What a variable of this type can hold, and how many processes there can be. */
static void demand_types(const struct question *question)
{
    enum { MOST_PROCESSES = 1 << 22 };
    for (size_t i = 0; i < question->proof->symbols.count; i++) {
        const struct proof_symbol *symbol = &question->proof->symbols.items[i];
        if (symbol->kind == PROOF_size)
            demand_range(question, i, 1, MOST_PROCESSES);
        if (symbol->kind == PROOF_switch)
            demand_range(question, i, 0, 1);
        if (symbol->kind != PROOF_value || !symbol->key)
            continue;
        LLVMTypeRef type = LLVMTypeOf((LLVMValueRef)symbol->key);
        unsigned bits =
            LLVMGetTypeKind(type) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type) : 64;
        if (bits > 1 && bits < 63) /* signed or not: nobody knows */
            demand_range(question, i, -((int64_t)1 << (bits - 1)), ((int64_t)1 << bits) - 1);
    }
}

/* Opens a question with all that is known. */
static struct question ask(const struct proof *proof, const inequality_list *more)
{
    struct question question = {.context = shared_context(proof->moments->function),
                                .proof = proof};
    Z3_context context = question.context;
    question.unknowns = checked(calloc(proof->symbols.count + 1, sizeof *question.unknowns));
    for (size_t i = 0; i < proof->symbols.count; i++)
        question.unknowns[i] =
            Z3_mk_const(context, Z3_mk_int_symbol(context, (int)i), Z3_mk_int_sort(context));
    /* The plain solver decides products within a millisecond on which the one made of tactics
     * spends 100 in vain. */
    question.solver = Z3_mk_simple_solver(context);
    Z3_solver_inc_ref(context, question.solver);
    Z3_params params = Z3_mk_params(context);
    Z3_params_inc_ref(context, params);
    Z3_params_set_uint(context, params, Z3_mk_string_symbol(context, "rlimit"),
                       proof->moments->function->solver_work < WORK_FOR_ALL ? WORK : LITTLE_WORK);
    Z3_solver_set_params(context, question.solver, params);
    Z3_params_dec_ref(context, params);
    demand(&question, all_of(&question, &proof->known.all));
    if (more)
        demand(&question, all_of(&question, more));
    demand_choices(&question, proof->known.choices.items, proof->known.choices.count);
    demand_choices(&question, proof->known.finer.items, proof->known.finer.count);
    demand_types(&question);
    return question;
}

/* What the context has worked since it was made. */
static uint64_t work_of(const struct question *question)
{
    uint64_t work = 0;
    Z3_stats statistics = Z3_solver_get_statistics(question->context, question->solver);
    Z3_stats_inc_ref(question->context, statistics);
    for (unsigned i = 0; i < Z3_stats_size(question->context, statistics); i++)
        if (!strcmp(Z3_stats_get_key(question->context, statistics, i), "rlimit count"))
            work = Z3_stats_get_uint_value(question->context, statistics, i);
    Z3_stats_dec_ref(question->context, statistics);
    return work;
}

static Z3_lbool answer_to(const struct question *question)
{
    uint64_t before = work_of(question);
    Z3_lbool answer = Z3_solver_check(question->context, question->solver);
    question->proof->moments->function->solver_work += work_of(question) - before;
    return answer;
}

static void forget(struct question *question)
{
    Z3_solver_dec_ref(question->context, question->solver);
    free(question->unknowns);
}

/* ---- from a solution to an example ---- */

static int64_t value_in(const struct question *question, Z3_model model, size_t symbol)
{
    Z3_ast value;
    int64_t result = 0;
    if (Z3_model_eval(question->context, model, question->unknowns[symbol], true, &value))
        Z3_get_numeral_int64(question->context, value, &result);
    return result;
}

static bool is_example(const struct question *question, struct draw *found)
{
    const struct proof *proof = question->proof;
    int64_t *values = checked(calloc(proof->symbols.count + 1, sizeof *values));
    Z3_model model = Z3_solver_get_model(question->context, question->solver);
    Z3_model_inc_ref(question->context, model);
    for (size_t i = 0; i < proof->symbols.count; i++)
        values[i] = value_in(question, model, i);
    Z3_model_dec_ref(question->context, model);
    bool holds = example_from(proof, values, NULL, 0, found);
    free(values);
    return holds;
}

static enum solved look_for(const struct question *question, struct draw *found)
{
    Z3_lbool answer = answer_to(question);
    if (answer == Z3_L_TRUE && is_example(question, found))
        return SOLVED_found;
    return answer == Z3_L_FALSE ? SOLVED_none : SOLVED_undecided;
}

enum solved solve_example(const struct proof *proof, const inequality_list *more,
                          struct draw *found)
{
    if (proof->known.hopeless)
        return SOLVED_none;
    struct question question = ask(proof, more);
    Z3_solver_push(question.context, question.solver);
    demand_small(&question);
    enum solved solved = look_for(&question, found);
    if (solved != SOLVED_found) {
        Z3_solver_pop(question.context, question.solver, 1);
        solved = look_for(&question, found);
        solved = solved == SOLVED_found ? SOLVED_strained : solved;
    }
    forget(&question);
    return solved;
}

bool solve_excludes(const struct proof *proof, const inequality_list *more)
{
    struct question question = ask(proof, more);
    bool none = answer_to(&question) == Z3_L_FALSE;
    forget(&question);
    return none;
}

#else

enum solved solve_example(const struct proof *proof, const inequality_list *more,
                          struct draw *found)
{
    (void)proof, (void)more, (void)found;
    return SOLVED_undecided;
}

bool solve_excludes(const struct proof *proof, const inequality_list *more)
{
    (void)proof, (void)more;
    return false;
}

#endif
