// Compiles the common part of the checks into the program, in place of gcc's calls:
//
//     if (flags[address >> 16 & mask])              // as access_flags_at in module.h
//         __regatta_readN(address, &run);           // inlined.c
//
// Before registers are given out: behind a call that is always there nothing stays in those that
// calls may change, sums of floating-point numbers above all. Behind one that is seldom come to
// they are saved where it stands. It runs last, behind the pass that takes checks out of loops.
// Accesses that may cross a page, ranges, volatile and atomic ones stay calls.
#include <gcc-plugin.h>

#include <backend.h>
#include <tree.h>
#include <gimple.h>
#include <tree-pass.h>
#include <context.h>
#include <ssa.h>
#include <fold-const.h>
#include <stringpool.h>
#include <gimple-iterator.h>
#include <gimple-fold.h>
#include <gimplify.h>
#include <gimplify-me.h>
#include <cfgloop.h>
#include <tree-cfg.h>
#include <tree-into-ssa.h>
#include <cgraph.h>

#include "gcc_passes.h"
#include "hooks.h"

namespace
{

const unsigned run_bytes = sizeof(access_run);

// A variable of libregatta_access.a. What it holds is the same from the start of the program on.
tree variable_of_library(const char *name, tree type)
{
    tree variable = build_decl(UNKNOWN_LOCATION, VAR_DECL, get_identifier(name), type);
    DECL_EXTERNAL(variable) = TREE_PUBLIC(variable) = DECL_ARTIFICIAL(variable) =
        TREE_READONLY(variable) = 1;
    DECL_VISIBILITY(variable) = VISIBILITY_HIDDEN;
    DECL_VISIBILITY_SPECIFIED(variable) = 1;
    return variable;
}

// The runs of a function's places (hooks.h).
tree make_runs(unsigned places)
{
    tree type =
        build_array_type_nelts(uint64_type_node, (uint64_t)places * run_bytes / sizeof(uint64_t));
    tree runs = build_decl(UNKNOWN_LOCATION, VAR_DECL, create_tmp_var_name("regatta_runs"), type);
    TREE_STATIC(runs) = TREE_ADDRESSABLE(runs) = TREE_USED(runs) = DECL_ARTIFICIAL(runs) =
        DECL_IGNORED_P(runs) = 1;
    varpool_node::add(runs);
    return runs;
}

class inliner
{
    tree flags, mask, runs;
    unsigned places = 0;

    static tree load(gimple_seq *code, tree from)
    {
        tree value = make_ssa_name(TREE_TYPE(from));
        gimple_seq_add_stmt(code, gimple_build_assign(value, from));
        return value;
    }

    // The flag of the page that the address lies in.
    tree flag_of(gimple_seq *code, tree address)
    {
        tree number = gimple_convert(code, uint64_type_node, address);
        tree page = gimple_build(code, RSHIFT_EXPR, uint64_type_node, number,
                                 build_int_cst(integer_type_node, ACCESS_PAGE_BITS));
        tree index = gimple_build(code, BIT_AND_EXPR, uint64_type_node, page, load(code, mask));
        tree place = make_ssa_name(TREE_TYPE(flags));
        gimple_seq_add_stmt(code, gimple_build_assign(place, POINTER_PLUS_EXPR, load(code, flags),
                                                      gimple_convert(code, sizetype, index)));
        return load(code, build2(MEM_REF, unsigned_char_type_node, place,
                                 build_int_cst(TREE_TYPE(flags), 0)));
    }

    tree next_run()
    {
        tree pointer = build_pointer_type(uint64_type_node);
        tree offset = build_int_cst(pointer, (uint64_t)places++ * run_bytes);
        return build1(ADDR_EXPR, pointer,
                      build2(MEM_REF, uint64_type_node, build_fold_addr_expr(runs), offset));
    }

    static tree function_of(const check &check)
    {
        char name[32];
        snprintf(name, sizeof name, "__regatta_%s%u", check.store ? "write" : "read", check.bytes);
        return build_fn_decl(name, build_function_type_list(void_type_node, const_ptr_type_node,
                                                            ptr_type_node, NULL_TREE));
    }

  public:
    explicit inliner(unsigned checks)
        : flags(
              variable_of_library("__regatta_flags", build_pointer_type(unsigned_char_type_node))),
          mask(variable_of_library("__regatta_page_mask", uint64_type_node)),
          runs(make_runs(checks))
    {
    }

    // head -> [told] -> tail
    void inline_check(const check &check)
    {
        gimple_stmt_iterator at = gsi_for_stmt(check.call);
        location_t where = gimple_location(check.call);
        tree address = gimple_call_arg(check.call, 0);
        gimple_seq code = NULL;
        tree flag = flag_of(&code, address);
        gimple *last = gimple_seq_last_stmt(code);
        for (auto each = gsi_start(code); !gsi_end_p(each); gsi_next(&each))
            gimple_set_location(gsi_stmt(each), where);
        gsi_insert_seq_before(&at, code, GSI_SAME_STMT);

        basic_block head = gimple_bb(last);
        edge in = split_block(head, last), out = split_block(in->dest, check.call);
        gcond *flagged = gimple_build_cond(NE_EXPR, flag, build_int_cst(unsigned_char_type_node, 0),
                                           NULL_TREE, NULL_TREE);
        gimple_set_location(flagged, where);
        auto end = gsi_last_bb(head);
        gsi_insert_after(&end, flagged, GSI_NEW_STMT);
        in->flags = EDGE_TRUE_VALUE;
        in->probability = profile_probability::very_unlikely();
        in->dest->count = head->count.apply_probability(in->probability);
        edge past = make_edge(head, out->dest, EDGE_FALSE_VALUE);
        past->probability = in->probability.invert();

        gcall *told = gimple_build_call(function_of(check), 2, address, next_run());
        gimple_set_location(told, where);
        gimple_call_set_nothrow(told, true);
        at = gsi_for_stmt(check.call);
        unlink_stmt_vdef(check.call);
        gsi_replace(&at, told, false);
    }
};

const pass_data inlining = {
    GIMPLE_PASS, "regatta_inline", OPTGROUP_NONE, TV_NONE, PROP_ssa | PROP_cfg, 0, 0, 0, 0};

struct inline_checks : gimple_opt_pass {
    inline_checks() : gimple_opt_pass(inlining, g)
    {
    }

    opt_pass *clone() final override
    {
        return new inline_checks;
    }

    bool gate(function *) final override
    {
        return flag_sanitize & SANITIZE_THREAD;
    }

    unsigned execute(function *fun) final override
    {
        auto_vec<check, 16> checks;
        basic_block block;
        FOR_EACH_BB_FN(block, fun)
        for (auto at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at)) {
            check check;
            if (is_check(gsi_stmt(at), check) && check.bytes <= 8)
                checks.safe_push(check);
        }
        if (checks.is_empty())
            return 0;
        inliner inliner(checks.length());
        for (const check &check : checks)
            inliner.inline_check(check);
        free_dominance_info(CDI_DOMINATORS);
        free_dominance_info(CDI_POST_DOMINATORS);
        mark_virtual_operands_for_renaming(fun);
        return TODO_update_ssa_only_virtuals;
    }
};

} // namespace

gimple_opt_pass *make_inline_checks()
{
    return new inline_checks;
}
