// A pass for clang: keeps its ThreadSanitizer pass from leaving out accesses to stack arrays.
//
// Before LLVM 21 that pass asks whether the *element's* address is captured, not whether the array's is: an
// access to a[i] has no check though `a` was passed to MPI_Irecv. So the address of every local variable that
// does escape goes through an empty instruction here, behind which the pass cannot see that it is local. It
// runs right before the pass, and costs a register move at most.
#include "clang_passes.h"

#include <llvm/Analysis/CaptureTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

namespace {

// Markers of the variable's life and of debuggers want to see the variable itself.
bool isMarker(const User *user)
{
    const auto *intrinsic = dyn_cast<IntrinsicInst>(user);
    return intrinsic && (intrinsic->isLifetimeStartOrEnd() || isa<DbgInfoIntrinsic>(intrinsic));
}

void hide(AllocaInst *variable)
{
    // The registers of other address spaces, and arguments passed in memory, are none of our business.
    if (variable->getType()->getAddressSpace() != 0 || variable->isUsedWithInAlloca() ||
        variable->isSwiftError())
        return;
    IRBuilder<> builder(variable->getParent(), std::next(variable->getIterator()));
    auto *type = FunctionType::get(variable->getType(), {variable->getType()}, false);
    auto *nothing = InlineAsm::get(type, "", "=r,0", /*hasSideEffects=*/false);
    CallInst *address = builder.CreateCall(type, nothing, {variable});
    address->setDoesNotThrow();
    address->setDoesNotAccessMemory();
    variable->replaceUsesWithIf(
        address, [&](Use &use) { return use.getUser() != address && !isMarker(use.getUser()); });
}

} // namespace

PreservedAnalyses HideStackVariables::run(Function &function, FunctionAnalysisManager &)
{
    SmallVector<AllocaInst *, 16> escaping;
    if (function.hasFnAttribute(Attribute::SanitizeThread))
        for (Instruction &instruction : instructions(function))
            if (auto *variable = dyn_cast<AllocaInst>(&instruction))
                if (PointerMayBeCaptured(variable, /*ReturnCaptures=*/true, /*StoreCaptures=*/true))
                    escaping.push_back(variable);
    for (AllocaInst *variable : escaping)
        hide(variable);
    return escaping.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}
