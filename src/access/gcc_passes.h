// The passes of the plug-in for gcc; gcc_plugin.cpp says where they stand.
#ifndef REGATTA_ACCESS_GCC_PASSES_H
#define REGATTA_ACCESS_GCC_PASSES_H

class gimple_opt_pass;
struct gimple;

gimple_opt_pass *make_mark_frames();
gimple_opt_pass *make_check_frames();
void ask_for_exits(const char *plugin); // of functions that exceptions leave, for mark_frames
gimple_opt_pass *make_check_copies();
gimple_opt_pass *make_mark_unused();
gimple_opt_pass *make_forget_uses();
gimple_opt_pass *make_hoist_checks();
gimple_opt_pass *make_move_loads();
gimple_opt_pass *make_inline_checks();
gimple_opt_pass *make_keep_calls();
gimple_opt_pass *make_check_values();
gimple_opt_pass *make_place_accesses();

// A call that gcc's pass put in front of a load or store.
struct check {
    gimple *call;
    bool store;
    unsigned bytes;
};

// Whether it is one: __tsan_readN or __tsan_writeN. In gcc_hoist.cpp.
bool is_check(gimple *statement, check &check);

// How many bytes from its first argument on a call tells of at most, if they are few
// (ACCESS_GROUP); else 0, and for what is no such call. Likewise.
unsigned few_bytes_told(gimple *statement);
// For the next function.
void forget_bytes_told();

// Whether it only keeps a value that nobody needs, until its load is checked. In gcc_unused.cpp.
bool is_use_mark(gimple *statement);

// Memory that somebody else may know: no registers, no variables whose address is never taken. In
// gcc_values.cpp.
bool is_shared_memory(tree operand);
// A check of all of it, with the computation of its address. Likewise.
gimple_seq range_check(tree operand, built_in_function what, location_t where);

// Whether it may order accesses between processes, as far as can be seen here. Likewise.
bool may_synchronise(gimple *statement);

#endif
