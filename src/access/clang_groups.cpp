// For clang: which checks can share one look at the page flags, and sweeps over a few bytes with
// them.
//
// A look at the flag of an address tells about the GROUP bytes from there on (hooks.h). So checks
// of addresses that are a known number of bytes apart make a group, if all of them come together:
// whoever comes to the first comes to the others, and nothing in between may order accesses. Each
// still has its own call, with its own line, if the flag is set. Groups that lie within the bytes
// of another one that the program came by before, with nothing in between that may order accesses,
// take its flag. And a flag of an address that is the same in all iterations of a loop in which
// nothing may order accesses is looked at in front of the loop: looking is no access.
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>

#include "clang_passes.h"
#include "hooks.h"

using namespace llvm;

namespace
{

enum { MOST_GROUPS = 48, MOST_BLOCKS = 64 }; // that are compared, per base; between two of them

class Grouper
{
    Function &function;
    LoopInfo &loops;
    DominatorTree &dominators;
    PostDominatorTree &postDominators;
    ScalarEvolution &evolution;
    DenseMap<const Instruction *, unsigned> before; // what may synchronise, in its block before it
    DenseMap<const BasicBlock *, unsigned> within;  // and in the whole block
    DenseMap<const Value *, SmallVector<size_t, 8>> byBase;
    std::vector<CheckGroup> groups;

    void countSynchronisation()
    {
        for (BasicBlock &block : function) {
            unsigned count = 0;
            for (Instruction &instruction : block) {
                if (isa<CallInst>(instruction))
                    before[&instruction] = count;
                count += maySynchronise(instruction);
            }
            within[&block] = count;
        }
    }

    // Whether nothing may order accesses on any way from one to the other, which it dominates.
    // `sameLoop`: and none of them leads through another loop.
    bool isCalmBetween(const Instruction *from, const Instruction *to, bool sameLoop)
    {
        const BasicBlock *first = from->getParent(), *last = to->getParent();
        if (first == last)
            return before[from] == before[to];
        if (before[from] != within[first] || before[to] != 0)
            return false;
        SmallPtrSet<const BasicBlock *, 16> seen;
        SmallVector<const BasicBlock *, 16> open(predecessors(last));
        while (!open.empty()) {
            const BasicBlock *block = open.pop_back_val();
            if (block == first || !seen.insert(block).second)
                continue;
            if (within[block] || seen.size() > MOST_BLOCKS ||
                (sameLoop && loops.getLoopFor(block) != loops.getLoopFor(first)))
                return false;
            open.append(pred_begin(block), pred_end(block));
        }
        return true;
    }

    // How far behind `from` the other one is; false if that is not known now.
    bool isApart(const CallInst *from, const CallInst *to, int64_t &bytes)
    {
        const SCEV *apart = evolution.getMinusSCEV(evolution.getSCEV(to->getArgOperand(0)),
                                                   evolution.getSCEV(from->getArgOperand(0)));
        auto *known = dyn_cast<SCEVConstant>(apart);
        if (!known || known->getAPInt().getSignificantBits() > 32)
            return false;
        bytes = known->getAPInt().getSExtValue();
        return true;
    }

    bool comeTogether(const CallInst *first, const CallInst *second)
    {
        const BasicBlock *one = first->getParent(), *other = second->getParent();
        return (one == other || (loops.getLoopFor(one) == loops.getLoopFor(other) &&
                                 postDominators.dominates(other, one))) &&
               isCalmBetween(first, second, true);
    }

    // Whether its arguments are known at the first check of a group, too.
    static bool isFixed(const CallInst *call)
    {
        for (unsigned i = 1; i < call->arg_size(); i++)
            if (!isa<ConstantInt>(call->getArgOperand(i)))
                return false;
        return true;
    }

    bool joins(CheckGroup &group, const Check &check, bool single)
    {
        const CallInst *first = group.members.front().check.call;
        int64_t at;
        if (!isFixed(check.call) || !dominators.dominates(first, check.call) ||
            !isApart(first, check.call, at))
            return false;
        int64_t low = std::min(group.low, at),
                high = std::max<int64_t>(group.high, at + check.bytes);
        if (high - low > ACCESS_GROUP || !comeTogether(first, check.call))
            return false;
        group.low = low;
        group.high = high;
        group.members.push_back({check, single, at});
        return true;
    }

    void add(const Check &check, bool single)
    {
        const SCEV *base =
            evolution.getPointerBase(evolution.getSCEV(check.call->getArgOperand(0)));
        auto *unknown = dyn_cast<SCEVUnknown>(base);
        SmallVector<size_t, 8> &near = byBase[unknown ? unknown->getValue() : nullptr];
        size_t tries = std::min<size_t>(near.size(), MOST_GROUPS);
        for (size_t i = 0; unknown && !check.isVolatile && i < tries; i++)
            if (joins(groups[near[near.size() - 1 - i]], check, single))
                return;
        near.push_back(groups.size());
        groups.emplace_back();
        groups.back().members.push_back({check, single, 0});
        groups.back().high = check.bytes;
    }

    // The group whose flag tells about this one, too.
    void findKnown(size_t which, ArrayRef<size_t> near)
    {
        CheckGroup &group = groups[which];
        const CallInst *here = group.members.front().check.call;
        size_t tries = 0;
        for (size_t i = near.size(); i-- > 0 && tries < MOST_GROUPS;) {
            CheckGroup &other = groups[near[i]];
            const CallInst *there = other.members.front().check.call;
            int64_t at;
            if (near[i] >= which || other.known != CheckGroup::NONE)
                continue;
            tries++;
            if (!dominators.dominates(there, here) || !isApart(there, here, at) ||
                at + group.low < other.low || at + group.high > other.low + ACCESS_GROUP ||
                !isCalmBetween(there, here, false))
                continue;
            group.known = near[i];
            return;
        }
    }

    bool isCalm(const Loop *loop)
    {
        return all_of(loop->blocks(), [&](const BasicBlock *block) { return !within[block]; });
    }

    // The outermost loop that the flag can be looked at in front of.
    void findPlace(CheckGroup &group)
    {
        CallInst *here = group.members.front().check.call;
        group.place = here;
        auto *address = group.members.front().check.call->getArgOperand(0);
        for (Loop *loop = loops.getLoopFor(here->getParent()); loop; loop = loop->getParentLoop()) {
            BasicBlock *front = loop->getLoopPreheader();
            if (!front || !loop->isLoopInvariant(address) || !isCalm(loop))
                return;
            group.place = front->getTerminator();
        }
    }

  public:
    Grouper(Function &function, FunctionAnalysisManager &analyses)
        : function(function), loops(analyses.getResult<LoopAnalysis>(function)),
          dominators(analyses.getResult<DominatorTreeAnalysis>(function)),
          postDominators(analyses.getResult<PostDominatorTreeAnalysis>(function)),
          evolution(analyses.getResult<ScalarEvolutionAnalysis>(function))
    {
    }

    std::vector<CheckGroup> find()
    {
        Check check;
        countSynchronisation();
        for (DomTreeNode *node : depth_first(dominators.getRootNode()))
            for (Instruction &instruction : *node->getBlock())
                if (isCheck(instruction, check) && check.aligned && check.bytes <= 8) {
                    add(check, true);
                } else if (unsigned bytes = fewBytesTold(instruction)) {
                    add({cast<CallInst>(&instruction), bytes, false, true, false}, false);
                }
        for (auto &[base, near] : byBase)
            for (size_t which : near)
                if (base)
                    findKnown(which, near);
        for (CheckGroup &group : groups)
            findPlace(group);
        return std::move(groups);
    }
};

} // namespace

std::vector<CheckGroup> groupChecks(Function &function, FunctionAnalysisManager &analyses)
{
    return Grouper(function, analyses).find();
}
