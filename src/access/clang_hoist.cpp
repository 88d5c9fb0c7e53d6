// A pass for clang: tells of a loop's sweep over memory once, in front of the loop, in place of a check in each iteration.
//
// That is possible where it is certain beforehand which bytes are going to be accessed: in an innermost loop with one exit, at
// its end, and a number of iterations that is known at its start; for checks that every iteration comes to, at addresses
// that go on by as many bytes as are accessed, or stay. Nothing in the loop may order accesses between processes, so that it
// does not matter that they are told early: it has no calls (but for functions that touch no memory), no atomic operations,
// nothing volatile.
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

namespace {

bool maySynchronise(Instruction &instruction)
{
    Check check;
    if (isCheck(instruction, check))
        return check.isVolatile;
    if (auto *call = dyn_cast<CallBase>(&instruction))
        return !isa<DbgInfoIntrinsic>(call) && !call->doesNotAccessMemory();
    return instruction.isAtomic() || instruction.isVolatile();
}

class Hoister {
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
                if (isCheck(instruction, check) && dominators.dominates(block, loop->getLoopLatch()))
                    checks.push_back(check);
            }
        return !checks.empty();
    }

    // The first byte of the sweep and their number; false if it is no sweep.
    bool isSweep(Loop *loop, const Check &check, const SCEV *turns, const SCEV *&start, const SCEV *&bytes)
    {
        const SCEV *address = evolution.getSCEV(check.call->getArgOperand(0));
        Type *word = evolution.getEffectiveSCEVType(address->getType());
        const SCEV *size = evolution.getConstant(word, check.bytes);
        if (evolution.isLoopInvariant(address, loop)) {
            start = address;
            bytes = size;
            return true;
        }
        auto *sweep = dyn_cast<SCEVAddRecExpr>(address);
        if (!sweep || sweep->getLoop() != loop || !sweep->isAffine())
            return false;
        auto *step = dyn_cast<SCEVConstant>(sweep->getStepRecurrence(evolution));
        if (!step || step->getAPInt().abs() != check.bytes)
            return false;
        const SCEV *last = evolution.getMulExpr(evolution.getTruncateOrZeroExtend(turns, word), size);
        start = sweep->getStart();
        if (step->getAPInt().isNegative())
            start = evolution.getMinusSCEV(start, last);
        bytes = evolution.getAddExpr(last, size);
        return true;
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
            before = InsertPreheaderForLoop(loop, &dominators, &loops, nullptr, /*PreserveLCSSA=*/false);
            if (!before)
                return false;
            changed = true;
        }
        Module &module = *function.getParent();
        SCEVExpander expander(evolution, module.getDataLayout(), "regatta");
        Type *pointer = PointerType::get(module.getContext(), 0);
        Type *word = Type::getInt64Ty(module.getContext());
        for (const Check &check : checks) {
            const SCEV *start, *bytes;
            Instruction *end = before->getTerminator();
            if (!isSweep(loop, check, turns, start, bytes) || !expander.isSafeToExpandAt(start, end) ||
                !expander.isSafeToExpandAt(bytes, end))
                continue;
            Value *first = expander.expandCodeFor(start, pointer, end);
            Value *number = expander.expandCodeFor(bytes, word, end);
            FunctionCallee callee = module.getOrInsertFunction(
                check.store ? "__tsan_write_range" : "__tsan_read_range",
                Type::getVoidTy(module.getContext()), pointer, word);
            IRBuilder<> builder(end);
            builder.SetCurrentDebugLocation(check.call->getDebugLoc());
            CallInst *told = builder.CreateCall(callee, {first, number});
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
    return Hoister(function, analyses).hoist() ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
