// A pass for gcc: structures that are passed or returned by value.
//
// `take(in[0])` copies the structure to where the callee expects its argument, and `in[0] = make()`
// lets the callee write it, both as part of the call; gcc's pass for ThreadSanitizer looks at
// assignments only. So the copy gets a check of its own: of an argument before the call, of the
// result after it.
#include <gcc-plugin.h>

#include <backend.h>
#include <tree.h>
#include <gimple.h>
#include <tree-pass.h>
#include <context.h>
#include <ssa.h>
#include <fold-const.h>
#include <gimplify.h>
#include <gimple-iterator.h>
#include <gimplify-me.h>
#include <tree-cfg.h>
#include <cfganal.h>
#include <stringpool.h>
#include <attribs.h>
#include <asan.h>

#include "gcc_passes.h"

bool is_shared_memory(tree operand)
{
    if (!operand || is_gimple_reg(operand) || is_gimple_min_invariant(operand) ||
        int_size_in_bytes(TREE_TYPE(operand)) < 1)
        return false;
    tree base = get_base_address(operand);
    if (!base || CONSTANT_CLASS_P(base) || TREE_CODE(base) == CONSTRUCTOR)
        return false;
    return !DECL_P(base) || ((is_global_var(base) || TREE_ADDRESSABLE(base)) &&
                             !TREE_READONLY(base) && TREE_CODE(base) != RESULT_DECL);
}

gimple_seq range_check(tree operand, built_in_function what, location_t where)
{
    gimple_seq check = NULL;
    tree address =
        force_gimple_operand(build_fold_addr_expr(unshare_expr(operand)), &check, true, NULL_TREE);
    tree size = build_int_cst(pointer_sized_int_node, int_size_in_bytes(TREE_TYPE(operand)));
    gcall *call = gimple_build_call(builtin_decl_implicit(what), 2, address, size);
    gimple_set_location(call, where);
    gimple_seq_add_stmt(&check, call);
    return check;
}

namespace
{

const pass_data checking = {
    GIMPLE_PASS, "regatta_values", OPTGROUP_NONE, TV_NONE, PROP_ssa | PROP_cfg, 0, 0,
    0,           TODO_update_ssa};

struct check_values : gimple_opt_pass {
    check_values() : gimple_opt_pass(checking, g)
    {
    }

    opt_pass *clone() final override
    {
        return new check_values;
    }

    bool gate(function *fun) final override
    {
        return sanitize_flags_p(SANITIZE_THREAD, fun->decl);
    }

    unsigned execute(function *fun) final override
    {
        bool edges = false;
        basic_block block;
        initialize_sanitizer_builtins();
        FOR_EACH_BB_FN(block, fun)
        for (auto at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at)) {
            gcall *call = dyn_cast<gcall *>(gsi_stmt(at));
            if (!call || gimple_call_internal_p(call) || gimple_call_builtin_p(call))
                continue;
            for (unsigned i = 0; i < gimple_call_num_args(call); i++)
                if (is_shared_memory(gimple_call_arg(call, i)))
                    gsi_insert_seq_before(&at,
                                          range_check(gimple_call_arg(call, i),
                                                      BUILT_IN_TSAN_READ_RANGE,
                                                      gimple_location(call)),
                                          GSI_SAME_STMT);
            // A C++ object that may not be copied is made by the callee, which may have it in use.
            tree result = gimple_call_lhs(call);
            if (!is_shared_memory(result) || TREE_ADDRESSABLE(TREE_TYPE(result)))
                continue;
            gimple_seq check =
                range_check(result, BUILT_IN_TSAN_WRITE_RANGE, gimple_location(call));
            if (!stmt_ends_bb_p(call)) {
                gsi_insert_seq_after(&at, check, GSI_CONTINUE_LINKING);
            } else if (edge next = find_fallthru_edge(block->succs)) {
                gsi_insert_seq_on_edge(next, check); // the call may throw instead
                edges = true;
            }
        }
        if (edges)
            gsi_commit_edge_inserts();
        return 0;
    }
};

} // namespace

gimple_opt_pass *make_check_values()
{
    return new check_values;
}
