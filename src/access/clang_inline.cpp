// A pass for clang: compiles the common part of the checks into the program, in place of
// ThreadSanitizer's calls.
//
//     if (flags[address >> 16 & mask]) {            // as access_flags_at in module.h
//         if (flag is ACCESS_WINDOW && run.high == address)
//             run.high += bytes;
//         else
//             __regatta_readN(address, &run);       // inlined.c
//     }
//
// A call in front of every access costs much more than its instructions, because it takes nearly
// all registers away. Accesses that may cross a page, ranges and atomic operations stay calls.
#include <cstddef>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "clang_passes.h"
#include "module.h"

using namespace llvm;

bool isCheck(Instruction &instruction, Check &check)
{
    auto *call = dyn_cast<CallInst>(&instruction);
    Function *callee = call ? call->getCalledFunction() : nullptr;
    StringRef name = callee ? callee->getName() : "";
    if (!name.consume_front("__tsan_") || call->arg_size() != 1)
        return false;
    check.aligned = !name.consume_front("unaligned_");
    check.isVolatile = name.consume_front("volatile_");
    bool read = name.consume_front("read");
    if (read)
        name.consume_front("_");
    check.store = name.consume_front("write");
    check.call = call;
    return (read || check.store) && !name.getAsInteger(10, check.bytes);
}

namespace
{

class Inliner
{
    Module &module;
    LLVMContext &context;
    Type *word, *byte;
    PointerType *pointer;
    GlobalVariable *flags, *mask;
    StructType *runType;
    // Gives the address as a number. Not ptrtoint: the code generator would step numbers and
    // pointers through loops side by side, and run out of registers.
    FunctionType *hidesType;
    InlineAsm *hides;
    MDNode *rarely, *once;

    GlobalVariable *hidden(StringRef name, Type *type)
    {
        auto *variable = cast<GlobalVariable>(module.getOrInsertGlobal(name, type));
        variable->setVisibility(GlobalValue::HiddenVisibility);
        variable->setDSOLocal(true);
        return variable;
    }

    LoadInst *loadOnce(IRBuilder<> &builder, Type *type, Value *from)
    {
        LoadInst *load = builder.CreateLoad(type, from);
        load->setMetadata(LLVMContext::MD_invariant_load, once);
        return load;
    }

  public:
    explicit Inliner(Module &module)
        : module(module), context(module.getContext()), word(Type::getInt64Ty(context)),
          byte(Type::getInt8Ty(context)), pointer(PointerType::get(context, 0)),
          flags(hidden("__regatta_flags", pointer)), mask(hidden("__regatta_page_mask", word)),
          runType(StructType::get(word, word, word, word, word)),
          hidesType(FunctionType::get(word, {pointer}, false)),
          hides(InlineAsm::get(hidesType, "", "=r,0", /*hasSideEffects=*/false)),
          rarely(MDBuilder(context).createBranchWeights(1, 1000)), once(MDNode::get(context, {}))
    {
        static_assert(sizeof(access_run) == 40 && offsetof(access_run, high) == 16, "as runType");
    }

    void inlineCheck(const Check &check)
    {
        CallInst *call = check.call;
        Value *address = call->getArgOperand(0);
        IRBuilder<> builder(call);

        Value *number = builder.CreateCall(hidesType, hides, {address});
        Value *page = builder.CreateAnd(builder.CreateLShr(number, uint64_t(ACCESS_PAGE_BITS)),
                                        loadOnce(builder, word, mask));
        // Not atomic: clang's own ThreadSanitizer pass, which comes last, would make a call of it.
        LoadInst *flag = builder.CreateLoad(
            byte, builder.CreateGEP(byte, loadOnce(builder, pointer, flags), page));
        Value *flagged = builder.CreateICmpNE(flag, ConstantInt::get(byte, 0));

        // head -> [maybe -> [look -> [prolong]] -> tell] -> tail
        BasicBlock *head = call->getParent();
        BasicBlock *tail = head->splitBasicBlock(call);
        Function *function = head->getParent();
        BasicBlock *maybe = BasicBlock::Create(context, "", function, tail);
        BasicBlock *look = BasicBlock::Create(context, "", function, tail);
        BasicBlock *prolong = BasicBlock::Create(context, "", function, tail);
        BasicBlock *tell = BasicBlock::Create(context, "", function, tail);
        DebugLoc place = call->getDebugLoc();

        head->getTerminator()->eraseFromParent();
        builder.SetInsertPoint(head);
        builder.SetCurrentDebugLocation(place);
        builder.CreateCondBr(flagged, maybe, tail, rarely);

        builder.SetInsertPoint(maybe);
        builder.CreateCondBr(builder.CreateICmpEQ(flag, ConstantInt::get(byte, ACCESS_WINDOW)),
                             look, tell);

        auto *run = new GlobalVariable(module, runType, false, GlobalValue::PrivateLinkage,
                                       Constant::getNullValue(runType), "regatta_run");
        Value *high = builder.CreateConstInBoundsGEP2_32(runType, run, 0, 2);
        builder.SetInsertPoint(look);
        builder.CreateCondBr(builder.CreateICmpEQ(builder.CreateLoad(word, high), number), prolong,
                             tell);

        builder.SetInsertPoint(prolong);
        builder.CreateStore(builder.CreateAdd(number, ConstantInt::get(word, check.bytes)), high);
        builder.CreateBr(tail);

        builder.SetInsertPoint(tell);
        std::string name =
            (check.store ? "__regatta_write" : "__regatta_read") + std::to_string(check.bytes);
        FunctionCallee callee =
            module.getOrInsertFunction(name, Type::getVoidTy(context), pointer, pointer);
        cast<Function>(callee.getCallee())->setVisibility(GlobalValue::HiddenVisibility);
        cast<Function>(callee.getCallee())->setDSOLocal(true);
        CallInst *told = builder.CreateCall(callee, {address, run});
        told->setDoesNotThrow();
        told->addFnAttr(Attribute::NoMerge); // its return address is the place
        builder.CreateBr(tail);
        call->eraseFromParent();
    }
};

} // namespace

PreservedAnalyses InlineChecks::run(Module &module, ModuleAnalysisManager &)
{
    SmallVector<Check, 0> checks;
    Check check;
    for (Function &function : module)
        for (Instruction &instruction : instructions(function))
            if (isCheck(instruction, check) && check.aligned && check.bytes <= 8)
                checks.push_back(check);
    if (checks.empty())
        return PreservedAnalyses::all();
    Inliner inliner(module);
    for (const Check &each : checks)
        inliner.inlineCheck(each);
    return PreservedAnalyses::none();
}
