/* The part of the bridge that changes modules: linking, inlining, resolving calls. */
#include "bridge.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/CallPromotionUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>

#include <memory>
#include <vector>

using namespace llvm;

struct bridge_linker {
    Linker linker;
    explicit bridge_linker(Module &program) : linker(program) {}
};

bridge_linker *bridge_linker_open(LLVMModuleRef program)
{
    return new bridge_linker(*unwrap(program));
}

bool bridge_link(bridge_linker *linker, LLVMModuleRef module)
{
    return !linker->linker.linkInModule(std::unique_ptr<Module>(unwrap(module)));
}

void bridge_linker_close(bridge_linker *linker)
{
    delete linker;
}

LLVMValueRef bridge_variable_at(LLVMValueRef address, int64_t *offset)
{
    Value *value = unwrap(address);
    const auto *at = dyn_cast<Instruction>(value);
    const auto *global = dyn_cast<GlobalValue>(value->stripPointerCasts());
    const Module *module = at ? at->getModule() : global ? global->getParent() : nullptr;
    if (!module) {
        /* A constant expression knows its module only through the variable at its bottom. */
        const auto *bottom = dyn_cast<GlobalValue>(getUnderlyingObject(value));
        module = bottom ? bottom->getParent() : nullptr;
    }
    if (!module)
        return nullptr;
    const DataLayout &layout = module->getDataLayout();
    APInt distance(layout.getIndexTypeSizeInBits(value->getType()), 0);
    Value *base = value->stripAndAccumulateConstantOffsets(layout, distance, true);
    *offset = distance.getSExtValue();
    return isa<AllocaInst>(base) || isa<GlobalVariable>(base) ? wrap(base) : nullptr;
}

/* flang, and clang as many call it, leave variables without their names. */
static void name_variables(Instruction &instruction)
{
    for (DbgVariableRecord &record : filterDbgVars(instruction.getDbgRecordRange())) {
        Value *address = record.isDbgDeclare() ? record.getVariableLocationOp(0) : nullptr;
        if (address && isa<AllocaInst>(address) && !address->hasName())
            address->setName(record.getVariable()->getName());
    }
}

void bridge_forget_variables(LLVMModuleRef module)
{
    for (Function &function : *unwrap(module))
        for (BasicBlock &block : function)
            for (Instruction &instruction : make_early_inc_range(block)) {
                name_variables(instruction);
                instruction.dropDbgRecords();
                if (isa<DbgInfoIntrinsic>(instruction))
                    instruction.eraseFromParent();
            }
}

LLVMValueRef bridge_invoke_to_call(LLVMValueRef invoke)
{
    return wrap(changeToCall(unwrap<InvokeInst>(invoke)));
}

/* A struct passed by value is read where the function is called, and nowhere in it. */
static void copy_arguments(CallBase &call)
{
    const DataLayout &layout = call.getModule()->getDataLayout();
    BasicBlock &entry = call.getFunction()->getEntryBlock();
    for (unsigned i = 0; i < call.arg_size(); i++) {
        if (!call.isByValArgument(i))
            continue;
        Type *type = call.getParamByValType(i);
        Align align = layout.getPrefTypeAlign(type);
        auto *copy = new AllocaInst(type, layout.getAllocaAddrSpace(), nullptr, align, "", entry.begin());
        IRBuilder<> builder(&call); /* takes the call's line */
        builder.CreateMemCpy(copy, align, call.getArgOperand(i), call.getParamAlign(i),
                             layout.getTypeAllocSize(type));
        call.setArgOperand(i, copy);
        call.removeParamAttr(i, Attribute::ByVal);
    }
}

bool bridge_inline(LLVMValueRef call)
{
    InlineFunctionInfo info;
    copy_arguments(*cast<CallBase>(unwrap(call)));
    return InlineFunction(*cast<CallBase>(unwrap(call)), info).isSuccess();
}

void bridge_split_returns(LLVMValueRef function)
{
    auto *body = unwrap<Function>(function);
    std::vector<BasicBlock *> common;
    for (BasicBlock &block : *body)
        if (isa<ReturnInst>(block.getFirstNonPHIOrDbg()) && block.getName() == "return")
            common.push_back(&block);
    for (BasicBlock *block : common) {
        auto *last = cast<ReturnInst>(block->getTerminator());
        std::vector<BasicBlock *> before(pred_begin(block), pred_end(block));
        if (before.size() < 2)
            continue;
        for (BasicBlock *from : before) {
            auto *branch = dyn_cast<BranchInst>(from->getTerminator());
            if (!branch || branch->isConditional())
                continue;
            Value *value = last->getReturnValue();
            auto *phi = dyn_cast_or_null<PHINode>(value);
            if (phi && phi->getParent() == block)
                value = phi->getIncomingValueForBlock(from);
            ReturnInst *own = ReturnInst::Create(body->getContext(), value, branch->getIterator());
            own->setDebugLoc(branch->getDebugLoc());
            block->removePredecessor(from, true);
            branch->eraseFromParent();
        }
        if (pred_empty(block) && block != &body->getEntryBlock())
            DeleteDeadBlock(block);
    }
}

const char *bridge_location_function(LLVMMetadataRef location)
{
    const auto *place = dyn_cast_or_null<DILocation>(unwrap(location));
    const DISubprogram *subprogram = place ? place->getScope()->getSubprogram() : nullptr;
    return subprogram && subprogram->getRawName() ? subprogram->getRawName()->getString().data()
                                                  : "";
}

bool bridge_resolve_call(LLVMValueRef call, LLVMValueRef *callees, size_t count)
{
    auto *site = cast<CallBase>(unwrap(call));
    std::vector<Function *> fitting;
    for (size_t i = 0; i < count; i++)
        if (isLegalToPromote(*site, unwrap<Function>(callees[i])))
            fitting.push_back(unwrap<Function>(callees[i]));
    if (fitting.empty())
        return false;
    for (size_t i = 0; i + 1 < fitting.size(); i++)
        promoteCallWithIfThenElse(*site, fitting[i]);
    promoteCall(*site, fitting.back());
    return true;
}
