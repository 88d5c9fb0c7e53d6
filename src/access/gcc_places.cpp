// A pass for gcc: gives a line to loads and stores that have none.
//
// Complex arithmetic, and arguments of functions that were taken apart (-fipa-sra), are loaded by
// statements that gcc makes without a place in the source. Their checks would be told at whatever
// line stands before them in the code. What uses the value has a line, and it is theirs; that of a
// store is where its value comes from.
#include <gcc-plugin.h>

#include <backend.h>
#include <tree.h>
#include <gimple.h>
#include <tree-pass.h>
#include <context.h>
#include <ssa.h>
#include <gimple-iterator.h>
#include <ssa-iterators.h>
#include <stringpool.h>
#include <attribs.h>
#include <asan.h>

#include "gcc_passes.h"

namespace
{

// Through statements that have no line either, some steps far.
location_t use_of(tree value, int steps)
{
    imm_use_iterator uses;
    use_operand_p use;
    if (TREE_CODE(value) != SSA_NAME || steps == 0)
        return UNKNOWN_LOCATION;
    FOR_EACH_IMM_USE_FAST(use, uses, value)
    {
        gimple *user = USE_STMT(use);
        if (is_gimple_debug(user))
            continue;
        if (gimple_has_location(user))
            return gimple_location(user);
        tree next = gimple_get_lhs(user);
        location_t place = next ? use_of(next, steps - 1) : UNKNOWN_LOCATION;
        if (place != UNKNOWN_LOCATION)
            return place;
    }
    return UNKNOWN_LOCATION;
}

location_t origin_of(tree value)
{
    return TREE_CODE(value) == SSA_NAME ? gimple_location(SSA_NAME_DEF_STMT(value))
                                        : UNKNOWN_LOCATION;
}

const pass_data placing = {
    GIMPLE_PASS, "regatta_places", OPTGROUP_NONE, TV_NONE, PROP_cfg, 0, 0, 0, 0};

struct place_accesses : gimple_opt_pass {
    place_accesses() : gimple_opt_pass(placing, g)
    {
    }

    opt_pass *clone() final override
    {
        return new place_accesses;
    }

    bool gate(function *fun) final override
    {
        return sanitize_flags_p(SANITIZE_THREAD, fun->decl);
    }

    unsigned execute(function *fun) final override
    {
        basic_block block;
        FOR_EACH_BB_FN(block, fun)
        for (auto at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at)) {
            gimple *statement = gsi_stmt(at);
            if (gimple_has_location(statement) || !gimple_assign_single_p(statement))
                continue;
            if (gimple_assign_load_p(statement))
                gimple_set_location(statement, use_of(gimple_assign_lhs(statement), 3));
            else if (gimple_store_p(statement))
                gimple_set_location(statement, origin_of(gimple_assign_rhs1(statement)));
        }
        return 0;
    }
};

} // namespace

gimple_opt_pass *make_place_accesses()
{
    return new place_accesses;
}
