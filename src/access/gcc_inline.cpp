// Compiles the common part of the checks into the program, in place of gcc's calls:
//
//     if (flags[address >> 16 & mask])              // as access_flags_at in module.h
//         __regatta_readN(address, &run);           // inlined.c
//
// Before registers are given out: behind a call that is always there nothing stays in those that
// calls may change, sums of floating-point numbers above all. Behind one that is seldom come to
// they are saved where it stands. It runs last, behind the pass that takes checks out of loops.
// Several checks share the look at the flag where they can (gcc_groups.cpp, clang_inline.cpp).
// Accesses that may cross a page, ranges, volatile and atomic ones stay calls.
#define INCLUDE_VECTOR
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

#include "gcc_groups.h"
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

    static void place_all(gimple_seq code, location_t where)
    {
        for (auto each = gsi_start(code); !gsi_end_p(each); gsi_next(&each))
            gimple_set_location(gsi_stmt(each), where);
    }

    // The address of the first check, or so many bytes behind it.
    static tree behind(gimple_seq *code, tree address, HOST_WIDE_INT bytes)
    {
        if (!bytes)
            return address;
        tree place = make_ssa_name(TREE_TYPE(address));
        gimple_seq_add_stmt(code, gimple_build_assign(place, POINTER_PLUS_EXPR, address,
                                                      build_int_cst(sizetype, bytes)));
        return place;
    }

    // head -> [what is behind `last`, up to `end`] -> tail
    static void make_conditional(gimple *last, gimple *end, tree_code comparison, tree value,
                                 profile_probability probability)
    {
        basic_block head = gimple_bb(last);
        edge in = split_block(head, last), out = split_block(in->dest, end);
        gcond *condition = gimple_build_cond(comparison, value, build_zero_cst(TREE_TYPE(value)),
                                             NULL_TREE, NULL_TREE);
        gimple_set_location(condition, gimple_location(end));
        auto place = gsi_last_bb(head);
        gsi_insert_after(&place, condition, GSI_NEW_STMT);
        in->flags = EDGE_TRUE_VALUE;
        in->probability = probability;
        in->dest->count = head->count.apply_probability(probability);
        edge past = make_edge(head, out->dest, EDGE_FALSE_VALUE);
        past->probability = probability.invert();
    }

    gcall *tell(const check_group &group, const check_group::member &each, gimple_seq *code)
    {
        tree first = gimple_call_arg(group.members.front().what.call, 0);
        tree address = behind(code, first, each.at);
        gcall *told;
        if (each.single) {
            told = gimple_build_call(function_of(each.what), 2, address, next_run());
        } else {
            told = as_a<gcall *>(gimple_copy(each.what.call));
            gimple_set_vdef(told, NULL_TREE);
            gimple_set_vuse(told, NULL_TREE);
            gimple_call_set_arg(told, 0, address);
        }
        gimple_set_location(told, gimple_location(each.what.call));
        gimple_call_set_nothrow(told, true);
        gimple_seq_add_stmt(code, told);
        return told;
    }

    // Whether there is nothing to tell of a group.
    static gcall *ask_beside(const check_group &group, gimple_seq *code)
    {
        tree function = build_fn_decl(
            "__regatta_beside", build_function_type_list(integer_type_node, const_ptr_type_node,
                                                         size_type_node, NULL_TREE));
        tree low = behind(code, gimple_call_arg(group.members.front().what.call, 0), group.low);
        gcall *asked = gimple_build_call(function, 2, low,
                                         build_int_cst(size_type_node, group.high - group.low));
        gimple_call_set_lhs(asked, make_ssa_name(integer_type_node));
        gimple_set_location(asked, gimple_location(group.members.front().what.call));
        gimple_call_set_nothrow(asked, true);
        gimple_seq_add_stmt(code, asked);
        return asked;
    }

    static void remove(gimple *call)
    {
        gimple_stmt_iterator at = gsi_for_stmt(call);
        unlink_stmt_vdef(call);
        gsi_remove(&at, true);
        release_defs(call);
    }

  public:
    explicit inliner(unsigned checks)
        : flags(
              variable_of_library("__regatta_flags", build_pointer_type(unsigned_char_type_node))),
          mask(variable_of_library("__regatta_page_mask", uint64_type_node)),
          runs(make_runs(checks))
    {
    }

    // `flag`: of the page, NULL if it is to be looked at. Returns it.
    tree inline_group(const check_group &group, tree flag)
    {
        gimple *first = group.members.front().what.call, *last = gimple_build_nop();
        gimple_stmt_iterator at = gsi_for_stmt(first);
        if (!flag) {
            gimple_seq code = NULL;
            flag = flag_of(&code, behind(&code, gimple_call_arg(first, 0), group.low));
            place_all(code, gimple_location(first));
            if (group.place)
                gsi_insert_seq_on_edge_immediate(group.place, code);
            else
                gsi_insert_seq_before(&at, code, GSI_SAME_STMT);
        }
        at = gsi_for_stmt(first);
        gsi_insert_before(&at, last, GSI_SAME_STMT);

        gimple_seq cold = NULL;
        gimple *told = NULL;
        bool simple = group.members.size() == 1 && group.members.front().single;
        gcall *asked = simple ? NULL : ask_beside(group, &cold);
        for (const check_group::member &each : group.members)
            told = tell(group, each, &cold);
        gsi_insert_seq_before(&at, cold, GSI_SAME_STMT);
        make_conditional(last, told, NE_EXPR, flag, profile_probability::very_unlikely());
        if (asked)
            make_conditional(asked, told, EQ_EXPR, gimple_call_lhs(asked),
                             profile_probability::even());
        return flag;
    }

    void inline_all(const std::vector<check_group> &groups)
    {
        std::vector<tree> flag_of_group;
        for (const check_group &group : groups)
            flag_of_group.push_back(inline_group(
                group, group.known == check_group::NONE ? NULL_TREE : flag_of_group[group.known]));
        for (const check_group &group : groups)
            for (const check_group::member &each : group.members)
                remove(each.what.call);
    }
};

bool has_checks(function *fun)
{
    basic_block block;
    check check;
    FOR_EACH_BB_FN(block, fun)
    for (auto at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at))
        if (is_check(gsi_stmt(at), check) || few_bytes_told(gsi_stmt(at)))
            return true;
    return false;
}

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
        if (!has_checks(fun)) {
            forget_bytes_told();
            return 0;
        }
        loop_optimizer_init(LOOPS_NORMAL | LOOPS_HAVE_RECORDED_EXITS);
        std::vector<check_group> groups = group_checks(fun);
        loop_optimizer_finalize();
        unsigned checks = 0;
        for (const check_group &group : groups)
            checks += group.members.size();
        if (checks)
            inliner(checks).inline_all(groups);
        forget_bytes_told();
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
