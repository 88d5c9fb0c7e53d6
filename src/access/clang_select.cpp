// A pass for clang: takes back that the optimiser loads both sides of a choice.
//
// `f ? u.b : u.a` loads one of the two. Where neither load can fault, InstCombine makes two loads of it and chooses between their
// values; of all passes that run loads ahead of their condition it alone does not ask whether the function is checked for races.
// If u.b is a receive buffer in use and f is 0, that is a false alarm. So a choice between two loads
//     select f, load A, load B   becomes again   load (select f, A, B)
// where nothing stores to A or B between the loads and the choice. It runs behind each InstCombine, before another pass moves the
// loads, and once more in front of the ThreadSanitizer pass.
//
// The other exception is in LICM: for `if (c) g += x` in a loop it keeps g in a register, which it loads in front of the loop
// though c may never hold; stores stay where they are. Such a load is not checked; those in its place are told where its value is
// used.
#include "clang_passes.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/MemorySSA.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

namespace {

// ---- choices ----

class Choices {
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

    // Whether a load in this place would give the same. All paths to the choice lead through the load, so that one and the same last
    // store before both cannot lie between them.
    bool holdsAt(LoadInst *load, MemoryAccess *state)
    {
        MemoryAccess *seen = stateOf(load);
        if (!seen)
            return false;
        if (seen == state)
            return true;
        MemoryLocation place = MemoryLocation::get(load);
        MemorySSAWalker *walker = ssa().getWalker();
        return walker->getClobberingMemoryAccess(seen, place) == walker->getClobberingMemoryAccess(state, place);
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
        LoadInst *one = plainLoad(choice->getTrueValue()), *other = plainLoad(choice->getFalseValue());
        return one && other && one != other && one->getPointerOperandType() == other->getPointerOperandType();
    }

    // Whether nothing but choices needs the loaded value; else the program loads it anyway.
    static bool isOnlyChosen(const Value *load)
    {
        return all_of(load->users(), isChoice);
    }

    static DebugLoc location(const SelectInst *choice, const LoadInst *one, const LoadInst *other)
    {
        auto *merged = DILocation::getMergedLocation(one->getDebugLoc(), other->getDebugLoc());
        for (const DILocation *best : {merged, choice->getDebugLoc().get(), one->getDebugLoc().get(), other->getDebugLoc().get()})
            if (best && best->getLine())
                return best;
        return merged;
    }

public:
    Choices(Function &function, FunctionAnalysisManager &analyses) : function(function), analyses(analyses) {}

    // Whether it was taken back; the loads may be left without users.
    bool takeBack(SelectInst *choice)
    {
        if (!isChoice(choice))
            return false;
        LoadInst *one = plainLoad(choice->getTrueValue()), *other = plainLoad(choice->getFalseValue());
        if (!isOnlyChosen(one) && !isOnlyChosen(other))
            return false;
        MemoryAccess *state = stateBefore(choice);
        if (!state || !holdsAt(one, state) || !holdsAt(other, state))
            return false;
        IRBuilder<> builder(choice);
        Value *address =
            builder.CreateSelect(choice->getCondition(), one->getPointerOperand(), other->getPointerOperand(), "", choice);
        LoadInst *load =
            builder.CreateAlignedLoad(choice->getType(), address, std::min(one->getAlign(), other->getAlign()));
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
            auto *one = dyn_cast<Instruction>(choice->getTrueValue()), *other = dyn_cast<Instruction>(choice->getFalseValue());
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

// ---- variables of loops ----

// A load that LICM put in front of a loop in which the variable is still stored to; the program's own have lines.
bool isPromoted(const LoadInst *load, const PHINode *variable, const Loop *loop)
{
    if (!load->isSimple() || load->getMetadata(LLVMContext::MD_nosanitize) || (load->getDebugLoc() && load->getDebugLoc().getLine()))
        return false;
    for (const User *user : variable->users())
        if (auto *instruction = dyn_cast<Instruction>(user))
            if (!isa<PHINode>(user) && instruction->getParent() == loop->getHeader())
                return false; // loaded whenever the loop is entered
    return any_of(load->getPointerOperand()->users(), [&](const User *user) {
        auto *store = dyn_cast<StoreInst>(user);
        return store && store->getPointerOperand() == load->getPointerOperand() && loop->contains(store);
    });
}

// The first instruction of each block of the loop that needs the variable's value.
MapVector<BasicBlock *, Instruction *> usesOf(PHINode *variable, const Loop *loop)
{
    SetVector<PHINode *> values;
    MapVector<BasicBlock *, Instruction *> uses;
    values.insert(variable);
    for (size_t i = 0; i < values.size(); i++)
        for (User *user : values[i]->users()) {
            auto *instruction = cast<Instruction>(user);
            if (!loop->contains(instruction))
                continue;
            if (auto *join = dyn_cast<PHINode>(instruction)) {
                values.insert(join);
                continue;
            }
            Instruction *&first = uses[instruction->getParent()];
            if (!first || instruction->comesBefore(first))
                first = instruction;
        }
    return uses;
}

bool tellWhereUsed(Loop *loop, LLVMContext &context)
{
    BasicBlock *before = loop->getLoopPreheader();
    bool changed = false;
    if (!before)
        return false;
    for (PHINode &variable : loop->getHeader()->phis()) {
        auto *load = dyn_cast<LoadInst>(variable.getIncomingValueForBlock(before));
        if (!load || !isPromoted(load, &variable, loop))
            continue;
        for (auto &[block, use] : usesOf(&variable, loop)) {
            IRBuilder<> builder(use); // for its check; nobody needs its value
            builder.CreateAlignedLoad(load->getType(), load->getPointerOperand(), load->getAlign());
        }
        load->setMetadata(LLVMContext::MD_nosanitize, MDNode::get(context, {}));
        changed = true;
    }
    return changed;
}

} // namespace

PreservedAnalyses TellPromoted::run(Function &function, FunctionAnalysisManager &analyses)
{
    bool changed = false;
    if (function.hasFnAttribute(Attribute::SanitizeThread) && function.getSubprogram())
        for (Loop *loop : analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder())
            changed |= tellWhereUsed(loop, function.getContext());
    if (!changed)
        return PreservedAnalyses::all();
    PreservedAnalyses preserved;
    preserved.preserveSet<CFGAnalyses>();
    return preserved;
}

PreservedAnalyses LoadOneSide::run(Function &function, FunctionAnalysisManager &analyses)
{
    if (!function.hasFnAttribute(Attribute::SanitizeThread) || !takeBackChoices(function, analyses))
        return PreservedAnalyses::all();
    PreservedAnalyses preserved;
    preserved.preserveSet<CFGAnalyses>();
    return preserved;
}
