// Two passes for clang: a function that is left while MPI may still use an object in its frame.
//
// Which objects others may know of shows at the end, when everything is inlined; where functions
// end shows only before. So MarkFrames runs first of all, and puts a marker for every object whose
// address is taken in front of every way out of its function: the end of the object's life
// (llvm.lifetime.end), which the optimiser knows and which keeps no object in memory, with a note
// that says that it is ours. It is inlined together with its function. CheckFrames runs last, makes
// calls (frames.c) of the markers whose object is known to others, and tells at a return of all
// other such objects of the function.
//
// Exceptions leave functions, too: for objects whose address is taken there is a landing pad. And
// so does longjmp, unless the function itself calls setjmp; frames between the two are the business
// of wrap_jump.c.
#include "clang_passes.h"

#include <llvm/Analysis/CaptureTracking.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/EscapeEnumerator.h>
#include <llvm/Transforms/Utils/Local.h>

using namespace llvm;

namespace
{

const char markName[] = "regatta.leaves";

struct Object {
    Value *address;
    uint64_t bytes;
};

// 0: not known at compile time, or none of our business.
uint64_t bytesOf(const Value *object, const DataLayout &layout)
{
    if (auto *variable = dyn_cast<AllocaInst>(object)) {
        if (!variable->isStaticAlloca() || variable->isSwiftError() ||
            variable->isUsedWithInAlloca() || variable->getAddressSpace() != 0)
            return 0;
        std::optional<TypeSize> size = variable->getAllocationSize(layout);
        return size && !size->isScalable() ? size->getFixedValue() : 0;
    }
    // The callee's own copy.
    auto *parameter = dyn_cast<Argument>(object);
    return parameter && parameter->hasByValAttr()
               ? layout.getTypeAllocSize(parameter->getParamByValType())
               : 0;
}

bool isKnownToOthers(const Value *object)
{
    return PointerMayBeCaptured(object, /*ReturnCaptures=*/false, /*StoreCaptures=*/true);
}

void findObjects(Function &function, SmallVectorImpl<Object> &objects)
{
    const DataLayout &layout = function.getParent()->getDataLayout();
    auto add = [&](Value &value) {
        uint64_t bytes = bytesOf(&value, layout);
        if (bytes && isKnownToOthers(&value))
            objects.push_back({&value, bytes});
    };
    for (Argument &parameter : function.args())
        add(parameter);
    for (Instruction &instruction : function.getEntryBlock())
        if (isa<AllocaInst>(instruction))
            add(instruction);
}

// ---- markers ----

class Marker
{
    Function &function;
    SmallVector<Object, 16> objects;
    MDNode *note(StringRef text)
    {
        LLVMContext &context = function.getContext();
        return MDNode::get(context, MDString::get(context, text));
    }

    // Inlined into a loop, an object must begin to live again.
    void beginLives()
    {
        for (const Object &object : objects) {
            auto *variable = dyn_cast<AllocaInst>(object.address);
            if (!variable || any_of(variable->users(), [](const User *user) {
                    auto *marker = dyn_cast<IntrinsicInst>(user);
                    return marker && marker->getIntrinsicID() == Intrinsic::lifetime_start;
                }))
                continue;
            IRBuilder<> builder(variable->getParent(), std::next(variable->getIterator()));
            builder.CreateLifetimeStart(variable, builder.getInt64(object.bytes));
        }
    }

    void mark(Instruction *exit, StringRef how, DebugLoc line)
    {
        IRBuilder<> builder(exit);
        builder.SetCurrentDebugLocation(line);
        for (const Object &object : objects)
            builder.CreateLifetimeEnd(object.address, builder.getInt64(object.bytes))
                ->setMetadata(markName, note(how));
    }

    // Whether the source says that the function returns a value, in whatever way.
    bool returnsValue() const
    {
        DISubprogram *program = function.getSubprogram();
        DITypeRefArray types = program && program->getType() ? program->getType()->getTypeArray()
                                                             : DITypeRefArray(nullptr);
        return types.size() ? types[0] != nullptr : !function.getReturnType()->isVoidTy();
    }

    // The branch of a return statement has its line, and so has one to the end of a function
    // without a value, but that of what stands before it.
    DebugLoc lineOf(Instruction *branch, Instruction *exit)
    {
        DebugLoc line = branch->getDebugLoc();
        Instruction *last = branch->getPrevNonDebugInstruction();
        bool isOwn = line && (returnsValue() || !last || !last->getDebugLoc() ||
                              last->getDebugLoc().getLine() != line.getLine());
        return isOwn ? line : exit->getDebugLoc();
    }

    // Several return statements lead to one return instruction, whose line is the end of the
    // function. The branches have theirs.
    void markReturn(Instruction *exit)
    {
        BasicBlock *block = exit->getParent();
        bool isShared = !block->getSinglePredecessor() && block != &function.getEntryBlock() &&
                        all_of(predecessors(block),
                               [](BasicBlock *before) { return before->getSingleSuccessor(); }) &&
                        none_of(*block, [](Instruction &each) {
                            return isa<CallBase>(each) && !isa<IntrinsicInst>(each);
                        });
        if (!isShared)
            return mark(exit, "return", exit->getDebugLoc());
        for (BasicBlock *before : predecessors(block)) {
            Instruction *branch = before->getTerminator();
            mark(branch, "return", lineOf(branch, exit));
        }
    }

    void markThrow(Instruction *exit)
    {
        DISubprogram *program =
            function.getSubprogram(); // no line of the source is where that happens
        // Else the landing pad looks as if it did nothing. Makes no code.
        IRBuilder<>(exit).CreateIntrinsic(Intrinsic::sideeffect, {}, {});
        mark(exit, "exception",
             program
                 ? DebugLoc(DILocation::get(function.getContext(), program->getLine(), 0, program))
                 : DebugLoc());
    }

    void markJumps()
    {
        SmallVector<Instruction *, 2> jumps;
        for (Instruction &instruction : instructions(function)) {
            auto *call = dyn_cast<CallBase>(&instruction);
            Function *callee = call ? call->getCalledFunction() : nullptr;
            if (call && call->hasFnAttr(Attribute::ReturnsTwice))
                return; // it may jump to itself
            if (callee && is_contained({"longjmp", "_longjmp", "siglongjmp", "__longjmp_chk"},
                                       callee->getName()))
                jumps.push_back(call);
        }
        for (Instruction *jump : jumps)
            mark(jump, "longjmp", jump->getDebugLoc());
    }

    // C++ functions without handlers of their own can be inlined only into others of the same kind.
    void choosePersonality()
    {
        DISubprogram *program = function.getSubprogram();
        Module &module = *function.getParent();
        bool cxx =
            module.getFunction("__gxx_personality_v0") ||
            (program && program->getUnit() &&
             dwarf::isCPlusPlus(dwarf::SourceLanguage(program->getUnit()->getSourceLanguage())));
        if (function.hasPersonalityFn() || function.doesNotThrow() || !cxx)
            return;
        auto *type = FunctionType::get(Type::getInt32Ty(module.getContext()), true);
        function.setPersonalityFn(
            cast<Constant>(module.getOrInsertFunction("__gxx_personality_v0", type).getCallee()));
    }

  public:
    explicit Marker(Function &function) : function(function)
    {
        findObjects(function, objects);
    }

    bool run()
    {
        if (objects.empty())
            return false;
        beginLives();
        choosePersonality();
        SmallVector<Instruction *, 8> exits;
        EscapeEnumerator ways(function, "regatta_cleanup");
        while (IRBuilder<> *way = ways.Next())
            exits.push_back(&*way->GetInsertPoint());
        for (Instruction *exit : exits)
            isa<ResumeInst>(exit) ? markThrow(exit) : markReturn(exit);
        markJumps();
        return true;
    }
};

// ---- checks ----

class Checker
{
    Function &function;
    Module &module;
    DenseMap<const Value *, bool> known;
    SmallPtrSet<const Value *, 16> marked;

    bool isKnown(const Value *object)
    {
        auto [place, isNew] = known.try_emplace(object, false);
        if (isNew)
            place->second = isKnownToOthers(object);
        return place->second;
    }

    void call(IRBuilder<> &builder, StringRef name, ArrayRef<Value *> arguments)
    {
        SmallVector<Type *, 2> types;
        for (Value *argument : arguments)
            types.push_back(argument->getType());
        FunctionCallee callee =
            module.getOrInsertFunction(name, FunctionType::get(builder.getVoidTy(), types, false));
        cast<Function>(callee.getCallee())->setVisibility(GlobalValue::HiddenVisibility);
        cast<Function>(callee.getCallee())->setDSOLocal(true);
        CallInst *told = builder.CreateCall(callee, arguments);
        told->setDoesNotThrow();
        told->addFnAttr(Attribute::NoMerge); // its return address is the place
    }

    void tell(Instruction *before, const Object &object, StringRef how)
    {
        IRBuilder<> builder(before);
        call(builder, ("__regatta_leave_" + how).str(),
             {object.address, builder.getInt64(object.bytes)});
    }

    void checkMarkers()
    {
        SmallVector<IntrinsicInst *, 16> markers;
        for (Instruction &instruction : instructions(function))
            if (instruction.hasMetadata(markName))
                markers.push_back(cast<IntrinsicInst>(&instruction));
        const DataLayout &layout = module.getDataLayout();
        for (IntrinsicInst *marker : markers) {
            Value *object = getUnderlyingObject(marker->getArgOperand(1));
            uint64_t bytes = bytesOf(object, layout);
            marked.insert(object);
            if (bytes && isKnown(object))
                tell(marker, {object, bytes},
                     cast<MDString>(marker->getMetadata(markName)->getOperand(0))->getString());
            marker->setMetadata(markName, nullptr);
        }
    }

    // Objects that came to be later, as arrays whose size turned out to be constant.
    void checkOthers(ArrayRef<ReturnInst *> returns)
    {
        SmallVector<Object, 16> objects;
        findObjects(function, objects);
        for (const Object &object : objects)
            if (!marked.contains(object.address))
                for (ReturnInst *exit : returns)
                    tell(exit, object, "return");
    }

    // alloca and arrays of variable size: everything that the stack has grown by.
    void checkDynamic(ArrayRef<ReturnInst *> returns)
    {
        bool grows = false;
        SmallVector<IntrinsicInst *, 4> restores;
        for (Instruction &instruction : instructions(function)) {
            auto *variable = dyn_cast<AllocaInst>(&instruction);
            auto *intrinsic = dyn_cast<IntrinsicInst>(&instruction);
            grows |= variable && !variable->isStaticAlloca() && isKnown(variable);
            if (intrinsic && intrinsic->getIntrinsicID() == Intrinsic::stackrestore)
                restores.push_back(intrinsic);
        }
        if (!grows)
            return;
        for (IntrinsicInst *restore : restores) {
            IRBuilder<> builder(restore);
            call(builder, "__regatta_leave_scope", {restore->getArgOperand(0)});
        }
        IRBuilder<> start(&*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
        Value *end = start.CreateStackSave();
        for (ReturnInst *exit : returns) {
            IRBuilder<> builder(exit);
            call(builder, "__regatta_leave_stack", {end});
        }
    }

    // Landing pads of ours that turned out to have nothing to do.
    void removeIdlePads()
    {
        auto isIdle = [](Instruction &each) {
            auto *intrinsic = dyn_cast<IntrinsicInst>(&each);
            return isa<LandingPadInst>(each) || isa<ResumeInst>(each) ||
                   (intrinsic &&
                    (intrinsic->isLifetimeStartOrEnd() || isa<DbgInfoIntrinsic>(intrinsic) ||
                     intrinsic->getIntrinsicID() == Intrinsic::sideeffect));
        };
        SmallVector<BasicBlock *, 4> idle;
        for (BasicBlock &block : function)
            if (block.isLandingPad() && isa<ResumeInst>(block.getTerminator()) &&
                all_of(block, isIdle))
                idle.push_back(&block);
        for (BasicBlock *block : idle) {
            SmallVector<BasicBlock *, 8> callers(predecessors(block));
            for (BasicBlock *caller : callers)
                removeUnwindEdge(caller);
            DeleteDeadBlock(block);
        }
    }

  public:
    explicit Checker(Function &function) : function(function), module(*function.getParent())
    {
    }

    void run()
    {
        SmallVector<ReturnInst *, 4> returns;
        for (BasicBlock &block : function)
            if (auto *exit = dyn_cast<ReturnInst>(block.getTerminator()))
                returns.push_back(exit);
        checkMarkers();
        checkOthers(returns);
        checkDynamic(returns);
        removeIdlePads();
    }
};

const char coroutineName[] = "regatta-coroutine"; // an attribute

bool isChecked(const Function &function)
{
    return !function.isDeclaration() && function.hasFnAttribute(Attribute::SanitizeThread) &&
           !function.hasFnAttribute(Attribute::Naked);
}

} // namespace

PreservedAnalyses MarkFrames::run(Function &function, FunctionAnalysisManager &)
{
    if (!isChecked(function) || function.onlyReadsMemory())
        return PreservedAnalyses::all();
    // What a coroutine returns from at a suspension is not left: the parts that it becomes have
    // this, too.
    if (function.isPresplitCoroutine()) {
        function.addFnAttr(coroutineName);
        return PreservedAnalyses::none();
    }
    return Marker(function).run() ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

PreservedAnalyses CheckFrames::run(Function &function, FunctionAnalysisManager &)
{
    if (!isChecked(function) || function.hasFnAttribute(coroutineName))
        return PreservedAnalyses::all();
    Checker(function).run();
    return PreservedAnalyses::none();
}
