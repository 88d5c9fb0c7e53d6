// A pass for clang: tells of a loop's sweep over memory once, in front of the loop, in place of a
// check in each iteration.
//
// That is possible where it is certain beforehand which bytes are going to be accessed: in an
// innermost loop with one exit, at its end, and a number of iterations that is known at its start;
// for checks that every iteration comes to, at addresses that go on by the same number of bytes
// each time, or stay. Nothing in the loop may order accesses between processes, so that it does not
// matter that they are told early: it has no calls (but for functions that touch no memory), no
// atomic operations, nothing volatile.
#include "clang_passes.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

using namespace llvm;

namespace
{

bool maySynchronise(Instruction &instruction)
{
    Check check;
    if (isCheck(instruction, check))
        return check.isVolatile;
    if (auto *call = dyn_cast<CallBase>(&instruction))
        return !isa<DbgInfoIntrinsic>(call) && !call->doesNotAccessMemory();
    return instruction.isAtomic() || instruction.isVolatile();
}

class Hoister
{
    Function &function;
    LoopInfo &loops;
    DominatorTree &dominators;
    ScalarEvolution &evolution;

    bool isSimple(Loop *loop, SmallVectorImpl<Check> &checks)
    {
        if (!loop->isInnermost() || !loop->getLoopLatch() ||
            loop->getExitingBlock() != loop->getLoopLatch())
            return false;
        Check check;
        for (BasicBlock *block : loop->blocks())
            for (Instruction &instruction : *block) {
                if (maySynchronise(instruction))
                    return false;
                if (isCheck(instruction, check) &&
                    dominators.dominates(block, loop->getLoopLatch()))
                    checks.push_back(check);
            }
        return !checks.empty();
    }

    // Where a check goes in all iterations.
    struct Sweep {
        const SCEV *start;
        const SCEV *bytes = nullptr; // without gaps: how many from there on
        const SCEV *step = nullptr;  // with gaps
    };

    // False if that is not known in front of the loop.
    bool isSweep(Loop *loop, const Check &check, const SCEV *turns, Sweep &sweep)
    {
        const SCEV *address = evolution.getSCEV(check.call->getArgOperand(0));
        Type *word = evolution.getEffectiveSCEVType(address->getType());
        const SCEV *size = evolution.getConstant(word, check.bytes);
        if (evolution.isLoopInvariant(address, loop)) {
            sweep.start = address;
            return true;
        }
        auto *moving = dyn_cast<SCEVAddRecExpr>(address);
        if (!moving || moving->getLoop() != loop || !moving->isAffine())
            return false;
        sweep.start = moving->getStart();
        sweep.step = moving->getStepRecurrence(evolution);
        auto *step = dyn_cast<SCEVConstant>(sweep.step);
        if (!step || step->getAPInt().abs() != check.bytes)
            return true;
        const SCEV *last =
            evolution.getMulExpr(evolution.getTruncateOrZeroExtend(turns, word), size);
        if (step->getAPInt().isNegative())
            sweep.start = evolution.getMinusSCEV(sweep.start, last);
        sweep.bytes = evolution.getAddExpr(last, size);
        return true;
    }

    // What the check is called with in front of the loop, behind its address.
    SmallVector<const SCEV *, 3> numbers(const Check &check, const Sweep &sweep, const SCEV *turns)
    {
        if (sweep.bytes)
            return {sweep.bytes};
        if (!sweep.step)
            return {};
        Type *word = sweep.step->getType();
        return {evolution.getConstant(word, check.bytes),
                evolution.getAddExpr(evolution.getTruncateOrZeroExtend(turns, word),
                                     evolution.getOne(word)),
                sweep.step};
    }

    FunctionCallee functionOf(const Check &check, const Sweep &sweep, ArrayRef<Value *> arguments)
    {
        if (!sweep.bytes && !sweep.step)
            return check.call->getCalledFunction(); // an ordinary check, once
        std::string name = check.store ? "write" : "read";
        name = sweep.bytes ? "__tsan_" + name + "_range" : "__regatta_" + name + "_steps";
        SmallVector<Type *, 4> types;
        for (Value *argument : arguments)
            types.push_back(argument->getType());
        Module &module = *function.getParent();
        return module.getOrInsertFunction(
            name, FunctionType::get(Type::getVoidTy(module.getContext()), types, false));
    }

  public:
    Hoister(Function &function, FunctionAnalysisManager &analyses)
        : function(function), loops(analyses.getResult<LoopAnalysis>(function)),
          dominators(analyses.getResult<DominatorTreeAnalysis>(function)),
          evolution(analyses.getResult<ScalarEvolutionAnalysis>(function))
    {
    }

    bool hoistFrom(Loop *loop)
    {
        SmallVector<Check, 16> checks;
        if (!isSimple(loop, checks))
            return false;
        const SCEV *turns = evolution.getBackedgeTakenCount(loop);
        if (isa<SCEVCouldNotCompute>(turns))
            return false;
        BasicBlock *before = loop->getLoopPreheader();
        bool changed = false;
        if (!before) {
            before =
                InsertPreheaderForLoop(loop, &dominators, &loops, nullptr, /*PreserveLCSSA=*/false);
            if (!before)
                return false;
            changed = true;
        }
        Module &module = *function.getParent();
        SCEVExpander expander(evolution, module.getDataLayout(), "regatta");
        Type *pointer = PointerType::get(module.getContext(), 0);
        Type *word = Type::getInt64Ty(module.getContext());
        Instruction *end = before->getTerminator();
        auto isSafe = [&](const SCEV *value) { return expander.isSafeToExpandAt(value, end); };
        for (const Check &check : checks) {
            Sweep sweep;
            if (!isSweep(loop, check, turns, sweep) || !isSafe(sweep.start))
                continue;
            SmallVector<const SCEV *, 3> values = numbers(check, sweep, turns);
            if (!all_of(values, isSafe))
                continue;
            SmallVector<Value *, 4> arguments = {expander.expandCodeFor(sweep.start, pointer, end)};
            for (const SCEV *value : values)
                arguments.push_back(expander.expandCodeFor(value, word, end));
            IRBuilder<> builder(end);
            builder.SetCurrentDebugLocation(check.call->getDebugLoc());
            CallInst *told = builder.CreateCall(functionOf(check, sweep, arguments), arguments);
            told->setDoesNotThrow();
            told->addFnAttr(Attribute::NoMerge); // its return address is the place
            check.call->eraseFromParent();
            changed = true;
        }
        return changed;
    }

    bool hoist()
    {
        bool changed = false;
        for (Loop *loop : loops.getLoopsInPreorder())
            changed |= hoistFrom(loop);
        return changed;
    }
};

} // namespace

PreservedAnalyses HoistChecks::run(Function &function, FunctionAnalysisManager &analyses)
{
    return Hoister(function, analyses).hoist() ? PreservedAnalyses::none()
                                               : PreservedAnalyses::all();
}
