// A pass for gfortran: components of an array of derived type, `cells%x`, as an argument.
//
// They are copied into an array of the compiler's own (`atmp`), and back after the call, by loops
// in the program. All of them come back, also those that the call left alone, as it does if it only
// sends: such a value is no store of the program. So each of the stores that bring them back
// becomes a call of a function that looks whether the value changed (wrap_fortran.c). Before any
// optimisation, while they can be told from the program's own.
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
#include <gimple-ssa.h>
#include <tree-into-ssa.h>
#include <stringpool.h>
#include <attribs.h>
#include <asan.h>

#include "gcc_passes.h"

namespace
{

// The compiler's descriptor of a copy, if this is the address of its data: `atmp.3.data`, perhaps
// moved or cast.
tree copy_that_holds(tree address)
{
    for (int steps = 0; steps < 16 && address; steps++) {
        if (TREE_CODE(address) == ADDR_EXPR) {
            address = get_base_address(TREE_OPERAND(address, 0));
            if (address && TREE_CODE(address) == MEM_REF)
                address = TREE_OPERAND(address, 0);
        } else if (TREE_CODE(address) == COMPONENT_REF) {
            tree holder = TREE_OPERAND(address, 0);
            bool is_copy = VAR_P(holder) && DECL_ARTIFICIAL(holder) && DECL_NAME(holder) &&
                           !strncmp(IDENTIFIER_POINTER(DECL_NAME(holder)), "atmp", 4) &&
                           POINTER_TYPE_P(TREE_TYPE(address));
            return is_copy ? holder : NULL_TREE;
        } else if (TREE_CODE(address) == SSA_NAME && is_gimple_assign(SSA_NAME_DEF_STMT(address))) {
            address = gimple_assign_rhs1(
                SSA_NAME_DEF_STMT(address)); // a copy, a cast, a sum: the pointer comes first
        } else {
            return NULL_TREE;
        }
    }
    return NULL_TREE;
}

// What is stored, if it comes from memory.
tree loaded(gassign *store)
{
    tree value = gimple_assign_rhs1(store);
    if (TREE_CODE(value) == SSA_NAME) {
        gassign *load = dyn_cast<gassign *>(SSA_NAME_DEF_STMT(value));
        value = load && gimple_assign_single_p(load) ? gimple_assign_rhs1(load) : NULL_TREE;
    }
    return value && REFERENCE_CLASS_P(value) ? value : NULL_TREE;
}

// The copy that the value of a store comes from.
tree copy_stored_from(gassign *store)
{
    if (!gimple_assign_single_p(store) || is_gimple_reg(gimple_assign_lhs(store)))
        return NULL_TREE;
    tree from = loaded(store);
    tree base = from ? get_base_address(from) : NULL_TREE;
    return base && TREE_CODE(base) == MEM_REF ? copy_that_holds(TREE_OPERAND(base, 0)) : NULL_TREE;
}

// A copy that no call has got is only the compiler's help in an assignment: a(2:8)%x = a(1:7)%x.
bool is_argument(function *fun, tree copy)
{
    basic_block block;
    FOR_EACH_BB_FN(block, fun)
    for (auto at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at)) {
        gcall *call = dyn_cast<gcall *>(gsi_stmt(at));
        if (!call || gimple_call_internal_p(call) || gimple_call_builtin_p(call))
            continue;
        for (unsigned i = 0; i < gimple_call_num_args(call); i++)
            if (copy_that_holds(gimple_call_arg(call, i)) == copy)
                return true;
    }
    return false;
}

tree copy_back_function()
{
    return build_fn_decl("__regatta_copy_back",
                         build_function_type_list(void_type_node, ptr_type_node,
                                                  const_ptr_type_node, size_type_node, NULL_TREE));
}

void call_instead(gimple_stmt_iterator *at, gassign *store)
{
    tree to = gimple_assign_lhs(store), from = loaded(store);
    tree size = TYPE_SIZE_UNIT(TREE_TYPE(to));
    if (!tree_fits_uhwi_p(size))
        return;
    mark_addressable(to);
    to = force_gimple_operand_gsi(at, build_fold_addr_expr(unshare_expr(to)), true, NULL_TREE, true,
                                  GSI_SAME_STMT);
    from = force_gimple_operand_gsi(at, build_fold_addr_expr(unshare_expr(from)), true, NULL_TREE,
                                    true, GSI_SAME_STMT);
    gcall *call =
        gimple_build_call(copy_back_function(), 3, to, from, fold_convert(size_type_node, size));
    gimple_set_location(call, gimple_location(store));
    gimple_call_set_nothrow(call, true);
    unlink_stmt_vdef(store);
    gsi_replace(at, call, false);
}

// Strings come back by memmove.
bool is_string_from_copy(function *fun, gimple *call)
{
    if (!gimple_call_builtin_p(call, BUILT_IN_MEMMOVE) || gimple_call_lhs(call))
        return false;
    tree copy = copy_that_holds(gimple_call_arg(call, 1));
    return copy && is_argument(fun, copy);
}

const pass_data copying = {
    GIMPLE_PASS, "regatta_copies", OPTGROUP_NONE, TV_NONE, PROP_ssa | PROP_cfg, 0, 0,
    0,           TODO_update_ssa};

struct check_copies : gimple_opt_pass {
    check_copies() : gimple_opt_pass(copying, g)
    {
    }

    opt_pass *clone() final override
    {
        return new check_copies;
    }

    bool gate(function *fun) final override
    {
        return sanitize_flags_p(SANITIZE_THREAD, fun->decl);
    }

    unsigned execute(function *fun) final override
    {
        basic_block block;
        bool changed = false;
        FOR_EACH_BB_FN(block, fun)
        for (auto at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at)) {
            if (is_string_from_copy(fun, gsi_stmt(at))) {
                gimple_call_set_fndecl(as_a<gcall *>(gsi_stmt(at)), copy_back_function());
                update_stmt(gsi_stmt(at));
                continue;
            }
            gassign *store = dyn_cast<gassign *>(gsi_stmt(at));
            tree copy = store ? copy_stored_from(store) : NULL_TREE;
            if (!copy || !is_argument(fun, copy))
                continue;
            call_instead(&at, store);
            changed = true;
        }
        if (changed)
            mark_virtual_operands_for_renaming(fun);
        return 0;
    }
};

} // namespace

gimple_opt_pass *make_check_copies()
{
    return new check_copies;
}
