// A pass for gcc: gives a line to loads and stores that have none.
//
// Complex arithmetic, and arguments of functions that were taken apart (-fipa-sra), are loaded by statements that gcc makes without
// a place in the source. Their checks would be told at whatever line stands before them in the code. They are made right in
// front of what uses them: that statement's line is theirs.
#include <gcc-plugin.h>

#include <backend.h>
#include <tree.h>
#include <gimple.h>
#include <tree-pass.h>
#include <context.h>
#include <ssa.h>
#include <gimple-iterator.h>
#include <stringpool.h>
#include <attribs.h>
#include <asan.h>

#include "gcc_passes.h"

namespace {

const pass_data placing = {GIMPLE_PASS, "regatta_places", OPTGROUP_NONE, TV_NONE, PROP_cfg, 0, 0, 0, 0};

struct place_accesses : gimple_opt_pass {
    place_accesses() : gimple_opt_pass(placing, g) {}

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
        FOR_EACH_BB_FN (block, fun) {
            location_t next = UNKNOWN_LOCATION;
            for (auto at = gsi_last_nondebug_bb(block); !gsi_end_p(at); gsi_prev_nondebug(&at)) {
                gimple *statement = gsi_stmt(at);
                if (gimple_has_location(statement))
                    next = gimple_location(statement);
                else if (gimple_vuse(statement))
                    gimple_set_location(statement, next);
            }
        }
        return 0;
    }
};

} // namespace

gimple_opt_pass *make_place_accesses()
{
    return new place_accesses;
}
