// The passes of the plug-in for clang, in the order in which they run; clang's own ThreadSanitizer
// pass runs in front of HoistChecks. C++ because LLVM's C interface has no pass plug-ins.
#ifndef REGATTA_ACCESS_CLANG_PASSES_H
#define REGATTA_ACCESS_CLANG_PASSES_H

#include <llvm/IR/Instructions.h>
#include <llvm/IR/PassManager.h>

// clang_frames.cpp: the first one before anything else is done to the program
struct MarkFrames : llvm::PassInfoMixin<MarkFrames> {
    llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
    static bool isRequired()
    {
        return true;
    } // at -O0 too
};
struct CheckFrames : llvm::PassInfoMixin<CheckFrames> {
    llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
    static bool isRequired()
    {
        return true;
    } // at -O0 too
};

// clang_values.cpp
struct CheckValues : llvm::PassInfoMixin<CheckValues> {
    llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
    static bool isRequired()
    {
        return true;
    } // at -O0 too
};

// clang_stack.cpp
struct HideStackVariables : llvm::PassInfoMixin<HideStackVariables> {
    llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
    static bool isRequired()
    {
        return true;
    } // at -O0 too
};

struct ShowStackVariables : llvm::PassInfoMixin<ShowStackVariables> {
    llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
};

// clang_select.cpp
struct LoadOneSide : llvm::PassInfoMixin<LoadOneSide> {
    llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

// clang_hoist.cpp
struct HoistChecks : llvm::PassInfoMixin<HoistChecks> {
    llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

// clang_inline.cpp
struct InlineChecks : llvm::PassInfoMixin<InlineChecks> {
    llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
};

// A call that ThreadSanitizer's pass put in front of a load or store.
struct Check {
    llvm::CallInst *call;
    unsigned bytes;
    bool store, aligned, isVolatile;
};

// Whether it is one: __tsan_readN, __tsan_writeN or one of their relatives.
bool isCheck(llvm::Instruction &instruction, Check &check);

#endif
