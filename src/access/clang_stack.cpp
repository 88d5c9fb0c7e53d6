// A pass for clang: keeps its ThreadSanitizer pass from leaving out accesses to stack arrays.
//
// Before LLVM 21 that pass asks whether the *element's* address is captured, not whether the
// array's is: an access to a[i] has no check though `a` was passed to MPI_Irecv. So the address of
// every local variable that does escape goes through an empty instruction here, behind which the
// pass cannot see that it is local. It runs right before the pass. Right behind it the variables
// are shown again: what comes then, the vectorisers above all, wants to know which pointers cannot
// meet.
#include "clang_passes.h"

#include <llvm/Analysis/CaptureTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

namespace
{

// Markers of the variable's life and of debuggers want to see the variable itself.
bool isMarker(const User *user)
{
    const auto *intrinsic = dyn_cast<IntrinsicInst>(user);
    return intrinsic && (intrinsic->isLifetimeStartOrEnd() || isa<DbgInfoIntrinsic>(intrinsic));
}

const char hidden[] = "regatta.hidden"; // the metadata of our instruction

void hide(AllocaInst *variable)
{
    // The registers of other address spaces, and arguments passed in memory, are none of our
    // business.
    if (variable->getType()->getAddressSpace() != 0 || variable->isUsedWithInAlloca() ||
        variable->isSwiftError())
        return;
    IRBuilder<> builder(variable->getParent(), std::next(variable->getIterator()));
    auto *type = FunctionType::get(variable->getType(), {variable->getType()}, false);
    auto *nothing = InlineAsm::get(type, "", "=r,0", /*hasSideEffects=*/false);
    CallInst *address = builder.CreateCall(type, nothing, {variable});
    address->setDoesNotThrow();
    address->setDoesNotAccessMemory();
    address->setMetadata(hidden, MDNode::get(variable->getContext(), {}));
    variable->replaceUsesWithIf(
        address, [&](Use &use) { return use.getUser() != address && !isMarker(use.getUser()); });
}

} // namespace

PreservedAnalyses HideStackVariables::run(Function &function, FunctionAnalysisManager &)
{
    SmallVector<AllocaInst *, 16> escaping;
    // Those of a coroutine are to be found again when it gets a frame of its own.
    if (function.hasFnAttribute(Attribute::SanitizeThread) && !function.isPresplitCoroutine())
        for (Instruction &instruction : instructions(function))
            if (auto *variable = dyn_cast<AllocaInst>(&instruction))
                if (PointerMayBeCaptured(variable, /*ReturnCaptures=*/true, /*StoreCaptures=*/true))
                    escaping.push_back(variable);
    for (AllocaInst *variable : escaping)
        hide(variable);
    return escaping.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

PreservedAnalyses ShowStackVariables::run(Function &function, FunctionAnalysisManager &)
{
    bool changed = false;
    for (Instruction &instruction : make_early_inc_range(instructions(function))) {
        if (!isa<CallInst>(instruction) || !instruction.hasMetadata(hidden))
            continue;
        instruction.replaceAllUsesWith(instruction.getOperand(0));
        instruction.eraseFromParent();
        changed = true;
    }
    return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
