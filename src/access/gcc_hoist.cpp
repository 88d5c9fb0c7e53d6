// Tells of a loop's sweep over memory once, in front of the loop, in place of a check in each
// iteration. It does what clang_hoist.cpp does for clang, which says where that is possible and
// why; runs behind gcc's pass for ThreadSanitizer, from -O1 on. What it leaves is compiled in
// (gcc_inline.cpp).
//
// Inner loops first: what is told in front of one is a part of the loop around it, and goes further
// out if the same holds there. At -O2 gcc leaves the small loops of a star or a block as they are,
// and a few bytes told in front of each would cost more than the loop.
#include <gcc-plugin.h>
#include <plugin-version.h>

#include <backend.h>
#include <tree.h>
#include <gimple.h>
#include <tree-pass.h>
#include <context.h>
#include <ssa.h>
#include <fold-const.h>
#include <gimple-iterator.h>
#include <gimplify.h>
#include <gimplify-me.h>
#include <cfgloop.h>
#include <tree-cfg.h>
#include <tree-scalar-evolution.h>
#include <tree-ssa-loop.h>
#include <tree-ssa-loop-niter.h>

#include "gcc_passes.h"
#include "hooks.h"

bool is_check(gimple *statement, check &check)
{
    if (!gimple_call_builtin_p(statement, BUILT_IN_NORMAL))
        return false;
    check.call = statement;
    switch (DECL_FUNCTION_CODE(gimple_call_fndecl(statement))) {
#define CHECK_OF_SIZE(size)                                                                        \
    case BUILT_IN_TSAN_READ##size:                                                                 \
        check.store = false;                                                                       \
        check.bytes = size;                                                                        \
        return true;                                                                               \
    case BUILT_IN_TSAN_WRITE##size:                                                                \
        check.store = true;                                                                        \
        check.bytes = size;                                                                        \
        return true;
        CHECK_OF_SIZE(1)
        CHECK_OF_SIZE(2)
        CHECK_OF_SIZE(4)
        CHECK_OF_SIZE(8)
        CHECK_OF_SIZE(16)
#undef CHECK_OF_SIZE
    default:
        return false;
    }
}

namespace
{

// What a call tells of memory: gcc's own of one access or of a structure, ours of a sweep.
struct telling {
    gimple *call;
    bool store;
    tree start, bytes;
    tree count, step; // of pieces that are `step` apart; NULL: one piece
};

bool is_range(gimple *statement, telling &telling)
{
    if (!gimple_call_builtin_p(statement, BUILT_IN_NORMAL))
        return false;
    enum built_in_function code = DECL_FUNCTION_CODE(gimple_call_fndecl(statement));
    if (code != BUILT_IN_TSAN_READ_RANGE && code != BUILT_IN_TSAN_WRITE_RANGE)
        return false;
    telling = {statement,
               code == BUILT_IN_TSAN_WRITE_RANGE,
               gimple_call_arg(statement, 0),
               gimple_call_arg(statement, 1),
               NULL_TREE,
               NULL_TREE};
    return true;
}

const char *steps_name(bool store)
{
    return store ? "__regatta_write_steps" : "__regatta_read_steps";
}

bool is_steps(gimple *statement, telling &telling)
{
    tree function = is_gimple_call(statement) ? gimple_call_fndecl(statement) : NULL_TREE;
    if (!function || !DECL_NAME(function) || gimple_call_num_args(statement) != 4)
        return false;
    for (bool store : {false, true})
        if (id_equal(DECL_NAME(function), steps_name(store))) {
            telling = {statement,
                       store,
                       gimple_call_arg(statement, 0),
                       gimple_call_arg(statement, 1),
                       gimple_call_arg(statement, 2),
                       gimple_call_arg(statement, 3)};
            return true;
        }
    return false;
}

bool tells(gimple *statement, telling &telling)
{
    check check;
    if (!is_check(statement, check))
        return is_range(statement, telling) || is_steps(statement, telling);
    telling = {statement, check.store, gimple_call_arg(statement, 0), size_int(check.bytes),
               NULL_TREE, NULL_TREE};
    return true;
}

} // namespace

// Of sweeps whose size is not known before the program runs: how many bytes at most.
static hash_map<gimple *, unsigned> *bounded;

unsigned few_bytes_told(gimple *statement)
{
    telling telling;
    unsigned *most = bounded ? bounded->get(statement) : NULL;
    if (most)
        return *most;
    if (!tells(statement, telling) || !tree_fits_uhwi_p(telling.bytes))
        return 0;
    unsigned HOST_WIDE_INT bytes = tree_to_uhwi(telling.bytes), count = 1, step = 0;
    if (telling.count) {
        if (!tree_fits_uhwi_p(telling.count) || !tree_fits_uhwi_p(telling.step))
            return 0;
        count = tree_to_uhwi(telling.count);
        step = tree_to_uhwi(telling.step);
    }
    if (bytes > ACCESS_GROUP || step > ACCESS_GROUP || count < 1 || count > ACCESS_GROUP ||
        bytes + (count - 1) * step > ACCESS_GROUP)
        return 0;
    return bytes + (count - 1) * step;
}

void forget_bytes_told()
{
    delete bounded;
    bounded = NULL;
}

bool may_synchronise(gimple *statement)
{
    telling telling;
    if (is_gimple_call(statement))
        return !tells(statement, telling) && !(gimple_call_flags(statement) & ECF_CONST);
    return gimple_code(statement) == GIMPLE_ASM || gimple_has_volatile_ops(statement);
}

namespace
{

// What every iteration tells, the last one too; false if the loop, with those inside, is not
// simple.
bool find_tellings(class loop *loop, edge exit, vec<telling> &tellings)
{
    basic_block *blocks = get_loop_body(loop);
    bool simple = true;
    for (unsigned i = 0; i < loop->num_nodes && simple; i++) {
        bool always =
            blocks[i]->loop_father == loop && dominated_by_p(CDI_DOMINATORS, exit->src, blocks[i]);
        for (auto at = gsi_start_bb(blocks[i]); !gsi_end_p(at) && simple; gsi_next(&at)) {
            telling telling;
            simple = !may_synchronise(gsi_stmt(at));
            if (always && tells(gsi_stmt(at), telling))
                tellings.safe_push(telling);
        }
    }
    free(blocks);
    return simple && !tellings.is_empty();
}

/* gcc 14 also says whether something may overflow that the loop computes under a condition only;
 * what we compute with it is an address, which may wrap. */
bool is_expensive(tree expression)
{
#if GCCPLUGIN_VERSION_MAJOR >= 14
    bool may_overflow = false;
    return expression_expensive_p(expression, &may_overflow);
#else
    return expression_expensive_p(expression);
#endif
}

// In terms of what is known in front of the loop; NULL if it is not the same in all iterations.
tree in_front_of(class loop *loop, tree value)
{
    affine_iv still;
    if (!value || TREE_CODE(value) == INTEGER_CST)
        return value;
    if (!simple_iv(loop, loop, value, &still, /*allow_nonconstant_step=*/false) ||
        !integer_zerop(still.step) || is_expensive(still.base))
        return NULL_TREE;
    return fold_convert(TREE_TYPE(value), still.base);
}

// What all iterations tell together; false if that is not known in front of the loop, or if it is
// not one row of equal pieces. `turns`: how often the loop goes back.
//
// Pieces that are met or overlapped by their successors become one: `further` is how far the last
// begins behind the first. That needs a size that is known now; it is for single accesses, and for
// the rows that inner loops with a constant number of iterations made of them. So the arms of a
// star (steps of a few rows) become a few ranges over all columns.
bool is_sweep(class loop *loop, const telling &each, tree turns, telling &all)
{
    affine_iv moving;
    all = each;
    if (!simple_iv(loop, loop, each.start, &moving, /*allow_nonconstant_step=*/true) ||
        !POINTER_TYPE_P(TREE_TYPE(moving.base)) || is_expensive(moving.base))
        return false;
    all.start = moving.base;
    all.bytes = in_front_of(loop, each.bytes);
    all.count = in_front_of(loop, each.count);
    all.step = in_front_of(loop, each.step);
    if (!all.bytes || !all.count != !each.count || !all.step != !each.step)
        return false;
    if (integer_zerop(moving.step))
        return true;
    HOST_WIDE_INT step = cst_and_fits_in_hwi(moving.step) ? int_cst_value(moving.step) : 0;
    unsigned HOST_WIDE_INT distance =
        step < 0 ? -(unsigned HOST_WIDE_INT)step : (unsigned HOST_WIDE_INT)step;
    if (step && tree_fits_uhwi_p(all.bytes) && distance <= tree_to_uhwi(all.bytes)) {
        tree further = size_binop(MULT_EXPR, fold_convert(sizetype, turns), size_int(distance));
        if (step < 0)
            all.start =
                fold_build_pointer_plus(moving.base, fold_build1(NEGATE_EXPR, sizetype, further));
        all.bytes = size_binop(PLUS_EXPR, further, fold_convert(sizetype, all.bytes));
        return true;
    }
    if (each.count || is_expensive(moving.step))
        return false;
    all.count = size_binop(PLUS_EXPR, fold_convert(sizetype, turns), size_one_node);
    all.step = fold_convert(ssizetype, moving.step);
    return true;
}

tree steps_function(bool store)
{
    return build_fn_decl(steps_name(store), build_function_type_list(
                                                void_type_node, const_ptr_type_node, size_type_node,
                                                size_type_node, ssizetype, NULL_TREE));
}

gimple *tell_in_front(class loop *loop, const telling &each, const telling &all)
{
    gimple_seq code = NULL;
    auto operand = [&code](tree value) {
        gimple_seq more;
        value = force_gimple_operand(unshare_expr(value), &more, true, NULL_TREE);
        gimple_seq_add_seq(&code, more);
        return value;
    };
    tree start = operand(all.start);
    gcall *told;
    check check;
    if (all.count)
        told = gimple_build_call(steps_function(all.store), 4, start, operand(all.bytes),
                                 operand(all.count), operand(all.step));
    else if (is_check(each.call, check) && all.bytes == each.bytes)
        told =
            gimple_build_call(gimple_call_fndecl(each.call), 1, start); // an ordinary check, once
    else
        told = gimple_build_call(
            builtin_decl_implicit(all.store ? BUILT_IN_TSAN_WRITE_RANGE : BUILT_IN_TSAN_READ_RANGE),
            2, start, operand(all.bytes));
    gimple_set_location(told, gimple_location(each.call));
    gimple_call_set_nothrow(told, true);
    gimple_seq_add_stmt(&code, told);
    gsi_insert_seq_on_edge_immediate(loop_preheader_edge(loop), code);
    return told;
}

// A loop that comes back so often at most; sweeps upwards.
void note_bound(class loop *loop, const telling &each, gimple *told)
{
    widest_int turns;
    affine_iv moving;
    if (each.count || !tree_fits_uhwi_p(each.bytes) || !max_loop_iterations(loop, &turns) ||
        !wi::ltu_p(turns, (int)ACCESS_GROUP) ||
        !simple_iv(loop, loop, each.start, &moving, /*allow_nonconstant_step=*/true) ||
        !cst_and_fits_in_hwi(moving.step))
        return;
    HOST_WIDE_INT step = int_cst_value(moving.step);
    if (step < 0 || step > ACCESS_GROUP || tree_to_uhwi(each.bytes) > ACCESS_GROUP)
        return;
    unsigned HOST_WIDE_INT bytes = turns.to_uhwi() * step + tree_to_uhwi(each.bytes);
    if (bytes > ACCESS_GROUP)
        return;
    if (!bounded)
        bounded = new hash_map<gimple *, unsigned>;
    bounded->put(told, bytes);
}

void remove(gimple *call)
{
    gimple_stmt_iterator at = gsi_for_stmt(call);
    if (bounded)
        bounded->remove(call);
    unlink_stmt_vdef(call);
    gsi_remove(&at, true);
    release_defs(call);
}

bool hoist_from(class loop *loop)
{
    auto_vec<telling, 16> tellings;
    edge exit = single_exit(loop);
    if (!exit || !find_tellings(loop, exit, tellings))
        return false;
    tree turns = number_of_latch_executions(loop);
    if (turns == chrec_dont_know || is_expensive(turns))
        return false;
    bool changed = false;
    for (const telling &each : tellings) {
        telling all;
        if (!is_sweep(loop, each, turns, all))
            continue;
        gimple *told = tell_in_front(loop, each, all);
        if (!few_bytes_told(told))
            note_bound(loop, each, told);
        remove(each.call);
        changed = true;
    }
    return changed;
}

const pass_data hoisting = {
    GIMPLE_PASS, "regatta_hoist", OPTGROUP_NONE, TV_NONE, PROP_ssa | PROP_cfg, 0, 0, 0, 0};

struct hoist_checks : gimple_opt_pass {
    hoist_checks() : gimple_opt_pass(hoisting, g)
    {
    }

    opt_pass *clone() final override
    {
        return new hoist_checks; // gcc's pass stands in two places, for -Og and for the rest
    }

    bool gate(function *) final override
    {
        return flag_sanitize & SANITIZE_THREAD;
    }

    unsigned execute(function *fun) final override
    {
        bool changed = false;
        loop_optimizer_init(LOOPS_NORMAL | LOOPS_HAVE_RECORDED_EXITS);
        scev_initialize();
        for (auto loop : loops_list(fun, LI_FROM_INNERMOST))
            if (hoist_from(loop)) {
                scev_reset(); // what was told in an inner loop is told in the outer one now
                changed = true;
            }
        scev_finalize();
        loop_optimizer_finalize();
        return changed ? TODO_update_ssa_only_virtuals : 0;
    }
};

} // namespace

gimple_opt_pass *make_hoist_checks()
{
    return new hoist_checks;
}
