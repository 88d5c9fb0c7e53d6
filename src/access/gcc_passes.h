// The passes of the plug-in for gcc; gcc_plugin.cpp says where they stand.
#ifndef REGATTA_ACCESS_GCC_PASSES_H
#define REGATTA_ACCESS_GCC_PASSES_H

class gimple_opt_pass;

gimple_opt_pass *make_check_copies();
gimple_opt_pass *make_hoist_checks();
gimple_opt_pass *make_keep_calls();
gimple_opt_pass *make_check_values();
gimple_opt_pass *make_place_accesses();

#endif
