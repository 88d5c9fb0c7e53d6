// Two passes for gcc: loads whose value nobody needs. clang_unused.cpp says how and why; what uses
// a value without touching memory is here an empty asm statement with an operand of our name.
#include <gcc-plugin.h>

#include <backend.h>
#include <tree.h>
#include <gimple.h>
#include <tree-pass.h>
#include <context.h>
#include <ssa.h>
#include <fold-const.h>
#include <gimple-iterator.h>
#include <gimple-walk.h>
#include <ssa-iterators.h>
#include <tree-phinodes.h>
#include <tree-cfg.h>
#include <tree-dfa.h>
#include <tree-eh.h>
#include <gimple-ssa.h>
#include <tree-into-ssa.h>
#include <cfganal.h>
#include <cgraph.h>
#include <stringpool.h>
#include <attribs.h>
#include <asan.h>

#include "gcc_passes.h"

namespace
{

const char use_name[] = "regatta_used";

// Which statements the program needs for what it does: to call, to store where others may look, to
// return; and the conditions of these.
class needs
{
    // Bits of a local variable that nobody else knows.
    struct bits {
        tree variable = NULL_TREE;
        HOST_WIDE_INT low = 0, high = HOST_WIDE_INT_MAX;
    };
    struct writer {
        gimple *statement;
        bits to;
    };

    function *fun;
    control_dependences conditions;
    auto_vec<writer> writers;
    hash_set<gimple *> needed;
    auto_vec<gimple *> open;
    auto_bitmap decided; // blocks whose conditions are needed

    bits bits_of(tree place)
    {
        bits found;
        poly_int64 offset, size, most;
        bool reverse;
        tree base = get_ref_base_and_extent(place, &offset, &size, &most, &reverse);
        if (!base || !is_own_variable(base))
            return found;
        found.variable = base;
        HOST_WIDE_INT from, count;
        if (offset.is_constant(&from) && most.is_constant(&count) && count >= 0) {
            found.low = from;
            found.high = from + count;
        }
        return found;
    }

    bool is_own_variable(tree base)
    {
        return (VAR_P(base) ? !DECL_HARD_REGISTER(base) : TREE_CODE(base) == PARM_DECL) &&
               auto_var_in_fn_p(base, fun->decl) && !TREE_ADDRESSABLE(base) &&
               !TREE_THIS_VOLATILE(base);
    }

    bits written(gimple *statement)
    {
        if (!gimple_assign_single_p(statement) || gimple_clobber_p(statement) ||
            is_gimple_reg(gimple_assign_lhs(statement)) || gimple_has_volatile_ops(statement))
            return bits();
        return bits_of(gimple_assign_lhs(statement));
    }

    bool is_effect(gimple *statement)
    {
        switch (gimple_code(statement)) {
        case GIMPLE_LABEL:
        case GIMPLE_NOP:
        case GIMPLE_DEBUG:
        case GIMPLE_PREDICT:
        case GIMPLE_COND:
        case GIMPLE_SWITCH:
            return false;
        case GIMPLE_CALL:
            return gimple_has_side_effects(statement) ||
                   !(gimple_call_flags(statement) & (ECF_CONST | ECF_PURE));
        case GIMPLE_ASM:
            return gimple_asm_volatile_p(as_a<gasm *>(statement)) || gimple_vdef(statement);
        case GIMPLE_ASSIGN:
            if (gimple_clobber_p(statement))
                return false;
            return gimple_has_volatile_ops(statement) || stmt_could_throw_p(fun, statement) ||
                   (gimple_store_p(statement) && !written(statement).variable);
        default:
            return true;
        }
    }

    void need(gimple *statement)
    {
        if (!needed.add(statement))
            open.safe_push(statement);
    }

    void need_value(tree value)
    {
        if (TREE_CODE(value) == SSA_NAME && !SSA_NAME_IS_DEFAULT_DEF(value))
            need(SSA_NAME_DEF_STMT(value));
    }

    // The branches that decide whether the block is come to.
    void need_block(basic_block block)
    {
        unsigned i;
        bitmap_iterator edges;
        if (block->index < NUM_FIXED_BLOCKS || !bitmap_set_bit(decided, block->index))
            return;
        EXECUTE_IF_SET_IN_BITMAP(conditions.get_edges_dependent_on(block->index), 0, i, edges)
        {
            auto last = gsi_last_nondebug_bb(conditions.get_edge_src(i));
            if (!gsi_end_p(last))
                need(gsi_stmt(last));
        }
    }

    void need_bits(const bits &read)
    {
        for (const writer &each : writers)
            if (each.to.variable == read.variable && each.to.low < read.high &&
                read.low < each.to.high)
                need(each.statement);
    }

    static bool need_loaded(gimple *, tree, tree place, void *self)
    {
        bits read = ((needs *)self)->bits_of(place);
        if (read.variable)
            ((needs *)self)->need_bits(read);
        return false;
    }

    void follow(gimple *statement)
    {
        tree operand;
        ssa_op_iter operands;
        need_block(gimple_bb(statement));
        if (gphi *join = dyn_cast<gphi *>(statement)) {
            for (unsigned i = 0; i < gimple_phi_num_args(join); i++) {
                need_value(gimple_phi_arg_def(join, i));
                need_block(gimple_phi_arg_edge(join, i)->src);
            }
            return;
        }
        FOR_EACH_SSA_TREE_OPERAND(operand, statement, operands, SSA_OP_USE)
        need_value(operand);
        walk_stmt_load_store_ops(statement, this, need_loaded, NULL);
    }

  public:
    // Post-dominators must be known.
    explicit needs(function *fun) : fun(fun)
    {
        basic_block block;
        FOR_EACH_BB_FN(block, fun)
        for (auto at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at)) {
            bits to = written(gsi_stmt(at));
            if (to.variable)
                writers.safe_push({gsi_stmt(at), to});
            if (is_effect(gsi_stmt(at)))
                need(gsi_stmt(at));
        }
        while (!open.is_empty())
            follow(open.pop());
    }

    bool has(gimple *statement)
    {
        return needed.contains(statement);
    }

    bool has_use_of(tree value)
    {
        imm_use_iterator uses;
        use_operand_p use;
        FOR_EACH_IMM_USE_FAST(use, uses, value)
        if (!is_gimple_debug(USE_STMT(use)) && has(USE_STMT(use)))
            return true;
        return false;
    }
};

// Whether the function may load, as far as can be seen here, and gives a value that nobody needs.
// Structures and pointers are left out: a variable whose address is used would stay in memory.
bool is_ignored_result(gimple *statement, needs &needs)
{
    gcall *call = dyn_cast<gcall *>(statement);
    if (!call || gimple_call_internal_p(call) || gimple_call_noreturn_p(call) ||
        gimple_call_must_tail_p(call) || gimple_call_builtin_p(call) ||
        (gimple_call_flags(call) & ECF_RETURNS_TWICE))
        return false;
    tree type = gimple_call_return_type(call), callee = gimple_call_fndecl(call);
    if (VOID_TYPE_P(type) || !is_gimple_reg_type(type) || POINTER_TYPE_P(type))
        return false;
    cgraph_node *node = callee ? cgraph_node::get(callee) : NULL;
    if (callee && !(node && node->definition) &&
        !(gimple_call_flags(call) & (ECF_CONST | ECF_PURE)))
        return false;
    tree result = gimple_call_lhs(call);
    return !result || (TREE_CODE(result) == SSA_NAME && !needs.has_use_of(result));
}

// gfortran loads bounds of arrays, and never uses many of them. They are no loads of the program.
bool is_array_bound(tree place)
{
    for (; handled_component_p(place); place = TREE_OPERAND(place, 0)) {
        tree type =
            TREE_CODE(place) == COMPONENT_REF ? DECL_CONTEXT(TREE_OPERAND(place, 1)) : NULL_TREE;
        tree name = type ? TYPE_IDENTIFIER(type) : NULL_TREE;
        if (name && !strcmp(IDENTIFIER_POINTER(name), "descriptor_dimension"))
            return true;
    }
    return false;
}

gasm *use_of(tree value, location_t where)
{
    vec<tree, va_gc> *inputs = NULL;
    tree constraint = build_tree_list(build_string(strlen(use_name) + 1, use_name),
                                      build_string(sizeof "X", "X"));
    vec_safe_push(inputs, build_tree_list(constraint, value));
    gasm *use = gimple_build_asm_vec("", inputs, NULL, NULL, NULL);
    gimple_asm_set_volatile(use, true);
    gimple_set_location(use, where);
    return use;
}

// Whether it goes on an edge.
bool use_result(gimple_stmt_iterator *at)
{
    gcall *call = as_a<gcall *>(gsi_stmt(*at));
    edge next = stmt_ends_bb_p(call) ? find_fallthru_edge(gimple_bb(call)->succs) : NULL;
    if (stmt_ends_bb_p(call) && (!next || (next->flags & EDGE_ABNORMAL)))
        return false;
    if (!gimple_call_lhs(call)) {
        gimple_call_set_lhs(call, make_ssa_name(gimple_call_return_type(call), call));
        update_stmt(call);
    }
    gasm *use = use_of(gimple_call_lhs(call), gimple_location(call));
    if (next)
        gsi_insert_on_edge(next, use);
    else
        gsi_insert_after(at, use, GSI_CONTINUE_LINKING);
    return next;
}

const pass_data marking = {
    GIMPLE_PASS, "regatta_mark_unused", OPTGROUP_NONE, TV_NONE, PROP_ssa | PROP_cfg, 0, 0,
    0,           TODO_update_ssa};

struct mark_unused : gimple_opt_pass {
    mark_unused() : gimple_opt_pass(marking, g)
    {
    }

    opt_pass *clone() final override
    {
        return new mark_unused;
    }

    bool gate(function *fun) final override
    {
        return optimize > 0 && sanitize_flags_p(SANITIZE_THREAD, fun->decl);
    }

    unsigned execute(function *fun) final override
    {
        bool edges = false;
        calculate_dominance_info(CDI_POST_DOMINATORS);
        {
            needs needs(fun);
            basic_block block;
            FOR_EACH_BB_FN(block, fun)
            for (auto at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at))
                edges |= mark(&at, needs);
        }
        free_dominance_info(CDI_POST_DOMINATORS);
        if (edges)
            gsi_commit_edge_inserts();
        return 0;
    }

  private:
    static bool mark(gimple_stmt_iterator *at, needs &needs)
    {
        gimple *statement = gsi_stmt(*at);
        if (is_ignored_result(statement, needs))
            return use_result(at);
        if (needs.has(statement) || !gimple_assign_single_p(statement) ||
            gimple_clobber_p(statement) || stmt_ends_bb_p(statement) ||
            !is_shared_memory(gimple_assign_rhs1(statement)) ||
            is_array_bound(gimple_assign_rhs1(statement)))
            return false;
        tree to = gimple_assign_lhs(statement);
        if (TREE_CODE(to) == SSA_NAME) {
            gsi_insert_after(at, use_of(to, gimple_location(statement)), GSI_CONTINUE_LINKING);
        } else { // a structure
            initialize_sanitizer_builtins();
            gsi_insert_seq_before(at,
                                  range_check(gimple_assign_rhs1(statement),
                                              BUILT_IN_TSAN_READ_RANGE, gimple_location(statement)),
                                  GSI_SAME_STMT);
            mark_virtual_operands_for_renaming(cfun);
        }
        return false;
    }
};

// Whether the value comes from a call that does nothing else than give it, but loads: with the use
// the call would go, and the checks in the function with it.
bool comes_from_call(tree value, hash_set<tree> &seen)
{
    tree operand;
    ssa_op_iter operands;
    if (TREE_CODE(value) != SSA_NAME || seen.add(value) || seen.elements() > 64)
        return false;
    gimple *from = SSA_NAME_DEF_STMT(value);
    if (is_gimple_call(from))
        return !gimple_call_internal_p(from) && !gimple_call_builtin_p(from) &&
               !gimple_has_side_effects(from) && (gimple_call_flags(from) & ECF_PURE);
    if (gphi *join = dyn_cast<gphi *>(from)) {
        for (unsigned i = 0; i < gimple_phi_num_args(join); i++)
            if (comes_from_call(gimple_phi_arg_def(join, i), seen))
                return true;
        return false;
    }
    FOR_EACH_SSA_TREE_OPERAND(operand, from, operands, SSA_OP_USE)
    if (comes_from_call(operand, seen))
        return true;
    return false;
}

bool is_needed_on(gimple *use)
{
    hash_set<tree> seen;
    return comes_from_call(TREE_VALUE(gimple_asm_input_op(as_a<gasm *>(use), 0)), seen);
}

const pass_data forgetting = {
    GIMPLE_PASS, "regatta_forget_uses", OPTGROUP_NONE, TV_NONE, PROP_ssa | PROP_cfg, 0, 0, 0, 0};

struct forget_uses : gimple_opt_pass {
    forget_uses() : gimple_opt_pass(forgetting, g)
    {
    }

    opt_pass *clone() final override
    {
        return new forget_uses;
    }

    unsigned execute(function *fun) final override
    {
        basic_block block;
        FOR_EACH_BB_FN(block, fun)
        for (auto at = gsi_start_bb(block); !gsi_end_p(at);)
            if (is_use_mark(gsi_stmt(at)) && !is_needed_on(gsi_stmt(at)))
                gsi_remove(&at, true);
            else
                gsi_next(&at);
        return 0;
    }
};

} // namespace

bool is_use_mark(gimple *statement)
{
    gasm *use = dyn_cast<gasm *>(statement);
    if (!use || gimple_asm_ninputs(use) != 1)
        return false;
    tree name = TREE_PURPOSE(TREE_PURPOSE(gimple_asm_input_op(use, 0)));
    return name && TREE_CODE(name) == STRING_CST && !strcmp(TREE_STRING_POINTER(name), use_name);
}

gimple_opt_pass *make_mark_unused()
{
    return new mark_unused;
}

gimple_opt_pass *make_forget_uses()
{
    return new forget_uses;
}
