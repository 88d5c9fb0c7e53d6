// Tells of a loop's sweep over memory once, in front of the loop, in place of a check in each
// iteration. It does what clang_hoist.cpp does for clang, which says where that is possible and
// why; runs behind gcc's pass for ThreadSanitizer, from -O1 on. What it leaves is compiled in
// (gcc_inline.cpp).
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

#include "gcc_passes.h"

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

bool may_synchronise(gimple *statement)
{
    check check;
    if (is_gimple_call(statement))
        return !is_check(statement, check) && !(gimple_call_flags(statement) & ECF_CONST);
    return gimple_code(statement) == GIMPLE_ASM || gimple_has_volatile_ops(statement);
}

// Checks that every iteration comes to, the last one too; false if the loop is not simple.
bool find_checks(const class loop *loop, edge exit, vec<check> &checks)
{
    basic_block *blocks = get_loop_body(loop);
    bool simple = true;
    for (unsigned i = 0; i < loop->num_nodes && simple; i++) {
        bool always = dominated_by_p(CDI_DOMINATORS, exit->src, blocks[i]);
        for (auto at = gsi_start_bb(blocks[i]); !gsi_end_p(at) && simple; gsi_next(&at)) {
            check check;
            simple = !may_synchronise(gsi_stmt(at));
            if (always && is_check(gsi_stmt(at), check))
                checks.safe_push(check);
        }
    }
    free(blocks);
    return simple && !checks.is_empty();
}

// Where a check goes in all iterations.
struct sweep {
    tree start;
    tree bytes; // without gaps: how many from there on; NULL if there are gaps, or if it stays in
                // one place
    tree step;  // with gaps; else NULL
};

// False if that is not known in front of the loop. `turns`: how often the loop goes back.
bool is_sweep(class loop *loop, const check &check, tree turns, sweep &sweep)
{
    tree address = gimple_call_arg(check.call, 0), size = size_int(check.bytes);
    affine_iv moving;
    if (!simple_iv(loop, loop, address, &moving, /*allow_nonconstant_step=*/true) ||
        !POINTER_TYPE_P(TREE_TYPE(moving.base)))
        return false;
    sweep = {moving.base, NULL_TREE, NULL_TREE};
    if (integer_zerop(moving.step))
        return true;
    HOST_WIDE_INT step = cst_and_fits_in_hwi(moving.step) ? int_cst_value(moving.step) : 0;
    if (step != (HOST_WIDE_INT)check.bytes && step != -(HOST_WIDE_INT)check.bytes) {
        sweep.step = fold_convert(ssizetype, moving.step);
        return true;
    }
    tree further = size_binop(MULT_EXPR, fold_convert(sizetype, turns), size);
    if (step < 0)
        sweep.start =
            fold_build_pointer_plus(moving.base, fold_build1(NEGATE_EXPR, sizetype, further));
    sweep.bytes = size_binop(PLUS_EXPR, further, size);
    return true;
}

tree steps_function(bool store)
{
    return build_fn_decl(store ? "__regatta_write_steps" : "__regatta_read_steps",
                         build_function_type_list(void_type_node, const_ptr_type_node,
                                                  size_type_node, size_type_node, ssizetype,
                                                  NULL_TREE));
}

void tell_in_front(class loop *loop, const check &check, const sweep &sweep, tree turns)
{
    gimple_seq code = NULL;
    auto operand = [&code](tree value) {
        gimple_seq more;
        value = force_gimple_operand(unshare_expr(value), &more, true, NULL_TREE);
        gimple_seq_add_seq(&code, more);
        return value;
    };
    tree start = operand(sweep.start);
    gcall *told;
    if (sweep.bytes)
        told = gimple_build_call(builtin_decl_implicit(check.store ? BUILT_IN_TSAN_WRITE_RANGE
                                                                   : BUILT_IN_TSAN_READ_RANGE),
                                 2, start, operand(sweep.bytes));
    else if (sweep.step)
        told = gimple_build_call(
            steps_function(check.store), 4, start, size_int(check.bytes),
            operand(size_binop(PLUS_EXPR, fold_convert(sizetype, turns), size_one_node)),
            operand(sweep.step));
    else
        told =
            gimple_build_call(gimple_call_fndecl(check.call), 1, start); // an ordinary check, once
    gimple_set_location(told, gimple_location(check.call));
    gimple_call_set_nothrow(told, true);
    gimple_seq_add_stmt(&code, told);
    gsi_insert_seq_on_edge_immediate(loop_preheader_edge(loop), code);
}

void remove(const check &check)
{
    gimple_stmt_iterator at = gsi_for_stmt(check.call);
    unlink_stmt_vdef(check.call);
    gsi_remove(&at, true);
    release_defs(check.call);
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

bool hoist_from(class loop *loop)
{
    auto_vec<check, 16> checks;
    edge exit = single_exit(loop);
    if (!exit || !find_checks(loop, exit, checks))
        return false;
    tree turns = number_of_latch_executions(loop);
    if (turns == chrec_dont_know || is_expensive(turns))
        return false;
    bool changed = false;
    for (const check &check : checks) {
        sweep sweep;
        if (!is_sweep(loop, check, turns, sweep) || is_expensive(sweep.start) ||
            (sweep.step && is_expensive(sweep.step)))
            continue;
        tell_in_front(loop, check, sweep, turns);
        remove(check);
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
        for (auto loop : loops_list(fun, LI_ONLY_INNERMOST))
            changed |= hoist_from(loop);
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
