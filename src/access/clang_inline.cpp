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
// all registers away. Several checks share the look at the flag where they can (clang_groups.cpp):
//
//     if (flags[lowest address >> 16 & mask] && !__regatta_beside(lowest address, bytes))
//         all of them
//
// Accesses that may cross a page, ranges and atomic operations stay calls.
#include <cstddef>
#include <optional>

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

  private:
    // In front of an instruction, the address that a group's bytes begin at.
    static Value *lowest(IRBuilder<> &builder, const CheckGroup &group)
    {
        Value *first = group.members.front().check.call->getArgOperand(0);
        return group.low ? builder.CreateGEP(builder.getInt8Ty(), first,
                                             builder.getInt64(uint64_t(group.low)))
                         : first;
    }

    Value *numberOf(IRBuilder<> &builder, Value *address)
    {
        CallInst *number = builder.CreateCall(hidesType, hides, {address});
        number->setDoesNotAccessMemory();
        number->setDoesNotThrow();
        return number;
    }

    Value *flagOf(IRBuilder<> &builder, Value *address)
    {
        Value *page = builder.CreateAnd(
            builder.CreateLShr(numberOf(builder, address), uint64_t(ACCESS_PAGE_BITS)),
            loadOnce(builder, word, mask));
        // Not atomic: clang's own ThreadSanitizer pass, which comes last, would make a call of it.
        return builder.CreateLoad(byte,
                                  builder.CreateGEP(byte, loadOnce(builder, pointer, flags), page));
    }

    // A function of the library. It leaves the program's memory alone.
    CallInst *call(IRBuilder<> &builder, StringRef name, Type *result, ArrayRef<Value *> arguments)
    {
        SmallVector<Type *, 2> types;
        for (Value *argument : arguments)
            types.push_back(argument->getType());
        FunctionCallee callee =
            module.getOrInsertFunction(name, FunctionType::get(result, types, false));
        cast<Function>(callee.getCallee())->setVisibility(GlobalValue::HiddenVisibility);
        cast<Function>(callee.getCallee())->setDSOLocal(true);
        CallInst *made = builder.CreateCall(callee, arguments);
        made->setDoesNotThrow();
        made->setMemoryEffects(MemoryEffects::inaccessibleOrArgMemOnly());
        made->addParamAttr(0, Attribute::ReadNone);
        made->addFnAttr(Attribute::NoMerge); // its return address is the place
        return made;
    }

    GlobalVariable *makeRun()
    {
        return new GlobalVariable(module, runType, false, GlobalValue::PrivateLinkage,
                                  Constant::getNullValue(runType), "regatta_run");
    }

    void tell(IRBuilder<> &builder, const Check &check, Value *address, Value *run)
    {
        std::string name =
            (check.store ? "__regatta_write" : "__regatta_read") + std::to_string(check.bytes);
        builder.SetCurrentDebugLocation(check.call->getDebugLoc());
        call(builder, name, builder.getVoidTy(), {address, run});
    }

    BasicBlock *block(BasicBlock *before)
    {
        return BasicBlock::Create(context, "", before->getParent(), before);
    }

    // maybe -> [look -> [prolong]] -> told -> tail
    void tellOne(BasicBlock *maybe, BasicBlock *tail, const Check &check, Value *flag)
    {
        BasicBlock *look = block(tail), *prolong = block(tail), *told = block(tail);
        Value *address = check.call->getArgOperand(0);
        GlobalVariable *run = makeRun();
        IRBuilder<> builder(maybe);
        builder.SetCurrentDebugLocation(check.call->getDebugLoc());
        Value *number = numberOf(builder, address);
        builder.CreateCondBr(builder.CreateICmpEQ(flag, ConstantInt::get(byte, ACCESS_WINDOW)),
                             look, told);

        Value *high = builder.CreateConstInBoundsGEP2_32(runType, run, 0, 2);
        builder.SetInsertPoint(look);
        builder.CreateCondBr(builder.CreateICmpEQ(builder.CreateLoad(word, high), number), prolong,
                             told);

        builder.SetInsertPoint(prolong);
        builder.CreateStore(builder.CreateAdd(number, ConstantInt::get(word, check.bytes)), high);
        builder.CreateBr(tail);

        builder.SetInsertPoint(told);
        tell(builder, check, address, run);
        builder.CreateBr(tail);
    }

    // Goes on only if there is something to tell of a group.
    void askBeside(IRBuilder<> &builder, const CheckGroup &group, BasicBlock *tail)
    {
        BasicBlock *told = block(tail);
        Value *beside = call(builder, "__regatta_beside", builder.getInt32Ty(),
                             {lowest(builder, group), builder.getInt64(group.high - group.low)});
        builder.CreateCondBr(builder.CreateIsNotNull(beside), tail, told);
        builder.SetInsertPoint(told);
    }

    // maybe -> [told] -> tail
    void tellAll(BasicBlock *maybe, BasicBlock *tail, const CheckGroup &group)
    {
        Value *first = group.members.front().check.call->getArgOperand(0);
        IRBuilder<> builder(maybe);
        builder.SetCurrentDebugLocation(group.members.front().check.call->getDebugLoc());
        askBeside(builder, group, tail);
        for (const CheckGroup::Member &each : group.members) {
            Value *address = each.at ? builder.CreateGEP(builder.getInt8Ty(), first,
                                                         builder.getInt64(uint64_t(each.at)))
                                     : first;
            if (each.single) {
                tell(builder, each.check, address, makeRun());
            } else { // as it stands
                auto *told = cast<CallInst>(builder.Insert(each.check.call->clone()));
                told->setArgOperand(0, address);
                told->setDebugLoc(each.check.call->getDebugLoc());
            }
        }
        builder.CreateBr(tail);
    }

  public:
    // head -> [maybe …] -> tail. `known`: the flag, if it is not to be looked at. Returns it.
    Value *inlineGroup(const CheckGroup &group, Value *known)
    {
        CallInst *first = group.members.front().check.call;
        Value *flag = known;
        if (!flag) {
            IRBuilder<> builder(group.place);
            builder.SetCurrentDebugLocation(first->getDebugLoc());
            flag = flagOf(builder, lowest(builder, group));
        }
        BasicBlock *head = first->getParent();
        BasicBlock *tail = head->splitBasicBlock(first);
        BasicBlock *maybe = block(tail);
        head->getTerminator()->eraseFromParent();
        IRBuilder<> builder(head);
        builder.SetCurrentDebugLocation(first->getDebugLoc());
        Value *flagged = builder.CreateICmpNE(flag, ConstantInt::get(byte, 0));
        builder.CreateCondBr(flagged, maybe, tail, rarely);
        if (group.members.size() == 1 && group.members.front().single)
            tellOne(maybe, tail, group.members.front().check, flag);
        else
            tellAll(maybe, tail, group);
        return flag;
    }
};

void inlineGroups(Inliner &inliner, const std::vector<CheckGroup> &groups)
{
    std::vector<Value *> flags(groups.size());
    for (size_t i = 0; i < groups.size(); i++)
        flags[i] = inliner.inlineGroup(
            groups[i], groups[i].known == CheckGroup::NONE ? nullptr : flags[groups[i].known]);
    for (const CheckGroup &group : groups)
        for (const CheckGroup::Member &each : group.members)
            each.check.call->eraseFromParent();
}

} // namespace

PreservedAnalyses InlineChecks::run(Module &module, ModuleAnalysisManager &analyses)
{
    auto &each = analyses.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
    std::optional<Inliner> inliner;
    for (Function &function : module) {
        if (function.isDeclaration())
            continue;
        std::vector<CheckGroup> groups = groupChecks(function, each);
        if (groups.empty())
            continue;
        if (!inliner)
            inliner.emplace(module);
        inlineGroups(*inliner, groups);
    }
    return inliner ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
