// The plug-in for gcc: our passes, most of them around gcc's pass for ThreadSanitizer.
#include <gcc-plugin.h>
#include <plugin-version.h>

#include <backend.h>
#include <tree.h>
#include <gimple.h>
#include <tree-pass.h>

#include "gcc_passes.h"

int plugin_is_GPL_compatible;

// Plug-ins fit only the very compiler that they were built for. For another one it does nothing,
// and checks stay where they are.
int plugin_init(plugin_name_args *plugin, plugin_gcc_version *version)
{
    if (!plugin_default_version_check(version, &gcc_version))
        return 0;
    // Each stands in front of the one that was registered before it. gcc's pass is called tsan0
    // without optimisation.
    register_pass_info places[] = {
        {make_inline_checks(), "tsan", 0, PASS_POS_INSERT_AFTER},
        {make_hoist_checks(), "tsan", 0, PASS_POS_INSERT_AFTER},
        {make_keep_calls(), "tsan", 0, PASS_POS_INSERT_AFTER},
        {make_keep_calls(), "tsan0", 0, PASS_POS_INSERT_AFTER},
        {make_check_values(), "tsan", 0, PASS_POS_INSERT_AFTER},
        {make_check_values(), "tsan0", 0, PASS_POS_INSERT_AFTER},
        {make_forget_uses(), "tsan", 0, PASS_POS_INSERT_AFTER},
        {make_move_loads(), "tsan", 0, PASS_POS_INSERT_BEFORE},
        {make_place_accesses(), "tsan", 0, PASS_POS_INSERT_BEFORE},
        {make_place_accesses(), "tsan0", 0, PASS_POS_INSERT_BEFORE},
        {make_check_frames(), "tsan", 0, PASS_POS_INSERT_BEFORE},
        {make_check_frames(), "tsan0", 0, PASS_POS_INSERT_BEFORE},
        {make_mark_unused(), "ssa", 1, PASS_POS_INSERT_AFTER},
        {make_check_copies(), "ssa", 1, PASS_POS_INSERT_AFTER},
        {make_mark_frames(), "ssa", 1, PASS_POS_INSERT_AFTER},
    };
    for (register_pass_info &place : places)
        register_callback(plugin->base_name, PLUGIN_PASS_MANAGER_SETUP, NULL, &place);
    ask_for_exits(plugin->base_name);
    return 0;
}
