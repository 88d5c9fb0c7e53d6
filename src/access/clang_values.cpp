// A pass for clang: accesses that its ThreadSanitizer pass does not see.
//
// `take(in[0])` copies a structure as part of the call, without an instruction of its own. (A
// result is written by the callee, which has checks; small structures are loaded into registers,
// and these loads have checks.) And it leaves out what is not 1, 2, 4, 8 or 16 bytes: long double,
// wide vectors.
#include "clang_passes.h"

#include <llvm/Analysis/CaptureTracking.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace
{

struct Access {
    Instruction *at;
    Value *address;
    uint64_t bytes;
    bool store;
};

// clang often makes a copy of its own first, which nobody else knows.
bool canBeShared(const Value *address)
{
    const Value *object = getUnderlyingObject(address);
    return !isa<AllocaInst>(object) ||
           PointerMayBeCaptured(object, /*ReturnCaptures=*/true, /*StoreCaptures=*/true);
}

bool isSeen(TypeSize size)
{
    return size.isScalable() || size == 1 || size == 2 || size == 4 || size == 8 || size == 16;
}

void findUnseen(Instruction &instruction, SmallVectorImpl<Access> &found)
{
    const DataLayout &layout = instruction.getModule()->getDataLayout();
    if (auto *call = dyn_cast<CallBase>(&instruction)) {
        for (unsigned i = 0; i < call->arg_size(); i++)
            if (call->isByValArgument(i) && canBeShared(call->getArgOperand(i)))
                found.push_back({call, call->getArgOperand(i),
                                 layout.getTypeAllocSize(call->getParamByValType(i)), false});
        return;
    }
    Value *address = getLoadStorePointerOperand(&instruction);
    if (!address || instruction.hasMetadata(LLVMContext::MD_nosanitize) ||
        address->getType()->getPointerAddressSpace() != 0)
        return;
    TypeSize size = layout.getTypeStoreSize(getLoadStoreType(&instruction));
    if (!isSeen(size) && canBeShared(address))
        found.push_back({&instruction, address, size.getFixedValue(), isa<StoreInst>(instruction)});
}

void check(const Access &access)
{
    Module &module = *access.at->getModule();
    IRBuilder<> builder(access.at);
    FunctionCallee range =
        module.getOrInsertFunction(access.store ? "__tsan_write_range" : "__tsan_read_range",
                                   builder.getVoidTy(), builder.getPtrTy(), builder.getInt64Ty());
    builder.CreateCall(range, {access.address, builder.getInt64(access.bytes)})->setDoesNotThrow();
}

} // namespace

PreservedAnalyses CheckValues::run(Function &function, FunctionAnalysisManager &)
{
    SmallVector<Access, 8> found;
    if (function.hasFnAttribute(Attribute::SanitizeThread))
        for (Instruction &instruction : instructions(function))
            findUnseen(instruction, found);
    for (const Access &access : found)
        check(access);
    return found.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}
