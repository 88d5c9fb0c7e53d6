// A pass for clang: tells of a loop's sweep over memory once, in front of the loop, in place of a
// check in each iteration.
//
// That is possible where it is certain beforehand which bytes are going to be accessed: in a loop
// with one exit, at its end, and a number of iterations that is known at its start; for checks that
// every iteration comes to, at addresses that go on by the same number of bytes each time, or stay.
// Nothing in the loop may order accesses between processes, so that it does not matter that they
// are told early: it has no calls (but for functions that touch no memory), no atomic operations,
// nothing volatile.
//
// Inner loops first: what is told in front of one is a part of the loop around it, and goes further
// out if the same holds there.
#include "clang_passes.h"
#include "hooks.h"

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

// What a call tells of memory: ThreadSanitizer's of one access, ours of a sweep.
struct Telling {
    CallInst *call;
    bool store, isVolatile;
    unsigned single;      // a check of one access, of that many bytes; 0: another call
    unsigned pieces, gap; // which arguments say how many pieces, and how far apart; 0: one piece
};

std::string nameOfSweep(bool store, bool steps)
{
    std::string name = store ? "write" : "read";
    return steps ? "__regatta_" + name + "_steps" : "__tsan_" + name + "_range";
}

bool tells(Instruction &instruction, Telling &telling)
{
    Check check;
    if (isCheck(instruction, check)) {
        telling = {check.call, check.store, check.isVolatile, check.bytes, 0, 0};
        return true;
    }
    auto *call = dyn_cast<CallInst>(&instruction);
    Function *callee = call ? call->getCalledFunction() : nullptr;
    for (bool store : {false, true})
        for (bool steps : {false, true})
            if (callee && callee->getName() == nameOfSweep(store, steps) &&
                call->arg_size() == (steps ? 4 : 2)) {
                telling = {call, store, false, 0, steps ? 2u : 0u, steps ? 3u : 0u};
                return true;
            }
    return false;
}

} // namespace

// The metadata of a sweep whose size is not known before the program runs: how many bytes at most.
static const char most[] = "regatta.most";

unsigned fewBytesTold(Instruction &instruction)
{
    Telling telling;
    if (!tells(instruction, telling) || telling.isVolatile)
        return 0;
    if (MDNode *bound = instruction.getMetadata(most))
        return mdconst::extract<ConstantInt>(bound->getOperand(0))->getZExtValue();
    auto number = [&](unsigned argument) {
        auto *constant = dyn_cast<ConstantInt>(telling.call->getArgOperand(argument));
        return constant && constant->getValue().ule(ACCESS_GROUP) ? constant->getZExtValue() : 0;
    };
    uint64_t bytes = telling.single ? telling.single : number(1), count = 1, step = 0;
    if (telling.pieces) {
        count = number(telling.pieces);
        step = number(telling.gap);
        if (!count || !step)
            return 0;
    }
    uint64_t all = bytes + (count - 1) * step;
    return bytes && all <= ACCESS_GROUP ? all : 0;
}

bool maySynchronise(Instruction &instruction)
{
    Telling telling;
    if (tells(instruction, telling))
        return telling.isVolatile;
    if (auto *call = dyn_cast<CallBase>(&instruction))
        return !isa<DbgInfoIntrinsic>(call) && !call->doesNotAccessMemory();
    return instruction.isAtomic() || instruction.isVolatile();
}

namespace
{

class Hoister
{
    Function &function;
    LoopInfo &loops;
    DominatorTree &dominators;
    ScalarEvolution &evolution;

    bool isSimple(Loop *loop, SmallVectorImpl<Telling> &tellings)
    {
        if (!loop->getLoopLatch() || loop->getExitingBlock() != loop->getLoopLatch())
            return false;
        Telling telling;
        for (BasicBlock *block : loop->blocks())
            for (Instruction &instruction : *block) {
                if (maySynchronise(instruction))
                    return false;
                if (tells(instruction, telling) && loops.getLoopFor(block) == loop &&
                    dominators.dominates(block, loop->getLoopLatch()))
                    tellings.push_back(telling);
            }
        return !tellings.empty();
    }

    // What all iterations tell together: one row of equal pieces.
    struct Sweep {
        const SCEV *start, *bytes;
        const SCEV *move = nullptr; // of the start, from one iteration to the next
        const SCEV *count = nullptr, *step = nullptr; // of pieces; null: one piece
        bool single = false;                          // as one check of one access tells it
    };

    // False if it is not the same in all iterations.
    bool isInvariant(Loop *loop, Value *argument, const SCEV *&value)
    {
        value = evolution.getSCEV(argument);
        return evolution.isLoopInvariant(value, loop);
    }

    // False if that is not known in front of the loop, or not one row of equal pieces.
    //
    // Pieces that are met or overlapped by their successors become one. That needs a size that is
    // known now; it is for single accesses, and for the rows that inner loops with a constant
    // number of iterations made of them. So the arms of a star (steps of a few rows) become a few
    // ranges over all columns.
    bool isSweep(Loop *loop, const Telling &each, const SCEV *turns, Sweep &sweep)
    {
        const SCEV *address = evolution.getSCEV(each.call->getArgOperand(0));
        Type *word = evolution.getEffectiveSCEVType(address->getType());
        if (each.single)
            sweep.bytes = evolution.getConstant(word, each.single);
        else if (!isInvariant(loop, each.call->getArgOperand(1), sweep.bytes))
            return false;
        if (each.pieces &&
            !(isInvariant(loop, each.call->getArgOperand(each.pieces), sweep.count) &&
              isInvariant(loop, each.call->getArgOperand(each.gap), sweep.step)))
            return false;
        if (evolution.isLoopInvariant(address, loop)) {
            sweep.start = address;
            sweep.single = each.single;
            return true;
        }
        auto *moving = dyn_cast<SCEVAddRecExpr>(address);
        if (!moving || moving->getLoop() != loop || !moving->isAffine())
            return false;
        sweep.start = moving->getStart();
        const SCEV *move = sweep.move = moving->getStepRecurrence(evolution);
        auto *step = dyn_cast<SCEVConstant>(move);
        auto *size = dyn_cast<SCEVConstant>(sweep.bytes);
        const SCEV *times = evolution.getTruncateOrZeroExtend(turns, word);
        if (step && size && step->getAPInt().abs().ule(size->getAPInt())) {
            const SCEV *further =
                evolution.getMulExpr(times, evolution.getConstant(step->getAPInt().abs()));
            if (step->getAPInt().isNegative())
                sweep.start = evolution.getMinusSCEV(sweep.start, further);
            sweep.bytes = evolution.getAddExpr(further, sweep.bytes);
            return true;
        }
        if (sweep.count)
            return false;
        sweep.count = evolution.getAddExpr(times, evolution.getOne(word));
        sweep.step = move;
        return true;
    }

    // A loop that comes back so often at most; sweeps upwards.
    void noteBound(Loop *loop, const Telling &each, const SCEV *step, CallInst *told)
    {
        auto *turns = dyn_cast<SCEVConstant>(evolution.getConstantMaxBackedgeTakenCount(loop));
        auto *by = dyn_cast_or_null<SCEVConstant>(step);
        if (!turns || !by || turns->getAPInt().uge(ACCESS_GROUP) || by->getAPInt().isNegative() ||
            by->getAPInt().uge(ACCESS_GROUP))
            return;
        uint64_t all =
            each.single + turns->getAPInt().getZExtValue() * by->getAPInt().getZExtValue();
        LLVMContext &context = told->getContext();
        if (all <= ACCESS_GROUP)
            told->setMetadata(most, MDNode::get(context, ConstantAsMetadata::get(ConstantInt::get(
                                                             Type::getInt64Ty(context), all))));
    }

    // What the call in front of the loop is given, behind the address.
    SmallVector<const SCEV *, 3> numbers(const Sweep &sweep)
    {
        if (sweep.count)
            return {sweep.bytes, sweep.count, sweep.step};
        if (sweep.single)
            return {};
        return {sweep.bytes};
    }

    FunctionCallee functionOf(const Telling &each, const Sweep &sweep, ArrayRef<Value *> arguments)
    {
        if (sweep.single && !sweep.count)
            return each.call->getCalledFunction(); // an ordinary check, once
        SmallVector<Type *, 4> types;
        for (Value *argument : arguments)
            types.push_back(argument->getType());
        Module &module = *function.getParent();
        return module.getOrInsertFunction(
            nameOfSweep(each.store, sweep.count),
            FunctionType::get(Type::getVoidTy(module.getContext()), types, false));
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
        SmallVector<Telling, 16> tellings;
        if (!isSimple(loop, tellings))
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
        for (const Telling &each : tellings) {
            Sweep sweep;
            if (!isSweep(loop, each, turns, sweep) || !isSafe(sweep.start))
                continue;
            SmallVector<const SCEV *, 3> values = numbers(sweep);
            if (!all_of(values, isSafe))
                continue;
            SmallVector<Value *, 4> arguments = {expander.expandCodeFor(sweep.start, pointer, end)};
            for (const SCEV *value : values)
                arguments.push_back(expander.expandCodeFor(value, word, end));
            IRBuilder<> builder(end);
            builder.SetCurrentDebugLocation(each.call->getDebugLoc());
            CallInst *told = builder.CreateCall(functionOf(each, sweep, arguments), arguments);
            told->setDoesNotThrow();
            told->addFnAttr(Attribute::NoMerge); // its return address is the place
            if (each.single && !fewBytesTold(*told))
                noteBound(loop, each, sweep.move, told);
            each.call->eraseFromParent();
            changed = true;
        }
        return changed;
    }

    bool hoist()
    {
        bool changed = false;
        SmallVector<Loop *, 4> outerFirst = loops.getLoopsInPreorder();
        for (Loop *loop : reverse(outerFirst))
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
