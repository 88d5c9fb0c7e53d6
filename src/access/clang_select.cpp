// A pass for clang: takes back that the optimiser loads both sides of a choice.
//
// `f ? u.b : u.a` loads one of the two. Where neither load can fault, InstCombine makes two loads
// of it and chooses between their values; unlike other passes that run loads ahead of their
// condition it does not ask whether the function is checked for races. If u.b is a receive buffer
// in use and f is 0, that is a false alarm. So a choice between two loads
//     select f, load A, load B   becomes again   load (select f, A, B)
// where nothing stores to A or B between the loads and the choice. It runs behind each InstCombine,
// before another pass moves the loads, and once more in front of the ThreadSanitizer pass. Where
// the program itself loads both and then chooses, only the chosen side is told, unless a side is
// used otherwise as well.
#include "clang_passes.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/MemorySSA.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/DebugInfoMetadata.h>

using namespace llvm;

namespace
{

class Choices
{
    Function &function;
    FunctionAnalysisManager &analyses;
    MemorySSA *memory = nullptr;
    // The state of memory that a load of ours sees: MemorySSA does not know these.
    DenseMap<const LoadInst *, MemoryAccess *> states;

    MemorySSA &ssa()
    {
        if (!memory)
            memory = &analyses.getResult<MemorySSAAnalysis>(function).getMSSA();
        return *memory;
    }

    // The last store, call or join of paths before an instruction; NULL where nothing leads.
    MemoryAccess *stateBefore(const Instruction *instruction)
    {
        const DominatorTree &tree = analyses.getResult<DominatorTreeAnalysis>(function);
        const BasicBlock *block = instruction->getParent();
        if (!tree.isReachableFromEntry(block))
            return nullptr;
        for (auto *before = instruction->getPrevNode(); before; before = before->getPrevNode())
            if (auto *access = dyn_cast_or_null<MemoryDef>(ssa().getMemoryAccess(before)))
                return access;
        if (MemoryPhi *join = ssa().getMemoryAccess(block))
            return join;
        for (auto *node = tree.getNode(block)->getIDom(); node; node = node->getIDom())
            if (auto *definitions = ssa().getBlockDefs(node->getBlock()))
                return const_cast<MemoryAccess *>(&*definitions->rbegin());
        return ssa().getLiveOnEntryDef();
    }

    MemoryAccess *stateOf(LoadInst *load)
    {
        auto own = states.find(load);
        if (own != states.end())
            return own->second;
        auto *use = dyn_cast_or_null<MemoryUse>(ssa().getMemoryAccess(load));
        return use ? use->getDefiningAccess() : nullptr;
    }

    // Whether a load in this place would give the same. All paths to the choice lead through the
    // load, so that one and the same last store before both cannot lie between them.
    bool holdsAt(LoadInst *load, MemoryAccess *state)
    {
        MemoryAccess *seen = stateOf(load);
        if (!seen)
            return false;
        if (seen == state)
            return true;
        MemoryLocation place = MemoryLocation::get(load);
        MemorySSAWalker *walker = ssa().getWalker();
        return walker->getClobberingMemoryAccess(seen, place) ==
               walker->getClobberingMemoryAccess(state, place);
    }

    static LoadInst *plainLoad(const Value *value)
    {
        auto *load = dyn_cast<LoadInst>(const_cast<Value *>(value));
        return load && load->isSimple() ? load : nullptr;
    }

    // A select instruction between two loads.
    static bool isChoice(const User *user)
    {
        auto *choice = dyn_cast<SelectInst>(user);
        if (!choice || choice->getCondition()->getType()->isVectorTy())
            return false;
        LoadInst *one = plainLoad(choice->getTrueValue()),
                 *other = plainLoad(choice->getFalseValue());
        return one && other && one != other &&
               one->getPointerOperandType() == other->getPointerOperandType();
    }

    // Whether nothing but choices needs the loaded value; else the program loads it anyway.
    static bool isOnlyChosen(const Value *load)
    {
        return all_of(load->users(), isChoice);
    }

    static DebugLoc location(const SelectInst *choice, const LoadInst *one, const LoadInst *other)
    {
        auto *merged = DILocation::getMergedLocation(one->getDebugLoc(), other->getDebugLoc());
        for (const DILocation *best : {merged, choice->getDebugLoc().get(),
                                       one->getDebugLoc().get(), other->getDebugLoc().get()})
            if (best && best->getLine())
                return best;
        return merged;
    }

  public:
    Choices(Function &function, FunctionAnalysisManager &analyses)
        : function(function), analyses(analyses)
    {
    }

    // Whether it was taken back; the loads may be left without users.
    bool takeBack(SelectInst *choice)
    {
        if (!isChoice(choice))
            return false;
        LoadInst *one = plainLoad(choice->getTrueValue()),
                 *other = plainLoad(choice->getFalseValue());
        if (!isOnlyChosen(one) && !isOnlyChosen(other))
            return false;
        MemoryAccess *state = stateBefore(choice);
        if (!state || !holdsAt(one, state) || !holdsAt(other, state))
            return false;
        IRBuilder<> builder(choice);
        Value *address = builder.CreateSelect(choice->getCondition(), one->getPointerOperand(),
                                              other->getPointerOperand(), "", choice);
        LoadInst *load = builder.CreateAlignedLoad(choice->getType(), address,
                                                   std::min(one->getAlign(), other->getAlign()));
        load->setAAMetadata(one->getAAMetadata().merge(other->getAAMetadata()));
        load->setDebugLoc(location(choice, one, other));
        load->takeName(choice);
        states[load] = state;
        choice->replaceAllUsesWith(load);
        choice->eraseFromParent();
        return true;
    }
};

bool takeBackChoices(Function &function, FunctionAnalysisManager &analyses)
{
    Choices choices(function, analyses);
    SetVector<Instruction *> loads;
    bool changed = false;
    // What is taken back may be a side of another choice.
    for (bool again = true; again; changed |= again) {
        again = false;
        for (Instruction &instruction : make_early_inc_range(instructions(function))) {
            auto *choice = dyn_cast<SelectInst>(&instruction);
            if (!choice)
                continue;
            auto *one = dyn_cast<Instruction>(choice->getTrueValue()),
                 *other = dyn_cast<Instruction>(choice->getFalseValue());
            if (choices.takeBack(choice)) {
                loads.insert(one);
                loads.insert(other);
                again = true;
            }
        }
    }
    for (Instruction *load : loads)
        if (load->use_empty())
            load->eraseFromParent();
    return changed;
}

} // namespace

PreservedAnalyses LoadOneSide::run(Function &function, FunctionAnalysisManager &analyses)
{
    if (!function.hasFnAttribute(Attribute::SanitizeThread) || !takeBackChoices(function, analyses))
        return PreservedAnalyses::all();
    PreservedAnalyses preserved;
    preserved.preserveSet<CFGAnalyses>();
    return preserved;
}
