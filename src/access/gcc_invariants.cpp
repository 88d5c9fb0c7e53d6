// A pass for gcc: what every iteration of a loop loads or computes anew, though it does not change,
// is done once, in front of it.
//
// `for (i = 0; i < *n; i++)` is a sweep only if *n is the same in all iterations. gcc's own pass
// for that (-ftree-loop-im) is off, because it also moves loads that the loop makes under a
// condition, and then the program would be told to have made them. Here only those are moved that
// every iteration makes, the first one too, out of loops in which nothing can order accesses and
// nothing stores to the same place. Runs in front of gcc's pass for ThreadSanitizer.
#include <gcc-plugin.h>

#include <backend.h>
#include <tree.h>
#include <gimple.h>
#include <tree-pass.h>
#include <context.h>
#include <ssa.h>
#include <gimple-iterator.h>
#include <ssa-iterators.h>
#include <tree-ssa-alias.h>
#include <tree-phinodes.h>
#include <gimple-ssa.h>
#include <tree-eh.h>
#include <tree-cfg.h>
#include <cfgloop.h>
#include <tree-scalar-evolution.h>
#include <tree-ssa-loop.h>
#include <stringpool.h>
#include <attribs.h>
#include <asan.h>

#include "gcc_passes.h"

namespace
{

enum { MOST_STORES = 64 }; // per loop: each load is compared with each

// The statements of a loop that change memory; false if something in it may order accesses, or not
// come back.
bool find_stores(basic_block *blocks, unsigned count, vec<gimple *> &stores)
{
    for (unsigned i = 0; i < count; i++)
        for (auto at = gsi_start_bb(blocks[i]); !gsi_end_p(at); gsi_next(&at)) {
            gimple *statement = gsi_stmt(at);
            if (is_gimple_debug(statement) || is_use_mark(statement))
                continue;
            if (gimple_code(statement) == GIMPLE_ASM || gimple_has_volatile_ops(statement))
                return false;
            if (is_gimple_call(statement) &&
                (!(gimple_call_flags(statement) & ECF_CONST) ||
                 (gimple_call_flags(statement) & ECF_LOOPING_CONST_OR_PURE)))
                return false;
            if (gimple_vdef(statement))
                stores.safe_push(statement);
        }
    return stores.length() <= MOST_STORES;
}

bool is_always_reached(const class loop *loop, const vec<edge> &exits, basic_block block)
{
    for (edge exit : exits)
        if (!dominated_by_p(CDI_DOMINATORS, exit->src, block))
            return false;
    return dominated_by_p(CDI_DOMINATORS, loop->latch, block);
}

bool is_invariant(const class loop *loop, gimple *statement, const vec<gimple *> &stores)
{
    tree operand;
    ssa_op_iter operands;
    if (!is_gimple_assign(statement) || TREE_CODE(gimple_assign_lhs(statement)) != SSA_NAME ||
        gimple_vdef(statement) || stmt_can_throw_internal(cfun, statement) ||
        SSA_NAME_OCCURS_IN_ABNORMAL_PHI(gimple_assign_lhs(statement)))
        return false;
    FOR_EACH_SSA_TREE_OPERAND(operand, statement, operands, SSA_OP_USE)
    {
        basic_block from = gimple_bb(SSA_NAME_DEF_STMT(operand));
        if ((from && flow_bb_inside_loop_p(loop, from)) || SSA_NAME_OCCURS_IN_ABNORMAL_PHI(operand))
            return false;
    }
    if (!gimple_vuse(statement))
        return !gimple_could_trap_p(statement);
    ao_ref place;
    ao_ref_init(&place, gimple_assign_rhs1(statement));
    for (gimple *store : stores)
        if (stmt_may_clobber_ref_p_1(store, &place))
            return false;
    return true;
}

void move_in_front(class loop *loop, gimple_stmt_iterator *at)
{
    gimple *statement = gsi_stmt(*at);
    gsi_remove(at, false);
    if (gimple_vuse(statement))
        for (auto phi = gsi_start_phis(loop->header); !gsi_end_p(phi); gsi_next(&phi))
            if (virtual_operand_p(gimple_phi_result(phi.phi())))
                gimple_set_vuse(statement,
                                PHI_ARG_DEF_FROM_EDGE(phi.phi(), loop_preheader_edge(loop)));
    // What is known of the value may hold only where the loop uses it.
    tree value = gimple_assign_lhs(statement);
    reset_flow_sensitive_info(value);
    gsi_insert_on_edge_immediate(loop_preheader_edge(loop), statement);
}

bool move_invariants(class loop *loop)
{
    bool changed = false;
    basic_block *blocks = get_loop_body_in_dom_order(loop);
    auto_vec<edge> exits = get_loop_exit_edges(loop);
    auto_vec<gimple *, 16> stores;
    if (!exits.is_empty() && find_stores(blocks, loop->num_nodes, stores))
        for (unsigned i = 0, count = loop->num_nodes; i < count; i++) {
            if (!is_always_reached(loop, exits, blocks[i]))
                continue;
            for (auto at = gsi_start_bb(blocks[i]); !gsi_end_p(at);)
                if (is_invariant(loop, gsi_stmt(at), stores)) {
                    move_in_front(loop, &at);
                    changed = true;
                } else {
                    gsi_next(&at);
                }
        }
    free(blocks);
    return changed;
}

const pass_data moving = {
    GIMPLE_PASS, "regatta_invariants", OPTGROUP_NONE, TV_NONE, PROP_ssa | PROP_cfg, 0, 0, 0, 0};

struct move_loads : gimple_opt_pass {
    move_loads() : gimple_opt_pass(moving, g)
    {
    }

    opt_pass *clone() final override
    {
        return new move_loads;
    }

    bool gate(function *fun) final override
    {
        return sanitize_flags_p(SANITIZE_THREAD, fun->decl) && optimize > 0 && !optimize_debug;
    }

    unsigned execute(function *fun) final override
    {
        loop_optimizer_init(LOOPS_NORMAL | LOOPS_HAVE_RECORDED_EXITS);
        for (auto loop : loops_list(fun, LI_FROM_INNERMOST))
            move_invariants(loop);
        loop_optimizer_finalize();
        return 0;
    }
};

} // namespace

gimple_opt_pass *make_move_loads()
{
    return new move_loads;
}
