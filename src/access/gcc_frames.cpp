// Two passes for gcc: a function that is left while MPI may still use an object in its frame.
// clang_frames.cpp says how and why; the marker that the optimiser knows and that is inlined
// together with its function is here the end of an object's life as gcc writes it: an assignment of
// a CLOBBER, of a kind that only we use.
//
// For exceptions gcc itself makes the landing pads, if it is told to call ThreadSanitizer's library
// at the end of each function.
#include <gcc-plugin.h>

#include <backend.h>
#include <tree.h>
#include <gimple.h>
#include <tree-pass.h>
#include <context.h>
#include <ssa.h>
#include <fold-const.h>
#include <calls.h>
#include <gimple-iterator.h>
#include <gimple-walk.h>
#include <tree-cfg.h>
#include <tree-eh.h>
#include <tree-into-ssa.h>
#include <tree-ssa-alias.h>
#include <gimple-ssa.h>
#include <cfganal.h>
#include <stringpool.h>
#include <attribs.h>
#include <asan.h>
#include <langhooks.h>

#include "gcc_passes.h"

namespace
{

// Kinds of CLOBBERs beyond gcc's own, by the way in which the function is left.
enum leaving { BY_RETURN = 64, BY_EXCEPTION, BY_LONGJMP };

const char *const functions[] = {"__regatta_leave_return", "__regatta_leave_exception",
                                 "__regatta_leave_longjmp"};

bool is_object(function *fun, tree decl)
{
    return (VAR_P(decl) ? !DECL_HARD_REGISTER(decl) : TREE_CODE(decl) == PARM_DECL) &&
           auto_var_in_fn_p(decl, fun->decl) && TREE_ADDRESSABLE(decl) && !is_gimple_reg(decl) &&
           !DECL_HAS_VALUE_EXPR_P(decl) && DECL_SIZE_UNIT(decl) &&
           tree_fits_uhwi_p(DECL_SIZE_UNIT(decl)) && !integer_zerop(DECL_SIZE_UNIT(decl));
}

auto_vec<tree> objects_of(function *fun)
{
    auto_vec<tree> objects;
    unsigned i;
    tree variable;
    for (tree parameter = DECL_ARGUMENTS(fun->decl); parameter; parameter = DECL_CHAIN(parameter))
        if (is_object(fun, parameter))
            objects.safe_push(parameter);
    FOR_EACH_LOCAL_DECL(fun, i, variable)
    if (is_object(fun, variable))
        objects.safe_push(variable);
    return objects;
}

// ---- markers ----

gimple_seq markers(const vec<tree> &objects, leaving how, location_t line)
{
    gimple_seq all = NULL;
    for (tree object : objects) {
        tree clobber = build_clobber(TREE_TYPE(object));
        CLOBBER_KIND(clobber) = how;
        gassign *marker = gimple_build_assign(object, clobber);
        gimple_set_location(marker, line);
        gimple_seq_add_stmt(&all, marker);
    }
    return all;
}

// Nothing but the end of the function.
bool only_ends(basic_block block)
{
    for (auto at = gsi_start_nondebug_bb(block); !gsi_end_p(at); gsi_next_nondebug(&at))
        if (gimple_code(gsi_stmt(at)) != GIMPLE_LABEL &&
            gimple_code(gsi_stmt(at)) != GIMPLE_RETURN && !gimple_clobber_p(gsi_stmt(at)))
            return false;
    return true;
}

// The way of a return statement has its line, or the value has; the one statement that they lead to
// has that of the first. Who comes to the end of a function without a value by itself has the line
// of what stands before it, or none.
location_t line_of(edge way, gimple *exit)
{
    gimple_stmt_iterator at = gsi_last_nondebug_bb(way->src); /* gcc 14 has no last_stmt any more */
    gimple *last = gsi_end_p(at) ? nullptr : gsi_stmt(at);
    bool has_line = LOCATION_LOCUS(way->goto_locus) != UNKNOWN_LOCATION;
    bool has_value = !VOID_TYPE_P(TREE_TYPE(TREE_TYPE(cfun->decl)));
    bool last_has_line = last && gimple_has_location(last);
    bool is_last = last_has_line && has_line &&
                   LOCATION_LINE(gimple_location(last)) == LOCATION_LINE(way->goto_locus);
    if (has_line && (has_value || !is_last))
        return way->goto_locus;
    if (has_value && last_has_line)
        return gimple_location(last);
    if (!has_value && LOCATION_LOCUS(cfun->function_end_locus) != UNKNOWN_LOCATION)
        return cfun->function_end_locus;
    return gimple_has_location(exit) || !last ? gimple_location(exit) : gimple_location(last);
}

// Several return statements lead to one; the ways there have the lines.
void mark_return(const vec<tree> &objects, gimple_stmt_iterator at)
{
    gimple *exit = gsi_stmt(at);
    basic_block block = gimple_bb(exit);
    edge way;
    edge_iterator ways;
    while (only_ends(block) && single_pred_p(block) && single_succ_p(single_pred(block)) &&
           single_pred(block) != ENTRY_BLOCK_PTR_FOR_FN(cfun) && only_ends(single_pred(block)))
        block = single_pred(block);
    if (EDGE_COUNT(block->preds) < 2 || !only_ends(block)) {
        location_t line =
            gimple_has_location(exit) ? gimple_location(exit) : cfun->function_end_locus;
        gsi_insert_seq_before(&at, markers(objects, BY_RETURN, line), GSI_SAME_STMT);
        return;
    }
    FOR_EACH_EDGE(way, ways, block->preds)
    gsi_insert_seq_on_edge(way, markers(objects, BY_RETURN, line_of(way, exit)));
}

// Without the statement in front, which makes no code, the landing pad looks as if it did nothing.
void mark_throw(function *fun, const vec<tree> &objects, gimple_stmt_iterator at)
{
    gasm *nothing = gimple_build_asm_vec("", NULL, NULL, NULL, NULL);
    gimple_asm_set_volatile(nothing, true);
    gsi_insert_before(&at, nothing, GSI_SAME_STMT);
    gsi_insert_seq_before(&at, markers(objects, BY_EXCEPTION, DECL_SOURCE_LOCATION(fun->decl)),
                          GSI_SAME_STMT);
}

bool is_longjmp(gimple *statement)
{
    static const char *const names[] = {"longjmp", "_longjmp", "siglongjmp", "__longjmp_chk"};
    tree callee = is_gimple_call(statement) ? gimple_call_fndecl(statement) : NULL_TREE;
    for (const char *name : names)
        if (callee && DECL_NAME(callee) && !strcmp(IDENTIFIER_POINTER(DECL_NAME(callee)), name))
            return true;
    return false;
}

void mark(function *fun, const vec<tree> &objects)
{
    basic_block block;
    FOR_EACH_BB_FN(block, fun)
    for (auto at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at)) {
        gimple *statement = gsi_stmt(at);
        if (gimple_code(statement) == GIMPLE_RETURN)
            mark_return(objects, at);
        else if (gimple_code(statement) == GIMPLE_RESX && EDGE_COUNT(block->succs) == 0)
            mark_throw(fun, objects, at);
        else if (is_longjmp(statement) && !fun->calls_setjmp) // else it may jump to itself
            gsi_insert_seq_before(&at, markers(objects, BY_LONGJMP, gimple_location(statement)),
                                  GSI_SAME_STMT);
    }
    gsi_commit_edge_inserts();
    mark_virtual_operands_for_renaming(fun);
}

// Of what comes next, if it has none itself.
location_t line_from(gimple *statement)
{
    for (auto at = gsi_for_stmt(statement); !gsi_end_p(at); gsi_next(&at))
        if (gimple_has_location(gsi_stmt(at)))
            return gimple_location(gsi_stmt(at));
    return cfun->function_end_locus;
}

// gfortran takes automatic arrays from the heap; it gives them back at the end, with the line of
// the declaration.
bool frees_automatic_array(gimple *statement)
{
    if (!gimple_call_builtin_p(statement, BUILT_IN_FREE) || !gimple_has_location(statement))
        return false;
    tree array = gimple_call_arg(statement, 0);
    array = TREE_CODE(array) == SSA_NAME ? SSA_NAME_VAR(array) : array;
    return array && DECL_P(array) &&
           LOCATION_LINE(DECL_SOURCE_LOCATION(array)) == LOCATION_LINE(gimple_location(statement));
}

// What gives memory back at the end of a block or function, before it is inlined.
void give_lines(function *fun)
{
    basic_block block;
    FOR_EACH_BB_FN(block, fun)
    for (auto at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at)) {
        gimple *statement = gsi_stmt(at);
        if (gimple_call_builtin_p(statement, BUILT_IN_STACK_RESTORE) &&
            !gimple_has_location(statement))
            gimple_set_location(statement, line_from(statement));
        else if (frees_automatic_array(statement))
            gimple_set_location(statement, fun->function_end_locus);
    }
}

// They were wanted for their landing pads only.
void remove_exit_calls(function *fun)
{
    basic_block block;
    FOR_EACH_BB_FN(block, fun)
    for (auto at = gsi_start_bb(block); !gsi_end_p(at);) {
        if (gimple_call_internal_p(gsi_stmt(at), IFN_TSAN_FUNC_EXIT)) {
            unlink_stmt_vdef(gsi_stmt(at));
            gsi_remove(&at, true);
        } else {
            gsi_next(&at);
        }
    }
}

const pass_data marking = {
    GIMPLE_PASS, "regatta_mark_frames", OPTGROUP_NONE, TV_NONE, PROP_ssa | PROP_cfg, 0, 0,
    0,           TODO_update_ssa};

struct mark_frames : gimple_opt_pass {
    mark_frames() : gimple_opt_pass(marking, g)
    {
    }

    opt_pass *clone() final override
    {
        return new mark_frames;
    }

    bool gate(function *fun) final override
    {
        return sanitize_flags_p(SANITIZE_THREAD, fun->decl);
    }

    unsigned execute(function *fun) final override
    {
        remove_exit_calls(fun);
        give_lines(fun);
        auto_vec<tree> objects = objects_of(fun);
        if (!objects.is_empty())
            mark(fun, objects);
        return 0;
    }
};

// ---- checks ----

void call(gimple_stmt_iterator *at, const char *name, location_t line, tree first,
          tree second = NULL_TREE)
{
    tree type = second ? build_function_type_list(void_type_node, const_ptr_type_node,
                                                  size_type_node, NULL_TREE)
                       : build_function_type_list(void_type_node, const_ptr_type_node, NULL_TREE);
    tree function = build_fn_decl(name, type);
    TREE_NOTHROW(function) = 1;
    DECL_VISIBILITY(function) = VISIBILITY_HIDDEN;
    DECL_VISIBILITY_SPECIFIED(function) = 1;
    gcall *told = second ? gimple_build_call(function, 2, first, second)
                         : gimple_build_call(function, 1, first);
    gimple_set_location(told, line);
    gsi_insert_before(at, told, GSI_SAME_STMT);
}

void tell(gimple_stmt_iterator *at, tree object, leaving how, location_t line)
{
    call(at, functions[how - BY_RETURN], line, build_fold_addr_expr(object),
         fold_convert(size_type_node, DECL_SIZE_UNIT(object)));
}

// Whether somebody else may have the address of the object.
bool is_known(tree object)
{
    return may_be_aliased(object) && pt_solution_includes(&cfun->gimple_df->escaped, object);
}

struct frame {
    auto_vec<gimple *> returns, restores;
    hash_set<tree> marked;
    bool grows = false; // by alloca, or an array of variable size
};

void check_markers(function *fun, frame &frame)
{
    basic_block block;
    FOR_EACH_BB_FN(block, fun)
    for (auto at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at)) {
        gimple *statement = gsi_stmt(at);
        if (gimple_code(statement) == GIMPLE_RETURN)
            frame.returns.safe_push(statement);
        else if (gimple_call_builtin_p(statement, BUILT_IN_STACK_RESTORE))
            frame.restores.safe_push(statement);
        frame.grows |= is_gimple_call(statement) && gimple_alloca_call_p(statement);
        if (!gimple_clobber_p(statement) || CLOBBER_KIND(gimple_assign_rhs1(statement)) < BY_RETURN)
            continue;
        tree object = gimple_assign_lhs(statement), clobber = gimple_assign_rhs1(statement);
        leaving how = leaving(CLOBBER_KIND(clobber));
        CLOBBER_KIND(clobber) = CLOBBER_UNDEF;
        if (!DECL_P(object))
            continue;
        frame.marked.add(object);
        if (is_object(fun, object) && is_known(object))
            tell(&at, object, how, gimple_location(statement));
    }
}

// Objects that came to be later, as arrays whose size turned out to be constant.
void check_others(function *fun, const frame &frame)
{
    auto_vec<tree> objects = objects_of(fun);
    for (tree object : objects)
        if (!const_cast<struct frame &>(frame).marked.contains(object) && is_known(object))
            for (gimple *exit : frame.returns) {
                auto at = gsi_for_stmt(exit);
                tell(&at, object, BY_RETURN, line_from(exit));
            }
}

void check_dynamic(function *fun, const frame &frame)
{
    if (!frame.grows)
        return;
    for (gimple *restore : frame.restores) {
        auto at = gsi_for_stmt(restore);
        call(&at, "__regatta_leave_scope", line_from(restore), gimple_call_arg(restore, 0));
    }
    if (frame.returns.is_empty())
        return;
    tree end = make_ssa_name(ptr_type_node);
    gcall *save = gimple_build_call(builtin_decl_implicit(BUILT_IN_STACK_SAVE), 0);
    gimple_call_set_lhs(save, end);
    gsi_insert_on_edge_immediate(single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(fun)), save);
    for (gimple *exit : frame.returns) {
        auto at = gsi_for_stmt(exit);
        call(&at, "__regatta_leave_stack", line_from(exit), end);
    }
}

const pass_data checking = {
    GIMPLE_PASS, "regatta_frames", OPTGROUP_NONE, TV_NONE, PROP_ssa | PROP_cfg, 0, 0,
    0,           TODO_update_ssa};

struct check_frames : gimple_opt_pass {
    check_frames() : gimple_opt_pass(checking, g)
    {
    }

    opt_pass *clone() final override
    {
        return new check_frames;
    }

    bool gate(function *fun) final override
    {
        return sanitize_flags_p(SANITIZE_THREAD, fun->decl);
    }

    unsigned execute(function *fun) final override
    {
        frame frame;
        check_markers(fun, frame);
        check_others(fun, frame);
        check_dynamic(fun, frame);
        mark_virtual_operands_for_renaming(fun);
        return 0;
    }
};

void stop_asking_for_exits(void *, void *)
{
    param_tsan_instrument_func_entry_exit = 0;
}

} // namespace

gimple_opt_pass *make_mark_frames()
{
    return new mark_frames;
}

gimple_opt_pass *make_check_frames()
{
    return new check_frames;
}

// When functions become GIMPLE, gcc makes ways out for exceptions if that is on; its pass for
// ThreadSanitizer comes later.
void ask_for_exits(const char *plugin)
{
    if (!strstr(lang_hooks.name, "C++"))
        return;
    param_tsan_instrument_func_entry_exit = 1;
    register_callback(plugin, PLUGIN_ALL_IPA_PASSES_START, stop_asking_for_exits, NULL);
}
