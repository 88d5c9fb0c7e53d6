// For gcc: which checks can share one look at the page flags, and sweeps over a few bytes with
// them. As clang_groups.cpp, which says why.
#define INCLUDE_VECTOR
#include <gcc-plugin.h>

#include <backend.h>
#include <tree.h>
#include <gimple.h>
#include <tree-pass.h>
#include <context.h>
#include <ssa.h>
#include <gimple-iterator.h>
#include <cfgloop.h>
#include <tree-affine.h>

#include "gcc_groups.h"
#include "hooks.h"

namespace
{

enum { MOST_GROUPS = 48, MOST_BLOCKS = 64 }; // that are compared; between two of them

class grouper
{
    function *fun;
    hash_map<tree, name_expansion *> *expansions = NULL;
    std::vector<unsigned> within; // what may synchronise in a block, by its index
    std::vector<check_group> groups;
    std::vector<aff_tree> addresses; // of the groups' first checks

    void count_synchronisation()
    {
        basic_block block;
        within.resize(last_basic_block_for_fn(fun));
        FOR_EACH_BB_FN(block, fun)
        {
            unsigned count = 0;
            for (auto at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at)) {
                gimple_set_uid(gsi_stmt(at), count);
                count += may_synchronise(gsi_stmt(at));
            }
            within[block->index] = count;
        }
    }

    // Whether nothing may order accesses on any way from one to the other, which it dominates.
    // `same_loop`: and none of them leads through another loop.
    bool is_calm_between(gimple *from, gimple *to, bool same_loop)
    {
        basic_block first = gimple_bb(from), last = gimple_bb(to), block;
        if (first == last)
            return gimple_uid(from) == gimple_uid(to);
        if (gimple_uid(from) != within[first->index] || gimple_uid(to) != 0)
            return false;
        auto_vec<basic_block, 16> open;
        std::vector<bool> seen(within.size());
        unsigned count = 0;
        open.safe_push(last);
        while (!open.is_empty()) {
            block = open.pop();
            edge in;
            edge_iterator each;
            FOR_EACH_EDGE(in, each, block->preds)
            {
                basic_block before = in->src;
                if (before == first || seen[before->index])
                    continue;
                seen[before->index] = true;
                if (within[before->index] || ++count > MOST_BLOCKS ||
                    (same_loop && before->loop_father != first->loop_father))
                    return false;
                open.safe_push(before);
            }
        }
        return true;
    }

    bool comes_behind(gimple *first, gimple *second)
    {
        // In one block they were met in this order.
        return gimple_bb(first) == gimple_bb(second) ||
               dominated_by_p(CDI_DOMINATORS, gimple_bb(second), gimple_bb(first));
    }

    bool come_together(gimple *first, gimple *second)
    {
        basic_block one = gimple_bb(first), other = gimple_bb(second);
        return (one == other || (one->loop_father == other->loop_father &&
                                 dominated_by_p(CDI_POST_DOMINATORS, one, other))) &&
               is_calm_between(first, second, true);
    }

    // How far behind `from` the other one is; false if that is not known now.
    bool is_apart(const aff_tree &from, const aff_tree &to, HOST_WIDE_INT &bytes)
    {
        aff_tree apart = from, other = to;
        aff_combination_scale(&apart, -1);
        aff_combination_add(&apart, &other);
        widest_int known;
        if (apart.n || apart.rest || !apart.offset.is_constant(&known))
            return false;
        known = wi::sext(known, TYPE_PRECISION(sizetype));
        if (!wi::fits_shwi_p(known) || wi::abs(known) > 1 << 30)
            return false;
        bytes = known.to_shwi();
        return true;
    }

    // Whether its arguments are known at the first check of a group, too.
    static bool is_fixed(gimple *call)
    {
        for (unsigned i = 1; i < gimple_call_num_args(call); i++)
            if (TREE_CODE(gimple_call_arg(call, i)) != INTEGER_CST)
                return false;
        return true;
    }

    bool joins(size_t which, const check &check, bool single, const aff_tree &address)
    {
        check_group &group = groups[which];
        gimple *first = group.members.front().what.call;
        HOST_WIDE_INT at;
        if (!is_fixed(check.call) || !comes_behind(first, check.call) ||
            !is_apart(addresses[which], address, at))
            return false;
        HOST_WIDE_INT low = MIN(group.low, at),
                      high = MAX(group.high, at + (HOST_WIDE_INT)check.bytes);
        if (high - low > ACCESS_GROUP || !come_together(first, check.call))
            return false;
        group.low = low;
        group.high = high;
        group.members.push_back({check, single, at});
        return true;
    }

    // The group whose flag tells about this one, too.
    void find_known(size_t which)
    {
        check_group &group = groups[which];
        gimple *here = group.members.front().what.call;
        unsigned tries = 0;
        for (size_t i = which; i-- > 0 && tries < MOST_GROUPS;) {
            check_group &other = groups[i];
            gimple *there = other.members.front().what.call;
            HOST_WIDE_INT at;
            if (other.known != check_group::NONE)
                continue;
            tries++;
            if (!comes_behind(there, here) || !is_apart(addresses[i], addresses[which], at) ||
                at + group.low < other.low || at + group.high > other.low + ACCESS_GROUP ||
                !is_calm_between(there, here, false))
                continue;
            group.known = i;
            return;
        }
    }

    bool is_calm(class loop *loop)
    {
        basic_block *blocks = get_loop_body(loop);
        bool calm = true;
        for (unsigned i = 0; i < loop->num_nodes && calm; i++)
            calm = !within[blocks[i]->index];
        free(blocks);
        return calm;
    }

    static bool is_invariant(class loop *loop, tree address)
    {
        if (TREE_CODE(address) != SSA_NAME)
            return is_gimple_min_invariant(address);
        basic_block from = gimple_bb(SSA_NAME_DEF_STMT(address));
        return !from || !flow_bb_inside_loop_p(loop, from);
    }

    // The outermost loop that the flag can be looked at in front of.
    void find_place(check_group &group)
    {
        gimple *here = group.members.front().what.call;
        tree address = gimple_call_arg(here, 0);
        for (class loop *loop = gimple_bb(here)->loop_father; loop && loop_outer(loop);
             loop = loop_outer(loop)) {
            if (!is_invariant(loop, address) || !is_calm(loop))
                return;
            group.place = loop_preheader_edge(loop);
        }
    }

    void add(const check &check, bool single)
    {
        aff_tree address;
        tree_to_aff_combination_expand(gimple_call_arg(check.call, 0), sizetype, &address,
                                       &expansions);
        size_t tries = MIN(groups.size(), (size_t)MOST_GROUPS);
        for (size_t i = 0; i < tries; i++)
            if (joins(groups.size() - 1 - i, check, single, address))
                return;
        groups.emplace_back();
        groups.back().members.push_back({check, single, 0});
        groups.back().high = check.bytes;
        addresses.push_back(address);
    }

    void add_all_in(basic_block block)
    {
        for (auto at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at)) {
            check check;
            bool single = is_check(gsi_stmt(at), check) && check.bytes <= 8;
            if (!single)
                check = {gsi_stmt(at), false, few_bytes_told(gsi_stmt(at))};
            if (check.bytes)
                add(check, single);
        }
        for (basic_block next = first_dom_son(CDI_DOMINATORS, block); next;
             next = next_dom_son(CDI_DOMINATORS, next))
            add_all_in(next);
    }

  public:
    explicit grouper(function *fun) : fun(fun)
    {
    }

    std::vector<check_group> find()
    {
        count_synchronisation();
        add_all_in(ENTRY_BLOCK_PTR_FOR_FN(fun));
        for (size_t i = 0; i < groups.size(); i++)
            find_known(i);
        for (check_group &group : groups)
            find_place(group);
        free_affine_expand_cache(&expansions);
        return std::move(groups);
    }
};

} // namespace

std::vector<check_group> group_checks(function *fun)
{
    calculate_dominance_info(CDI_DOMINATORS);
    calculate_dominance_info(CDI_POST_DOMINATORS);
    return grouper(fun).find();
}
