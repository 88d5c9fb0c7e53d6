// A pass for clang: structures that are passed by value in memory.
//
// `take(in[0])` copies the structure as part of the call, without an instruction that clang's ThreadSanitizer pass could see. (A
// result is written by the callee, which has checks; small structures are loaded into registers, and these loads have checks.)
#include "clang_passes.h"

#include <llvm/Analysis/CaptureTracking.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace {

// clang often makes a copy of its own first, which nobody else knows.
bool canBeShared(const Value *address)
{
    const Value *object = getUnderlyingObject(address);
    return !isa<AllocaInst>(object) || PointerMayBeCaptured(object, /*ReturnCaptures=*/true, /*StoreCaptures=*/true);
}

void check(CallBase &call, unsigned argument)
{
    Module &module = *call.getModule();
    uint64_t bytes = module.getDataLayout().getTypeAllocSize(call.getParamByValType(argument));
    IRBuilder<> builder(&call);
    FunctionCallee range = module.getOrInsertFunction("__tsan_read_range", builder.getVoidTy(), builder.getPtrTy(), builder.getInt64Ty());
    builder.CreateCall(range, {call.getArgOperand(argument), builder.getInt64(bytes)})->setDoesNotThrow();
}

} // namespace

PreservedAnalyses CheckValues::run(Function &function, FunctionAnalysisManager &)
{
    SmallVector<std::pair<CallBase *, unsigned>, 8> copies;
    if (function.hasFnAttribute(Attribute::SanitizeThread))
        for (Instruction &instruction : instructions(function))
            if (auto *call = dyn_cast<CallBase>(&instruction))
                for (unsigned i = 0; i < call->arg_size(); i++)
                    if (call->isByValArgument(i) && canBeShared(call->getArgOperand(i)))
                        copies.push_back({call, i});
    for (auto [call, argument] : copies)
        check(*call, argument);
    return copies.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}
