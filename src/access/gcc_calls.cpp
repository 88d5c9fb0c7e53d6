// gcc knows what memcpy and the like do, and expands small ones in place after its pass for
// ThreadSanitizer, without a check: it counts on a run-time library that sees the calls. For calls
// by name -fno-builtin-NAME keeps the call; but Fortran's assignments of strings, and
// __builtin_memcpy in C, are built-in from the beginning. Here they become calls of functions that
// gcc knows nothing of, so that the linker finds them and they are seen by our wrapped functions.
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

namespace
{

// Those that gcc expands without a call, of the functions that are wrapped.
const built_in_function expanded[] = {
    BUILT_IN_MEMCPY, BUILT_IN_MEMMOVE, BUILT_IN_MEMSET,  BUILT_IN_MEMPCPY, BUILT_IN_MEMCMP,
    BUILT_IN_MEMCHR, BUILT_IN_BCMP,    BUILT_IN_BCOPY,   BUILT_IN_BZERO,   BUILT_IN_STRLEN,
    BUILT_IN_STRCPY, BUILT_IN_STPCPY,  BUILT_IN_STRNCPY, BUILT_IN_STRCAT,  BUILT_IN_STRNCAT,
    BUILT_IN_STRCMP, BUILT_IN_STRNCMP, BUILT_IN_STRCHR,  BUILT_IN_STRRCHR,
};

tree unknown_function_like(tree known)
{
    tree function = build_fn_decl(IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(known)), TREE_TYPE(known));
    TREE_NOTHROW(function) = TREE_NOTHROW(known);
    DECL_PURE_P(function) = DECL_PURE_P(known);
    return function;
}

bool is_expanded(gimple *statement)
{
    if (!gimple_call_builtin_p(statement, BUILT_IN_NORMAL))
        return false;
    for (built_in_function code : expanded)
        if (DECL_FUNCTION_CODE(gimple_call_fndecl(statement)) == code)
            return true;
    return false;
}

const pass_data keeping = {
    GIMPLE_PASS, "regatta_calls", OPTGROUP_NONE, TV_NONE, PROP_cfg, 0, 0, 0, 0};

struct keep_calls : gimple_opt_pass {
    keep_calls() : gimple_opt_pass(keeping, g)
    {
    }

    opt_pass *clone() final override
    {
        return new keep_calls; // gcc's pass stands in two places, for -Og and for the rest
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
            gimple *call = gsi_stmt(at);
            if (!is_expanded(call))
                continue;
            gimple_call_set_fndecl(as_a<gcall *>(call),
                                   unknown_function_like(gimple_call_fndecl(call)));
            update_stmt(call);
        }
        return 0;
    }
};

} // namespace

gimple_opt_pass *make_keep_calls()
{
    return new keep_calls;
}
