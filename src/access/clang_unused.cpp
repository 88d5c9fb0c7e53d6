// Two passes for clang: loads whose value nobody needs.
//
// `int x = buf[0] % 2;` loads buf[0] though x is never used; the optimiser removes the load before
// ThreadSanitizer's pass could put a check in front of it. So MarkUnused runs before any
// optimisation, finds out which loads nothing depends on that the program does, and lets a call
// that touches no memory of the program use each one's value:
//     %x = load i32, ptr %buf
//     call void @__regatta_used(i32 %x)
// From then on it is a load like any other: it stays under its condition and is inlined, merged
// with equal ones and checked as they are. Behind ThreadSanitizer's pass ForgetUses takes the calls
// away, and the loads with them; the checks stay. Loads that are needed are left alone, and what
// the optimiser can do to them.
//
// The value that a function returns and a caller ignores is used in the same way: what is loaded
// for it is needed in the function, but no more when that is inlined.
#include "clang_passes.h"

#include <llvm/Analysis/CaptureTracking.h>
#include <llvm/Analysis/IteratedDominanceFrontier.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

using namespace llvm;

namespace
{

const char useName[] = "__regatta_used";

// Markers of a variable's life and of debuggers.
bool isNoUse(const Instruction &instruction)
{
    return instruction.isLifetimeStartOrEnd() || isa<DbgInfoIntrinsic>(instruction);
}

// A copy of the function in which scalar variables are values: of `x = buf[0]; x = 2;` the first is
// unused there, though x is not. The function itself is left to clang, to whose passes the order of
// things matters.
class Copy
{
    Function *copy;
    ValueToValueMapTy copies;
    SmallPtrSet<const Value *, 16> scalars; // of the function itself

  public:
    explicit Copy(Function &function)
    {
        DISubprogram *program = function.getSubprogram();
        function.setSubprogram(nullptr); // else it would be copied, too
        copy = CloneFunction(&function, copies);
        function.setSubprogram(program);
        SmallVector<AllocaInst *, 16> variables;
        for (Instruction &instruction : function.getEntryBlock()) {
            auto *variable = dyn_cast<AllocaInst>(&instruction);
            if (variable && isAllocaPromotable(variable)) {
                scalars.insert(variable);
                variables.push_back(cast<AllocaInst>(copies.lookup(variable)));
            }
        }
        if (!variables.empty()) {
            DominatorTree tree(*copy);
            PromoteMemToReg(variables, tree);
        }
    }
    Copy(const Copy &) = delete;
    ~Copy()
    {
        copy->eraseFromParent();
    }

    Function &function()
    {
        return *copy;
    }

    // What became of an instruction; NULL for loads and stores of scalar variables.
    Instruction *of(const Instruction &instruction)
    {
        const Value *address = getLoadStorePointerOperand(&instruction);
        return scalars.contains(address) || scalars.contains(&instruction)
                   ? nullptr
                   : dyn_cast_or_null<Instruction>(copies.lookup(&instruction));
    }
};

// Which instructions the program needs for what it does: to call, to store where others may look,
// to return; and the conditions of these.
class Needs
{
    // Bytes of a local variable that nobody else knows.
    struct Bytes {
        AllocaInst *variable = nullptr;
        uint64_t low = 0, high = UINT64_MAX;
    };
    struct Pointer {
        AllocaInst *variable;
        std::optional<uint64_t> offset;
    };

    const DataLayout &layout;
    DenseMap<const Value *, Pointer> pointers; // to such variables
    DenseMap<AllocaInst *, SmallVector<Instruction *, 8>> writers;
    DenseSet<const Instruction *> needed;
    SmallVector<Instruction *, 64> open;
    SmallPtrSet<BasicBlock *, 16> blocks, newBlocks; // that must be come to

    // Follows the address of a variable; false if anybody but loads, stores and copies has it.
    bool follow(AllocaInst *variable, DenseMap<const Value *, Pointer> &found,
                SmallVectorImpl<Instruction *> &stores)
    {
        SmallVector<std::pair<Value *, std::optional<uint64_t>>, 8> ways = {{variable, 0}};
        while (!ways.empty()) {
            auto [pointer, offset] = ways.pop_back_val();
            found.insert({pointer, Pointer{variable, offset}});
            for (const Use &use : pointer->uses()) {
                auto *user = cast<Instruction>(use.getUser());
                if (auto *element = dyn_cast<GetElementPtrInst>(user)) {
                    APInt step(layout.getIndexTypeSizeInBits(element->getType()), 0);
                    bool known = offset && !element->getType()->isVectorTy() &&
                                 element->accumulateConstantOffset(layout, step);
                    if (element->getType()->isVectorTy())
                        return false;
                    ways.push_back({element, known ? std::optional<uint64_t>(
                                                         *offset + uint64_t(step.getSExtValue()))
                                                   : std::nullopt});
                } else if (isa<StoreInst>(user)) {
                    if (use.getOperandNo() != StoreInst::getPointerOperandIndex())
                        return false;
                    stores.push_back(user);
                } else if (isa<MemIntrinsic>(user)) {
                    if (use.getOperandNo() == 0)
                        stores.push_back(user);
                } else if (!isa<LoadInst>(user) && !isNoUse(*user)) {
                    return false;
                }
            }
        }
        return true;
    }

    Bytes bytesAt(const Value *address, std::optional<uint64_t> count)
    {
        auto pointer = pointers.find(address);
        if (pointer == pointers.end())
            return {};
        Bytes bytes{pointer->second.variable};
        if (pointer->second.offset && count) {
            bytes.low = *pointer->second.offset;
            bytes.high = bytes.low + *count;
        }
        return bytes;
    }

    std::optional<uint64_t> sizeOf(Type *type)
    {
        TypeSize size = layout.getTypeStoreSize(type);
        return size.isScalable() ? std::nullopt : std::optional<uint64_t>(size.getFixedValue());
    }

    static std::optional<uint64_t> lengthOf(const MemIntrinsic *copy)
    {
        auto *length = dyn_cast<ConstantInt>(copy->getLength());
        return length ? std::optional<uint64_t>(length->getZExtValue()) : std::nullopt;
    }

    Bytes written(const Instruction *instruction)
    {
        if (auto *store = dyn_cast<StoreInst>(instruction))
            return store->isSimple() ? bytesAt(store->getPointerOperand(),
                                               sizeOf(store->getValueOperand()->getType()))
                                     : Bytes();
        auto *copy = dyn_cast<MemIntrinsic>(instruction);
        return copy && !copy->isVolatile() ? bytesAt(copy->getRawDest(), lengthOf(copy)) : Bytes();
    }

    Bytes readBy(const Instruction *instruction)
    {
        if (auto *load = dyn_cast<LoadInst>(instruction))
            return bytesAt(load->getPointerOperand(), sizeOf(load->getType()));
        auto *copy = dyn_cast<MemTransferInst>(instruction);
        return copy ? bytesAt(copy->getRawSource(), lengthOf(copy)) : Bytes();
    }

    bool isEffect(const Instruction &instruction)
    {
        if (isa<BranchInst>(instruction) || isa<SwitchInst>(instruction) || isNoUse(instruction))
            return false;
        return instruction.isTerminator() ||
               (instruction.mayHaveSideEffects() && !written(&instruction).variable);
    }

    void needBlock(BasicBlock *block)
    {
        if (blocks.insert(block).second)
            newBlocks.insert(block);
    }

    void need(Instruction *instruction)
    {
        if (needed.insert(instruction).second)
            open.push_back(instruction);
    }

    void needBytes(const Bytes &bytes)
    {
        for (Instruction *writer : writers[bytes.variable]) {
            Bytes stored = written(writer);
            if (stored.low < bytes.high && bytes.low < stored.high)
                need(writer);
        }
    }

    void follow(Instruction *instruction)
    {
        needBlock(instruction->getParent());
        for (Value *operand : instruction->operands())
            if (auto *from = dyn_cast<Instruction>(operand))
                need(from);
        if (auto *join = dyn_cast<PHINode>(instruction))
            for (BasicBlock *before : join->blocks())
                needBlock(before);
        Bytes bytes = readBy(instruction);
        if (bytes.variable)
            needBytes(bytes);
    }

    // The branches that decide whether the blocks are come to.
    void needConditions(PostDominatorTree &tree)
    {
        SmallVector<BasicBlock *, 32> deciding;
        ReverseIDFCalculator frontiers(tree);
        frontiers.setDefiningBlocks(newBlocks);
        frontiers.calculate(deciding);
        newBlocks.clear();
        for (BasicBlock *block : deciding)
            need(block->getTerminator());
    }

  public:
    Needs(Function &function, PostDominatorTree &tree)
        : layout(function.getParent()->getDataLayout())
    {
        for (Instruction &instruction : instructions(function)) {
            DenseMap<const Value *, Pointer> found;
            SmallVector<Instruction *, 8> stores;
            auto *variable = dyn_cast<AllocaInst>(&instruction);
            if (!variable || !follow(variable, found, stores))
                continue;
            pointers.insert(found.begin(), found.end());
            writers[variable] = stores;
        }
        for (Instruction &instruction : instructions(function))
            if (isEffect(instruction))
                need(&instruction);
        do {
            while (!open.empty())
                follow(open.pop_back_val());
            needConditions(tree);
        } while (!open.empty());
    }

    bool has(const Instruction *instruction) const
    {
        return needed.contains(instruction);
    }

    bool isOwnVariable(const Value *address) const
    {
        return pointers.contains(address);
    }
};

// Memory that others may know, and that may change.
bool canBeShared(const Value *address, const Needs &needs)
{
    const Value *object = getUnderlyingObject(address);
    if (address->getType()->getPointerAddressSpace() != 0 || needs.isOwnVariable(address))
        return false;
    if (auto *global = dyn_cast<GlobalVariable>(object))
        return !global->isConstant();
    return !isa<AllocaInst>(object) ||
           PointerMayBeCaptured(object, /*ReturnCaptures=*/true, /*StoreCaptures=*/true);
}

// Whether the function may load, as far as can be seen here, and gives a value that nobody needs.
// Pointers are left out: to use the address of a variable would keep it in memory.
bool isIgnoredResult(const Instruction &instruction, const Needs &needs)
{
    auto *call = dyn_cast<CallBase>(&instruction);
    if (!call || isa<IntrinsicInst>(call) || call->isInlineAsm() || call->isMustTailCall() ||
        call->getType()->isVoidTy() || call->getType()->isPtrOrPtrVectorTy() ||
        call->getType()->isTokenTy() || call->doesNotReturn())
        return false;
    const Function *callee = call->getCalledFunction();
    if (callee && callee->isDeclaration() && call->mayHaveSideEffects())
        return false;
    return none_of(call->users(),
                   [&](const User *user) { return needs.has(cast<Instruction>(user)); });
}

// Values that are to be used, and copies that are to be checked.
void findUnused(Function &function, SmallVectorImpl<Instruction *> &used,
                SmallVectorImpl<MemTransferInst *> &copies)
{
    Copy copy(function);
    PostDominatorTree tree(copy.function());
    Needs needs(copy.function(), tree);
    for (Instruction &instruction : instructions(function)) {
        Instruction *its = copy.of(instruction);
        auto *load = dyn_cast_or_null<LoadInst>(its);
        auto *transfer = dyn_cast_or_null<MemTransferInst>(its);
        if (!its)
            continue;
        if (isIgnoredResult(*its, needs))
            used.push_back(&instruction);
        else if (needs.has(its) || instruction.hasMetadata(LLVMContext::MD_nosanitize))
            continue;
        else if (load && canBeShared(load->getPointerOperand(), needs))
            used.push_back(&instruction);
        else if (transfer && canBeShared(transfer->getRawSource(), needs))
            copies.push_back(cast<MemTransferInst>(&instruction));
    }
}

class UseMarker
{
    Module &module;

    // Leaves the program's memory and everything else alone, but must not be left out.
    void keep(CallInst *call, DebugLoc line)
    {
        call->setDebugLoc(line);
        call->setDoesNotThrow();
        call->addFnAttr(Attribute::WillReturn);
        call->addFnAttr(Attribute::NoSync);
        call->addFnAttr(Attribute::NoCallback);
        call->addFnAttr(Attribute::NoFree);
        call->addFnAttr(Attribute::NoMerge);
    }

  public:
    explicit UseMarker(Module &module) : module(module)
    {
    }

    void use(Instruction *value)
    {
        BasicBlock::iterator behind = std::next(value->getIterator());
        if (auto *invoke = dyn_cast<InvokeInst>(value)) {
            if (!invoke->getNormalDest()->getSinglePredecessor())
                return;
            behind = invoke->getNormalDest()->getFirstInsertionPt();
        } else if (value->isTerminator()) {
            return;
        }
        IRBuilder<> builder(behind->getParent(), behind);
        auto *type = FunctionType::get(builder.getVoidTy(), /*isVarArg=*/true);
        CallInst *call = builder.CreateCall(module.getOrInsertFunction(useName, type), {value});
        call->setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
        if (value->getType()->isPointerTy()) {
            call->addParamAttr(0, Attribute::NoCapture);
            call->addParamAttr(0, Attribute::ReadNone);
        }
        keep(call, value->getDebugLoc());
    }

    // A structure that is copied into a variable that nobody looks at.
    void checkCopy(MemTransferInst *copy)
    {
        IRBuilder<> builder(copy);
        FunctionCallee range = module.getOrInsertFunction("__tsan_read_range", builder.getVoidTy(),
                                                          builder.getPtrTy(), builder.getInt64Ty());
        CallInst *call = builder.CreateCall(
            range, {copy->getRawSource(),
                    builder.CreateZExtOrTrunc(copy->getLength(), builder.getInt64Ty())});
        call->setMemoryEffects(MemoryEffects::inaccessibleOrArgMemOnly());
        call->addParamAttr(0, Attribute::NoCapture);
        call->addParamAttr(0, Attribute::ReadNone);
        keep(call, copy->getDebugLoc());
    }
};

// Whether the value comes from a call that does nothing else than give it, but loads: with the use
// the call would go, and the checks in the function with it.
bool comesFromCall(Value *value, SmallPtrSetImpl<Value *> &seen)
{
    auto *from = dyn_cast<Instruction>(value);
    if (!from || !seen.insert(from).second || seen.size() > 64)
        return false;
    if (isa<CallBase>(from) && !isa<IntrinsicInst>(from))
        return !from->mayHaveSideEffects() && from->mayReadFromMemory();
    return !from->mayHaveSideEffects() &&
           any_of(from->operands(), [&](Value *each) { return comesFromCall(each, seen); });
}

// Such a value goes to an empty instruction instead.
void keepCall(CallBase *use, Value *value)
{
    IRBuilder<> builder(use);
    builder.SetCurrentDebugLocation(use->getDebugLoc());
    while (value->getType()->isAggregateType() && value->getType()->getNumContainedTypes())
        value = builder.CreateExtractValue(value, 0);
    if (!value->getType()->isIntegerTy() && !value->getType()->isFloatingPointTy())
        return;
    auto *type = FunctionType::get(builder.getVoidTy(), {value->getType()}, false);
    CallInst *kept =
        builder.CreateCall(type, InlineAsm::get(type, "", "X", /*hasSideEffects=*/true), {value});
    kept->setDoesNotThrow();
    kept->setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
}

} // namespace

PreservedAnalyses MarkUnused::run(Function &function, FunctionAnalysisManager &)
{
    if (!function.hasFnAttribute(Attribute::SanitizeThread) || function.isPresplitCoroutine())
        return PreservedAnalyses::all();
    SmallVector<Instruction *, 16> used;
    SmallVector<MemTransferInst *, 4> copies;
    findUnused(function, used, copies);
    UseMarker marker(*function.getParent());
    for (Instruction *value : used)
        marker.use(value);
    for (MemTransferInst *copy : copies)
        marker.checkCopy(copy);
    if (used.empty() && copies.empty())
        return PreservedAnalyses::all();
    PreservedAnalyses preserved;
    preserved.preserveSet<CFGAnalyses>();
    return preserved;
}

PreservedAnalyses ForgetUses::run(Module &module, ModuleAnalysisManager &)
{
    Function *use = module.getFunction(useName);
    if (!use)
        return PreservedAnalyses::all();
    for (User *user : make_early_inc_range(use->users())) {
        auto *call = cast<CallBase>(user);
        Value *value = call->getArgOperand(0);
        SmallPtrSet<Value *, 16> seen;
        if (comesFromCall(value, seen))
            keepCall(call, value);
        call->eraseFromParent();
        RecursivelyDeleteTriviallyDeadInstructions(value);
    }
    use->eraseFromParent();
    return PreservedAnalyses::none();
}
